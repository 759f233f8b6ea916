//! The options of the game.

use serde::{Deserialize, Serialize};

/// What a side must do whose king could capture and does not (§6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KingRefusal {
    /// Move or place the king.
    King,
    /// Move or place any piece.
    Any,
}

/// Options of Altai Shatra.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// What a side must do whose king could capture and does not: move or place the king, or any piece (§6).
    pub king_refusal: KingRefusal,
    /// Draw at this occurrence of a position at the start of a turn; 0 = never, else 2 or more (§8).
    pub repetition: u32,
    /// Draw after this many plies without progress; 0 = never (§8).
    pub no_progress_plies: u32,
    /// Draw at this ply, turns being counted as plies; 0 = never (§8).
    pub max_plies: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { king_refusal: KingRefusal::King, repetition: 3, no_progress_plies: 100, max_plies: 768 }
    }
}
