//! What can go wrong with a trial. Each prints as one line.

use std::path::PathBuf;

use thiserror::Error;

use crate::{
    console::ConfigError,
    disk::{DirectoryError, IoError},
    export::NetworkError,
    game::RulesError,
    model::{CheckpointError, EvaluatorError, backend::BackendError},
    pipeline::RunError,
};

/// A trial that cannot be run or reported.
#[derive(Debug, Error)]
pub enum TrialError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Arms that could not meet.
    #[error("arm `{arm}`: expected the rules of arm `{reference}`, {expected}, found {found}")]
    OtherRules { arm: String, reference: String, expected: String, found: String },
    #[error("run `{run}`: {source}")]
    Run { run: String, source: Box<RunError> },
    #[error("{}: expected a run with a checkpoint, found none", folder.display())]
    NoOrigin { folder: PathBuf },
    #[error("{}: {problem}; remove the file, and its matches are played again", path.display())]
    Ledger { path: PathBuf, problem: String },
    #[error("[match] opponent {opponent}: {problem}")]
    Opponent { opponent: String, problem: String },
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error("[match] {0}")]
    Backend(#[from] BackendError),
    #[error("[match] {0}")]
    Evaluator(#[from] EvaluatorError),
    #[error(transparent)]
    Io(#[from] IoError),
}
