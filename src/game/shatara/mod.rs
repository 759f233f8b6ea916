//! Shatara Arena and its `chess` preset.

mod action;
mod kind;
mod notation;
mod position;
mod rules;

pub use action::{Action, ActionKind};
pub use kind::Kind;
pub use position::{Castling, Position, Wing};
pub use rules::{PromotionAfter, PromotionStock, Rules};

use crate::game::{RulesError, Ruleset, ruleset::resolve_options};

/// Shatara Arena under one set of options.
#[derive(Clone, Debug)]
pub struct Shatara {
    rules: Rules,
    ruleset: Ruleset,
    reserve: [u8; 5],
}

impl Shatara {
    /// Shatara Arena with `overrides` laid over the defaults.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn from_options(overrides: &toml::Table) -> Result<Self, RulesError> {
        Shatara::preset("shatara", &Rules::default(), overrides)
    }

    /// The `chess` preset with `overrides` laid over it.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn chess_from_options(overrides: &toml::Table) -> Result<Self, RulesError> {
        Shatara::preset("chess", &Rules::chess(), overrides)
    }

    fn preset(id: &str, preset: &Rules, overrides: &toml::Table) -> Result<Self, RulesError> {
        let error = |reason| RulesError::Option { game: id.to_owned(), reason };
        let rules = resolve_options(id, preset, overrides)?.validated().map_err(error)?;
        let reserve = rules.reserve_counts().map_err(error)?;
        Ok(Shatara { ruleset: Ruleset::new(id, &rules), rules, reserve })
    }

    /// The options.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}
