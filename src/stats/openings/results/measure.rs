//! Games by their results and the reasons of their ends.

use std::collections::BTreeMap;

use crate::{
    game::Side,
    stats::{
        GameColumns,
        openings::{moves::most_frequent, record::Results},
    },
};

/// Games by how they ended, for White.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    pub all: Results,
    /// By the reason why they ended.
    pub by_reason: BTreeMap<String, Results>,
}

impl Ends {
    /// Counts a game.
    pub fn add(&mut self, game: &GameColumns) {
        let results = Results::of(game, Side::White);
        self.all += results;
        *self.by_reason.entry(game.reason.clone()).or_default() += results;
    }

    /// Why games ended, the most frequent reason first.
    pub fn reasons(&self) -> Vec<&str> {
        let games: Vec<_> = self.by_reason.iter().map(|(reason, results)| (reason, results.games())).collect();
        most_frequent(games.iter().map(|(reason, games)| (reason, games))).into_iter().map(|r| r.as_str()).collect()
    }
}
