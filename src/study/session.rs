//! A study in progress: prepares its arms and plays their games, resuming where it stopped.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    Arm, StudyConfig, StudyError,
    arm::{PlayerChoice, arms},
    config::UNIFORM,
    network::{Network, metadata},
};
use crate::{
    console::{ConfigError, Ending, Progress, StopFlag},
    disk::{ConfigChange, DirectoryError, IoError, Lock, check_name, generation_dir, generation_name, lock, settle},
    game::{
        Game, Playable, Ruleset, TextGame,
        registry::{self, GameVisitor},
        text_game::AsText,
    },
    pipeline::TrainingError,
    selfplay::Generation,
};

/// A study whose arms are checked, held by this process alone as long as the value lives.
pub struct Study {
    config: StudyConfig,
    name: String,
    root: PathBuf,
    arms: Vec<PreparedArm>,
    change: ConfigChange,
    _lock: Lock,
}

/// An arm that can be played.
pub struct PreparedArm {
    pub arm: Arm,
    /// Its rules, the restriction included.
    pub rules: Arc<dyn TextGame>,
    /// Who plays it, in a word: the id of a network, `uniform`, or the folder in the root that is to hold the network.
    pub player: String,
    /// The rules under which its network was trained; none without a network.
    pub trained_under: Option<Ruleset>,
}

impl Study {
    /// Opens the study called `name` under `root`, or begins it. Nothing is played yet.
    ///
    /// # Errors
    /// When an arm names rules, a restriction, a network or a configuration that cannot be, another process is at work
    /// on the study, or an arm that was begun has changed and `change` forbids it.
    pub fn open(config: StudyConfig, name: &str, root: &Path, change: ConfigChange) -> Result<Study, StudyError> {
        check_name(name)?;
        let in_file = |reason| ConfigError::File { file: format!("study {name}"), reason };
        let prepared = arms(name, &config).map_err(in_file)?.into_iter().map(|arm| {
            let error = |source| StudyError::Rules { arm: arm.name.clone(), source };
            registry::with_game(&config.game, &arm.rules, Prepare { arm: &arm }).map_err(error)?
        });
        let arms = prepared.collect::<Result<Vec<_>, _>>()?;
        let folder = root.join("data").join(name);
        fs::create_dir_all(&folder).map_err(IoError::at(&folder))?;
        let lock = lock(&folder)?;
        let study = Study { config, name: name.to_owned(), root: root.to_owned(), arms, change, _lock: lock };
        for arm in &study.arms {
            study.settle(arm)?;
        }
        Ok(study)
    }

    pub fn config(&self) -> &StudyConfig {
        &self.config
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arms, the base first.
    pub fn arms(&self) -> &[PreparedArm] {
        &self.arms
    }

    /// Folder of an arm's games.
    pub fn folder(&self, arm: &Arm) -> PathBuf {
        self.root.join("data").join(&self.name).join(&arm.name)
    }

    /// Plays the games of all arms, as far as they are not there.
    ///
    /// # Errors
    /// When a network cannot be trained or run, or the disk refuses; every file of games that was finished stays.
    pub fn play(&self, stop: &StopFlag) -> Result<Ending, StudyError> {
        for PreparedArm { arm, .. } in &self.arms {
            let error = |source| StudyError::Rules { arm: arm.name.clone(), source };
            let playing = Play { study: self, arm, stop };
            if registry::with_game(&self.config.game, &arm.rules, playing).map_err(error)?? == Ending::Stopped {
                return Ok(Ending::Stopped);
            }
        }
        Ok(Ending::Done)
    }

    /// Keeps what an arm's games depend on beside them. Games of an arm that may change are removed, since they would
    /// be those of another.
    fn settle(&self, arm: &PreparedArm) -> Result<(), StudyError> {
        let folder = self.folder(&arm.arm);
        fs::create_dir_all(&folder).map_err(IoError::at(&folder))?;
        let (file, identity) = (folder.join("arm.toml"), identity(&self.config, arm));
        match settle(&file, &identity, ConfigChange::Refuse) {
            Err(DirectoryError::ConfigChanged { .. }) if self.change == ConfigChange::Allow => {
                let games = generation_dir(&folder, 0);
                if games.exists() {
                    fs::remove_dir_all(&games).map_err(IoError::at(folder))?;
                }
                Ok(settle(&file, &identity, ConfigChange::Allow)?)
            }
            settled => Ok(settled?),
        }
    }
}

/// Everything that the games of an arm depend on, as TOML.
fn identity(config: &StudyConfig, arm: &PreparedArm) -> String {
    let mut play = toml::Table::try_from(&config.play).expect("settings serialise");
    // These change no game; `network` is identified by its content.
    for key in ["games", "shards", "slots", "network", "device", "budgets"] {
        play.remove(key);
    }
    let mut table = toml::Table::new();
    table.insert("game".to_owned(), config.game.clone().into());
    table.insert("seed".to_owned(), toml::Value::Integer(config.seed.cast_signed()));
    table.insert("network".to_owned(), arm.player.clone().into());
    table.insert("playouts".to_owned(), arm.arm.playouts.into());
    table.insert("rules".to_owned(), arm.rules.ruleset().options.clone().into());
    table.insert("play".to_owned(), play.into());
    table.to_string()
}

/// Checks an arm.
struct Prepare<'a> {
    arm: &'a Arm,
}

