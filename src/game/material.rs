//! What pieces are worth.

use super::Rules;

/// A game whose pieces have a worth: what the baseline players (greedy, alpha-beta) and balanced openings look at.
pub trait Material: Rules {
    /// Material balance in centipawns, White minus Black.
    fn material(&self, position: &Self::Position) -> i32;
}
