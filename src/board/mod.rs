//! Floor 1: squares, bitboards, attack tables of the 8x8 board. Knows no game.
//!
//! Layout, lowest first: `set` (a set of squares in a word, whatever the board), `square`, `bitboard` (sets of
//! squares), `magics` (multipliers of the slider tables), [`attacks`] (what a piece attacks from a square, and the
//! lines between squares).

pub mod attacks;
mod bitboard;
mod magics;
pub(crate) mod set;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use set::SquareSet;
pub use square::{Square, SquareError};
