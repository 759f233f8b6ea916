//! Trains a network for another module: a run of its own, under the rules that the module gives. In a build without
//! libtorch it is refused.

use std::path::{Path, PathBuf};

use thiserror::Error;

#[cfg(feature = "torch")]
use super::{RunError, config::Config, run::Run};
#[cfg(feature = "torch")]
use crate::{console::Ending, game::RESTRICTION};
use crate::{
    console::{ConfigError, StopFlag},
    disk::ConfigChange,
    game::{Game, Playable, Restriction},
};

/// What to train.
#[derive(Clone, Copy, Debug)]
pub struct Training<'a> {
    /// The file of a run; its `[rules]` and `run.generations` are not used.
    pub config: &'a str,
    /// Options of the ruleset that differ from the game's preset.
    pub rules: &'a toml::Table,
    /// What one side may not do, under which the game is given.
    pub restriction: Option<&'a Restriction>,
    pub generations: u64,
}

/// A network that cannot be trained.
#[derive(Debug, Error)]
pub enum TrainingError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[cfg(feature = "torch")]
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("training needs libtorch, and this program was built without")]
    NotBuilt,
}

#[cfg(feature = "torch")]
impl Training<'_> {
    /// Checks the run's file before anything is trained; in a build without libtorch, which does not know such files,
    /// nothing is checked.
    ///
    /// # Errors
    /// When the file cannot be used, or is for another game.
    pub fn check<R: Playable>(&self, game: &Game<R>) -> Result<(), ConfigError> {
        self.configuration(game).map(drop)
    }

    /// Trains run `name` under `root`, or goes on training; gives the folder of the last network, or nothing when the
    /// user asked to stop.
    ///
    /// # Errors
    /// As [`Run::open`] and [`Run::train`], and always in a build without libtorch.
    pub fn train<R: Playable>(
        &self,
        game: &Game<R>,
        root: &Path,
        name: &str,
        change: ConfigChange,
        stop: &StopFlag,
    ) -> Result<Option<PathBuf>, TrainingError> {
        let config = self.configuration(game)?;
        let mut run = Run::open(game.clone(), config, root, name, change, stop.clone())?;
        let ending = run.train(None)?;
        Ok((ending == Ending::Done).then(|| run.directory().checkpoint(self.generations)))
    }

    fn configuration<R: Playable>(&self, game: &Game<R>) -> Result<Config, ConfigError> {
        let mut config = Config::load(Path::new(self.config), &[])?;
        let (expected, found) = (&game.ruleset().game, &config.game);
        if expected != found {
            let reason = format!("game: expected {expected}, which the study is about, found {found}");
            return Err(ConfigError::File { file: self.config.to_owned(), reason });
        }
        config.rules = self.rules.clone();
        // So that the run's own record says what it was trained under.
        if let Some(restriction) = self.restriction {
            let restriction = toml::Table::try_from(restriction).expect("a restriction serialises as a TOML table");
            config.rules.insert(RESTRICTION.to_owned(), restriction.into());
        }
        config.run.generations = self.generations;
        Ok(config)
    }
}

#[cfg(not(feature = "torch"))]
impl Training<'_> {
    /// Checks nothing: a build without libtorch does not know the files of runs.
    ///
    /// # Errors
    /// Never.
    pub fn check<R: Playable>(&self, _: &Game<R>) -> Result<(), ConfigError> {
        Ok(())
    }

    /// Refuses.
    ///
    /// # Errors
    /// Always.
    pub fn train<R: Playable>(
        &self,
        _: &Game<R>,
        _: &Path,
        _: &str,
        _: ConfigChange,
        _: &StopFlag,
    ) -> Result<Option<PathBuf>, TrainingError> {
        Err(TrainingError::NotBuilt)
    }
}
