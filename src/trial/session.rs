//! A trial in progress: its arms trained and matched, resuming where it stopped.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use rand::RngCore as _;

use super::{
    ArmConfig, MatchesConfig, TrialConfig, TrialError,
    ledger::{self, Ledger, Played, Stage, arm_player},
};
use crate::{
    console::{ConfigError, Ending, Progress, StopFlag, say},
    disk::{ConfigChange, DirectoryError, IoError, Lock, check_name, generation_dir, generations, lock, settle},
    encode::sample,
    evaluate::{Contender, EngineLimits, MatchConfig, NoBaseline, PlayerSpec, PlayerSpecError, play_match},
    export::{Alternatives, read_network},
    game::{
        Game, Playable, Ruleset,
        random::stream,
        registry::{self, GameVisitor},
        text_game::text_game,
    },
    model::{Checkpoint, backend::BackendConfig},
    pipeline::{Config, Length, Run, RunError, costs, metrics::read_metrics},
};

/// What another program has for a move.
const ENGINE_TIME: Duration = Duration::from_millis(100);

/// A trial whose arms are checked, held by this process alone as long as the value lives.
pub struct Trial {
    config: TrialConfig,
    name: String,
    root: PathBuf,
    folder: PathBuf,
    ledger: Ledger,
    ruleset: Ruleset,
    _lock: Lock,
}

impl Trial {
    /// Opens the trial called `name` under `root`, or begins it. Nothing is trained yet. With `change` allowed, matches
    /// that were played under other settings are forgotten; runs of an arm that changed go on under its new
    /// configuration never: they need another name.
    ///
    /// # Errors
    /// When an arm's configuration cannot be, arms play by different rules, another process is at work on the trial, or
    /// its settings changed and `change` forbids it.
    pub fn open(config: TrialConfig, name: &str, root: &Path, change: ConfigChange) -> Result<Trial, TrialError> {
        check_name(name)?;
        let mut reference: Option<(String, Ruleset)> = None;
        for arm in &config.arm {
            let run = config.run(arm, config.seeds[0])?;
            let found = text_game(&run.game, &run.rules)?.ruleset().clone();
            match &reference {
                None => reference = Some((arm.name.clone(), found)),
                Some((first, expected)) if *expected != found => {
                    let (arm, reference) = (arm.name.clone(), first.clone());
                    let (expected, found) = (expected.to_string(), found.to_string());
                    return Err(TrialError::OtherRules { arm, reference, expected, found });
                }
                Some(_) => {}
            }
        }
        let (_, ruleset) = reference.expect("a trial has arms");
        let folder = root.join("trials").join(name);
        fs::create_dir_all(&folder).map_err(IoError::at(&folder))?;
        let lock = lock(&folder)?;
        let mut ledger = Ledger::read(ledger::path(&folder))?;
        let settings = folder.join("trial.toml");
        match settle(&settings, &config.identity(), ConfigChange::Refuse) {
            Err(DirectoryError::ConfigChanged { .. }) if change == ConfigChange::Allow => {
                ledger.clear()?;
                settle(&settings, &config.identity(), ConfigChange::Allow)?;
            }
            settled => settled?,
        }
        Ok(Trial { config, name: name.to_owned(), root: root.to_owned(), folder, ledger, ruleset, _lock: lock })
    }

    pub fn config(&self) -> &TrialConfig {
        &self.config
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Folder of its matches and results.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Folder of checkpoints and metrics of an arm's run.
    pub fn models(&self, arm: &ArmConfig, seed: u64) -> PathBuf {
        self.root.join("models").join(self.run_name(arm, seed))
    }

    fn run_name(&self, arm: &ArmConfig, seed: u64) -> String {
        format!("{}-{}-{seed}", self.name, arm.name)
    }

    /// Trains and plays whatever is not there yet.
    ///
    /// # Errors
    /// When a run, a player or the disk fails; everything finished stays.
    pub fn run(&mut self, stop: &StopFlag) -> Result<Ending, TrialError> {
        let first = self.config.run(&self.config.arm[0], self.config.seeds[0])?;
        registry::with_game(&first.game, &first.rules, Work { trial: self, stop })?
    }

    /// Whether an arm was given up: in its match at half its cost it was too far behind.
    pub fn is_given_up(&self, arm: &ArmConfig) -> bool {
        let Some(limit) = self.config.stop else { return false };
        let reference = arm_player(&self.config.arm[0].name);
        self.config.seeds.iter().any(|&seed| {
            let played = self.ledger.find(Stage::Half, seed, &arm.name, &reference);
            played.is_some_and(|played| played.pairs.estimate().estimate < -limit.elo)
        })
    }

    /// The order of the arms with the seed at `place` of the list: forwards and backwards in turn, so that what the
    /// machine does slowly, such as getting warm, meets all arms alike.
    fn order(&self, place: usize) -> Vec<ArmConfig> {
        let arms = self.config.arm.iter().filter(|arm| !self.is_given_up(arm)).cloned();
        if place.is_multiple_of(2) { arms.collect() } else { arms.rev().collect() }
    }
}

struct Work<'a> {
    trial: &'a mut Trial,
    stop: &'a StopFlag,
}

