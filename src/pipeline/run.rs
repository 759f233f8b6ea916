//! A run: its phases in order, generation after generation, resuming where it stopped.
//!
//! A generation is a checkpoint that plays games, and the training on them that makes the next checkpoint. What is on
//! disk says what comes next: the newest checkpoint plays the games that it has not played yet; when all are there it
//! learns; and the next checkpoint, which appears in one step, ends the generation.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
};

use thiserror::Error;

use super::{
    config::Config,
    directory::RunDirectory,
    journal::Journal,
    metrics::Event,
    outside::OutsideError,
    play::{Players, ThisProcess},
    sizes::Sizes,
};
use crate::{
    console::{ConfigError, Ending, StopFlag},
    data::{DataError, ReplayBuffer},
    disk::{ConfigChange, DirectoryError, IoError},
    evaluate::PoolError,
    export::{Alternatives, NetworkError, read_network},
    game::{Encode, FieldError, Game, Playable},
    model::{
        Architecture, Checkpoint, CheckpointError, Content, Counters, EvaluatorError, ModelConfig, Module,
        NetworkShape, Weights,
        backend::{self, BackendConfig, BackendError, OpenNetwork},
    },
    selfplay::SelfPlayError,
    train::TrainError,
};

/// A run that cannot go on.
#[derive(Debug, Error)]
pub enum RunError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Train(#[from] TrainError),
    #[error(transparent)]
    Outside(#[from] OutsideError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error("[run] from: {0}")]
    Origin(#[from] NetworkError),
    #[error("[run] from: {origin}: {problem}")]
    OriginMismatch { origin: String, problem: FieldError },
    #[error(transparent)]
    Sizes(FieldError),
    #[error("[run] {0}")]
    Device(FieldError),
    #[error("[run] {0}")]
    Backend(#[from] BackendError),
    #[error("[evaluate] opponents: {0}")]
    Opponent(String),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error(
        "[model] {field}: expected {expected} as the network to go on from has, found {found}; a network of another size is another run"
    )]
    Model { field: String, expected: String, found: String },
    #[error(
        "[model] module: expected {expected} as the network to go on from is, found {found}; another is another run"
    )]
    Kind { expected: &'static str, found: &'static str },
    #[error("{}: {problem}", file.display())]
    Module { file: PathBuf, problem: EvaluatorError },
    #[error("{}: expected an optimiser of step {expected} or later as its checkpoint says, found step {found}", folder.display())]
    Trainer { folder: PathBuf, expected: u64, found: u64 },
    #[error("generation {generation}: no row to learn from in {games}")]
    NoRows { generation: u64, games: PathBuf },
    #[error(
        "generation {generation}: expected its {expected} games (selfplay.games), found {found} (`maydan selfplay` sees to it)"
    )]
    GamesMissing { generation: u64, expected: u64, found: u64 },
    #[error(transparent)]
    Io(#[from] IoError),
    /// Of those that play its games elsewhere.
    #[error("fleet: {0}")]
    Fleet(String),
}

/// What all sessions of a run together may cost. A generation begins only if at least half of it is expected to fit, so
/// that runs that are held against each other keep to their budget on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// Seconds of self-play, training and matches; those between the baselines of the rules are not counted.
    Seconds(f64),
    /// Evaluations of self-play.
    Evaluations(f64),
}

impl Budget {
    /// A part of it, a share of 0 to 1.
    #[must_use]
    pub fn part(self, share: f64) -> Budget {
        match self {
            Budget::Seconds(seconds) => Budget::Seconds(share * seconds),
            Budget::Evaluations(evaluations) => Budget::Evaluations(share * evaluations),
        }
    }

