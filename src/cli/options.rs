//! Options of a ruleset as a user gives them: a TOML file, and `--set option=value`.

use std::{fs, path::PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use crate::console::typed_value;

/// Chooses a ruleset; may stand anywhere on the line.
#[derive(Debug, Args)]
pub(super) struct RulesetOptions {
    /// Set an option of the rules; may be repeated, and wins over the file
    #[arg(long = "set", value_name = "OPTION=VALUE")]
    set: Vec<String>,
    /// Read options from a TOML file: its `[rules]` table, or the whole file where it has none
    #[arg(long = "rules", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl RulesetOptions {
    /// The file's options with those set on the line laid over them.
    ///
    /// # Errors
    /// Names the file and line that is not TOML, or the `--set` that is no assignment.
    pub(super) fn overrides(&self) -> anyhow::Result<toml::Table> {
        let mut table = match &self.file {
            None => toml::Table::new(),
            Some(path) => {
                let text = fs::read_to_string(path).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
                let mut table: toml::Table = text.parse().with_context(|| path.display().to_string())?;
                match table.remove("rules") {
                    None => table,
                    Some(toml::Value::Table(rules)) => rules,
                    Some(other) => {
                        bail!("{}: `rules`: expected a table, found {}", path.display(), other.type_str())
                    }
                }
            }
        };
        for assignment in &self.set {
            let Some((name, value)) = assignment.split_once('=') else {
                bail!("--set: expected OPTION=VALUE, found `{assignment}`");
            };
            table.insert(name.trim().to_owned(), typed_value(value));
        }
        Ok(table)
    }
}
