//! The state of a game, and how one action changes it.

use std::fmt;

use super::{Action, Kind};
use crate::{
    board::{Bitboard, Square},
    game::{self, Side, text::MAX_COUNTER, zobrist},
};

/// Pieces by kind and by side.
pub type Pieces = game::Pieces<Bitboard, Kind, 6>;

/// Words for a piece of each side and kind on each square.
static PIECES: [[[u64; 64]; 6]; 2] = zobrist::pieces();
/// The word for Black to move.
const BLACK: u64 = zobrist::word(5_000);

/// A position of Shatar.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Which pieces stand where.
    pieces: Pieces,
    /// Zobrist key of everything but the counters.
    key: u64,
    /// Plies since progress.
    pub(super) clock: u32,
    /// Number of the move, from 1; goes up after Black's action.
    pub(super) fullmove: u32,
    side: Side,
}

impl Position {
    /// A board without pieces, White to move.
    pub(super) fn empty() -> Self {
        Position { pieces: Pieces::EMPTY, key: 0, clock: 0, fullmove: 1, side: Side::White }
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Side {
        self.side
    }

    /// Which pieces stand where.
    #[inline]
    pub fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// The khan's square.
    #[inline]
    pub fn khan(&self, side: Side) -> Square {
        self.pieces.of(side, Kind::Khan).first()
    }

    /// Plies since progress.
    #[inline]
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// Number of the move, from 1; goes up after Black's action.
    #[inline]
    pub fn fullmove(&self) -> u32 {
        self.fullmove
    }

    /// Plies from the start by the counters.
    #[inline]
    pub fn ply(&self) -> u32 {
        2 * (self.fullmove - 1) + self.side.index() as u32
    }

    /// Zobrist key of everything but the counters.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// The same key, from nothing.
    pub(super) fn fresh_key(&self) -> u64 {
        let mut key = if self.side == Side::Black { BLACK } else { 0 };
        for square in self.pieces.occupied() {
            let (side, kind) = self.pieces.at(square).expect("an occupied square");
            key ^= PIECES[side.index()][kind.index()][square.index()];
        }
        key
    }

    /// The kind of the piece on an occupied square; a qayin for an empty one. Reads the bits of its number instead of
    /// asking kind after kind, which no branch predictor can foresee.
    #[inline]
    fn kind_on(&self, square: Square) -> Kind {
        /// Kinds by number; nothing has the last two.
        const BY_NUMBER: [Kind; 8] = {
            let [qayin, noyan, teme, bers, vizier, khan] = Kind::ALL;
            [qayin, noyan, teme, bers, vizier, khan, khan, khan]
        };
        let [_, noyans, temes, bers, viziers, khans] = self.pieces.by_kind();
        let bit = |set: Bitboard| usize::from(set.has(square));
        BY_NUMBER[bit(noyans | bers | khans) | bit(temes | bers) << 1 | bit(viziers | khans) << 2]
    }

    /// Puts a piece on a square or takes it away.
    #[inline]
    pub(super) fn toggle(&mut self, side: Side, kind: Kind, square: Square) {
        self.pieces.toggle(side, kind, square);
        self.key ^= PIECES[side.index()][kind.index()][square.index()];
    }

    /// Gives the turn to `side`.
    #[inline]
    pub(super) fn set_side(&mut self, side: Side) {
        self.key ^= if side == self.side { 0 } else { BLACK };
        self.side = side;
    }

    /// Plays a legal action.
    pub(super) fn apply(&mut self, action: Action) {
        let (side, from, to) = (self.side, action.from(), action.to());
        let kind = self.kind_on(from);
        let captures = self.pieces.side(!side).has(to);
        if captures {
            self.toggle(!side, self.kind_on(to), to);
        }
        self.toggle(side, kind, from);
        self.toggle(side, kind, to);
        let progress = captures || kind == Kind::Qayin;
        self.clock = if progress { 0 } else { (self.clock + 1).min(MAX_COUNTER) };
        self.fullmove = (self.fullmove + side.index() as u32).min(MAX_COUNTER);
        self.set_side(!side);
    }
}

/// Debug shows the text of the position, since bitboards tell a person little.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