    /// The share of it that was spent when checkpoint `generation` was made, 0 to 1.
    pub fn progress(self, costs: &BTreeMap<u64, Cost>, generation: u64) -> f64 {
        let (most, cost) = self.terms();
        let spent: f64 = costs.range(..generation).map(|(_, of)| cost(of)).sum();
        if most > 0.0 { (spent / most).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// The checkpoint with which it is spent: another generation like the one before it would exceed it by more than
    /// half of itself. None while there is room.
    pub fn checkpoint(self, costs: &BTreeMap<u64, Cost>) -> Option<u64> {
        let (most, cost) = self.terms();
        let mut spent = 0.0;
        costs.iter().find_map(|(generation, of)| {
            spent += cost(of);
            // The next generation need not be measured as this one was.
            let next = cost(&Cost { seconds: of.seconds - of.matches, ..*of });
            (spent + next / 2.0 >= most).then_some(generation.saturating_add(1))
        })
    }

    fn terms(self) -> (f64, fn(&Cost) -> f64) {
        match self {
            Budget::Seconds(seconds) => (seconds, |cost| cost.seconds),
            Budget::Evaluations(evaluations) => (evaluations, |cost| cost.evaluations),
        }
    }
}

/// The length of a run, and how far a session goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length {
    /// What the whole run may cost, which the learning rate and the measurements follow.
    pub whole: Budget,
    /// The share of it at which the session ends, 0 to 1.
    pub until: f64,
}

impl From<Budget> for Length {
    /// To the end of the run.
    fn from(whole: Budget) -> Self {
        Length { whole, until: 1.0 }
    }
}

/// What a generation cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Of self-play, training and matches.
    pub seconds: f64,
    /// The part of them that is of matches.
    pub matches: f64,
    /// Of self-play.
    pub evaluations: f64,
}

/// What each generation cost by a run's journal: what a killed session did without reporting it is not counted.
pub fn costs<'a>(events: impl Iterator<Item = &'a Event>) -> BTreeMap<u64, Cost> {
    let mut costs: BTreeMap<u64, Cost> = BTreeMap::new();
    for event in events {
        let (generation, of) = match event {
            Event::Selfplay(of) => {
                let evaluations = of.evaluations_per_second * of.seconds;
                (of.generation, Cost { seconds: of.own_seconds(), matches: 0.0, evaluations })
            }
            Event::Train(of) => (of.generation, Cost { seconds: of.seconds, ..Cost::default() }),
            Event::Match(of) => (of.generation, Cost { seconds: of.seconds, matches: of.seconds, ..Cost::default() }),
            _ => continue,
        };
        let cost = costs.entry(generation).or_default();
        cost.seconds += of.seconds;
        cost.matches += of.matches;
        cost.evaluations += of.evaluations;
    }
    costs
}

/// Where a run will end, by what it cost so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// That it will have made.
    pub generations: u64,
    pub seconds_left: f64,
}

impl Outlook {
    /// Of a run that has made `made` generations and ends with `generations` of them (0: with none), or with its length.
    pub fn of(costs: &BTreeMap<u64, Cost>, generations: u64, whole: Option<Budget>, made: u64) -> Option<Self> {
        let by_length = whole.map(|whole| whole.progress(costs, made)).filter(|&progress| progress > 0.0);
        let by_length = by_length.map(|progress| ((made as f64 / progress).round() as u64).max(made));
        let generations = (by_length.into_iter().chain((generations > 0).then_some(generations))).min()?;
        let spent: f64 = costs.range(..made).map(|(_, cost)| cost.seconds).sum();
        let left = generations.saturating_sub(made) as f64;
        Some(Outlook { generations, seconds_left: left * spent / made.max(1) as f64 })
    }
}

/// A run in progress.
pub struct Run<R: Playable> {
    pub(super) game: Game<R>,
    pub(super) config: Config,
    /// Folder that holds `models/` and `data/`.
    pub(super) root: PathBuf,
    sizes: Sizes,
    pub(super) directory: RunDirectory,
    pub(super) journal: Journal,
    /// The replay window, kept from generation to generation: most of its files stay in it.
    pub(super) buffer: ReplayBuffer,
    /// Whether the user was told that the window grows no more.
    pub(super) warned_of_window: bool,
    pub(super) players: Arc<dyn Players<R>>,
    pub(super) stop: StopFlag,
}

