//! Sets of squares in one word, whatever the board.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXorAssign};

/// What code for any board asks of a set of its squares. The sets of each board are defined by one macro, with these
/// and more as methods of their own.
pub trait SquareSet: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitOrAssign + BitXorAssign {
    type Square: Copy;

    const EMPTY: Self;

    /// The set of one square.
    fn of(square: Self::Square) -> Self;

    fn has(self, square: Self::Square) -> bool;
}

/// Defines a set of squares `$name` with one bit of `$word` a square, and the iterator over its squares `$iter`.
/// `$square` has `const fn new(usize) -> Self` and `const fn index(self) -> usize`; `$count` is how many squares there
/// are.
macro_rules! square_set {
    ($(#[$doc:meta])* $name:ident($word:ty), $iter:ident, $square:ty, $count:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name(pub $word);

        impl $name {
            pub const EMPTY: $name = $name(0);
            pub const ALL: $name = $name(<$word>::MAX >> (<$word>::BITS - $count));

            /// The set of one square.
            #[inline]
            pub const fn of(square: $square) -> Self {
                $name(1 << square.index())
            }

            #[inline]
            pub const fn has(self, square: $square) -> bool {
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

            /// The square with the lowest number. Of a set that is not empty: of the empty one it is a square all the
            /// same, or a panic.
            #[inline]
            pub const fn first(self) -> $square {
                <$square>::new(self.0.trailing_zeros() as usize)
            }

            /// The square with the highest number.
            ///
            /// # Panics
            /// When the set is empty.
            #[inline]
            pub const fn last(self) -> $square {
                <$square>::new(<$word>::BITS as usize - 1 - self.0.leading_zeros() as usize)
            }

            /// The set with a square more.
            #[inline]
            pub const fn with(self, square: $square) -> Self {
                $name(self.0 | 1 << square.index())
            }
        }

        impl $crate::board::set::SquareSet for $name {
            type Square = $square;

            const EMPTY: $name = $name::EMPTY;

            #[inline]
            fn of(square: $square) -> Self {
                $name::of(square)
            }

            #[inline]
            fn has(self, square: $square) -> bool {
                $name::has(self, square)
            }
        }

        $crate::board::set::operator!($name, BitAnd bitand, BitAndAssign bitand_assign, &);
        $crate::board::set::operator!($name, BitOr bitor, BitOrAssign bitor_assign, |);
        $crate::board::set::operator!($name, BitXor bitxor, BitXorAssign bitxor_assign, ^);

        impl std::ops::Not for $name {
            type Output = $name;

            #[inline]
            fn not(self) -> $name {
                $name(!self.0 & $name::ALL.0)
            }
        }

        impl From<$square> for $name {
            #[inline]
            fn from(square: $square) -> Self {
                $name::of(square)
            }
        }

        impl FromIterator<$square> for $name {
            fn from_iter<I: IntoIterator<Item = $square>>(squares: I) -> Self {
                squares.into_iter().fold($name::EMPTY, $name::with)
            }
        }

        /// The squares of a set, lowest number first.
        #[derive(Clone, Debug)]
        pub struct $iter($word);

        impl Iterator for $iter {
            type Item = $square;

            #[inline]
            fn next(&mut self) -> Option<$square> {
                if self.0 == 0 {
                    return None;
                }
                let square = <$square>::new(self.0.trailing_zeros() as usize);
                self.0 &= self.0 - 1;
                Some(square)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let count = self.0.count_ones() as usize;
                (count, Some(count))
            }
        }

        impl ExactSizeIterator for $iter {}

        impl IntoIterator for $name {
            type Item = $square;
            type IntoIter = $iter;

            #[inline]
            fn into_iter(self) -> $iter {
                $iter(self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_set().entries(*self).finish()
            }
        }
    };
}

macro_rules! operator {
    ($name:ident, $trait:ident $method:ident, $assign:ident $assign_method:ident, $op:tt) => {
        impl std::ops::$trait for $name {
            type Output = $name;

            #[inline]
            fn $method(self, other: $name) -> $name {
                $name(self.0 $op other.0)
            }
        }

        impl std::ops::$assign for $name {
            #[inline]
            fn $assign_method(&mut self, other: $name) {
                *self = *self $op other;
            }
        }
    };
}

pub(crate) use {operator, square_set};
