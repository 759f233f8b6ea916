//! What can be wrong with a file of games. Each prints as one line that begins with the file.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{disk::IoError, game::Ruleset};

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
        let reason = reason.to_string();
        DataError::Damaged { path: path.to_owned(), reason: plain(reason.lines().next().unwrap_or_default()) }
    }

    pub(super) fn foreign(path: &Path, field: &str, expected: impl ToString, found: impl ToString) -> DataError {
        DataError::Foreign {
            path: path.to_owned(),
            field: field.to_owned(),
            expected: plain(&expected.to_string()),
            found: plain(&found.to_string()),
        }
    }

    pub(crate) fn row(path: &Path, row: usize, field: &'static str, reason: impl ToString) -> DataError {
        DataError::Row { path: path.to_owned(), row, field, reason: plain(&reason.to_string()) }
    }

    pub(super) fn ruleset(path: &Path, expected: &Ruleset, found: &Ruleset) -> DataError {
        let [expected, found] = [expected, found].map(|ruleset| plain(&ruleset.to_string()));
        DataError::Ruleset { path: path.to_owned(), expected, found }
    }
}

/// Most characters of what is quoted from a file.
const LONGEST: usize = 300;

/// A text that may quote a file, in one line of bounded length that a terminal shows as it is.
fn plain(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(LONGEST) {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_cut_and_shown_as_it_is() {
        let path = Path::new("a.parquet");
        let error = DataError::row(path, 3, "side", format!("\u{1b}[2J\n{}", "x".repeat(60_000))).to_string();
        assert!(error.starts_with("a.parquet: row 3: side: \\u{1b}[2J\\nxxx") && error.ends_with("x..."), "{error}");
        assert!(error.len() < 400 && !error.contains(char::is_control), "{error}");
        let error = DataError::foreign(path, "schema", "3", "y".repeat(400)).to_string();
        assert!(error.len() < 400, "{error}");
    }
}
