//! Games by their length.

use crate::{
    estimate::{Ratio, Times, Weights},
    stats::GameColumns,
};

/// Lengths of games in plies.
#[derive(Clone, Debug, Default)]
pub struct Lengths {
    /// Of all games; those that were cut off would have been longer.
    pub plies: Times,
    /// Plies a game over those that were not cut off, which are the shorter ones.
    pub plies_of_ended: Ratio,
}

impl Lengths {
    /// Counts a game.
    pub fn add(&mut self, game: &GameColumns, weights: &Weights) {
        let plies = game.plies() as u64;
        if game.was_ended() {
            self.plies.end(plies);
            self.plies_of_ended.add(weights, plies as f64, 1.0);
        } else {
            self.plies.censor(plies);
        }
    }
}
