//! Attacks on a square, and what pieces may do without leaving their king attacked.

use super::{Bitboard, Kind, Pieces, Square, attacks};
use crate::game::Side;

/// Kinds whose way another piece can bar.
const SLIDERS: [Kind; 3] = [Kind::Bishop, Kind::Rook, Kind::Queen];

/// Pieces of `by` that attack `square` when the squares of `occupied` are taken.
#[inline]
pub(super) fn attackers(pieces: &Pieces, square: Square, by: Side, occupied: Bitboard) -> Bitboard {
    let theirs = pieces.side(by);
    let mut all = leapers(pieces, square, by);
    let (straight, diagonal) = sliders(pieces);
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
pub(super) fn in_check(pieces: &Pieces, side: Side) -> bool {
    attackers(pieces, pieces.king(side), !side, pieces.occupied()).any()
}

/// Squares of `targets` that no piece of `by` attacks when the squares of `occupied` are taken.
#[inline]
pub(super) fn unattacked(pieces: &Pieces, targets: Bitboard, by: Side, occupied: Bitboard) -> Bitboard {
    let mut safe = Bitboard::EMPTY;
    for to in targets {
        if attackers(pieces, to, by, occupied).is_empty() {
            safe = safe.with(to);
        }
    }
    safe
}

/// Pieces of `by` that attack `square` whatever stands between. Every piece but the pawn attacks the squares from which
/// it would be attacked.
#[inline]
fn leapers(pieces: &Pieces, square: Square, by: Side) -> Bitboard {
    const LEAPERS: [Kind; 4] = [Kind::Knight, Kind::Champion, Kind::Wizard, Kind::King];
    let pawns = attacks::pawn(!by, square) & pieces.kind(Kind::Pawn);
    let reached = |kind| attacks::reach(kind, square, Bitboard::EMPTY) & pieces.kind(kind);
    LEAPERS.into_iter().fold(pawns, |all, kind| all | reached(kind)) & pieces.side(by)
}

/// Pieces of both sides that slide along ranks and files, and along diagonals.
#[inline]
fn sliders(pieces: &Pieces) -> (Bitboard, Bitboard) {
    let queens = pieces.kind(Kind::Queen);
    (pieces.kind(Kind::Rook) | queens, pieces.kind(Kind::Bishop) | queens)
}

/// What the pieces of a side other than the king may do, as far as the king's safety goes.
pub(super) struct Restraint {
    king: Square,
    occupied: Bitboard,
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// Squares on which a piece ends the check: all without one, none in a double check.
    pub allowed: Bitboard,
    /// Own pieces that alone stand between the king and an enemy slider.
    pinned: Bitboard,
}

impl Restraint {
    /// The restraint of `side`, whose king stands on `king`.
    #[inline]
    pub fn of(pieces: &Pieces, side: Side, king: Square) -> Restraint {
        let occupied = pieces.occupied();
        let (mut checkers, mut pinned) = (leapers(pieces, king, !side), Bitboard::EMPTY);
        let (straight, diagonal) = sliders(pieces);
        let near = attacks::orthogonals(king) & straight | attacks::diagonals(king) & diagonal;
        for slider in near & pieces.side(!side) {
            let between = attacks::between(king, slider) & occupied;
            if between.is_empty() {
                checkers = checkers.with(slider);
            } else if !between.many() {
                pinned |= between & pieces.side(side);
            }
        }
        let allowed = match checkers.is_empty() {
            true => Bitboard::ALL,
            false if checkers.many() => Bitboard::EMPTY,
            false => checkers | shield(pieces, king, checkers.first()),
        };
        Restraint { king, occupied, checkers, allowed, pinned }
    }

    /// Squares to which the piece on `from` may go. Not the whole line of a pinned one: a champion can jump over the
    /// piece that pins it, or over its king.
    #[inline]
    pub fn targets(&self, from: Square) -> Bitboard {
        match self.pinned.has(from) {
            true => self.allowed & attacks::toward(self.king, from, self.occupied ^ Bitboard::of(from)),
            false => self.allowed,
        }
    }
}

/// Squares on which a piece bars the way of the one that gives check.
fn shield(pieces: &Pieces, king: Square, checker: Square) -> Bitboard {
    let slides = SLIDERS.into_iter().any(|kind| pieces.kind(kind).has(checker));
    // A champion two squares away stands on a line with the king and yet jumps.
    if slides { attacks::between(king, checker) } else { Bitboard::EMPTY }
}

/// Whether `side`'s king on `king` is safe once its pawn has captured on `to` the pawn that passed over it.
pub(super) fn survives_en_passant(pieces: &Pieces, side: Side, king: Square, from: Square, to: Square) -> bool {
    let captured = Bitboard::of(pieces.first_ahead(!side, to));
    let occupied = (pieces.occupied() ^ Bitboard::of(from) ^ captured).with(to);
    (attackers(pieces, king, !side, occupied) & !captured).is_empty()
}

/// Whether one of `side`'s `pawns` may capture en passant on `passed`.
pub(super) fn en_passant_is_legal(pieces: &Pieces, side: Side, pawns: Bitboard, passed: Square) -> bool {
    let near = attacks::pawn(!side, passed) & pawns;
    near.into_iter().any(|from| survives_en_passant(pieces, side, pieces.king(side), from, passed))
}