impl<R: Playable> Run<R> {
    /// Opens run `name` under `root`, or begins it.
    ///
    /// # Errors
    /// When this machine's memory is too small for the run, another process holds it, its configuration differs and `change` forbids it, the run's networks are of
    /// another game, ruleset or size, or the disk refuses.
    pub fn open(
        game: Game<R>,
        config: Config,
        root: &Path,
        name: &str,
        change: ConfigChange,
        stop: StopFlag,
    ) -> Result<Self, RunError> {
        let sizes = Sizes::of(&game, &config).map_err(RunError::Sizes)?;
        sizes.fit_this_machine().map_err(RunError::Sizes)?;
        let directory = RunDirectory::open(root, name)?;
        match directory.checkpoints()?.last() {
            Some(&newest) if change == ConfigChange::Allow => {
                fits(&directory.checkpoint(newest), &game, &config.model)?;
            }
            // Before the folder takes a configuration that names a file of no use.
            None if !config.model.module.is_empty() => {
                read_module(Path::new(&config.model.module), &game, &config)?;
            }
            _ => {}
        }
        directory.settle_config(&config.to_toml(), change)?;
        let title = format!("{name}: {}", game.ruleset().game);
        let journal = Journal::open(directory.models(), &title).map_err(IoError::at(directory.models()))?;
        let (ruleset, layout) = (game.ruleset().clone(), game.layout());
        let buffer = ReplayBuffer::new(ruleset, layout, config.window, config.train.value_lambda);
        Ok(Run {
            game,
            config,
            root: root.to_owned(),
            sizes,
            directory,
            journal,
            buffer,
            warned_of_window: false,
            players: Arc::new(ThisProcess),
            stop,
        })
    }

    /// Has others play its games.
    #[must_use]
    pub fn played_by(self, players: Arc<dyn Players<R>>) -> Self {
        Run { players, ..self }
    }

    /// Its configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What the run will take of memory and disk.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Where the run keeps its things.
    pub fn directory(&self) -> &RunDirectory {
        &self.directory
    }

    /// Goes on until the configuration's last generation, the end of the session, or the user's word.
    ///
    /// # Errors
    /// When a phase fails; everything finished before stays.
    pub fn train(&mut self, length: Option<Length>) -> Result<Ending, RunError> {
        loop {
            let checkpoint = self.newest_checkpoint()?;
            let generation = checkpoint.metadata().generation;
            let last = self.config.run.generations > 0 && generation >= self.config.run.generations;
            let over = length.is_some_and(|Length { whole, until }| {
                let mut costs = costs(self.journal.events());
                // What was played ahead is of generations that are still to be trained on.
                costs.retain(|&of, _| self.config.run.lag == 0 || of < generation);
                whole.part(until).checkpoint(&costs).is_some()
            });
            let whole = length.map(|length| length.whole);
            let measured = self.measure(&checkpoint, whole, last || over)?;
            self.draw_curves()?;
            if measured == Ending::Stopped {
                return Ok(Ending::Stopped);
            }
            if last || over {
                return Ok(Ending::Done);
            }
            if self.play(generation)? == Ending::Stopped {
                return Ok(Ending::Stopped);
            }
            if self.learn_and_play_ahead(&checkpoint, whole)? == Ending::Stopped {
                return Ok(Ending::Stopped);
            }
        }
    }

    /// Plays the newest checkpoint's games, as far as they are not there.
    ///
    /// # Errors
    /// As [`train`](Run::train).
    pub fn play_newest(&mut self) -> Result<Ending, RunError> {
        let generation = self.newest_checkpoint()?.metadata().generation;
        self.play(generation)
    }

