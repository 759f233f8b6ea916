//! One action: a piece goes from square to square, a pawn becomes another piece, and the fool may enter where a piece
//! has left.

use std::fmt;

use super::{Piece, Square};

/// Bits 0-6 the square it starts from, 7-13 the one that it names second, 14-17 the suffix.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u32);

/// What an action does besides: the letter after its squares (§8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suffix {
    None,
    /// A pawn becomes this piece.
    Becomes(Piece),
    /// The fool enters where the piece, king or queen stood.
    Enters,
    /// The fool enters where the rook stood, in castling and guarding.
    EntersForRook,
}

impl Suffix {
    /// Below 16; a piece that a pawn becomes is neither a pawn, number 0, nor a king, number 7.
    const fn number(self) -> u32 {
        match self {
            Suffix::None => 0,
            Suffix::Becomes(piece) => piece.index() as u32,
            Suffix::Enters => 9,
            Suffix::EntersForRook => 10,
        }
    }

    /// What stands for it in strings.
    pub fn letter(self) -> Option<char> {
        match self {
            Suffix::None => None,
            Suffix::Becomes(piece) => Some(piece.letter().to_ascii_lowercase()),
            Suffix::Enters => Some('f'),
            Suffix::EntersForRook => Some('r'),
        }
    }
}

impl Action {
    #[inline]
    pub(super) const fn new(from: Square, to: Square, suffix: Suffix) -> Self {
        Action(from.index() as u32 | (to.index() as u32) << 7 | suffix.number() << 14)
    }

    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 127) as usize)
    }

    /// Where the piece goes; in guarding the rook's square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 7 & 127) as usize)
    }

    #[inline]
    pub const fn suffix(self) -> Suffix {
        match self.0 >> 14 {
            0 => Suffix::None,
            9 => Suffix::Enters,
            10 => Suffix::EntersForRook,
            number => Suffix::Becomes(Piece::ALL[number as usize]),
        }
    }
}

/// The action's string (§8): `e1e4`, `e8e9c`, `f0h0r`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.suffix().letter().map_or(Ok(()), |letter| write!(f, "{letter}"))
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
