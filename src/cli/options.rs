//! Options of a ruleset as a user gives them: a TOML file, `--set option=value`, and those that a network need not have
//! been trained on.

use std::{fs, path::PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;

use crate::{
    console::typed_value,
    game::{Encode, Game},
    model::{Metadata, RULE},
};

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
                let text = fs::read_to_string(path).map_err(|error| anyhow!("{}: {error}", path.display()))?;
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

/// Rules that a network plays by without having been trained on them.
#[derive(Debug, Default, Args)]
pub(super) struct OtherRules {
    /// Let networks play by rules that they were not trained on, as far as only these options differ
    #[arg(long = "other-rules", value_name = "OPTION,...", value_delimiter = ',')]
    options: Vec<String>,
}

impl OtherRules {
    /// Whether the network of `player` may play the game.
    ///
    /// # Errors
    /// Says what the network was trained on and what it is asked to play.
    pub(super) fn check<R: Encode>(&self, player: &str, network: &Metadata, game: &Game<R>) -> anyhow::Result<()> {
        network.check_game_but(game, &self.options).map_err(|problem| match problem.field.strip_prefix(RULE) {
            None => anyhow!("{player}: {problem}"),
            Some(option) => anyhow!(
                "{player}: was trained with {option} = {}, and the game has {option} = {}; `--other-rules {option}` lets it play so",
                problem.found,
                problem.expected,
            ),
        })
    }
}
