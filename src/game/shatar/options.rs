//! The options of the game: the draws that the source text does not name.

use serde::{Deserialize, Serialize};

/// Options of Shatar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Draw at this occurrence of a position; 0 = never, else 2 or more (§3).
    pub repetition: u32,
    /// Draw after this many plies without a capture or a qayin's move; 0 = never (§3).
    pub no_progress_plies: u32,
    /// Draw at this ply; 0 = never (§3).
    pub max_plies: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { repetition: 3, no_progress_plies: 100, max_plies: 512 }
    }
}
