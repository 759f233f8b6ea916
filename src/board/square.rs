//! The 64 squares of the 8x8 board.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// A square, numbered a1 = 0, b1 = 1, ..., h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A text that names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a square, a1 to h8")]
pub struct SquareError;

impl Square {
    /// The square with number `index`, taken modulo 64: tables of 64 are read without a bounds check.
    #[inline]
    pub const fn new(index: usize) -> Self {
        Square((index & 63) as u8)
    }

    /// The square on `file` (a = 0) and `rank` (first = 0), both taken modulo 8.
    #[inline]
    pub const fn at(file: usize, rank: usize) -> Self {
        Square::new((rank & 7) << 3 | file & 7)
    }

    /// Number of the square, 0-63.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Number of the file, a = 0.
    #[inline]
    pub const fn file(self) -> usize {
        self.index() & 7
    }

    /// Number of the rank, first = 0.
    #[inline]
    pub const fn rank(self) -> usize {
        self.index() >> 3
    }

    /// The square `delta` further on, modulo 64.
    #[inline]
    pub const fn shift(self, delta: i32) -> Self {
        Square((self.0 as i32 + delta) as u8 & 63)
    }

    /// The same file seen from the other side of the board: e2 for e7.
    #[inline]
    pub const fn flip(self) -> Self {
        Square(self.0 ^ 56)
    }

    /// All squares, a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square::new)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::at((file - b'a').into(), (rank - b'1').into())),
            _ => Err(SquareError),
        }
    }
}
