//! Floor 0: squares, bitboards, attack tables of the 8x8 board. Knows no game.
//!
//! Layout, lowest first: `square`, `bitboard` (sets of squares), `magics` (the multipliers of the slider tables), `attacks` (what a man attacks on a full or empty
//! board, and the lines between squares).

mod bitboard;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use square::{Square, SquareError};
