//! The options of the game: every one a field, with the default of shatara.md.

use serde::{Deserialize, Serialize};

use super::Kind;

/// Most pieces that one zone can hold, so that an exchange never overflows a count.
pub(super) const MAX_ZONE: usize = 255;

/// Options of Shatara Arena. `Options::default()` is the game `shatara`, [`Options::chess`] the preset `chess`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Each side's zone at the start: letters of `PNBRQ`, one a piece, at most 255 (§1).
    pub reserve: String,
    /// Reinforcement never brings a side above this many pieces in the arena, the king included; 0-64 (§1, §4).
    pub max_arena_pieces: u32,
    /// Reinforcement never brings a side above this many pawns in the arena; 0-64 (§4).
    pub max_arena_pawns: u32,
    /// Since when a piece must have moved to climb the ladder (§3).
    pub promotion_after: PromotionAfter,
    /// What a ladder promotion takes from the zone and gives to it (§3).
    pub promotion_stock: PromotionStock,
    /// Whether a ladder promotion or a reinforcement may give check (§3, §4).
    pub support_actions_may_check: bool,
    /// Whether there are ladder promotions (§3).
    pub ladder: bool,
    /// Whether there are reinforcements (§4).
    pub reinforcement: bool,
    /// Whether a pawn's move resets the progress clock (§5).
    pub pawn_moves_are_progress: bool,
    /// Draw at this occurrence of a position; 0 = never, else 2 or more (§5).
    pub repetition: u32,
    /// Draw after this many plies without progress; 0 = never (§5).
    pub no_progress_plies: u32,
    /// Draw at this ply; 0 = never (§5).
    pub max_plies: u32,
}

/// Since when a piece must have moved to climb the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromotionAfter {
    /// Since it got its present rank.
    MoveSinceRank,
    /// Since it entered the arena.
    MoveEver,
}

/// What a ladder promotion takes from the zone and gives to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromotionStock {
    /// The new piece comes from the zone, the old one goes there.
    Exchange,
    /// The new piece comes from the zone, the old one leaves play.
    Consume,
    /// No stock is needed and none changes.
    Unlimited,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            reserve: "PPPPPPPPNNBBRRQ".to_owned(),
            max_arena_pieces: 16,
            max_arena_pawns: 8,
            promotion_after: PromotionAfter::MoveSinceRank,
            promotion_stock: PromotionStock::Exchange,
            support_actions_may_check: false,
            ladder: true,
            reinforcement: true,
            pawn_moves_are_progress: false,
            repetition: 3,
            no_progress_plies: 100,
            max_plies: 512,
        }
    }
}

impl Options {
    /// FIDE chess: no zone, no support actions (§7).
    pub fn chess() -> Self {
        Options {
            reserve: String::new(),
            ladder: false,
            reinforcement: false,
            pawn_moves_are_progress: true,
            ..Options::default()
        }
    }

    /// Checks every value's range and puts the reserve's letters in order, so that equal rules compare equal.
    ///
    /// # Errors
    /// One line that names the option, what it can be and what was found.
    pub(super) fn validated(mut self) -> Result<Self, String> {
        for (name, value) in [("max_arena_pieces", self.max_arena_pieces), ("max_arena_pawns", self.max_arena_pawns)] {
            if value > 64 {
                return Err(format!("`{name}`: expected 0 to 64, found {value}"));
            }
        }
        let counts = self.reserve_counts()?;
        self.reserve = Kind::RESERVE
            .iter()
            .flat_map(|kind| std::iter::repeat_n(kind.letter(), counts[kind.index()].into()))
            .collect();
        Ok(self)
    }

    /// Pieces of the reserve by kind, P N B R Q.
    pub(super) fn reserve_counts(&self) -> Result<[u8; 5], String> {
        if self.reserve.len() > MAX_ZONE {
            return Err(format!("`reserve`: expected at most {MAX_ZONE} letters, found {}", self.reserve.len()));
        }
        let mut counts = [0; 5];
        for letter in self.reserve.chars() {
            match Kind::from_letter(letter) {
                Some(kind) if kind != Kind::King => counts[kind.index()] += 1,
                _ => return Err(format!("`reserve`: expected letters of PNBRQ, found {letter:?}")),
            }
        }
        Ok(counts)
    }
}
