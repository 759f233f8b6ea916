//! A capture under way: one piece's jumps in a row, each a ply of its side (§6).

use super::{Bitboard, Square};

/// The piece that jumps and the pieces it has jumped, in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Series {
    jumper: Square,
    /// The first `length` are squares of jumped pieces, the others 0.
    jumped: [u8; Square::COUNT],
    length: u8,
}

impl Series {
    pub(super) fn new(jumper: Square) -> Self {
        Series { jumper, jumped: [0; Square::COUNT], length: 0 }
    }

    /// Where the piece that jumps stands.
    pub fn jumper(&self) -> Square {
        self.jumper
    }

    /// The squares of the jumped pieces, in order.
    pub fn jumped(&self) -> impl ExactSizeIterator<Item = Square> {
        self.jumped[..usize::from(self.length)].iter().map(|&index| Square::new(index.into()))
    }

    /// The squares of the jumped pieces.
    pub fn jumped_set(&self) -> Bitboard {
        self.jumped().collect()
    }

    /// The same series after one more jump. No square is jumped twice, so that there is room for all.
    pub(super) fn after_jump(mut self, over: Square, to: Square) -> Self {
        self.jumper = to;
        self.jumped[usize::from(self.length)] = over.index() as u8;
        self.length += 1;
        self
    }
}
