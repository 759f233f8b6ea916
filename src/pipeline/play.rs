//! The first phase of a generation: a checkpoint plays against itself.

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use tch::Device;

use super::{
    config::RunConfig,
    metrics::{ChecksEvent, EvaluatorEvent, Event, PlayersEvent, SelfplayEvent, WorkerEvent},
    run::{Run, RunError},
};
use crate::{
    console::{Ending, Memory, Progress, say},
    data,
    disk::{IoError, chunk_of, chunks, remove_partial_files},
    encode::sample,
    game::{Facts, FieldError, Game, Outcome, Playable, Reason},
    model::{
        Checkpoint, Plan,
        backend::{self, BackendConfig, OpenNetwork},
        choose, device, is_possible,
    },
    selfplay::{Checks, Generation, Part, Played, SelfPlayConfig, Statistics},
};

/// The games of one generation with all that it takes to play them, on whichever thread or machine.
#[derive(Debug)]
pub struct Games<R: Playable> {
    pub game: Game<R>,
    pub config: SelfPlayConfig,
    /// Seed of the run.
    pub seed: u64,
    pub number: u64,
    /// The network that plays.
    pub checkpoint: Arc<Checkpoint>,
    /// Its folder.
    pub checkpoint_folder: PathBuf,
    /// How it computes, and how many positions at once.
    pub plan: Plan,
    pub batch_size: usize,
    /// Where it computes in this process.
    pub devices: Vec<String>,
    /// The run's folder of games.
    pub folder: PathBuf,
}

/// What became of a generation's games.
#[derive(Clone, Debug, PartialEq)]
pub struct GamesPlayed {
    pub played: Played,
    /// The workers that had a part in it; none where this process played alone.
    pub workers: Vec<WorkerEvent>,
}

/// Who plays a generation's games: this process, or others.
pub trait Players<R: Playable>: Send + Sync {
    /// Plays those that are not there yet; stops soon after `stop` is set. `progress` is called with the counts
    /// several times a second, and with the number of workers where others play.
    ///
    /// # Errors
    /// When the games cannot be played to their end.
    fn play(
        &self,
        games: &Games<R>,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Statistics, Option<usize>),
    ) -> Result<GamesPlayed, RunError>;
}

/// This process.
#[derive(Clone, Copy, Debug)]
pub struct ThisProcess;

impl<R: Playable> Players<R> for ThisProcess {
    fn play(
        &self,
        games: &Games<R>,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Statistics, Option<usize>),
    ) -> Result<GamesPlayed, RunError> {
        let played = games.play(Part::WHOLE, stop, &mut |statistics| progress(statistics, None))?;
        Ok(GamesPlayed { played, workers: Vec::new() })
    }
}

impl<R: Playable> Games<R> {
    /// Plays those of a part that are not there yet, in this process.
    fn play(&self, part: Part, stop: &AtomicBool, progress: &mut dyn FnMut(&Statistics)) -> Result<Played, RunError> {
        let networks = self.open()?;
        let evaluator = |shard: usize| networks[shard % networks.len()].evaluator(self.batch_size);
        let generation = Generation {
            game: &self.game,
            config: &self.config,
            seed: self.seed,
            number: self.number,
            checkpoint: &self.checkpoint.metadata().id,
            run_dir: &self.folder,
        };
        Ok(generation.run_part(part, &evaluator, stop, progress)?)
    }

    /// The network on each device; threads share them out.
    ///
    /// # Errors
    /// When a device cannot compute it.
    pub fn open(&self) -> Result<Vec<OpenNetwork>, RunError> {
        let (precision, backend) = self.plan.settings();
        let open = |device: &String| {
            let sample = Some(sample(&self.game));
            let config = BackendConfig { device, precision, backend, sample, ..BackendConfig::default() };
            backend::open(self.checkpoint.clone(), config)
        };
        Ok(self.devices.iter().map(open).collect::<Result<_, _>>()?)
    }

    /// A bar for a part of them.
    fn bar(&self, part: Part) -> impl FnMut(&Statistics, Option<usize>) {
        let by_material = self.config.material.plays(self.number);
        let bar = Progress::new(format!("gen {} self-play", self.number), part.games(&self.config));
        move |statistics, workers| {
            bar.show(statistics.games, || {
                let (done, unit) = if by_material {
                    (statistics.plies, "plies/s by material")
                } else {
                    (statistics.evaluations, "evaluations/s")
                };
                let per_second = done as f64 / statistics.seconds.max(1e-9);
                let workers = workers.map(|workers| format!(", workers: {workers}")).unwrap_or_default();
                format!("games, {per_second:.0} {unit}{workers}")
            });
        }
    }
}

