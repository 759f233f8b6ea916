//! The options of the game.

use serde::{Deserialize, Serialize};

use crate::game::omega;

/// Options of Omega Chess Advanced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// A piece orthogonally next to an enemy fool cannot move, unless it is also next to a fool of its own side (§6).
    pub fool_immobilises: bool,
    /// Knights also make a (2, 3) jump that does not capture (§6).
    pub templar: bool,
    /// Draw at this occurrence of a position; 0 = never, else 2 or more (§7).
    pub repetition: u32,
    /// Draw after this many plies without progress; 0 = never (§7).
    pub no_progress_plies: u32,
    /// Draw at this ply; 0 = never (§7).
    pub max_plies: u32,
}

impl Default for Options {
    fn default() -> Self {
        let omega::Options { repetition, no_progress_plies, max_plies } = omega::Options::default();
        Options { fool_immobilises: false, templar: false, repetition, no_progress_plies, max_plies }
    }
}
