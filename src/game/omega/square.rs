//! The 104 squares of the board and where they lie on its grid (§1).

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::game::SquareInfo;

/// Columns and rows of the grid, most of whose outermost places are holes.
pub(super) const SIDE: usize = 12;

/// A square, numbered row by row from the lowest: w1 = 0, w2 = 1, a0 = 2, b0 = 3, ..., j9 = 101, w4 = 102, w3 = 103.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A text that names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a square, a0 to j9 or w1 to w4")]
pub struct SquareError;

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 104;

    /// Places of a table by square: the next power of two, so that a square's number is an index that needs no check.
    pub(super) const PLACES: usize = 128;

    /// The square with number `index`, which must be below 104.
    #[inline]
    pub(super) const fn new(index: usize) -> Self {
        debug_assert!(index < Square::COUNT);
        Square(index as u8)
    }

    /// The square at a place of the grid, if there is one; a0 is at column 1, row 1.
    pub const fn at(column: usize, row: usize) -> Option<Self> {
        match (column, row) {
            (0, 0) => Some(Square(0)),
            (11, 0) => Some(Square(1)),
            (0, 11) => Some(Square(102)),
            (11, 11) => Some(Square(103)),
            (1..=10, 1..=10) => Some(Square((10 * row + column - 9) as u8)),
            _ => None,
        }
    }

    /// The square on a file (a = 0, at most 9) and a rank (0 to 9) of the 10x10 board.
    #[inline]
    pub(super) const fn arena(file: usize, rank: usize) -> Self {
        Square::new(2 + 10 * rank + file)
    }

    /// Number of the square, 0-103.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & (Square::PLACES - 1)
    }

    /// Column of the grid, 0-11.
    #[inline]
    pub const fn column(self) -> usize {
        match self.0 {
            0 | 102 => 0,
            1 | 103 => 11,
            index => (index as usize - 2) % 10 + 1,
        }
    }

    /// Row of the grid, 0-11, lowest first.
    #[inline]
    pub const fn row(self) -> usize {
        match self.0 {
            0 | 1 => 0,
            102 | 103 => 11,
            index => (index as usize - 2) / 10 + 1,
        }
    }

    /// The same column seen from the other side of the board: e1 for e8, w1 for w4.
    #[inline]
    pub const fn flip(self) -> Self {
        match self.0 {
            0 | 1 => Square(self.0 + 102),
            102 | 103 => Square(self.0 - 102),
            index => {
                let (rank, file) = ((index - 2) / 10, (index - 2) % 10);
                Square(2 + 10 * (9 - rank) + file)
            }
        }
    }

    /// What there is to show of it.
    pub(super) fn info(self) -> SquareInfo {
        SquareInfo { name: self.to_string(), home: None }
    }

    /// Its name on the grid from a1 to l12, where the 10x10 board begins at b2.
    pub(super) fn grid_name(self) -> String {
        format!("{}{}", char::from(b'a' + self.column() as u8), self.row() + 1)
    }

    /// All squares in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..Square::COUNT).map(Square::new)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("w1"),
            1 => f.write_str("w2"),
            102 => f.write_str("w4"),
            103 => f.write_str("w3"),
            index => write!(f, "{}{}", (b'a' + (index - 2) % 10) as char, (index - 2) / 10),
        }
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
            [file @ b'a'..=b'j', rank @ b'0'..=b'9'] => Ok(Square::arena((file - b'a').into(), (rank - b'0').into())),
            [b'w', corner @ b'1'..=b'4'] => Ok(Square([0, 1, 103, 102][usize::from(corner - b'1')])),
            _ => Err(SquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_one_name_and_one_place() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::at(square.column(), square.row()), Some(square));
            assert_eq!(square.flip().flip(), square);
            assert_eq!((square.flip().column(), square.flip().row()), (square.column(), 11 - square.row()));
        }
        let places = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (column, row)));
        assert_eq!(places.filter(|&(column, row)| Square::at(column, row).is_some()).count(), Square::COUNT);
        assert!(["", "a", "k0", "w0", "w5", "a10"].iter().all(|text| text.parse::<Square>().is_err()));
    }
}
