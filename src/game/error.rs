//! What is wrong with a position, an action or an option that a user typed. Each prints as one line.

use thiserror::Error;

/// A text that is no position: which field, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("position field `{field}`: {reason}")]
pub struct PositionError {
    pub field: &'static str,
    pub reason: String,
}

impl PositionError {
    pub fn new(field: &'static str, reason: impl Into<String>) -> Self {
        PositionError { field, reason: reason.into() }
    }
}

/// A text that names no legal action of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{action}` is not a legal action of `{position}`")]
pub struct ActionError {
    pub action: String,
    pub position: String,
}

impl ActionError {
    pub fn new(action: impl Into<String>, position: impl Into<String>) -> Self {
        ActionError { action: action.into(), position: position.into() }
    }
}

/// A game or an option that does not exist, or a value that an option cannot take.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RulesError {
    #[error("unknown game `{found}`, expected one of: {expected}")]
    UnknownGame { found: String, expected: String },
    #[error("rules of `{game}`: {reason}")]
    Option { game: String, reason: String },
}