impl<R: Playable> Run<R> {
    /// Plays the games of a generation that are not there yet.
    pub(super) fn play(&mut self, number: u64) -> Result<Ending, RunError> {
        let games = self.games(number)?;
        remove_partial_files(&self.directory.games(number))?;
        let of = self.players.play(&games, &self.stop, &mut games.bar(Part::WHOLE))?;
        if !of.played.complete {
            return Ok(Ending::Stopped);
        }
        self.report_games(number, &of, 0.0)?;
        Ok(Ending::Done)
    }

    /// Plays a part of the newest generation's games, as far as they are not there. The run is free meanwhile: others may
    /// play other parts.
    ///
    /// # Errors
    /// As [`play_newest`](Run::play_newest).
    pub fn play_part(mut self, part: Part) -> Result<Ending, RunError> {
        let number = self.newest()?;
        let (games, stop) = (self.games(number)?, self.stop.clone());
        drop(self);
        let mut bar = games.bar(part);
        let played = games.play(part, &stop, &mut |statistics| bar(statistics, None))?;
        Ok(if played.complete { Ending::Done } else { Ending::Stopped })
    }

    /// A generation's games, ready to be played by the checkpoint that the run's lag makes theirs.
    ///
    /// # Errors
    /// When the checkpoint is not there, or its network cannot be run on these devices.
    pub fn games(&mut self, number: u64) -> Result<Games<R>, RunError> {
        let checkpoint = Arc::new(self.checkpoint(number.saturating_sub(self.config.run.lag))?);
        self.forget_surplus(number)?;
        Ok(Games {
            game: self.game.clone(),
            config: self.config.selfplay.clone(),
            seed: self.config.run.seed,
            number,
            checkpoint_folder: self.directory.checkpoint(checkpoint.metadata().generation),
            plan: self.plan(&checkpoint)?,
            checkpoint,
            batch_size: self.config.run.batch_size,
            devices: self.config.run.playing_devices().map_err(RunError::Device)?,
            folder: self.directory.data().to_owned(),
        })
    }

    /// Writes down how a generation was played, of which so many seconds went by beside a training.
    pub(super) fn report_games(&mut self, number: u64, of: &GamesPlayed, beside_training: f64) -> Result<(), RunError> {
        let statistics = &of.played.statistics;
        let mut events = Vec::new();
        if statistics.games > 0 {
            let beside_training = beside_training.min(statistics.seconds);
            events.push(Event::Selfplay(SelfplayEvent { beside_training, ..selfplay_event::<R>(number, statistics) }));
        }
        if !of.workers.is_empty() {
            events.push(Event::Players(PlayersEvent { generation: number, workers: of.workers.clone() }));
        }
        events.into_iter().try_for_each(|event| self.journal.write(event).map_err(|source| self.io_error(source)))
    }

    /// Removes files of games beyond those that the generation now has: with another `selfplay.games` they are no part
    /// of it, and every reader of the folder would count them. The same games are played again should they be wanted.
    fn forget_surplus(&self, generation: u64) -> Result<(), RunError> {
        let (folder, files) = (self.directory.games(generation), self.config.selfplay.files());
        let mut surplus = chunks(&folder)?;
        surplus.retain(|path| chunk_of(path).is_some_and(|chunk| chunk >= files));
        if !surplus.is_empty() {
            let (games, count) = (self.config.selfplay.games, surplus.len());
            tracing::warn!("{}: selfplay.games is now {games}; files beyond, removed: {count}", folder.display());
        }
        for path in surplus {
            fs::remove_file(&path).map_err(IoError::at(path))?;
        }
        Ok(())
    }