    /// Trains the newest checkpoint on its games, which makes the next.
    ///
    /// # Errors
    /// As [`train`](Run::train), and when the games are not all there.
    pub fn learn_newest(&mut self) -> Result<Ending, RunError> {
        let checkpoint = self.newest_checkpoint()?;
        let generation = checkpoint.metadata().generation;
        let (expected, found) = (self.config.selfplay.games, self.games_on_disk(generation)?.0);
        if found != expected {
            return Err(RunError::GamesMissing { generation, expected, found });
        }
        let ending = self.learn(&checkpoint, None, None)?;
        self.draw_curves()?;
        Ok(ending)
    }

    /// The newest checkpoint; a run without one begins with a random network, or with the one that it is to go on from.
    pub(super) fn newest_checkpoint(&self) -> Result<Checkpoint, RunError> {
        if let Some(&generation) = self.directory.checkpoints()?.last() {
            return self.checkpoint(generation);
        }
        let content: Content = match (self.config.model.module.as_str(), self.config.run.from.as_str()) {
            ("", "") => {
                let architecture = Architecture::new(self.config.model.clone(), NetworkShape::from(self.game.layout()))
                    .map_err(|error| ConfigError::File { file: "[model]".to_owned(), reason: error.to_string() })?;
                Weights::random(Arc::new(architecture), self.config.run.seed).into()
            }
            ("", origin) => self.weights_of(origin)?.into(),
            (file, _) => read_module(Path::new(file), &self.game, &self.config)?.into(),
        };
        let checkpoint = Checkpoint::new(content, self.game.ruleset().clone(), 0, Counters::default());
        checkpoint.save(&self.directory.checkpoint(0))?;
        Ok(checkpoint)
    }

    /// The checkpoint that a generation began with.
    pub(super) fn checkpoint(&self, generation: u64) -> Result<Checkpoint, RunError> {
        let checkpoint = Checkpoint::load_for(&self.directory.checkpoint(generation), &self.game)?;
        same_network(checkpoint.metadata().model.as_ref(), &self.config.model)?;
        Ok(checkpoint)
    }

    /// The weights of a network that the run can go on from.
    fn weights_of(&self, origin: &str) -> Result<Weights, RunError> {
        let checkpoint = read_network(Path::new(origin), Alternatives::default())?;
        let other_rules = &self.config.run.other_rules;
        let problem = |problem| RunError::OriginMismatch { origin: origin.to_owned(), problem };
        checkpoint.metadata().check_game_but(&self.game, other_rules).map_err(problem)?;
        same_network(checkpoint.metadata().model.as_ref(), &self.config.model)?;
        let weights = checkpoint.weights().expect("a network that has a size has weights");
        Ok(weights.clone())
    }

    fn draw_curves(&self) -> Result<(), RunError> {
        Ok(self.journal.draw().map(drop)?)
    }

    pub(super) fn stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn io_error(&self, source: io::Error) -> RunError {
        IoError { path: self.directory.models().to_owned(), source }.into()
    }
}

/// Reads a network of another architecture, and sees that it takes and gives what this game's do.
pub(super) fn read_module<R: Encode>(file: &Path, game: &Game<R>, config: &Config) -> Result<Module, RunError> {
    let module = Module::read(file, NetworkShape::from(game.layout()))?;
    let note = module.note().map_err(|problem| CheckpointError::mismatch(file, problem))?;
    if let Some(ruleset) = note.map(|note| note.ruleset).filter(|ruleset| ruleset.game != game.ruleset().game) {
        let problem = FieldError::new("ruleset.game", &game.ruleset().game, ruleset.game);
        return Err(CheckpointError::mismatch(file, problem).into());
    }
    let network = open_module(&module, game, config)?;
    // Matches and held-out games ask about other numbers of rows: a network that was traced for one is of no use.
    for rows in [config.run.batch_size, config.run.batch_size + 1] {
        network.evaluator(rows).map_err(|problem| RunError::Module { file: file.to_owned(), problem })?;
    }
    Ok(module)
}

