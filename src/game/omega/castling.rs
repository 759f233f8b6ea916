//! The rights to castle, and what castling moves (§3).

use super::{Bitboard, Square};
use crate::game::Side;

/// A way to castle: a side with one of its rooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Castling {
    pub side: Side,
    /// Bit of the right among [`Rights`].
    bit: u8,
    /// In the position string.
    pub letter: char,
    pub king: Square,
    pub king_to: Square,
    pub rook: Square,
    pub rook_to: Square,
}

impl Castling {
    /// All ways, in the order of the position string: with the i rook, with the b rook.
    pub const ALL: [Castling; 4] = [
        Castling::new(Side::White, 0, 'K', [8, 7, 6]),
        Castling::new(Side::White, 1, 'Q', [1, 3, 4]),
        Castling::new(Side::Black, 2, 'k', [8, 7, 6]),
        Castling::new(Side::Black, 3, 'q', [1, 3, 4]),
    ];

    /// `files` of the rook, of the king afterwards and of the rook afterwards.
    const fn new(side: Side, number: u8, letter: char, files: [usize; 3]) -> Self {
        let rank = match side {
            Side::White => 0,
            Side::Black => 9,
        };
        let [rook, king_to, rook_to] = files;
        Castling {
            side,
            bit: 1 << number,
            letter,
            king: Square::arena(5, rank),
            king_to: Square::arena(king_to, rank),
            rook: Square::arena(rook, rank),
            rook_to: Square::arena(rook_to, rank),
        }
    }

    /// The squares taken afterwards.
    pub fn after(&self, occupied: Bitboard) -> Bitboard {
        (occupied ^ Bitboard::of(self.king) ^ Bitboard::of(self.rook)).with(self.king_to).with(self.rook_to)
    }

    /// The castling that a king's move is.
    pub fn of_move(king: Square, to: Square) -> Option<&'static Castling> {
        const { &Castling::ALL }.iter().find(|way| (way.king, way.king_to) == (king, to))
    }
}

/// The rights that are left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Rights(u8);

impl Rights {
    pub fn has(self, way: &Castling) -> bool {
        self.0 & way.bit != 0
    }

    pub fn any(self) -> bool {
        self.0 != 0
    }

    pub fn add(&mut self, way: &Castling) {
        self.0 |= way.bit;
    }

    /// The rights that are left when a piece has gone from or come to a square.
    #[inline]
    pub fn after_touching(self, square: Square) -> Self {
        Rights(self.0 & KEPT[square.index()])
    }

    /// A number below 16, another for other rights.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The rights that do not need a piece to have stayed on a square.
static KEPT: [u8; Square::COUNT] = {
    let mut kept = [!0; Square::COUNT];
    let mut i = 0;
    while i < 4 {
        let way = &Castling::ALL[i];
        kept[way.king.index()] &= !way.bit;
        kept[way.rook.index()] &= !way.bit;
        i += 1;
    }
    kept
};
