//! What can be wrong with a file of games. Each prints as one line that begins with the file.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::disk::IoError;

/// A file of games that could not be written or read.
#[derive(Debug, Error)]
pub enum DataError {
    #[error(transparent)]
    Io(#[from] IoError),
    /// Truncated, half written, rotten, or no Parquet at all.
    #[error("{}: not a whole Parquet file: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    /// Parquet, but not written by this program or this version of it.
    #[error("{}: not a file of games: {field}: expected {expected}, found {found}", path.display())]
    Foreign { path: PathBuf, field: String, expected: String, found: String },
    /// Games of other rules.
    #[error("{}: games of ruleset {found} cannot be mixed with ruleset {expected}", path.display())]
    Ruleset { path: PathBuf, expected: String, found: String },
    /// A row whose content contradicts itself or the rules.
    #[error("{}: row {row}: {field}: {reason}", path.display())]
    Row { path: PathBuf, row: usize, field: &'static str, reason: String },
}

impl DataError {
    pub(super) fn damaged(path: &Path, reason: impl ToString) -> DataError {
        // Some of the decoder's messages have several lines.
        let reason = reason.to_string().lines().next().unwrap_or_default().to_owned();
        DataError::Damaged { path: path.to_owned(), reason }
    }

    pub(super) fn foreign(path: &Path, field: &str, expected: impl ToString, found: impl ToString) -> DataError {
        DataError::Foreign {
            path: path.to_owned(),
            field: field.to_owned(),
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }

    pub(crate) fn row(path: &Path, row: usize, field: &'static str, reason: impl ToString) -> DataError {
        DataError::Row { path: path.to_owned(), row, field, reason: reason.to_string() }
    }
}
