//! One action: a piece goes from square to square, capturing or not.

use std::fmt;

use crate::board::Square;

/// Bits 0-5 the square it starts from, 6-11 the square it ends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u16);

impl Action {
    #[inline]
    pub(super) const fn new(from: Square, to: Square) -> Self {
        Action(from.index() as u16 | (to.index() as u16) << 6)
    }

    #[inline]
    pub const fn from(self) -> Square {
        Square::new(self.0 as usize)
    }

    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6) as usize)
    }
}

/// The action's string (§4): `e2e3`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