impl GameVisitor for Prepare<'_> {
    type Output = Result<PreparedArm, StudyError>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let arm = self.arm;
        let error = |source| StudyError::Rules { arm: arm.name.clone(), source };
        let game = game.restricted(arm.restriction()).map_err(error)?;
        let (player, trained_under) = match &arm.player {
            PlayerChoice::Uniform => (UNIFORM.to_owned(), None),
            PlayerChoice::Network(folder) => {
                let metadata = metadata(arm, folder, &game)?;
                (metadata.id, Some(metadata.ruleset))
            }
            PlayerChoice::Trained { run, training } => {
                self.arm.training(training).check(&game)?;
                let folder = format!("models/{run}/{}", generation_name(training.generations));
                (folder, Some(game.ruleset().clone()))
            }
        };
        Ok(PreparedArm { arm: arm.clone(), rules: Arc::new(AsText::new(game)), player, trained_under })
    }
}

/// Plays an arm.
struct Play<'a> {
    study: &'a Study,
    arm: &'a Arm,
    stop: &'a StopFlag,
}

impl GameVisitor for Play<'_> {
    type Output = Result<Ending, StudyError>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let (study, arm) = (self.study, self.arm);
        let error = |source| StudyError::Rules { arm: arm.name.clone(), source };
        let game = game.restricted(arm.restriction()).map_err(error)?;
        let Some(network) = self.network(&game)? else { return Ok(Ending::Stopped) };
        let config = study.config.play.selfplay(arm.games, arm.playouts);
        let evaluator = |_shard| network.evaluator(&game, &study.config.play);
        let generation = Generation {
            game: &game,
            config: &config,
            seed: study.config.seed,
            number: 0,
            checkpoint: network.id(),
            run_dir: &study.folder(arm),
        };
        let progress = Progress::new(arm.name.as_str(), arm.games);
        let played = generation.run(&evaluator, self.stop, &mut |statistics| {
            progress.show(statistics.games, || {
                let per_second = statistics.evaluations as f64 / statistics.seconds.max(1e-9);
                format!("games, {per_second:.0} evaluations/s")
            });
        });
        let played = played.map_err(|source| StudyError::SelfPlay { arm: arm.name.clone(), source })?;
        Ok(if played.complete { Ending::Done } else { Ending::Stopped })
    }
}

impl Play<'_> {
    /// The arm's network, trained where it must be; none when the user stopped the training.
    fn network<R: Playable>(&self, game: &Game<R>) -> Result<Option<Network>, StudyError> {
        match &self.arm.player {
            PlayerChoice::Uniform => Ok(Some(Network::Uniform)),
            PlayerChoice::Network(folder) => Network::load(self.arm, folder, game).map(Some),
            PlayerChoice::Trained { run, training } => {
                let (study, arm) = (self.study, self.arm);
                let trained = arm.training(training).train(game, &study.root, run, study.change, self.stop);
                let folder = trained.map_err(|error| match error {
                    TrainingError::Config(error) => StudyError::Config(error),
                    error => StudyError::Training { arm: arm.name.clone(), source: Box::new(error) },
                })?;
                folder.map(|folder| Network::load(arm, &folder, game)).transpose()
            }
        }
    }
}