impl GameVisitor for Work<'_> {
    type Output = Result<Ending, TrialError>;

    fn visit<R: Playable>(mut self, game: Game<R>) -> Self::Output {
        for (place, seed) in self.trial.config.seeds.clone().into_iter().enumerate() {
            if let Some(limit) = self.trial.config.stop {
                for arm in self.trial.order(place) {
                    if self.train(&game, &arm, seed, 0.5)? == Ending::Stopped {
                        return Ok(Ending::Stopped);
                    }
                }
                if self.meet_reference(&game, Stage::Half, seed, limit.games)? == Ending::Stopped {
                    return Ok(Ending::Stopped);
                }
            }
            for arm in self.trial.order(place) {
                if self.train(&game, &arm, seed, 1.0)? == Ending::Stopped {
                    return Ok(Ending::Stopped);
                }
            }
            if self.meet_reference(&game, Stage::End, seed, self.trial.config.matches.games)? == Ending::Stopped
                || self.meet_opponents(&game, seed)? == Ending::Stopped
            {
                return Ok(Ending::Stopped);
            }
        }
        Ok(Ending::Done)
    }
}

impl Work<'_> {
    fn train<R: Playable>(&self, game: &Game<R>, arm: &ArmConfig, seed: u64, until: f64) -> Result<Ending, TrialError> {
        let trial = &*self.trial;
        let (config, name): (Config, String) = (trial.config.run(arm, seed)?, trial.run_name(arm, seed));
        let error = |source: RunError| TrialError::Run { run: name.clone(), source: Box::new(source) };
        let mut run = Run::open(game.clone(), config, &trial.root, &name, ConfigChange::Refuse, self.stop.clone())
            .map_err(error)?;
        run.train(Some(Length { whole: trial.config.budget(), until })).map_err(error)
    }

    /// Every arm meets the first.
    fn meet_reference<R: Playable>(
        &mut self,
        game: &Game<R>,
        stage: Stage,
        seed: u64,
        games: u64,
    ) -> Result<Ending, TrialError> {
        let reference = self.trial.config.arm[0].clone();
        for arm in self.trial.order(0).into_iter().filter(|arm| arm.name != reference.name) {
            let opponent = arm_player(&reference.name);
            let meeting = Meeting { stage, seed, arm, opponent, games };
            if self.meet(game, &meeting, |work| work.network(game, &reference, seed, stage))? == Ending::Stopped {
                return Ok(Ending::Stopped);
            }
        }
        Ok(Ending::Done)
    }

    /// Every network meets the other players.
    fn meet_opponents<R: Playable>(&mut self, game: &Game<R>, seed: u64) -> Result<Ending, TrialError> {
        let MatchesConfig { opponents, opponent_games: games, .. } = self.trial.config.matches.clone();
        for arm in self.trial.order(0) {
            for opponent in &opponents {
                let (arm, stage) = (arm.clone(), Stage::End);
                let meeting = Meeting { stage, seed, arm, opponent: opponent.clone(), games };
                if self.meet(game, &meeting, |work| work.opponent(game, opponent))? == Ending::Stopped {
                    return Ok(Ending::Stopped);
                }
            }
        }
        Ok(Ending::Done)
    }

    /// Plays a match, unless it is played.
    fn meet<R: Playable>(
        &mut self,
        game: &Game<R>,
        meeting: &Meeting,
        other: impl Fn(&Self) -> Result<Contender, TrialError>,
    ) -> Result<Ending, TrialError> {
        let Meeting { stage, seed, arm, opponent, games } = meeting;
        if self.trial.ledger.find(*stage, *seed, &arm.name, opponent).is_some() {
            return Ok(Ending::Done);
        }
        let contenders = [self.network(game, arm, *seed, *stage)?, other(self)?];
        let player = arm_player(&arm.name);
        let config = MatchConfig {
            games: *games,
            opening_plies: self.trial.config.matches.opening_plies,
            seed: stream(&format!("trial {player} {opponent}"), *seed, 0, 0).next_u64(),
            threads: std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            ..MatchConfig::default()
        };
        let progress = Progress::new(format!("seed {seed}: {player}, {opponent}"), *games);
        let report = play_match(game, contenders.each_ref(), [&player, opponent], &config, self.stop, |_, report| {
            let total = report.total();
            progress.show(total.games(), || format!("+{} ={} -{}", total.wins, total.draws, total.losses));
        })?;
        drop(progress);
        if report.total().games() < *games {
            return Ok(Ending::Stopped);
        }
        let (total, when) = (report.total(), if *stage == Stage::Half { ", half-way" } else { "" });
        say(&format!(
            "seed {seed}: {player} against {opponent}{when}: +{} ={} -{}, Elo {:+.0}",
            total.wins,
            total.draws,
            total.losses,
            report.estimate()
        ));
        let (arm, opponent, pairs) = (arm.name.clone(), opponent.clone(), report.pairs);
        self.trial.ledger.add(Played { stage: *stage, seed: *seed, arm, opponent, pairs })?;
        Ok(Ending::Done)
    }

    /// The network of an arm's run with which its cost was reached, also where the run has gone on since.
    fn network<R: Playable>(
        &self,
        game: &Game<R>,
        arm: &ArmConfig,
        seed: u64,
        stage: Stage,
    ) -> Result<Contender, TrialError> {
        let models = self.trial.models(arm, seed);
        let Some(&newest) = generations(&models)?.last() else {
            return Err(TrialError::NoOrigin { folder: models });
        };
        let budget = self.trial.config.budget().part(if stage == Stage::Half { 0.5 } else { 1.0 });
        let path = models.join("metrics.jsonl");
        let metrics = read_metrics(&path).map_err(IoError::at(&path))?;
        let reached = budget.checkpoint(&costs(metrics.iter().map(|metric| &metric.event)));
        let generation = reached.map_or(newest, |reached| reached.min(newest));
        self.contender(game, Checkpoint::load_for(&generation_dir(&models, generation), game)?)
    }

    fn opponent<R: Playable>(&self, game: &Game<R>, name: &str) -> Result<Contender, TrialError> {
        let error = |problem: String| TrialError::Opponent { opponent: name.to_owned(), problem };
        let spec: PlayerSpec = name.parse().map_err(|problem: PlayerSpecError| error(problem.to_string()))?;
        match Contender::baseline(&spec) {
            Ok(baseline) => Ok(baseline),
            Err(NoBaseline::Engine(engine)) => {
                let limits = EngineLimits { time: Some(ENGINE_TIME), ..EngineLimits::default() };
                Contender::engine(engine, limits).map_err(|fault| error(fault.to_string()))
            }
            Err(NoBaseline::Checkpoint(path)) => {
                let checkpoint = read_network(path, Alternatives::default())?;
                checkpoint.metadata().check_game(game).map_err(|problem| error(problem.to_string()))?;
                self.contender(game, checkpoint)
            }
        }
    }

    fn contender<R: Playable>(&self, game: &Game<R>, checkpoint: Checkpoint) -> Result<Contender, TrialError> {
        let matches = &self.trial.config.matches;
        let search = matches.search().map_err(|reason| ConfigError::File { file: "[match]".to_owned(), reason })?;
        let backend = BackendConfig {
            device: &matches.device,
            precision: matches.precision,
            backend: matches.backend,
            sample: Some(sample(game)),
            ..BackendConfig::default()
        };
        Ok(Contender::network(checkpoint, backend, search, 1)?)
    }
}

/// A match of an arm's network.
struct Meeting {
    stage: Stage,
    seed: u64,
    arm: ArmConfig,
    opponent: String,
    games: u64,
}
