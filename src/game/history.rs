//! What came before a position: the part of the state that decides repetition.

use super::{Game, Outcome, Reason};

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
    pub fn new<G: Game>(game: &G, position: &G::Position) -> Self {
        let mut history = History::default();
        history.push(game, position);
        history
    }

    /// Adds the position that an action led to.
    pub fn push<G: Game>(&mut self, game: &G, position: &G::Position) {
        self.keys.push((game.repetition_key(position), game.counts_for_repetition(position)));
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
    pub fn repetitions<G: Game>(&self, game: &G, position: &G::Position) -> u32 {
        let Some((&(key, counts), before)) = self.keys.split_last() else { return 0 };
        if !counts {
            return 0;
        }
        let reach = before.len().min(game.reversible_plies(position) as usize);
        before[before.len() - reach..].iter().filter(|&&(k, c)| c && k == key).count() as u32
    }

    /// How the game ended at `position`, the last one pushed, repetition included, given its legal actions.
    pub fn outcome<G: Game>(&self, game: &G, position: &G::Position, legal: &[G::Action]) -> Option<Outcome> {
        judge(game, position, legal, self.repetitions(game, position))
    }
}

/// How the game ended at a position that occurred `repetitions` times before. Repetition is judged before the ply limit and after everything else.
pub fn judge<G: Game>(game: &G, position: &G::Position, legal: &[G::Action], repetitions: u32) -> Option<Outcome> {
    let shown = game.outcome(position, legal);
    let limit = game.adjudication().repetition;
    let repeated = limit > 0 && repetitions + 1 >= limit;
    match shown {
        Some(outcome) if outcome.reason != Reason::MaxPlies => Some(outcome),
        _ if repeated => Some(Outcome::draw(Reason::Repetition)),
        shown => shown,
    }
}
