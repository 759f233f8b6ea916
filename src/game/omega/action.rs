//! One action: a piece goes from square to square, and a pawn on the far rank becomes another piece. Castling is the
//! king's move.

use std::fmt;

use super::{Kind, Square};

/// Bits 0-6 the square it starts from, 7-13 the square it ends on, 14-17 the number of the new kind, 0 for none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u32);

impl Action {
    #[inline]
    pub(super) const fn new(from: Square, to: Square) -> Self {
        Action(from.index() as u32 | (to.index() as u32) << 7)
    }

    /// The same move of a pawn that becomes `kind`.
    #[inline]
    pub(super) const fn becoming(self, kind: Kind) -> Self {
        Action(self.0 | (kind.index() as u32) << 14)
    }

    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 127) as usize)
    }

    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 7 & 127) as usize)
    }

    /// What a pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Kind> {
        match self.0 >> 14 {
            0 => None,
            number => Some(Kind::ALL[number as usize]),
        }
    }
}

/// The action's string (§5): `e1e4`, `e8e9c`, `f0h0`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
