//! A set of the 104 squares in 128 bits.

use std::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not},
};

use super::Square;

/// A set of squares: bit `i` stands for the square numbered `i`, the bits above 103 are never set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

impl Bitboard {
    pub const EMPTY: Bitboard = Bitboard(0);
    pub const ALL: Bitboard = Bitboard((1 << Square::COUNT) - 1);

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

    /// The square with the lowest number.
    ///
    /// # Panics
    /// In debug builds when the set is empty.
    #[inline]
    pub const fn first(self) -> Square {
        Square::new(self.0.trailing_zeros() as usize)
    }

    /// The square with the highest number.
    ///
    /// # Panics
    /// When the set is empty.
    #[inline]
    pub const fn last(self) -> Square {
        Square::new(127 - self.0.leading_zeros() as usize)
    }

    /// The set with a square more.
    #[inline]
    pub const fn with(self, square: Square) -> Self {
        Bitboard(self.0 | 1 << square.index())
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
        Bitboard(!self.0 & Bitboard::ALL.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

/// The squares of a set, lowest number first.
#[derive(Clone, Debug)]
pub struct Squares(u128);

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
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
