//! Who attacks what: squares, checks, pins, and whether an en passant capture leaves the king safe.

use super::{Kind, Position};
use crate::{
    board::{Bitboard, Square, attacks},
    game::Side,
};

/// Squares that a piece of `side` attacks when the squares of `occupied` are taken.
#[inline]
pub(super) fn reach(side: Side, kind: Kind, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Pawn => attacks::pawn(side.index(), from),
        Kind::Knight => attacks::knight(from),
        Kind::Bishop => attacks::bishop(from, occupied),
        Kind::Rook => attacks::rook(from, occupied),
        Kind::Queen => attacks::bishop(from, occupied) | attacks::rook(from, occupied),
        Kind::King => attacks::king(from),
    }
}

/// Pieces of `by` that attack `square` when the squares of `occupied` are taken.
#[inline]
pub(super) fn attackers(position: &Position, square: Square, by: Side, occupied: Bitboard) -> Bitboard {
    let pieces = position.pieces();
    let queens = pieces.kind(Kind::Queen);
    let all = attacks::pawn((!by).index(), square) & pieces.kind(Kind::Pawn)
        | attacks::knight(square) & pieces.kind(Kind::Knight)
        | attacks::king(square) & pieces.kind(Kind::King)
        | attacks::bishop(square, occupied) & (pieces.kind(Kind::Bishop) | queens)
        | attacks::rook(square, occupied) & (pieces.kind(Kind::Rook) | queens);
    all & pieces.side(by)
}

/// Whether `side`'s king is attacked.
pub(super) fn in_check(position: &Position, side: Side) -> bool {
    attackers(position, position.king(side), !side, position.pieces().occupied()).any()
}

/// What stands against a king.
pub(super) struct Threats {
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// Own pieces that alone stand between the king and an enemy slider.
    pub pinned: Bitboard,
}

/// Threats against `side`'s king.
#[inline]
pub(super) fn threats(position: &Position, side: Side) -> Threats {
    let pieces = position.pieces();
    let (king, own, enemy) = (position.king(side), pieces.side(side), pieces.side(!side));
    let occupied = own | enemy;
    let queens = pieces.kind(Kind::Queen);
    let mut checkers = enemy
        & (attacks::knight(king) & pieces.kind(Kind::Knight)
            | attacks::pawn(side.index(), king) & pieces.kind(Kind::Pawn));
    let mut pinned = Bitboard::EMPTY;
    let diagonals = attacks::diagonal(king) | attacks::antidiagonal(king);
    let sliders = diagonals & (pieces.kind(Kind::Bishop) | queens)
        | attacks::orthogonals(king) & (pieces.kind(Kind::Rook) | queens);
    for slider in sliders & enemy {
        let shield = attacks::between(king, slider) & occupied;
        if shield.is_empty() {
            checkers |= slider.into();
        } else if !shield.many() {
            pinned |= shield & own;
        }
    }
    Threats { checkers, pinned }
}

/// Pawns of `side` that stand so that they could capture on `passed`.
#[inline]
pub(super) fn en_passant_capturers(position: &Position, side: Side, passed: Square) -> Bitboard {
    attacks::pawn((!side).index(), passed) & position.pieces().of(side, Kind::Pawn)
}

/// Whether `side`'s pawn on `from` may capture on `passed`: its king must be safe once both pawns have left their
/// squares, the only capture that takes two pieces off one rank.
pub(super) fn en_passant_is_safe(position: &Position, side: Side, from: Square, passed: Square) -> bool {
    let captured = Bitboard::of(passed.shift(if side == Side::White { -8 } else { 8 }));
    let occupied = (position.pieces().occupied() ^ Bitboard::of(from) ^ captured) | Bitboard::of(passed);
    (attackers(position, position.king(side), !side, occupied) & !captured).is_empty()
}

/// Whether `side` has any legal capture on `passed`.
pub(super) fn en_passant_is_legal(position: &Position, side: Side, passed: Square) -> bool {
    en_passant_capturers(position, side, passed)
        .into_iter()
        .any(|from| en_passant_is_safe(position, side, from, passed))
}
