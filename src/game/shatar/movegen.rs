//! The legal actions (§2): generated strictly, from masks of checks and pins, without making an action to test it.
//!
//! Their order: khan, vizier, bers, temes, noyans, qayins; pieces of a kind and their targets from the lowest square
//! up.

use super::{Kind, Position};
use crate::{
    board::{Bitboard, Square, attacks},
    game::Side,
};

/// Calls `sink` with each piece that has a legal move, and all squares it may go to.
pub(super) fn generate(position: &Position, mut sink: impl FnMut(Square, Bitboard)) {
    let pieces = position.pieces();
    let side = position.side_to_move();
    let (khan, own) = (position.khan(side), pieces.side(side));
    // The khan does not hide the squares behind it from a slider that attacks it.
    let without_khan = pieces.occupied() ^ Bitboard::of(khan);
    let mut safe = Bitboard::EMPTY;
    for to in attacks::king(khan) & !own {
        if attackers(position, to, !side, without_khan).is_empty() {
            safe |= to.into();
        }
    }
    let mut give = |from, targets: Bitboard| {
        if targets.any() {
            sink(from, targets);
        }
    };
    give(khan, safe);

    let checkers = attackers(position, khan, !side, pieces.occupied());
    let allowed = match checkers.count() {
        0 => !own,
        // Capture the piece that gives check or stand between.
        1 => attacks::between(khan, checkers.first()) | checkers,
        _ => return,
    };
    let pinned = pinned(position, side);
    for kind in [Kind::Vizier, Kind::Bers, Kind::Teme, Kind::Noyan, Kind::Qayin] {
        for from in pieces.of(side, kind) {
            let line = if pinned.has(from) { attacks::line(khan, from) } else { !Bitboard::EMPTY };
            give(from, reach(side, kind, from, pieces.occupied()) & !own & allowed & line);
        }
    }
}

/// Whether `side`'s khan is attacked.
pub(super) fn in_check(position: &Position, side: Side) -> bool {
    attackers(position, position.khan(side), !side, position.pieces().occupied()).any()
}

/// Squares that a piece attacks when the squares of `occupied` are taken; it may go to each of them, own pieces aside.
/// A qayin moves as it captures.
#[inline]
pub(super) fn reach(side: Side, kind: Kind, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Qayin => ahead(side, from),
        Kind::Noyan => attacks::knight(from),
        Kind::Teme => attacks::bishop(from, occupied),
        Kind::Bers => attacks::rook(from, occupied),
        Kind::Vizier => attacks::bishop(from, occupied) | attacks::rook(from, occupied),
        Kind::Khan => attacks::king(from),
    }
}

/// The square in front of a square of `side`; none beyond the last rank.
#[inline]
fn ahead(side: Side, square: Square) -> Bitboard {
    let (last, forward) = if side == Side::White { (7, 8) } else { (0, -8) };
    (Bitboard::of(square) & !Bitboard::rank(last)).shift(forward)
}

/// Pieces of `by` that attack `square` when the squares of `occupied` are taken.
#[inline]
fn attackers(position: &Position, square: Square, by: Side, occupied: Bitboard) -> Bitboard {
    let all = Kind::ALL.into_iter().fold(Bitboard::EMPTY, |all, kind| {
        // Every piece but the qayin attacks the squares from which it would be attacked; a qayin's are those in front
        // of the other side's.
        all | reach(!by, kind, square, occupied) & position.pieces().kind(kind)
    });
    all & position.pieces().side(by)
}

/// Pieces of `side` that alone stand between its khan and an enemy slider.
#[inline]
fn pinned(position: &Position, side: Side) -> Bitboard {
    let pieces = position.pieces();
    let (khan, occupied) = (position.khan(side), pieces.occupied());
    let viziers = pieces.kind(Kind::Vizier);
    let diagonals = attacks::diagonal(khan) | attacks::antidiagonal(khan);
    let sliders = diagonals & (pieces.kind(Kind::Teme) | viziers)
        | attacks::orthogonals(khan) & (pieces.kind(Kind::Bers) | viziers);
    let shields = (sliders & pieces.side(!side)).into_iter().map(|slider| attacks::between(khan, slider) & occupied);
    let alone = shields.filter(|shield| !shield.many());
    alone.fold(Bitboard::EMPTY, |pinned, shield| pinned | shield) & pieces.side(side)
}
