//! Which pieces stand where, on any board.

use std::marker::PhantomData;

use super::Side;
use crate::board::set::SquareSet;

/// A kind of piece of one game.
pub trait PieceKind: Copy + 'static {
    /// Every kind, each at its [index](PieceKind::index).
    const KINDS: &'static [Self];

    /// Place in [`KINDS`](PieceKind::KINDS).
    fn index(self) -> usize;
}

/// The pieces on a board by kind and by side: `S` is a set of its squares, `K` one of `N` kinds of pieces.
///
/// A game may have pieces whose kind changes (the fools of Omega Chess Advanced). They stand among the pieces of their
/// side, and among those of no kind until they are [seen](Pieces::see_as) as pieces of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pieces<S, K, const N: usize> {
    /// Pieces of both sides by kind.
    kinds: [S; N],
    /// Pieces of all kinds by side.
    sides: [S; 2],
    kind: PhantomData<K>,
}

impl<S: SquareSet, K: PieceKind, const N: usize> Pieces<S, K, N> {
    /// A board without pieces.
    pub const EMPTY: Self = Pieces { kinds: [S::EMPTY; N], sides: [S::EMPTY; 2], kind: PhantomData };

    /// Pieces of both sides of one kind.
    #[inline]
    pub fn kind(&self, kind: K) -> S {
        self.kinds[kind.index()]
    }

    /// Pieces of both sides of each kind.
    #[inline]
    pub fn by_kind(&self) -> [S; N] {
        self.kinds
    }

    /// Pieces of all kinds of one side.
    #[inline]
    pub fn side(&self, side: Side) -> S {
        self.sides[side.index()]
    }

    /// Pieces of one kind of one side.
    #[inline]
    pub fn of(&self, side: Side, kind: K) -> S {
        self.side(side) & self.kind(kind)
    }

    /// Squares that are not empty.
    #[inline]
    pub fn occupied(&self) -> S {
        self.sides[0] | self.sides[1]
    }

    /// The piece on a square; none on an empty one or where a piece of no kind stands.
    pub fn at(&self, square: S::Square) -> Option<(Side, K)> {
        let side = if self.sides[0].has(square) { Side::White } else { Side::Black };
        K::KINDS.iter().find(|&&kind| self.kind(kind).has(square)).map(|&kind| (side, kind))
    }

    /// Puts a piece on a square or takes it away.
    #[inline]
    pub fn toggle(&mut self, side: Side, kind: K, square: S::Square) {
        self.toggle_all(side, kind, S::of(square));
    }

    /// Puts a piece on each empty square of a set and takes it away from the others: with two squares, moves it.
    #[inline]
    pub fn toggle_all(&mut self, side: Side, kind: K, squares: S) {
        self.kinds[kind.index()] ^= squares;
        self.sides[side.index()] ^= squares;
    }

    /// Puts a piece that is of no kind on a square or takes it away.
    #[inline]
    pub fn toggle_kindless(&mut self, side: Side, square: S::Square) {
        self.sides[side.index()] ^= S::of(square);
    }

    /// Sees the pieces of no kind on some squares as pieces of this one from now on.
    #[inline]
    pub fn see_as(&mut self, kindless: S, kind: K) {
        self.kinds[kind.index()] |= kindless;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Square};

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Kind {
        Pawn,
        King,
    }

    impl PieceKind for Kind {
        const KINDS: &'static [Kind] = &[Kind::Pawn, Kind::King];

        fn index(self) -> usize {
            self as usize
        }
    }

    #[test]
    fn pieces_are_found_by_kind_by_side_and_by_square() {
        let [a, b, c] = [0, 1, 63].map(Square::new);
        let mut pieces = Pieces::<Bitboard, Kind, 2>::EMPTY;
        pieces.toggle(Side::White, Kind::Pawn, a);
        pieces.toggle(Side::Black, Kind::King, c);
        assert_eq!(pieces.at(a), Some((Side::White, Kind::Pawn)));
        assert_eq!(pieces.at(b), None);
        assert_eq!(pieces.at(c), Some((Side::Black, Kind::King)));
        assert_eq!(pieces.occupied(), [a, c].into_iter().collect());
        assert_eq!(pieces.of(Side::White, Kind::Pawn), a.into());
        assert!(pieces.of(Side::Black, Kind::Pawn).is_empty());

        pieces.toggle_all(Side::White, Kind::Pawn, [a, b].into_iter().collect());
        assert_eq!((pieces.at(a), pieces.at(b)), (None, Some((Side::White, Kind::Pawn))));
        assert_eq!(pieces.by_kind(), [b.into(), c.into()]);
    }

    #[test]
    fn a_piece_of_no_kind_is_one_when_it_is_seen_so() {
        let square = Square::new(20);
        let mut pieces = Pieces::<Bitboard, Kind, 2>::EMPTY;
        pieces.toggle_kindless(Side::Black, square);
        assert_eq!((pieces.at(square), pieces.occupied()), (None, square.into()));
        pieces.see_as(square.into(), Kind::King);
        assert_eq!(pieces.at(square), Some((Side::Black, Kind::King)));
        assert_eq!(pieces.side(Side::Black), square.into());
    }
}
