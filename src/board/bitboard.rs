//! A set of squares in one word.

use std::fmt;

use super::{Square, set::square_set};

square_set! {
    /// A set of squares: bit `i` stands for the square numbered `i`.
    ///
    /// ```
    /// # use maydan::board::Bitboard;
    /// let light = Bitboard(0x55AA_55AA_55AA_55AA);
    /// assert_eq!((light & Bitboard::rank(0)).to_string(), "\
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . x . x . x . x
    /// ");
    /// ```
    Bitboard(u64), Squares, Square, 64
}

impl Bitboard {
    /// The squares of file `file`, a = 0.
    #[inline]
    pub const fn file(file: usize) -> Self {
        Bitboard(0x0101_0101_0101_0101 << (file & 7))
    }

    /// The squares of rank `rank`, first = 0.
    #[inline]
    pub const fn rank(rank: usize) -> Self {
        Bitboard(0xFF << ((rank & 7) * 8))
    }

    /// Every square moved `delta` places on, round the end of the board: the caller masks what must not wrap.
    #[inline]
    pub const fn shift(self, delta: i32) -> Self {
        Bitboard(self.0.rotate_left((delta & 63) as u32))
    }

    /// The set seen from the other side of the board: ranks reversed.
    #[inline]
    pub const fn flip(self) -> Self {
        Bitboard(self.0.swap_bytes())
    }

    /// Mirrored left to right: files reversed.
    #[inline]
    pub const fn mirror(self) -> Self {
        Bitboard(self.0.reverse_bits().swap_bytes())
    }

    #[inline]
    pub const fn and(self, other: Self) -> Self {
        Bitboard(self.0 & other.0)
    }

    #[inline]
    pub const fn or(self, other: Self) -> Self {
        Bitboard(self.0 | other.0)
    }

    /// The squares of `self` that are not in `other`.
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Bitboard(self.0 & !other.0)
    }
}

/// Drawn as a grid, rank 8 on top, `x` for a square of the set.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let marks: Vec<&str> =
                (0..8).map(|file| if self.has(Square::at(file, rank)) { "x" } else { "." }).collect();
            writeln!(f, "{}", marks.join(" "))?;
        }
        Ok(())
    }
}
