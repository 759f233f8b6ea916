//! Where generated actions go: into a list, or into a count of them. One generator serves both.

use super::{Action, Kind};
use crate::board::{Bitboard, Square};

/// What takes generated actions.
pub(super) trait Sink {
    /// Moves from one square.
    fn moves(&mut self, from: Square, targets: Bitboard);
    /// Pawn moves, each from the square `delta` before its target.
    fn pawn_moves(&mut self, targets: Bitboard, delta: i32);
    /// Pawn moves to the last rank, each from the square `delta` before its target.
    fn promotions(&mut self, targets: Bitboard, delta: i32);
    /// A castling, an en passant capture or a support action of `code` on each of `targets`; `from` is `None` where
    /// both squares are the same.
    fn others(&mut self, from: Option<Square>, targets: Bitboard, code: u16);
}

impl Sink for Vec<Action> {
    #[inline]
    fn moves(&mut self, from: Square, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Action::new(from, to, Action::MOVE)));
    }

    #[inline]
    fn pawn_moves(&mut self, targets: Bitboard, delta: i32) {
        self.extend(targets.into_iter().map(|to| Action::new(to.shift(-delta), to, Action::MOVE)));
    }

    fn promotions(&mut self, targets: Bitboard, delta: i32) {
        for to in targets {
            let becomes = |kind: Kind| Action::new(to.shift(-delta), to, Action::PROMOTION + kind.index() as u16);
            self.extend(Kind::PROMOTIONS.map(becomes));
        }
    }

    #[inline]
    fn others(&mut self, from: Option<Square>, targets: Bitboard, code: u16) {
        self.extend(targets.into_iter().map(|to| Action::new(from.unwrap_or(to), to, code)));
    }
}

/// Counts actions without writing them down.
pub(super) struct Count(pub u64);

impl Sink for Count {
    #[inline]
    fn moves(&mut self, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn pawn_moves(&mut self, targets: Bitboard, _: i32) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.0 += 4 * u64::from(targets.count());
    }

    #[inline]
    fn others(&mut self, _: Option<Square>, targets: Bitboard, _: u16) {
        self.0 += u64::from(targets.count());
    }
}
