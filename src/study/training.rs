//! A network trained for an arm: a run of its own, under the arm's rules.

use std::path::{Path, PathBuf};

use super::{Arm, StudyError, config::TrainingConfig};
use crate::{
    console::{ConfigError, Ending, StopFlag},
    disk::ConfigChange,
    game::{Game, Playable},
    pipeline::{Config, Run, RunError, SessionLimit},
};

/// The configuration of the run.
///
/// # Errors
/// When its file cannot be used, or is for another game.
pub fn configuration<R: Playable>(arm: &Arm, training: &TrainingConfig, game: &Game<R>) -> Result<Config, StudyError> {
    let mut config = Config::load(Path::new(&training.config), &[])?;
    let (expected, found) = (&game.ruleset().game, &config.game);
    if expected != found {
        let reason = format!("game: expected {expected}, which the study is about, found {found}");
        return Err(ConfigError::File { file: training.config.clone(), reason }.into());
    }
    config.rules = arm.rules.clone();
    config.run.generations = training.generations;
    Ok(config)
}

/// Trains, or goes on training; gives the folder of the last network, or nothing when the user asked to stop.
///
/// # Errors
/// As [`Run::open`] and [`Run::train`].
pub fn train<R: Playable>(
    arm: &Arm,
    run: &str,
    training: &TrainingConfig,
    game: &Game<R>,
    root: &Path,
    change: ConfigChange,
    stop: &StopFlag,
) -> Result<Option<PathBuf>, StudyError> {
    let config = configuration(arm, training, game)?;
    let error = |source: RunError| StudyError::Training { arm: arm.name.clone(), source: Box::new(source) };
    let mut run = Run::open(game.clone(), config, root, run, change, stop.clone()).map_err(error)?;
    let ending = run.train(SessionLimit::default()).map_err(error)?;
    Ok((ending == Ending::Done).then(|| run.directory().checkpoint(training.generations)))
}
