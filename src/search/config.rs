//! Settings of a search: the `[search]` tables of a configuration.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game::FieldError;

/// Which rule picks actions in the tree and at its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Gumbel noise and sequential halving at the root, a deterministic rule below (Danihelka et al. 2022).
    Gumbel,
    /// Upper confidence bounds weighted by priors, Dirichlet noise at the root (Silver et al. 2018).
    Puct,
}

/// Settings of one search. A value is cheap to copy; each search may have its own (a fast and a full one, say).
///
/// The defaults are made for self-play by a game whose values lie in [-1, 1]; see each field.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// `gumbel` or `puct`.
    pub mode: Mode,
    /// Playouts of one search, 1 to 1,000,000; those kept from an earlier search do not count.
    #[serde(alias = "simulations")]
    pub playouts: u32,
    /// Gumbel: root actions drawn without replacement, m, at least 1. With fewer legal actions, all of them.
    pub considered_actions: u32,
    /// Gumbel: scale of the root's noise. 1 for self-play, 0 to play the best action known.
    pub gumbel_scale: f32,
    /// Gumbel: c_visit of sigma(q) = (c_visit + max_b N(b)) * c_scale * q. The paper's 50.
    pub c_visit: f32,
    /// Gumbel: c_scale of the same formula. The paper has 1.0 for Go and chess with values in [0, 1], which is 0.5 for
    /// ours in [-1, 1]; 0.1 goes with `rescale_values`.
    pub c_scale: f32,
    /// Gumbel: whether the completed q of a node are stretched to [0, 1] before sigma. For values of unknown scale (the
    /// paper's Atari, mctx's default); in a game whose values mean the same in every position it blows the noise of a
    /// quiet one up to the size of a win.
    pub rescale_values: bool,
    /// PUCT: c_init of c(s) = c_init + ln((1 + N(s) + c_base) / c_base).
    pub c_puct_init: f32,
    /// PUCT: c_base of the same formula, in visits.
    pub c_puct_base: f32,
    /// PUCT: the standard deviation of the values found below s at which c(s) is the above; c(s) grows and falls in
    /// proportion to it. At least 0.001; or 0: c(s) is the above everywhere.
    pub c_puct_deviation: f32,
    /// PUCT: an unvisited action counts as the node's value less this times the root of the visited actions' priors.
    pub fpu_reduction: f32,
    /// PUCT: concentration of the Dirichlet noise at the root.
    pub dirichlet_alpha: f32,
    /// PUCT: share of that noise in the root's priors, 0 (none, for matches) to 1.
    pub dirichlet_fraction: f32,
    /// What a draw is worth to whoever is to move, -1 to 1, where actions are chosen and the policy target is made; 0 is
    /// the game's own worth. Below 0 both sides avoid draws. The values that a search reports stay win less loss.
    pub draw_score: f32,
    /// How much less than that a draw is worth to the side that searches, and more to the other, -1 to 1. Above 0 it
    /// expects to outplay the other side; below 0 it is content with a draw.
    pub contempt: f32,
    /// What it is worth, 0 to 1, to win in half the plies that the evaluator expects, or to lose in twice as many. Fades
    /// out towards values that tell no winner.
    pub moves_left: f32,
    /// Whether ends of the game found in the tree back up as proofs.
    pub solver: bool,
    /// Whether a search starts from what the last one found below the action played.
    pub reuse_tree: bool,
}

impl Default for SearchConfig {
    fn default() -> Self {
        SearchConfig {
            mode: Mode::Gumbel,
            playouts: 64,
            considered_actions: 16,
            gumbel_scale: 1.0,
            c_visit: 50.0,
            c_scale: 0.5,
            rescale_values: false,
            c_puct_init: 1.25,
            c_puct_base: 19652.0,
            c_puct_deviation: 0.0,
            fpu_reduction: 0.2,
            dirichlet_alpha: 0.3,
            dirichlet_fraction: 0.25,
            draw_score: 0.0,
            contempt: 0.0,
            moves_left: 0.0,
            solver: true,
            reuse_tree: true,
        }
    }
}

/// A setting out of its range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field}: expected {expected}, found {found}")]
pub struct SettingError {
    pub field: &'static str,
    pub expected: String,
    pub found: String,
}

impl SearchConfig {
    /// These settings with some of them changed: keys of a `[search]` table.
    ///
    /// # Errors
    /// In one line, when a key is unknown, or a value is of another type or out of range.
    pub fn changed(&self, changes: &toml::Table) -> Result<SearchConfig, String> {
        let mut table = toml::Table::try_from(self).expect("settings serialise");
        table.extend(changes.clone());
        let changed: SearchConfig =
            table.try_into().map_err(|error: toml::de::Error| error.message().replace('\n', ", "))?;
        changed.validate().map(|()| changed).map_err(|error| error.to_string())
    }

    /// Checks every field.
    ///
    /// # Errors
    /// `field: expected X, found Y` for the first field that is out of range.
    pub fn validate(&self) -> Result<(), FieldError> {
        let count = |field: &str, value: u32, most: u32| {
            if (1..=most).contains(&value) {
                Ok(())
            } else {
                Err(FieldError::new(field, format!("1 to {most}"), value))
            }
        };
        let number = |field, value: f32, least: f32, most: f32| {
            if (least..=most).contains(&value) {
                Ok(())
            } else {
                Err(FieldError::new(field, format!("{least} to {most}"), value))
            }
        };
        count("playouts", self.playouts, 1_000_000)?;
        count("considered_actions", self.considered_actions, 100_000)?;
        number("gumbel_scale", self.gumbel_scale, 0.0, 100.0)?;
        number("c_visit", self.c_visit, 0.0, 1e6)?;
        number("c_scale", self.c_scale, 0.0, 1e3)?;
        number("c_puct_init", self.c_puct_init, 0.0, 1e3)?;
        number("c_puct_base", self.c_puct_base, 1.0, 1e9)?;
        // A smaller one makes exploration infinite.
        if self.c_puct_deviation != 0.0 && !(1e-3..=1.0).contains(&self.c_puct_deviation) {
            return Err(FieldError::new("c_puct_deviation", "0, or 0.001 to 1", self.c_puct_deviation));
        }
        number("fpu_reduction", self.fpu_reduction, 0.0, 2.0)?;
        number("dirichlet_alpha", self.dirichlet_alpha, 1e-3, 1e3)?;
        number("dirichlet_fraction", self.dirichlet_fraction, 0.0, 1.0)?;
        number("draw_score", self.draw_score, -1.0, 1.0)?;
        number("contempt", self.contempt, -1.0, 1.0)?;
        number("moves_left", self.moves_left, 0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_laid_over_settings_and_checked() {
        let table = |text: &str| text.parse::<toml::Table>().unwrap();
        let changed = SearchConfig::default().changed(&table("mode = 'puct'\nplayouts = 7\nc_scale = 1")).unwrap();
        assert_eq!(changed, SearchConfig { mode: Mode::Puct, playouts: 7, c_scale: 1.0, ..SearchConfig::default() });
        for (text, part) in [("playots = 3", "playots"), ("playouts = 0", "1 to 1000000"), ("mode = 'x'", "gumbel")] {
            let error = SearchConfig::default().changed(&table(text)).unwrap_err();
            assert!(error.contains(part) && !error.contains('\n'), "{error}");
        }
    }
}
