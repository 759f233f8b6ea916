//! Which pieces stand where.

use super::{Bitboard, Kind, Square, attacks::step};
use crate::game::{self, Side};

/// Pieces by kind and by side. The fools of [`advanced`](super::advanced) are of no kind here until they are seen as
/// pieces of one.
pub type Pieces = game::Pieces<Bitboard, Kind, 8>;

impl Pieces {
    /// The king's square.
    #[inline]
    pub fn king(&self, side: Side) -> Square {
        self.of(side, Kind::King).first()
    }

    /// The kind of the piece on an occupied square; a pawn for an empty one. Reads the bits of its number instead of
    /// asking kind after kind, which no branch predictor can foresee.
    #[inline]
    pub fn kind_on(&self, square: Square) -> Kind {
        let [_, knights, bishops, champions, wizards, rooks, queens, kings] = self.by_kind();
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
}

/// The way of a side's pawns in rows of the grid.
pub(super) const fn forward(side: Side) -> i32 {
    match side {
        Side::White => 1,
        Side::Black => -1,
    }
}
