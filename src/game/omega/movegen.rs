//! The legal actions (§3): generated strictly, from masks of checks and pins, without making an action to test it. En passant alone, which takes two pawns
//! off their lines at once, is looked at with the men as they would stand.
//!
//! Their order: king, queens, rooks, wizards, champions, bishops, knights, pawns; men of a kind and their targets from the lowest square up.

use super::{
    Bitboard, Kind, Position, Square,
    attacks::{self, step},
    castling::Castling,
    position::forward,
};
use crate::game::Side;

/// Kinds whose way another man can bar.
const SLIDERS: [Kind; 3] = [Kind::Bishop, Kind::Rook, Kind::Queen];

/// Calls `sink` with each man that has a legal move, and all squares it may go to.
pub(super) fn generate(position: &Position, mut sink: impl FnMut(Square, Bitboard)) {
    let side = position.side_to_move();
    let (king, own, occupied) = (position.king(side), position.side(side), position.occupied());
    let checkers = attackers(position, king, !side, occupied);
    let mut give = |from, targets: Bitboard| {
        if targets.any() {
            sink(from, targets);
        }
    };
    // The king does not hide the squares behind it from a slider that attacks it.
    let without_king = occupied ^ Bitboard::of(king);
    let safe = (attacks::reach(Kind::King, king, occupied) & !own)
        .into_iter()
        .filter(|&to| attackers(position, to, !side, without_king).is_empty());
    let castlings = Castling::ALL.iter().filter(|way| checkers.is_empty() && may_castle(position, way));
    give(king, safe.chain(castlings.map(|way| way.king_to)).collect());

    let allowed = match checkers.count() {
        0 => !own,
        1 => checkers | shield(position, king, checkers.first()),
        _ => return,
    };
    let pinned = pinned(position, side);
    for kind in [Kind::Queen, Kind::Rook, Kind::Wizard, Kind::Champion, Kind::Bishop, Kind::Knight, Kind::Pawn] {
        for from in position.men(side, kind) {
            // Not the whole line: a champion can jump over the man that pins it, or over its king.
            let line = match pinned.has(from) {
                true => attacks::toward(king, from, occupied ^ Bitboard::of(from)),
                false => Bitboard::ALL,
            };
            let targets = match kind {
                Kind::Pawn => pawn_moves(position, from) & allowed & line | en_passant(position, from),
                _ => attacks::reach(kind, from, occupied) & !own & allowed & line,
            };
            give(from, targets);
        }
    }
}

/// Squares on which a pawn of `side` becomes another man.
pub(super) fn far_rank(side: Side) -> Bitboard {
    let rank = if side == Side::White { 9 } else { 0 };
    (0..10).map(|file| Square::arena(file, rank)).collect()
}

/// Whether `side`'s king is attacked.
pub(super) fn in_check(position: &Position, side: Side) -> bool {
    attackers(position, position.king(side), !side, position.occupied()).any()
}

/// Whether a pawn of the side to move may capture en passant on a square that the other side's last move passed over.
pub(super) fn en_passant_is_legal(position: &Position, passed: Square) -> bool {
    let side = position.side_to_move();
    let pawns = attacks::pawn(!side, passed) & position.men(side, Kind::Pawn);
    pawns.into_iter().any(|from| survives_en_passant(position, from, passed))
}

/// Squares on which one pawn may capture en passant.
fn en_passant(position: &Position, from: Square) -> Bitboard {
    let targets = attacks::pawn(position.side_to_move(), from) & position.passed();
    targets.into_iter().filter(|&to| survives_en_passant(position, from, to)).collect()
}

/// Whether the king is safe once a pawn has captured on `to` the pawn that passed over it.
fn survives_en_passant(position: &Position, from: Square, to: Square) -> bool {
    let side = position.side_to_move();
    let captured = Bitboard::of(position.stepped_pawn(to));
    let occupied = (position.occupied() ^ Bitboard::of(from) ^ captured).with(to);
    (attackers(position, position.king(side), !side, occupied) & !captured).is_empty()
}

/// Squares that a pawn may move to or capture on, en passant and the king's safety aside.
fn pawn_moves(position: &Position, from: Square) -> Bitboard {
    let side = position.side_to_move();
    let start_row = if side == Side::White { 2 } else { 9 };
    let steps = if from.row() == start_row { 3 } else { 1 };
    let mut targets = attacks::pawn(side, from) & position.side(!side);
    let mut at = from;
    for _ in 0..steps {
        match step(at, (0, forward(side))) {
            Some(to) if !position.occupied().has(to) => at = to,
            _ => break,
        }
        targets = targets.with(at);
    }
    targets
}

/// Whether a king that is not in check may castle one way.
fn may_castle(position: &Position, way: &Castling) -> bool {
    let side = position.side_to_move();
    let occupied = position.occupied();
    let safe = |square, occupied| attackers(position, square, !side, occupied).is_empty();
    if way.side != side
        || !position.rights().has(way)
        || (attacks::between(way.king, way.rook) & occupied).any()
        || !safe(way.rook_to, occupied)
        || !safe(way.king_to, occupied)
    {
        return false;
    }
    // The champion's file lies behind the rook: with the rook gone, a line along the rank is open.
    let after = (occupied ^ Bitboard::of(way.king) ^ Bitboard::of(way.rook)).with(way.king_to).with(way.rook_to);
    safe(way.king_to, after)
}

/// Squares on which a man bars the way of the one that gives check.
fn shield(position: &Position, king: Square, checker: Square) -> Bitboard {
    let slides = SLIDERS.into_iter().any(|kind| position.kind(kind).has(checker));
    // A champion two squares away stands on a line with the king and yet jumps.
    if slides { attacks::between(king, checker) } else { Bitboard::EMPTY }
}

/// Men of `by` that attack `square` when the squares of `occupied` are taken.
#[inline]
fn attackers(position: &Position, square: Square, by: Side, occupied: Bitboard) -> Bitboard {
    let pawns = attacks::pawn(!by, square) & position.kind(Kind::Pawn);
    let all = Kind::ALL.into_iter().fold(pawns, |all, kind| {
        // Every man but the pawn attacks the squares from which it would be attacked.
        let men = position.men(by, kind);
        if men.is_empty() { all } else { all | attacks::reach(kind, square, occupied) & men }
    });
    all & position.side(by)
}

/// Men of `side` that alone stand between its king and an enemy slider.
#[inline]
fn pinned(position: &Position, side: Side) -> Bitboard {
    let (king, occupied) = (position.king(side), position.occupied());
    let mut pinned = Bitboard::EMPTY;
    for kind in SLIDERS {
        let near = attacks::reach(kind, king, Bitboard::EMPTY) & position.men(!side, kind);
        for slider in near {
            let between = attacks::between(king, slider) & occupied;
            if !between.many() {
                pinned |= between & position.side(side);
            }
        }
    }
    pinned
}
