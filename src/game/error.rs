//! What is wrong with a position, an action, an option or a name that came from outside. Each prints as one line.

use thiserror::Error;

use super::text::quoted;

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
    #[error("unknown game {}, expected one of: {expected}", quoted(found))]
    UnknownGame { found: String, expected: String },
    #[error("rules of `{game}`: {reason}")]
    Option { game: String, reason: String },
}

/// A field that is not what it must be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field}: expected {expected}, found {found}")]
pub struct FieldError {
    /// With the tables that it is in, `opening.temperature`.
    pub field: String,
    pub expected: String,
    pub found: String,
}

impl FieldError {
    pub fn new(field: impl Into<String>, expected: impl ToString, found: impl ToString) -> Self {
        FieldError { field: field.into(), expected: expected.to_string(), found: found.to_string() }
    }

    /// The same of a field of `table`.
    pub fn within(self, table: &str) -> Self {
        FieldError { field: format!("{table}.{}", self.field), ..self }
    }
}

/// A text that names no value of a type with a few names.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {expected}, found `{found}`")]
pub struct NameError {
    /// What the names are for; the column of that name in files of games.
    pub field: &'static str,
    /// The names, as a list.
    pub expected: String,
    pub found: String,
}

impl NameError {
    /// The one of `all` that `name` calls `text`.
    ///
    /// # Errors
    /// When no name is `text`.
    pub fn find<T: Copy>(
        field: &'static str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
        text: &str,
    ) -> Result<T, NameError> {
        all.iter().copied().find(|&value| name(value) == text).ok_or_else(|| {
            let names: Vec<String> = all.iter().map(|&value| format!("`{}`", name(value))).collect();
            let (last, others) = names.split_last().expect("a type has values");
            let expected = if others.is_empty() { last.clone() } else { format!("{} or {last}", others.join(", ")) };
            NameError { field, expected, found: text.to_owned() }
        })
    }
}
