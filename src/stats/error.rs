//! Errors of the statistics. Each prints as one line.

use std::path::PathBuf;

use thiserror::Error;

use super::Skipped;
use crate::{console::ConfigError, data::DataError, disk::IoError, game::RulesError};

/// Statistics that cannot be made.
#[derive(Debug, Error)]
pub enum StatsError {
    /// There is no such run.
    #[error("{run}: no games: expected the name of a run in {}, or a folder with `gen-` folders", data.display())]
    NoRun { run: String, data: PathBuf },
    /// There is a run, and nothing in it to count.
    #[error("{run}: no whole file of games in these generations{}", skipped.first())]
    NoGames { run: String, skipped: Skipped },
    /// A folder that cannot be listed, or files of two rulesets.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Files of a game that this program does not know.
    #[error("{run}: {source}")]
    Rules { run: String, source: RulesError },
    /// A game that cannot be followed.
    #[error("{run}: game {game}: {field}: {reason}")]
    Game { run: String, game: String, field: &'static str, reason: String },
    /// Games of which nothing says how their actions were drawn.
    #[error(
        "{run}: temperature: expected `models/<run>/config.toml` or `arm.toml` beside the games, or --drawn-plies; found neither"
    )]
    NoTemperature { run: String },
    /// Something the user typed.
    #[error("{field}: expected {expected}, found {found}")]
    Option { field: &'static str, expected: String, found: String },
    /// A configuration beside the games that cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Io(#[from] IoError),
}