    /// How the network is run: as settled when the run began with this configuration, so that what was measured then
    /// does not make a resumed run another, or else settled now. A processor without the instructions for what was
    /// settled settles anew.
    pub(super) fn plan(&mut self, checkpoint: &Checkpoint) -> Result<Plan, RunError> {
        let RunConfig { precision, backend, batch_size, .. } = self.config.run;
        let devices = self.config.run.playing_devices().map_err(RunError::Device)?;
        let device_name = devices.join(" ");
        let settled = self.journal.events().rev().find_map(|event| match event {
            Event::Evaluator(event) => Some(event),
            _ => None,
        });
        let asked = (&device_name, precision, backend, batch_size);
        let settled = settled
            .filter(|event| (&event.device, event.precision, event.backend, event.batch_size) == asked)
            .map(|event| event.plan);
        let on: Vec<Device> =
            devices.iter().map(|name| device(name)).collect::<Result<_, _>>().map_err(RunError::Device)?;
        let possible = |plan| on.iter().all(|&on| is_possible(plan, checkpoint.content(), on, precision, backend));
        let lost = match settled {
            Some(plan) if possible(plan) => return Ok(plan),
            Some(plan) => format!("; {}, chosen before, is not to be had on this processor", plan.name()),
            None => String::new(),
        };
        let choice = choose(checkpoint.content(), &sample(&self.game), on[0], precision, backend, batch_size)?;
        if !possible(choice.plan) {
            let expected = format!("devices that all compute in {}, as {} does", choice.plan.name(), devices[0]);
            return Err(RunError::Device(FieldError::new("devices", expected, device_name)));
        }
        say(&format!("evaluator: {choice}{lost}"));
        let event = EvaluatorEvent {
            generation: checkpoint.metadata().generation,
            device: device_name,
            precision,
            backend,
            batch_size,
            plan: choice.plan,
            positions_per_second: choice.measured.into_iter().collect(),
        };
        self.journal.write(Event::Evaluator(event)).map_err(|source| self.io_error(source))?;
        Ok(choice.plan)
    }

    /// Games and plies of a generation that are in whole files.
    pub(super) fn games_on_disk(&self, generation: u64) -> Result<(u64, u64), RunError> {
        let (ruleset, encoding) = (self.game.ruleset(), self.game.layout().version);
        let scan = data::scan(self.directory.data(), generation..generation + 1, ruleset, encoding)?;
        let games = scan.files.iter().map(|file| file.manifest.games).sum();
        Ok((games, scan.files.iter().map(|file| file.rows).sum()))
    }
}

/// What the journal keeps of a generation's games.
fn selfplay_event<R: Facts>(generation: u64, statistics: &Statistics) -> SelfplayEvent {
    let seconds = statistics.seconds.max(1e-9);
    let plies = statistics.plies.max(1) as f64;
    let kinds = || R::ACTION_KINDS.iter().zip(&statistics.action_kinds);
    let results = Outcome::RESULTS.map(Outcome::name_of).into_iter().zip(statistics.results);
    let policies = statistics.mean_policies();
    let checks = |checks: Checks| ChecksEvent { games: checks.games, wrong: checks.wrong };
    let reasons = Reason::ALL.iter().zip(statistics.reasons).filter(|&(_, count)| count > 0);
    SelfplayEvent {
        generation,
        games: statistics.games,
        plies: statistics.plies,
        seconds: statistics.seconds,
        beside_training: 0.0,
        plies_per_second: statistics.plies as f64 / seconds,
        evaluations_per_second: statistics.evaluations as f64 / seconds,
        playouts_per_second: statistics.playouts_run as f64 / seconds,
        memory_mib: Memory::now().resident.map_or(0, |bytes| bytes >> 20),
        cache_hits: statistics.cache_hit_share().unwrap_or(0.0),
        batch_fill: statistics.batch_fill().unwrap_or(0.0),
        evaluation_share: statistics.evaluation_seconds / statistics.shard_seconds.max(1e-9),
        game_length: statistics.mean_plies().unwrap_or(0.0),
        results: results.map(|(name, count)| (name.to_owned(), count)).collect(),
        decided_per_1000_plies: 1000.0 * statistics.decided_games() as f64 / plies,
        mass_on_few_visits: statistics.mass_on_few_visits().unwrap_or(0.0),
        full_searches: statistics.full_searches(),
        policy_kl: policies.map(|mean| mean.divergence),
        prior_entropy: policies.map(|mean| mean.prior_entropy),
        target_entropy: policies.map(|mean| mean.target_entropy),
        reasons: reasons.map(|(reason, count)| (reason.name().to_owned(), count)).collect(),
        actions: kinds().map(|(kind, &count)| ((*kind).to_owned(), count)).collect(),
        action_shares: kinds().map(|(kind, &count)| ((*kind).to_owned(), count as f64 / plies)).collect(),
        resignations: checks(statistics.resignations),
        agreements: checks(statistics.agreements),
    }
}
