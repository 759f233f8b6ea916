//! The identity of a ruleset, carried by every artefact (games, checkpoints, bots), so that two are never mixed by
//! mistake.

use std::fmt;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use super::RulesError;

/// Plies before the limit of plies from which on networks see it.
pub const LIMIT_SHOWS: u32 = 100;

/// The draws that no game's source text names, so that every game ends. 0 turns one off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// Draw at this occurrence of a position.
    pub repetition: u32,
    /// Draw after this many plies without progress.
    pub no_progress_plies: u32,
    /// Draw at this ply.
    pub max_plies: u32,
}

impl Adjudication {
    /// The adjudications among a ruleset's options; off where the game has no such option.
    pub(super) fn of(ruleset: &Ruleset) -> Self {
        let limit = |name| {
            let plies = ruleset.options.get(name).and_then(toml::Value::as_integer);
            plies.map_or(0, |plies| u32::try_from(plies).unwrap_or(u32::MAX))
        };
        Adjudication {
            repetition: limit("repetition"),
            no_progress_plies: limit("no_progress_plies"),
            max_plies: limit("max_plies"),
        }
    }

    /// How near the limit of plies is in a move of the game: 0 up to [`LIMIT_SHOWS`] plies before it, 1 at it, evenly
    /// between, the same for both sides; 0 without a limit.
    pub fn nearness(&self, fullmove: u32) -> f32 {
        if self.max_plies == 0 {
            return 0.0;
        }
        let left = self.max_plies.saturating_sub(2 * fullmove.saturating_sub(1));
        LIMIT_SHOWS.saturating_sub(left) as f32 / LIMIT_SHOWS as f32
    }
}

/// A game's id with every option resolved, and a short hash of both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ruleset {
    /// The game's id, as in `maydan rules <game>`.
    pub game: String,
    /// First 16 hexadecimal digits of SHA-256 over the id and the canonical options.
    pub hash: String,
    /// Every option with its value.
    pub options: toml::Table,
}

impl Ruleset {
    /// The identity of `game` with `options`, a struct that serialises every option.
    pub fn new(game: &str, options: &impl Serialize) -> Self {
        let options = toml::Table::try_from(options).expect("options of a ruleset serialise as a TOML table");
        let mut names: Vec<&String> = options.keys().collect();
        names.sort();
        let mut digest = Sha256::new();
        digest.update(game.as_bytes());
        for name in names {
            digest.update(format!("\n{name}={}", options[name]).as_bytes());
        }
        let hash = digest.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        Ruleset { game: game.to_owned(), hash, options }
    }

    /// Where it differs from another ruleset of its game: an option with both values, its own first; `none` where there
    /// is no such option.
    pub fn differences<'a>(&'a self, other: &'a Ruleset) -> Vec<(&'a str, String, String)> {
        let value = |value: Option<&toml::Value>| value.map_or("none".to_owned(), ToString::to_string);
        let names = self.options.keys().chain(other.options.keys().filter(|name| !self.options.contains_key(*name)));
        names
            .map(|name| (name.as_str(), value(self.options.get(name)), value(other.options.get(name))))
            .filter(|(_, own, other)| own != other)
            .collect()
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.game, self.hash)
    }
}

/// Lays `overrides` over the preset's options.
///
/// # Errors
/// Names an option that does not exist, a value of the wrong kind, or a `repetition` of 1, which every position is.
pub fn resolve_options<T: Serialize + DeserializeOwned>(
    game: &str,
    preset: &T,
    overrides: &toml::Table,
) -> Result<T, RulesError> {
    let error = |reason: String| RulesError::Option { game: game.to_owned(), reason };
    let mut table = toml::Table::try_from(preset).expect("options of a ruleset serialise as a TOML table");
    for (name, value) in overrides {
        if !table.contains_key(name) {
            let known: Vec<&str> = table.keys().map(String::as_str).collect();
            return Err(error(format!("unknown option `{name}`, expected one of: {}", known.join(", "))));
        }
        if name == "repetition" && value.as_integer() == Some(1) {
            return Err(error("`repetition`: expected 0 (off) or at least 2, found 1".to_owned()));
        }
        table.insert(name.clone(), value.clone());
        // Tried option by option, so that the message can name the one that is wrong.
        table.clone().try_into::<T>().map_err(|e| error(format!("`{name}`: {}", e.message())))?;
    }
    table.try_into().map_err(|e: toml::de::Error| error(e.message().to_owned()))
}
