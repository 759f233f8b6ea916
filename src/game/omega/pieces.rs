//! Which pieces stand where.

use super::{Bitboard, Kind, Square, attacks::step};
use crate::game::Side;

/// Pieces by kind and by side.
///
/// A game may have pieces whose kind changes (the fools of [`advanced`](super::advanced)): they stand among their
/// side's pieces and among those of no kind, until they are [seen](Pieces::seeing) as pieces of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Pieces {
    /// Pieces of both sides by kind.
    kinds: [Bitboard; 8],
    /// Pieces of all kinds by side.
    sides: [Bitboard; 2],
}

impl Pieces {
    /// A board without pieces.
    pub const EMPTY: Pieces = Pieces { kinds: [Bitboard::EMPTY; 8], sides: [Bitboard::EMPTY; 2] };

    /// Pieces of both sides of one kind.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// Pieces of all kinds of one side.
    #[inline]
    pub fn side(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// Pieces of one kind of one side.
    #[inline]
    pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        self.side(side) & self.kind(kind)
    }

    /// Squares that are not empty.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The king's square.
    #[inline]
    pub fn king(&self, side: Side) -> Square {
        self.pieces(side, Kind::King).first()
    }

    /// The piece on a square.
    pub fn at(&self, square: Square) -> Option<(Side, Kind)> {
        let side = if self.sides[0].has(square) { Side::White } else { Side::Black };
        Kind::ALL.into_iter().find(|&kind| self.kind(kind).has(square)).map(|kind| (side, kind))
    }

    /// The kind of the piece on an occupied square; a pawn for an empty one. Reads the bits of its number instead of
    /// asking kind after kind, which no branch predictor can foresee.
    #[inline]
    pub fn kind_on(&self, square: Square) -> Kind {
        let [_, knights, bishops, champions, wizards, rooks, queens, kings] = self.kinds;
        let here = Bitboard::of(square);
        let bit = |set: Bitboard| usize::from((set & here).any());
        let number = bit(knights | champions | rooks | kings)
            | bit(bishops | champions | queens | kings) << 1
            | bit(wizards | rooks | queens | kings) << 2;
        Kind::ALL[number]
    }

    /// The first piece on the way of `side`'s pawns from a square on, which counts.
    ///
    /// # Panics
    /// When there is none.
    pub fn first_ahead(&self, side: Side, square: Square) -> Square {
        let mut at = square;
        while !self.occupied().has(at) {
            at = step(at, (0, forward(side))).expect("a piece stands ahead");
        }
        at
    }

    /// Puts a piece on a square or takes it away.
    #[inline]
    pub fn toggle(&mut self, side: Side, kind: Kind, square: Square) {
        self.kinds[kind.index()] ^= Bitboard::of(square);
        self.toggle_kindless(side, square);
    }

    /// Puts a piece that is of no kind on a square or takes it away.
    #[inline]
    pub fn toggle_kindless(&mut self, side: Side, square: Square) {
        self.sides[side.index()] ^= Bitboard::of(square);
    }

    /// The same pieces, those of no kind on some squares seen as pieces of this one.
    #[inline]
    pub fn seeing(mut self, kindless: Bitboard, kind: Kind) -> Pieces {
        self.kinds[kind.index()] |= kindless;
        self
    }
}

/// The way of a side's pawns in rows of the grid.
pub(super) const fn forward(side: Side) -> i32 {
    match side {
        Side::White => 1,
        Side::Black => -1,
    }
}
