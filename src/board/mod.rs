//! Floor 0: squares, bitboards, attack tables of the 8x8 board. Knows no game.
//!
//! Layout, lowest first: `square`, `bitboard` (sets of squares), `magics` (multipliers of the slider tables), [`attacks`] (what a man attacks from a
//! square, and the lines between squares).

pub mod attacks;
mod bitboard;
mod magics;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use square::{Square, SquareError};
