//! The board of Connect Four as bits: seven columns and six rows; a stone falls to the lowest free square of a column.
//!
//! Square (row, column) is bit `8 * row + column`, row 0 at the bottom. The eighth column is never a square, so that no
//! line runs over an edge:
//!
//! ```text
//! 40 41 42 43 44 45 46 | 47
//! 32 33 34 35 36 37 38 | 39
//! 24 25 26 27 28 29 30 | 31
//! 16 17 18 19 20 21 22 | 23
//!  8  9 10 11 12 13 14 | 15
//!  0  1  2  3  4  5  6 |  7
//! ```

use std::fmt;

use maydan::game::{PositionError, Side};

pub const ROWS: usize = 6;
pub const COLUMNS: usize = 7;

/// Bits from one row to the next.
pub const STRIDE: usize = 8;

/// Every square.
const BOARD: u64 = 0x7f7f_7f7f_7f7f;
/// The squares of the lowest row.
const BOTTOM: u64 = 0x7f;
/// The squares of the leftmost column.
const COLUMN: u64 = 0x0101_0101_0101;
/// Bits from a square to the next along a row, up a column, and along the two diagonals.
const STEPS: [usize; 4] = [1, STRIDE, STRIDE - 1, STRIDE + 1];

/// A position: the stones of each side, and whose turn it is. Displays as the rows from the top, `x` for White, `o` for
/// Black, then the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    stones: [u64; 2],
    side: Side,
}

impl Board {
    /// The empty board, White to move.
    pub fn empty() -> Board {
        Board { stones: [0; 2], side: Side::White }
    }

    /// A position by the stones of White and of Black.
    ///
    /// # Errors
    /// When a stone has nothing below it, or the side to move has four in a row: the game would have ended before.
    pub fn new(stones: [u64; 2], side: Side) -> Result<Board, PositionError> {
        let board = Board { stones, side };
        if (board.occupied() & !BOTTOM) >> STRIDE & !board.occupied() != 0 {
            return Err(PositionError::new("placement", "a stone has nothing below it"));
        }
        if has_four(board.own()) {
            return Err(PositionError::new("placement", "the side to move has four in a row"));
        }
        Ok(board)
    }

    pub fn side(&self) -> Side {
        self.side
    }

    /// Stones of the side to move.
    pub fn own(&self) -> u64 {
        self.stones[self.side.index()]
    }

    /// Stones of the other side.
    pub fn other(&self) -> u64 {
        self.stones[(!self.side).index()]
    }

    /// Stones of both sides.
    pub fn occupied(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// Whether the side that has just moved has four in a row.
    pub fn is_won(&self) -> bool {
        has_four(self.other())
    }

    /// The squares on which a stone can land, at most one a column.
    pub fn landings(&self) -> u64 {
        landings(self.occupied())
    }

    /// The square on which a stone lands in a column that is not full.
    pub fn landing(&self, column: u8) -> u64 {
        self.landings() & COLUMN << column
    }

    /// Plays a column that is not full.
    pub fn drop_stone(&mut self, column: u8) {
        self.stones[self.side.index()] |= self.landing(column);
        self.side = !self.side;
    }
}

/// The squares on which a stone can land.
pub fn landings(occupied: u64) -> u64 {
    (occupied << STRIDE | BOTTOM) & !occupied & BOARD
}

/// A number below 2^55 that no other position has: in each column the highest bit is the landing square, which lies
/// above the board where the column is full, and the bits below it are the stones of one side.
pub fn key(stones: u64, occupied: u64) -> u64 {
    stones | (occupied << STRIDE | BOTTOM) & !occupied
}

/// Free squares or not, a further stone on which would make four in a row.
pub fn completions(stones: u64) -> u64 {
    let along = |step: usize| {
        let (up, down) = (stones << step & stones << (2 * step), stones >> step & stones >> (2 * step));
        up & (stones << (3 * step) | stones >> step) | down & (stones >> (3 * step) | stones << step)
    };
    STEPS.into_iter().fold(0, |squares, step| squares | along(step)) & BOARD
}

/// Whether there are four in a row.
pub fn has_four(stones: u64) -> bool {
    STEPS.into_iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// The squares without a stone.
pub fn free(occupied: u64) -> u64 {
    BOARD & !occupied
}

/// The position string.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |square: usize| match self.stones.map(|stones| stones >> square & 1) {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '.',
        };
        let row = |row: usize| (0..COLUMNS).map(|column| mark(STRIDE * row + column)).collect::<String>();
        let rows: Vec<String> = (0..ROWS).rev().map(row).collect();
        write!(f, "{} {}", rows.join("/"), if self.side == Side::White { "w" } else { "b" })
    }
}
