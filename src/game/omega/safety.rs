//! Attacks on a square, and what men may do without leaving their king attacked.

use super::{Bitboard, Kind, Men, Square, attacks};
use crate::game::Side;

/// Kinds whose way another man can bar.
const SLIDERS: [Kind; 3] = [Kind::Bishop, Kind::Rook, Kind::Queen];

/// Men of `by` that attack `square` when the squares of `occupied` are taken.
#[inline]
pub(super) fn attackers(men: &Men, square: Square, by: Side, occupied: Bitboard) -> Bitboard {
    let theirs = men.side(by);
    let mut all = leapers(men, square, by);
    let (straight, diagonal) = sliders(men);
    // Few squares lie on a line with a slider: looking costs less than finding where the lines end.
    if (attacks::orthogonals(square) & straight & theirs).any() {
        all |= attacks::reach(Kind::Rook, square, occupied) & straight & theirs;
    }
    if (attacks::diagonals(square) & diagonal & theirs).any() {
        all |= attacks::reach(Kind::Bishop, square, occupied) & diagonal & theirs;
    }
    all
}

/// Whether `side`'s king is attacked.
pub(super) fn in_check(men: &Men, side: Side) -> bool {
    attackers(men, men.king(side), !side, men.occupied()).any()
}

/// Squares of `targets` that no man of `by` attacks when the squares of `occupied` are taken.
#[inline]
pub(super) fn unattacked(men: &Men, targets: Bitboard, by: Side, occupied: Bitboard) -> Bitboard {
    let mut safe = Bitboard::EMPTY;
    for to in targets {
        if attackers(men, to, by, occupied).is_empty() {
            safe = safe.with(to);
        }
    }
    safe
}

/// Men of `by` that attack `square` whatever stands between. Every man but the pawn attacks the squares from which it would be attacked.
#[inline]
fn leapers(men: &Men, square: Square, by: Side) -> Bitboard {
    const LEAPERS: [Kind; 4] = [Kind::Knight, Kind::Champion, Kind::Wizard, Kind::King];
    let pawns = attacks::pawn(!by, square) & men.kind(Kind::Pawn);
    let reached = |kind| attacks::reach(kind, square, Bitboard::EMPTY) & men.kind(kind);
    LEAPERS.into_iter().fold(pawns, |all, kind| all | reached(kind)) & men.side(by)
}

/// Men of both sides that slide along ranks and files, and along diagonals.
#[inline]
fn sliders(men: &Men) -> (Bitboard, Bitboard) {
    let queens = men.kind(Kind::Queen);
    (men.kind(Kind::Rook) | queens, men.kind(Kind::Bishop) | queens)
}

/// What the men of a side other than the king may do, as far as the king's safety goes.
pub(super) struct Restraint {
    king: Square,
    occupied: Bitboard,
    /// Enemy men that give check.
    pub checkers: Bitboard,
    /// Squares on which a man ends the check: all without one, none in a double check.
    pub allowed: Bitboard,
    /// Own men that alone stand between the king and an enemy slider.
    pinned: Bitboard,
}

impl Restraint {
    /// The restraint of `side`, whose king stands on `king`.
    #[inline]
    pub fn of(men: &Men, side: Side, king: Square) -> Restraint {
        let occupied = men.occupied();
        let (mut checkers, mut pinned) = (leapers(men, king, !side), Bitboard::EMPTY);
        let (straight, diagonal) = sliders(men);
        let near = attacks::orthogonals(king) & straight | attacks::diagonals(king) & diagonal;
        for slider in near & men.side(!side) {
            let between = attacks::between(king, slider) & occupied;
            if between.is_empty() {
                checkers = checkers.with(slider);
            } else if !between.many() {
                pinned |= between & men.side(side);
            }
        }
        let allowed = match checkers.is_empty() {
            true => Bitboard::ALL,
            false if checkers.many() => Bitboard::EMPTY,
            false => checkers | shield(men, king, checkers.first()),
        };
        Restraint { king, occupied, checkers, allowed, pinned }
    }

    /// Squares to which the man on `from` may go. Not the whole line of a pinned one: a champion can jump over the man that pins it, or over its king.
    #[inline]
    pub fn targets(&self, from: Square) -> Bitboard {
        match self.pinned.has(from) {
            true => self.allowed & attacks::toward(self.king, from, self.occupied ^ Bitboard::of(from)),
            false => self.allowed,
        }
    }
}

/// Squares on which a man bars the way of the one that gives check.
fn shield(men: &Men, king: Square, checker: Square) -> Bitboard {
    let slides = SLIDERS.into_iter().any(|kind| men.kind(kind).has(checker));
    // A champion two squares away stands on a line with the king and yet jumps.
    if slides { attacks::between(king, checker) } else { Bitboard::EMPTY }
}

/// Whether `side`'s king on `king` is safe once its pawn has captured on `to` the pawn that passed over it.
pub(super) fn survives_en_passant(men: &Men, side: Side, king: Square, from: Square, to: Square) -> bool {
    let captured = Bitboard::of(men.first_ahead(!side, to));
    let occupied = (men.occupied() ^ Bitboard::of(from) ^ captured).with(to);
    (attackers(men, king, !side, occupied) & !captured).is_empty()
}

/// Whether one of `side`'s `pawns` may capture en passant on `passed`.
pub(super) fn en_passant_is_legal(men: &Men, side: Side, pawns: Bitboard, passed: Square) -> bool {
    let near = attacks::pawn(!side, passed) & pawns;
    near.into_iter().any(|from| survives_en_passant(men, side, men.king(side), from, passed))
}
