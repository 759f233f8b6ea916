//! What pieces are worth.

use super::Rules;

/// A game whose pieces have a worth: what the baseline players (greedy, alpha-beta) and balanced openings look at.
pub trait Material: Rules {
    /// Depth of the shallowest alpha-beta that beats random play by this balance: where the row of baselines begins that
    /// ratings are measured along.
    const LEAST_DEPTH: u32 = 1;

    /// Material balance in centipawns, White minus Black.
    fn material(&self, position: &Self::Position) -> i32;
}
