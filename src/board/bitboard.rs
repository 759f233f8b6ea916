//! A set of squares in one word.

use std::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not},
};

use super::Square;

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    pub const EMPTY: Bitboard = Bitboard(0);
    pub const ALL: Bitboard = Bitboard(!0);

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

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Bitboard(1 << square.index())
    }

    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 == 1
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Number of squares.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are two squares or more.
    #[inline]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square with the lowest number; a1 for the empty set.
    #[inline]
    pub const fn first(self) -> Square {
        Square::new(self.0.trailing_zeros() as usize)
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

macro_rules! operator {
    ($trait:ident $method:ident, $assign:ident $assign_method:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }

        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = *self $op other;
            }
        }
    };
}

operator!(BitAnd bitand, BitAndAssign bitand_assign, &);
operator!(BitOr bitor, BitOrAssign bitor_assign, |);
operator!(BitXor bitxor, BitXorAssign bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Bitboard::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.into())
    }
}

/// The squares of a set, lowest number first.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::new(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
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

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
