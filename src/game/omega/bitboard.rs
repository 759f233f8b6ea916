//! A set of the 104 squares in 128 bits.

use super::Square;
use crate::board::set::square_set;

square_set! {
    /// A set of squares: bit `i` stands for the square numbered `i`, the bits above 103 are never set.
    Bitboard(u128), Squares, Square, Square::COUNT as u32
}
