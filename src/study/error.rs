//! What can go wrong with a study. Each prints as one line.

use std::path::PathBuf;

use thiserror::Error;

use crate::{
    console::ConfigError,
    disk::{DirectoryError, IoError},
    game::RulesError,
    model::{CheckpointError, EvaluatorError},
    pipeline::TrainingError,
    selfplay::SelfPlayError,
    stats::StatsError,
};

/// A study that cannot be played or reported.
#[derive(Debug, Error)]
pub enum StudyError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    #[error("arm `{arm}`: {source}")]
    Rules { arm: String, source: RulesError },
    #[error("arm `{arm}`: {source}")]
    Checkpoint { arm: String, source: CheckpointError },
    /// A network that cannot play the arm; `problem` reads `field: expected X, found Y`.
    #[error("arm `{arm}`: {}: {problem}", network.display())]
    Network { arm: String, network: PathBuf, problem: String },
    #[error("arm `{arm}`: {source}")]
    SelfPlay { arm: String, source: SelfPlayError },
    #[error("[play] {0}")]
    Evaluator(#[from] EvaluatorError),
    #[error("[play] {0}")]
    Device(String),
    #[error("arm `{arm}`: {source}")]
    Training { arm: String, source: Box<TrainingError> },
    #[error(transparent)]
    Stats(#[from] StatsError),
    #[error(transparent)]
    Io(#[from] IoError),
}
