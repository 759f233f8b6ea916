//! What is wrong with a bundle, in one line.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{
    disk::IoError,
    model::{CheckpointError, EvaluatorError},
};

/// A manifest that contradicts itself, as `field: expected X, found Y`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ManifestError(pub(super) String);

/// A bundle that cannot be written, read or believed.
#[derive(Debug, Error)]
pub enum BundleError {
    #[error(transparent)]
    Io(#[from] IoError),
    /// `problem` names the file in the bundle and its field: `manifest.json: format: expected 1, found 2`.
    #[error("{}: {problem}", file.display())]
    Mismatch { file: PathBuf, problem: String },
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
}

impl BundleError {
    pub(super) fn mismatch(file: &Path, problem: impl Into<String>) -> Self {
        BundleError::Mismatch { file: file.to_owned(), problem: problem.into() }
    }
}

/// A network that a user named and that cannot be had.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// `hint` is empty, or begins with `; did you mean`.
    #[error("{noun} `{found}`: expected {expected}, found nothing of that name{hint}")]
    Unknown { noun: String, found: String, expected: String, hint: String },
    #[error("{}: expected a bundle (`*.maydan`), a module (`*.pt`, `*.onnx`), or the folder of a checkpoint or of a run with one", path.display())]
    Stranger { path: PathBuf },
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Io(#[from] IoError),
}
