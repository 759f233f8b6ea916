//! The legal actions (§3): generated strictly, from masks of checks and pins, without making an action to test it. En passant alone, which takes two pawns
//! off their lines at once, is looked at with the men as they would stand.
//!
//! Their order: king, queens, rooks, wizards, champions, bishops, knights, pawns; men of a kind and their targets from the lowest square up.

use super::{Bitboard, Kind, Position, Square, attacks, castling::Castling};
use crate::game::Side;

/// Kinds whose way another man can bar.
const SLIDERS: [Kind; 3] = [Kind::Bishop, Kind::Rook, Kind::Queen];

/// Calls `sink` with each man that has a legal move, and all squares it may go to.
pub(super) fn generate(position: &Position, mut sink: impl FnMut(Square, Bitboard)) {
    let side = position.side_to_move();
    let (king, own, occupied) = (position.king(side), position.side(side), position.occupied());
    let Threats { checkers, pinned } = threats(position, king);
    let mut give = |from, targets: Bitboard| {
        if targets.any() {
            sink(from, targets);
        }
    };
    // The king does not hide the squares behind it from a slider that attacks it.
    let without_king = occupied ^ Bitboard::of(king);
    let mut safe = Bitboard::EMPTY;
    for to in attacks::reach(Kind::King, king, occupied) & !own {
        if attackers(position, to, !side, without_king).is_empty() {
            safe = safe.with(to);
        }
    }
    if position.rights().any() && checkers.is_empty() {
        safe =
            Castling::ALL.iter().filter(|way| may_castle(position, way)).fold(safe, |all, way| all.with(way.king_to));
    }
    give(king, safe);

    let allowed = match checkers.is_empty() {
        true => !own,
        false if checkers.many() => return,
        false => checkers | shield(position, king, checkers.first()),
    };
    // Not the whole line: a champion can jump over the man that pins it, or over its king.
    let line = |from| match pinned.has(from) {
        true => attacks::toward(king, from, occupied ^ Bitboard::of(from)),
        false => Bitboard::ALL,
    };
    for kind in [Kind::Queen, Kind::Rook, Kind::Wizard, Kind::Champion, Kind::Bishop, Kind::Knight] {
        for from in position.men(side, kind) {
            give(from, attacks::reach(kind, from, occupied) & !own & allowed & line(from));
        }
    }
    for from in position.men(side, Kind::Pawn) {
        give(from, pawn_moves(position, from) & allowed & line(from) | en_passant(position, from));
    }
}

/// Squares on which a pawn of `side` becomes another man.
pub(super) const fn far_rank(side: Side) -> Bitboard {
    let rank = match side {
        Side::White => 9,
        Side::Black => 0,
    };
    Bitboard(0x3FF << Square::arena(0, rank).index())
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
    if position.passed().is_empty() {
        return Bitboard::EMPTY;
    }
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
#[inline]
fn pawn_moves(position: &Position, from: Square) -> Bitboard {
    let side = position.side_to_move();
    attacks::pawn(side, from) & position.side(!side) | attacks::pawn_steps(side, from, position.occupied())
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
    let men = position.side(by);
    let mut all = leapers(position, square, by);
    let (straight, diagonal) = sliders(position);
    // Few squares lie on a line with a slider: looking costs less than finding where the lines end.
    if (attacks::orthogonals(square) & straight & men).any() {
        all |= attacks::reach(Kind::Rook, square, occupied) & straight & men;
    }
    if (attacks::diagonals(square) & diagonal & men).any() {
        all |= attacks::reach(Kind::Bishop, square, occupied) & diagonal & men;
    }
    all
}

/// Men of `by` that attack `square` whatever stands between. Every man but the pawn attacks the squares from which it would be attacked.
#[inline]
fn leapers(position: &Position, square: Square, by: Side) -> Bitboard {
    const LEAPERS: [Kind; 4] = [Kind::Knight, Kind::Champion, Kind::Wizard, Kind::King];
    let pawns = attacks::pawn(!by, square) & position.kind(Kind::Pawn);
    let reached = |kind| attacks::reach(kind, square, Bitboard::EMPTY) & position.kind(kind);
    LEAPERS.into_iter().fold(pawns, |all, kind| all | reached(kind)) & position.side(by)
}

/// Men of both sides that slide along ranks and files, and along diagonals.
#[inline]
fn sliders(position: &Position) -> (Bitboard, Bitboard) {
    let queens = position.kind(Kind::Queen);
    (position.kind(Kind::Rook) | queens, position.kind(Kind::Bishop) | queens)
}

/// What stands against the king of the side to move.
struct Threats {
    /// Enemy men that give check.
    checkers: Bitboard,
    /// Own men that alone stand between the king and an enemy slider.
    pinned: Bitboard,
}

#[inline]
fn threats(position: &Position, king: Square) -> Threats {
    let (side, occupied) = (position.side_to_move(), position.occupied());
    let mut threats = Threats { checkers: leapers(position, king, !side), pinned: Bitboard::EMPTY };
    let (straight, diagonal) = sliders(position);
    let near = attacks::orthogonals(king) & straight | attacks::diagonals(king) & diagonal;
    for slider in near & position.side(!side) {
        let between = attacks::between(king, slider) & occupied;
        if between.is_empty() {
            threats.checkers = threats.checkers.with(slider);
        } else if !between.many() {
            threats.pinned |= between & position.side(side);
        }
    }
    threats
}
