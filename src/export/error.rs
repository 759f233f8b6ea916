//! What is wrong with a bundle, in one line.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{disk::IoError, model::EvaluatorError};

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
