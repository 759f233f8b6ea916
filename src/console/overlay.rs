//! A TOML file with `key=value` laid over it, as a configuration; what is wrong with it in one line.

use std::{fs, path::Path};

use serde::de::DeserializeOwned;
use thiserror::Error;

/// A configuration that cannot be used, in one line.
#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("{file}: {reason}")]
    File { file: String, reason: String },
    #[error("--set {assignment}: {reason}")]
    Override { assignment: String, reason: String },
}

/// Reads a file and lays `overrides` (`section.key=value`) over it.
///
/// # Errors
/// Names the file, the key and what was expected.
pub fn read_config<T: DeserializeOwned>(path: &Path, overrides: &[String]) -> Result<T, ConfigError> {
    let file = path.display().to_string();
    let text = fs::read_to_string(path)
        .map_err(|e| ConfigError::File { file: file.clone(), reason: format!("cannot be read: {e}") })?;
    parse_config(&text, &file, overrides)
}

/// [`read_config`] from text; `file` is what errors call it.
///
/// # Errors
/// As [`read_config`].
pub fn parse_config<T: DeserializeOwned>(text: &str, file: &str, overrides: &[String]) -> Result<T, ConfigError> {
    let error = |reason: String| ConfigError::File { file: file.to_owned(), reason };
    let mut table: toml::Table = text.parse().map_err(|e: toml::de::Error| error(one_line(text, &e)))?;
    for assignment in overrides {
        set(&mut table, assignment)?;
    }
    // Read again from text, so that an error can point at a line of what was really read.
    let resolved = toml::to_string(&table).map_err(|e| error(e.to_string()))?;
    toml::from_str(&resolved).map_err(|e| error(one_line(&resolved, &e)))
}

/// Lays one `section.key=value` over a table. A value that is no TOML is taken as a string.
fn set(table: &mut toml::Table, assignment: &str) -> Result<(), ConfigError> {
    let error = |reason: &str| ConfigError::Override { assignment: assignment.to_owned(), reason: reason.to_owned() };
    let (key, value) = assignment.split_once('=').ok_or_else(|| error("expected section.key=value"))?;
    let value = typed_value(value);
    let mut path: Vec<&str> = key.trim().split('.').collect();
    let last = path.pop().filter(|name| !name.is_empty()).ok_or_else(|| error("expected section.key=value"))?;
    let mut place = table;
    for name in path {
        place = place
            .entry(name)
            .or_insert_with(|| toml::Value::Table(toml::Table::new()))
            .as_table_mut()
            .ok_or_else(|| error(&format!("`{name}` is no section")))?;
    }
    place.insert(last.to_owned(), value);
    Ok(())
}

/// A value as typed on a command line: TOML, or a string without its quotes where it is no TOML.
pub fn typed_value(text: &str) -> toml::Value {
    let text = text.trim();
    text.parse().unwrap_or_else(|_| toml::Value::String(text.to_owned()))
}

/// A TOML error with its line of `text`, in one line.
fn one_line(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().replace('\n', ", ");
    match error.span() {
        Some(span) if span.start < text.len() => {
            let line = text[..span.start].matches('\n').count();
            format!("{message} (at `{}`)", text.lines().nth(line).unwrap_or("").trim())
        }
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_value_keeps_its_type_and_needs_no_quotes() {
        for (text, expected) in [
            ("3", "3"),
            (" 0.5", "0.5"),
            ("true", "true"),
            ("consume", "\"consume\""),
            ("\"consume\"", "\"consume\""),
            ("[\"random\"]", "[\"random\"]"),
            ("", "\"\""),
            ("1\nx = 2", "\"1\\nx = 2\""),
        ] {
            assert_eq!(typed_value(text), expected.parse().unwrap(), "{text:?}");
        }
    }
}
