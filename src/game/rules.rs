//! The rules of a game, as far as a search needs them.

use std::{
    fmt::{Debug, Display},
    hash::Hash,
};

use super::{Outcome, Side, zobrist};

/// The rules of one game with its options settled: all that a search needs, and nothing else. What other consumers need
/// are facets of their own ([`Notation`](super::Notation), [`Encode`](super::Encode), [`Facts`](super::Facts),
/// [`Show`](super::Show), [`XBoard`](super::XBoard), [`Material`](super::Material)).
///
/// Most code asks [`Game`](super::Game), which adds restrictions, adjudicated ends and the ruleset's identity to the
/// rules.
///
/// A [`Position`](Rules::Position) holds the whole state save the history, which belongs to the caller
/// ([`History`](super::History)). The same side may act twice in a row: to know whose turn it is, ask
/// [`side_to_move`](Rules::side_to_move), never the parity of a depth.
pub trait Rules: Clone + Debug + Send + Sync + Sized + 'static {
    /// The state of a game: small, on the stack, compared field by field. Displays as its position string.
    type Position: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;
    /// One action of one side. Displays as its action string.
    type Action: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static;

    /// The position in which every game starts.
    fn start(&self) -> Self::Position;
    /// Whose turn it is.
    fn side_to_move(&self, position: &Self::Position) -> Side;
    /// The position's counters and its key for repetition.
    fn counters(&self, position: &Self::Position) -> Counters;
    /// Replaces the content of `out` by the legal actions, in an order that is the same on every platform. Adjudicated
    /// draws do not empty it.
    fn legal_actions(&self, position: &Self::Position, out: &mut Vec<Self::Action>);
    /// Number of legal actions, without listing them where the game can.
    fn count_legal_actions(&self, position: &Self::Position) -> u64 {
        let mut actions = Vec::new();
        self.legal_actions(position, &mut actions);
        actions.len() as u64
    }
    /// Plays a legal action.
    fn apply(&self, position: &mut Self::Position, action: Self::Action);
    /// The game's own end (checkmate, stalemate, king captured, no action), given the legal actions.
    fn ending(&self, position: &Self::Position, legal: &[Self::Action]) -> Option<Outcome>;
    /// Whether neither side can ever win (insufficient material). Asked only of positions without an
    /// [`ending`](Rules::ending).
    fn is_dead(&self, _position: &Self::Position) -> bool {
        false
    }
}

/// A position's counters, and what repetition needs to know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Hash of every field of the position string but the two counters: equal for positions that are "the same" for
    /// repetition. Kept incrementally.
    pub repetition_key: u64,
    /// Plies since progress.
    pub clock: u32,
    /// Number of the move, from 1; goes up when Black's turn ends.
    pub fullmove: u32,
    /// How many plies back the same position can lie at most; bounds the search for repetitions. Most games give the
    /// clock.
    pub reversible_plies: u32,
    /// Whether the position counts as an occurrence for repetition (a game may count only starts of turns).
    pub is_occurrence: bool,
}

impl Counters {
    /// The counters of a game in which nothing that resets the clock can be undone, and every position counts as an
    /// occurrence.
    #[inline]
    pub const fn new(repetition_key: u64, clock: u32, fullmove: u32) -> Self {
        Counters { repetition_key, clock, fullmove, reversible_plies: clock, is_occurrence: true }
    }

    /// Hash of every field of the position string.
    #[inline]
    pub const fn key(&self) -> u64 {
        zobrist::with_counters(self.repetition_key, self.clock, self.fullmove)
    }

    /// Plies from the start, `2 * (fullmove - 1)`, plus 1 when it is Black's turn.
    #[inline]
    pub const fn ply(&self, side: Side) -> u32 {
        2 * (self.fullmove - 1) + side.index() as u32
    }
}
