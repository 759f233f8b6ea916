//! The 62 squares of the board, where they lie on its grid, and its regions (§1).

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::{board::set::square_set, game::Side};

/// Columns (files) and rows (ranks) of the grid.
pub(super) const COLUMNS: usize = 7;
pub(super) const ROWS: usize = 14;

/// A square, numbered rank by rank from White's side: c1 = 0, d1 = 1, e1 = 2, c2 = 3, ..., d4 = 9, a5 = 10, ..., e14 =
/// 61.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A text that names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a square of the board, c1 to e14")]
pub struct SquareError;

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 62;

    /// The square with number `index`, which must be below 62.
    #[inline]
    pub(super) const fn new(index: usize) -> Self {
        debug_assert!(index < Square::COUNT);
        Square(index as u8)
    }

    /// The square at a place of the grid, if there is one; a1 would be at column 0, row 0.
    pub const fn at(column: usize, row: usize) -> Option<Self> {
        match (column, row) {
            (2..=4, 0..=2) => Some(Square((3 * row + column - 2) as u8)),
            (3, 3) => Some(Square(9)),
            (0..=6, 4..=9) => Some(Square((7 * row + column - 18) as u8)),
            (3, 10) => Some(Square(52)),
            (2..=4, 11..=13) => Some(Square((3 * row + column + 18) as u8)),
            _ => None,
        }
    }

    /// Number of the square, 0-61.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Column of the grid, 0-6.
    #[inline]
    pub const fn column(self) -> usize {
        PLACES[self.0 as usize].0 as usize
    }

    /// Row of the grid, 0-13, the lowest first.
    #[inline]
    pub const fn row(self) -> usize {
        PLACES[self.0 as usize].1 as usize
    }

    /// The same file seen from the other side of the board: d4 for d11.
    #[inline]
    pub const fn flip(self) -> Self {
        match Square::at(self.column(), ROWS - 1 - self.row()) {
            Some(square) => square,
            None => self,
        }
    }

    /// The square a step away, if there is one.
    pub(super) const fn step(self, (columns, rows): (i32, i32)) -> Option<Square> {
        let (column, row) = (self.column() as i32 + columns, self.row() as i32 + rows);
        if column < 0 || row < 0 {
            return None;
        }
        Square::at(column as usize, row as usize)
    }

    /// All squares in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..Square::COUNT).map(Square::new)
    }
}

/// Column and row of each square.
static PLACES: [(u8, u8); Square::COUNT] = {
    let mut places = [(0, 0); Square::COUNT];
    let mut row = 0;
    while row < ROWS {
        let mut column = 0;
        while column < COLUMNS {
            if let Some(square) = Square::at(column, row) {
                places[square.0 as usize] = (column as u8, row as u8);
            }
            column += 1;
        }
        row += 1;
    }
    places
};

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column() as u8) as char, self.row() + 1)
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
        let (file, rank) = match *text.as_bytes() {
            [file @ b'a'..=b'g', rank @ b'1'..=b'9'] => (file, rank - b'0'),
            [file @ b'a'..=b'g', b'1', rank @ b'0'..=b'4'] => (file, 10 + rank - b'0'),
            _ => return Err(SquareError),
        };
        Square::at(usize::from(file - b'a'), usize::from(rank - 1)).ok_or(SquareError)
    }
}

square_set! {
    /// A set of squares: bit `i` stands for the square numbered `i`, the two bits above are never set.
    Bitboard(u64), Squares, Square, Square::COUNT as u32
}

impl Bitboard {
    /// The squares of ranks `first` to `last`, counted from 1.
    const fn ranks(first: usize, last: usize) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        let mut i = 0;
        while i < Square::COUNT {
            let rank = PLACES[i].1 as usize + 1;
            if first <= rank && rank <= last {
                set = set.with(Square::new(i));
            }
            i += 1;
        }
        set
    }

    /// Fortress and gate of a side.
    pub const fn home(side: Side) -> Bitboard {
        const HOMES: [Bitboard; 2] = [Bitboard::ranks(1, 4), Bitboard::ranks(11, 14)];
        HOMES[side.index()]
    }

    /// A side's half of the field.
    pub const fn half(side: Side) -> Bitboard {
        const HALVES: [Bitboard; 2] = [Bitboard::ranks(5, 7), Bitboard::ranks(8, 10)];
        HALVES[side.index()]
    }

    /// The rank of the enemy's fortress that is farthest from a side.
    pub const fn last_rank(side: Side) -> Bitboard {
        const LAST: [Bitboard; 2] = [Bitboard::ranks(14, 14), Bitboard::ranks(1, 1)];
        LAST[side.index()]
    }
}

/// The way of a side's pawns, in rows of the grid.
pub(super) const fn forward(side: Side) -> i32 {
    match side {
        Side::White => 1,
        Side::Black => -1,
    }
}

/// The rank of a square as its side counts it: 0 for the own fortress's first, 4 to 6 the own half of the field, 13 the
/// enemy's last.
pub(super) const fn rank_for(side: Side, square: Square) -> usize {
    match side {
        Side::White => square.row(),
        Side::Black => ROWS - 1 - square.row(),
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
            assert_eq!((square.flip().column(), square.flip().row()), (square.column(), 13 - square.row()));
        }
        let places = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row)));
        assert_eq!(places.filter(|&(column, row)| Square::at(column, row).is_some()).count(), Square::COUNT);
        assert!(["", "c", "a1", "d15", "c4", "h7", "d01", "e11"].iter().all(|text| text.parse::<Square>().is_err()));
    }

    #[test]
    fn regions_are_as_large_as_the_rules_say() {
        for side in [Side::White, Side::Black] {
            let sizes = [Bitboard::home(side), Bitboard::half(side), Bitboard::last_rank(side)].map(Bitboard::count);
            assert_eq!(sizes, [10, 21, 3]);
        }
        assert_eq!(Bitboard::ALL.count(), 62);
        let names = |set: Bitboard| set.into_iter().map(|square| square.to_string()).collect::<Vec<_>>();
        assert_eq!(names(Bitboard::last_rank(Side::White)), ["c14", "d14", "e14"]);
        assert!(Bitboard::home(Side::Black).has("d11".parse().unwrap()));
    }
}
