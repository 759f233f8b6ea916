//! Which games are wanted.

use serde::Deserialize;

use super::entry::{Entry, Lexicon};
use crate::game::Outcome;

/// Most games of one answer.
pub(super) const PAGE: usize = 50;

/// What a game must be like. A field that is not given asks for nothing.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Query {
    pub run: String,
    /// `white`, `black` or `draw`.
    pub result: Option<String>,
    pub reason: Option<String>,
    pub min_plies: Option<u32>,
    pub max_plies: Option<u32>,
    /// Generations from and to, both included.
    pub from: Option<u64>,
    pub to: Option<u64>,
    /// First actions, with spaces between.
    pub opening: Option<String>,
    /// A kind of action that occurs.
    pub kind: Option<String>,
    /// Games that fit and are left out before the first of the answer.
    pub offset: usize,
}

/// A query whose words are looked up.
pub(super) struct Wanted<'a> {
    query: &'a Query,
    /// A word that no game has fits none.
    reason: Option<Option<u32>>,
    opening: Vec<Option<u32>>,
    kind: Option<Option<usize>>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(query: &'a Query, kinds: &[&str], lexicon: &Lexicon) -> Self {
        let opening = query.opening.iter().flat_map(|line| line.split_whitespace());
        Wanted {
            query,
            reason: query.reason.as_deref().map(|reason| lexicon.find(reason)),
            opening: opening.map(|action| lexicon.find(action)).collect(),
            kind: query.kind.as_deref().map(|kind| kinds.iter().position(|known| *known == kind)),
        }
    }

    pub(super) fn fits(&self, entry: &Entry) -> bool {
        let Query { result, min_plies, max_plies, from, to, .. } = self.query;
        let opening = || self.opening.iter().zip(entry.opening.iter()).all(|(wanted, action)| *wanted == Some(*action));
        result.as_deref().is_none_or(|result| result == Outcome::name_of(entry.winner))
            && self.reason.is_none_or(|reason| reason == Some(entry.reason))
            && min_plies.is_none_or(|least| entry.plies >= least)
            && max_plies.is_none_or(|most| entry.plies <= most)
            && from.is_none_or(|first| entry.generation >= first)
            && to.is_none_or(|last| entry.generation <= last)
            && self.kind.is_none_or(|kind| kind.is_some_and(|kind| entry.kinds[kind] > 0))
            && self.opening.len() <= entry.opening.len()
            && opening()
    }
}
