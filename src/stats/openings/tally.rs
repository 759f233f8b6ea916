//! What a group of games says as a whole: first moves, results, length.

use super::{lengths::Lengths, moves::Moves, results::Ends};
use crate::{estimate::Weights, stats::GameColumns};

/// Counts over the games of some generations.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub moves: Moves,
    pub ends: Ends,
    pub lengths: Lengths,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &GameColumns, weights: &Weights) {
        self.moves.add(game);
        self.ends.add(game);
        self.lengths.add(game, weights);
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.ends.all.games()
    }
}
