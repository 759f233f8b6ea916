//! What came before a position: the part of the state that decides repetition.

use super::{Game, Outcome, Rules};

/// Repetition keys of the positions of a game so far, the present one last.
#[derive(Debug, Default)]
pub struct History {
    /// Key, and whether the position counts as an occurrence.
    keys: Vec<(u64, bool)>,
}

impl Clone for History {
    fn clone(&self) -> Self {
        History { keys: self.keys.clone() }
    }

    /// Into the memory that is there: every search begins with a copy.
    fn clone_from(&mut self, source: &Self) {
        self.keys.clone_from(&source.keys);
    }
}

impl History {
    /// The history of a game that begins at `position`.
    pub fn new<R: Rules>(game: &Game<R>, position: &R::Position) -> Self {
        let mut history = History::default();
        history.push(game, position);
        history
    }

    /// Adds the position that an action led to.
    pub fn push<R: Rules>(&mut self, game: &Game<R>, position: &R::Position) {
        let counters = game.counters(position);
        self.keys.push((counters.repetition_key, counters.is_occurrence));
    }

    /// Takes the last position back.
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Number of positions, the first included.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// How often `position`, the last one pushed, occurred before.
    pub fn repetitions<R: Rules>(&self, game: &Game<R>, position: &R::Position) -> u32 {
        let Some((&(key, counts), before)) = self.keys.split_last() else { return 0 };
        if !counts {
            return 0;
        }
        let reach = before.len().min(game.counters(position).reversible_plies as usize);
        before[before.len() - reach..].iter().filter(|&&(k, c)| c && k == key).count() as u32
    }

    /// How the game ended at `position`, the last one pushed, repetition included, given its legal actions.
    pub fn outcome<R: Rules>(&self, game: &Game<R>, position: &R::Position, legal: &[R::Action]) -> Option<Outcome> {
        game.outcome(position, legal, self.repetitions(game, position))
    }
}
