//! Games by their first and second moves.

use std::collections::BTreeMap;

use crate::stats::GameColumns;

/// Games by their first moves.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// Games by their first action.
    pub first: BTreeMap<Box<str>, u64>,
    /// Games by their first two actions.
    pub second: BTreeMap<(Box<str>, Box<str>), u64>,
}

impl Moves {
    /// Counts a game.
    pub fn add(&mut self, game: &GameColumns) {
        *self.first.entry(game.action(0).into()).or_default() += 1;
        if game.plies() > 1 {
            *self.second.entry((game.action(0).into(), game.action(1).into())).or_default() += 1;
        }
    }

    /// First moves, the most frequent first.
    pub fn most_frequent_first(&self) -> Vec<&str> {
        most_frequent(self.first.iter()).into_iter().map(AsRef::as_ref).collect()
    }

    /// First and second moves likewise.
    pub fn most_frequent_second(&self) -> Vec<&(Box<str>, Box<str>)> {
        most_frequent(self.second.iter())
    }
}

/// Keys by their counts, the greatest first, then as they come.
pub fn most_frequent<'a, K>(counts: impl Iterator<Item = (&'a K, &'a u64)>) -> Vec<&'a K> {
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|(_, games)| std::cmp::Reverse(**games));
    counts.into_iter().map(|(key, _)| key).collect()
}
