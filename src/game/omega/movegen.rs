//! The legal actions (§3): generated strictly, from masks of checks and pins, without making an action to test it. En
//! passant alone, which takes two pawns off their lines at once, is looked at with the pieces as they would stand.
//!
//! Their order: king, queens, rooks, wizards, champions, bishops, knights, pawns; pieces of a kind and their targets
//! from the lowest square up.

use super::{
    Bitboard, Kind, Pieces, Position, Square, attacks,
    castling::Castling,
    safety::{Restraint, attackers, survives_en_passant, unattacked},
};
use crate::game::Side;

/// Kinds of pieces other than king and pawn, in the order of their actions.
pub(super) const PIECES: [Kind; 6] =
    [Kind::Queen, Kind::Rook, Kind::Wizard, Kind::Champion, Kind::Bishop, Kind::Knight];

/// Calls `sink` with each piece that has a legal move, and all squares it may go to.
pub(super) fn generate(position: &Position, mut sink: impl FnMut(Square, Bitboard)) {
    let (side, pieces) = (position.side_to_move(), position.pieces());
    let (king, own, occupied) = (pieces.king(side), pieces.side(side), pieces.occupied());
    let restraint = Restraint::of(pieces, side, king);
    let mut give = |from, targets: Bitboard| {
        if targets.any() {
            sink(from, targets);
        }
    };
    // The king does not hide the squares behind it from a slider that attacks it.
    let without_king = occupied ^ Bitboard::of(king);
    let mut safe = unattacked(pieces, attacks::reach(Kind::King, king, occupied) & !own, !side, without_king);
    if position.rights().any() && restraint.checkers.is_empty() {
        let may_castle = |way: &&Castling| way.side == side && position.rights().has(way) && may_castle(pieces, way);
        safe = Castling::ALL.iter().filter(may_castle).fold(safe, |all, way| all.with(way.king_to));
    }
    give(king, safe);
    if restraint.allowed.is_empty() {
        return;
    }
    for kind in PIECES {
        for from in pieces.of(side, kind) {
            give(from, attacks::reach(kind, from, occupied) & !own & restraint.targets(from));
        }
    }
    for from in pieces.of(side, Kind::Pawn) {
        give(from, pawn_moves(pieces, side, from) & restraint.targets(from) | en_passant(position, from));
    }
}

/// The squares beyond the corners of the 10x10 board.
pub(super) const CORNERS: Bitboard =
    Bitboard::of(Square::new(0)).with(Square::new(1)).with(Square::new(102)).with(Square::new(103));

/// Squares on which a pawn of `side` becomes another piece.
pub(super) const fn far_rank(side: Side) -> Bitboard {
    let rank = match side {
        Side::White => 9,
        Side::Black => 0,
    };
    Bitboard(0x3FF << Square::arena(0, rank).index())
}

/// Squares on which one pawn may capture en passant.
fn en_passant(position: &Position, from: Square) -> Bitboard {
    if position.passed().is_empty() {
        return Bitboard::EMPTY;
    }
    let (side, pieces) = (position.side_to_move(), position.pieces());
    let targets = attacks::pawn(side, from) & position.passed();
    targets.into_iter().filter(|&to| survives_en_passant(pieces, side, pieces.king(side), from, to)).collect()
}

/// Squares that a pawn may move to or capture on, en passant and the king's safety aside.
#[inline]
pub(super) fn pawn_moves(pieces: &Pieces, side: Side, from: Square) -> Bitboard {
    attacks::pawn(side, from) & pieces.side(!side) | attacks::pawn_steps(side, from, pieces.occupied())
}

/// Whether a king that has the right and is not in check may castle one way.
fn may_castle(pieces: &Pieces, way: &Castling) -> bool {
    // The champion's file lies behind the rook: with the rook gone, a line along the rank is open.
    is_free(pieces, way) && attackers(pieces, way.king_to, !way.side, way.after(pieces.occupied())).is_empty()
}

/// Whether all squares between king and rook are empty, and none that the king passes or reaches is attacked.
pub(super) fn is_free(pieces: &Pieces, way: &Castling) -> bool {
    let occupied = pieces.occupied();
    let safe = |square| attackers(pieces, square, !way.side, occupied).is_empty();
    (attacks::between(way.king, way.rook) & occupied).is_empty() && safe(way.rook_to) && safe(way.king_to)
}