/// Such a network ready to be asked, in 32 bits, where the run trains and measures.
pub(super) fn open_module<R: Encode>(
    module: &Module,
    game: &Game<R>,
    config: &Config,
) -> Result<OpenNetwork, RunError> {
    let checkpoint = Checkpoint::new(module.clone(), game.ruleset().clone(), 0, Counters::default());
    let backend = BackendConfig { device: &config.run.device, ..BackendConfig::default() };
    Ok(backend::open(Arc::new(checkpoint), backend)?)
}

/// Checks that a checkpoint's network is the one that a configuration describes, before the configuration becomes the
/// run's.
fn fits<R: Encode>(folder: &Path, game: &Game<R>, model: &ModelConfig) -> Result<(), RunError> {
    let metadata = Checkpoint::load_metadata(folder)?;
    metadata.check_game(game).map_err(|problem| CheckpointError::mismatch(folder, problem))?;
    same_network(metadata.model.as_ref(), model)
}

/// A network of ours is of the same size, or both are of other architectures, of which nothing is known here.
fn same_network(known: Option<&ModelConfig>, given: &ModelConfig) -> Result<(), RunError> {
    let known = match (known, given.module.is_empty()) {
        (Some(known), true) => known,
        (None, false) => return Ok(()),
        (known, _) => {
            let (ours, other) = ("a network of ours", "one of another architecture");
            let (expected, found) = if known.is_some() { (ours, other) } else { (other, ours) };
            return Err(RunError::Kind { expected, found });
        }
    };
    let table = |config: &ModelConfig| toml::Table::try_from(config).expect("a configuration serialises");
    let (known, given) = (table(known), table(given));
    match known.iter().find(|(field, value)| given.get(*field) != Some(*value)) {
        None => Ok(()),
        Some((field, value)) => Err(RunError::Model {
            field: field.clone(),
            expected: value.to_string(),
            found: given.get(field).map_or("none".to_owned(), |value| value.to_string()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_begins_while_half_of_it_fits() {
        let costs = BTreeMap::from(
            [5, 6].map(|generation| (generation, Cost { seconds: 10.0, matches: 0.0, evaluations: 4.0 })),
        );
        assert_eq!(Budget::Seconds(25.1).checkpoint(&costs), None);
        assert_eq!(Budget::Seconds(25.0).checkpoint(&costs), Some(7));
        assert_eq!(Budget::Seconds(25.0).part(0.5).checkpoint(&costs), Some(6));
        assert_eq!(Budget::Evaluations(10.1).checkpoint(&costs), None);
        assert_eq!(Budget::Evaluations(20.0).part(0.5).checkpoint(&costs), Some(7));
        assert_eq!(Budget::Seconds(1.0).checkpoint(&BTreeMap::new()), None);
    }

    #[test]
    fn the_outlook_is_that_of_whatever_ends_the_run_first() {
        let costs = BTreeMap::from(
            [0, 1].map(|generation| (generation, Cost { seconds: 10.0, matches: 0.0, evaluations: 4.0 })),
        );
        let outlook = |generations, seconds_left| Some(Outlook { generations, seconds_left });
        assert_eq!(Outlook::of(&costs, 0, None, 2), None);
        assert_eq!(Outlook::of(&costs, 5, None, 2), outlook(5, 30.0));
        assert_eq!(Outlook::of(&costs, 5, Some(Budget::Seconds(40.0)), 2), outlook(4, 20.0));
        assert_eq!(Outlook::of(&costs, 0, Some(Budget::Evaluations(80.0)), 2), outlook(20, 180.0));
        assert_eq!(Outlook::of(&costs, 2, None, 2), outlook(2, 0.0));
    }

    #[test]
    fn the_matches_of_a_generation_are_spent_and_not_expected_of_the_next() {
        let costs = BTreeMap::from([(0, Cost { seconds: 10.0, matches: 6.0, evaluations: 0.0 })]);
        assert_eq!(Budget::Seconds(12.1).checkpoint(&costs), None);
        assert_eq!(Budget::Seconds(12.0).checkpoint(&costs), Some(1));
    }
}
