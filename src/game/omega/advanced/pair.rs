//! Castling and guarding: the king or the queen moves together with a rook.

use super::{Bitboard, Kind, Square};
use crate::game::{Side, omega::castling::Castling};

/// One way in which two pieces move at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub side: Side,
    /// King or queen.
    pub kind: Kind,
    pub from: Square,
    pub to: Square,
    pub rook: Square,
    pub rook_to: Square,
    /// The square that the action names second: the king's new one, or the rook's old one.
    pub named: Square,
}

impl Pair {
    /// Castling with the i rook and with the b rook, then guarding likewise; White's and then Black's.
    pub const ALL: [Pair; 8] = [
        Pair::castling(0),
        Pair::castling(1),
        Pair::guarding(Side::White, [8, 6, 5]),
        Pair::guarding(Side::White, [1, 2, 3]),
        Pair::castling(2),
        Pair::castling(3),
        Pair::guarding(Side::Black, [8, 6, 5]),
        Pair::guarding(Side::Black, [1, 2, 3]),
    ];

    const fn castling(number: usize) -> Pair {
        let Castling { side, king, king_to, rook, rook_to, .. } = Castling::ALL[number];
        Pair { side, kind: Kind::King, from: king, to: king_to, rook, rook_to, named: king_to }
    }

    /// `files` of the rook, of the queen afterwards and of the rook afterwards (§1).
    const fn guarding(side: Side, files: [usize; 3]) -> Pair {
        let rank = match side {
            Side::White => 0,
            Side::Black => 9,
        };
        let rook = Square::arena(files[0], rank);
        Pair {
            side,
            kind: Kind::Queen,
            from: Square::arena(4, rank),
            to: Square::arena(files[1], rank),
            rook,
            rook_to: Square::arena(files[2], rank),
            named: rook,
        }
    }

    /// The ways of a side's king, or of its queen.
    pub fn of(side: Side, kind: Kind) -> impl Iterator<Item = &'static Pair> {
        const { &Pair::ALL }.iter().filter(move |pair| (pair.side, pair.kind) == (side, kind))
    }

    /// The pair that a move is, if the pieces of `unmoved` have never moved. None of them has another move between the
    /// same squares.
    #[inline]
    pub fn of_move(from: Square, to: Square, unmoved: Bitboard) -> Option<&'static Pair> {
        if !unmoved.has(from) {
            return None;
        }
        const { &Pair::ALL }.iter().find(|pair| (pair.from, pair.named) == (from, to) && unmoved.has(pair.rook))
    }

    /// The squares of the two pieces before.
    pub const fn left(&self) -> Bitboard {
        Bitboard::of(self.from).with(self.rook)
    }

    /// The squares taken afterwards.
    pub fn after(&self, occupied: Bitboard) -> Bitboard {
        (occupied ^ self.left()).with(self.to).with(self.rook_to)
    }
}
