//! A run: its phases in order, generation after generation, resuming where it stopped.
//!
//! A generation is a checkpoint that plays games, and the training on them that makes the next checkpoint. What is on
//! disk says what comes next: the newest checkpoint plays the games that it has not played yet; when all are there it
//! learns; and the next checkpoint, which appears in one step, ends the generation.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
};

use thiserror::Error;

use super::{
    budget::{Length, costs},
    config::Config,
    directory::RunDirectory,
    fork,
    frozen::Frozen,
    journal::Journal,
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
    #[error("[run] fork: {}: expected a run with a checkpoint, found none", folder.display())]
    NoOrigin { folder: PathBuf },
    #[error("[run] fork: {origin}: {problem}")]
    Fork { origin: String, problem: FieldError },
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
    #[error("[model] {0}; a network goes on in its own size or a larger one")]
    Grown(FieldError),
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
    /// The frozen networks among the opponents, read when training begins.
    pub(super) frozen: Vec<Frozen>,
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
                Frozen::read_all(&game, &config.evaluate)?;
            }
            None => can_begin(root, &game, &config)?,
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
            frozen: Vec::new(),
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
        self.frozen = Frozen::read_all(&self.game, &self.config.evaluate)?;
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

    /// The generation of the newest checkpoint. A run without one begins.
    ///
    /// # Errors
    /// When the network that the run begins with cannot be had, or the disk refuses.
    pub fn newest(&self) -> Result<u64, RunError> {
        Ok(self.newest_checkpoint()?.metadata().generation)
    }

    /// Plays the newest checkpoint's games, as far as they are not there.
    ///
    /// # Errors
    /// As [`train`](Run::train).
    pub fn play_newest(&mut self) -> Result<Ending, RunError> {
        let generation = self.newest()?;
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

    /// The newest checkpoint; a run without one begins with a random network, or with what it is to go on from.
    pub(super) fn newest_checkpoint(&self) -> Result<Checkpoint, RunError> {
        if let Some(&generation) = self.directory.checkpoints()?.last() {
            return self.checkpoint(generation);
        }
        if !self.config.run.fork.is_empty() {
            return self.checkpoint(self.fork(&self.config.run.fork)?);
        }
        let content: Content = match (self.config.model.module.as_str(), self.config.run.from.as_str()) {
            ("", "") => Weights::random(architecture(&self.game, &self.config)?, self.config.run.seed).into(),
            ("", origin) => origin_weights(origin, &self.game, &self.config)?.into(),
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

/// Checks that what a run is to begin with is there and fits, before its folder takes a configuration that is of no use.
fn can_begin<R: Encode>(root: &Path, game: &Game<R>, config: &Config) -> Result<(), RunError> {
    if !config.model.module.is_empty() {
        read_module(Path::new(&config.model.module), game, config)?;
    }
    if !config.run.fork.is_empty() {
        fork::find(root, &config.run.fork)?;
    }
    if !config.run.from.is_empty() {
        origin_weights(&config.run.from, game, config)?;
    }
    Frozen::read_all(game, &config.evaluate)?;
    Ok(())
}

fn architecture<R: Encode>(game: &Game<R>, config: &Config) -> Result<Arc<Architecture>, RunError> {
    let architecture = Architecture::of(config.model.clone(), game.layout())
        .map_err(|error| ConfigError::File { file: "[model]".to_owned(), reason: error.to_string() })?;
    Ok(Arc::new(architecture))
}

/// The weights of the network that a run begins with.
fn origin_weights<R: Encode>(origin: &str, game: &Game<R>, config: &Config) -> Result<Weights, RunError> {
    let checkpoint = read_network(Path::new(origin), Alternatives::default())?;
    let problem = |problem| RunError::OriginMismatch { origin: origin.to_owned(), problem };
    checkpoint.metadata().check_game_but(game, &config.run.other_rules).map_err(problem)?;
    inherited(&checkpoint, game, config)
}

/// The weights of a network, grown to a run's size where it is larger.
pub(super) fn inherited<R: Encode>(
    checkpoint: &Checkpoint,
    game: &Game<R>,
    config: &Config,
) -> Result<Weights, RunError> {
    let same = same_network(checkpoint.metadata().model.as_ref(), &config.model);
    match (same, checkpoint.weights()) {
        (Ok(()), Some(weights)) => Ok(weights.clone()),
        (Err(RunError::Model { .. }), Some(weights)) => {
            weights.grown(architecture(game, config)?, config.run.seed).map_err(RunError::Grown)
        }
        (Ok(()), None) => unreachable!("a network that has a size has weights"),
        (Err(error), _) => Err(error),
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
pub(super) fn same_network(known: Option<&ModelConfig>, given: &ModelConfig) -> Result<(), RunError> {
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
