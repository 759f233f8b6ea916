//! Games by their first and second moves, and by how these were chosen.

use std::{cmp::Reverse, collections::BTreeMap};

use crate::stats::{GameColumns, openings::record::Decisions};

/// Games by their first moves.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// Games by how their first action was chosen.
    pub all: Decisions,
    /// Likewise those with one first action.
    pub first: BTreeMap<Box<str>, Decisions>,
    /// Games with a second action, by their first one and by how the second was chosen.
    pub replies: BTreeMap<Box<str>, Decisions>,
    /// Likewise those with one second action.
    pub second: BTreeMap<(Box<str>, Box<str>), Decisions>,
}

impl Moves {
    /// Counts a game.
    pub fn add(&mut self, game: &GameColumns) {
        let (action, decisions) = (game.action(0), Decisions::of(game, 0));
        self.all += decisions;
        *self.first.entry(action.into()).or_default() += decisions;
        if game.plies() > 1 {
            let decisions = Decisions::of(game, 1);
            *self.replies.entry(action.into()).or_default() += decisions;
            *self.second.entry((action.into(), game.action(1).into())).or_default() += decisions;
        }
    }

    /// First moves, those that searches chose most often first.
    pub fn most_frequent_first(&self) -> Vec<&str> {
        most_searched(&self.first).into_iter().map(AsRef::as_ref).collect()
    }

    /// First and second moves likewise, by the second.
    pub fn most_frequent_second(&self) -> Vec<&(Box<str>, Box<str>)> {
        most_searched(&self.second)
    }
}

/// Keys by how often searches chose them, then by how often they were chosen at all, then as they come.
fn most_searched<K: Ord>(counts: &BTreeMap<K, Decisions>) -> Vec<&K> {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|(_, decisions)| Reverse((decisions.searched, decisions.total())));
    counts.into_iter().map(|(key, _)| key).collect()
}

/// Keys by their counts, the greatest first, then as they come.
pub fn most_frequent<'a, K>(counts: impl Iterator<Item = (&'a K, &'a u64)>) -> Vec<&'a K> {
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|(_, games)| Reverse(**games));
    counts.into_iter().map(|(key, _)| key).collect()
}
