//! The legal actions: generated strictly, from masks of checks and pins, without making an action to test it.
//!
//! The order of the actions: king, castling, knights, bishops and queens, rooks and queens, pawns, en passant, ladder,
//! reinforcement; within each from the lowest square up.

use super::{
    Action, Kind, Options, Position,
    check::{self, attackers},
    position::Wing,
    sink::Sink,
    support,
};
use crate::{
    board::{Bitboard, Square, attacks},
    game::Side,
};

/// Gives every legal action to `sink`.
#[inline]
pub(super) fn generate<S: Sink>(options: &Options, position: &Position, sink: &mut S) {
    let side = position.side;
    let king = position.king(side);
    let threats = check::threats(position, side);
    king_moves(position, king, sink);
    if threats.checkers.is_empty() {
        castlings(position, king, sink);
        piece_moves(position, king, threats.pinned, Bitboard::ALL, sink);
        pawn_moves(position, king, threats.pinned, Bitboard::ALL, sink);
        en_passants(position, sink);
        support::ladder(options, position, sink);
        support::reinforcements(options, position, Bitboard::ALL, sink);
    } else if !threats.checkers.many() {
        // One check: capture the piece that gives it or stand between. A ladder promotion does neither.
        let shield = attacks::between(king, threats.checkers.first());
        piece_moves(position, king, threats.pinned, shield | threats.checkers, sink);
        pawn_moves(position, king, threats.pinned, shield | threats.checkers, sink);
        en_passants(position, sink);
        support::reinforcements(options, position, shield, sink);
    }
}

fn king_moves<S: Sink>(position: &Position, king: Square, sink: &mut S) {
    let side = position.side;
    // The king does not hide the squares behind it from a slider that attacks it.
    let occupied = position.pieces().occupied() ^ Bitboard::of(king);
    let mut safe = Bitboard::EMPTY;
    for to in attacks::king(king) & !position.pieces().side(side) {
        if attackers(position, to, !side, occupied).is_empty() {
            safe |= to.into();
        }
    }
    sink.moves(king, safe);
}

/// Castlings of a king that is not in check.
fn castlings<S: Sink>(position: &Position, king: Square, sink: &mut S) {
    if position.castling.is_empty() {
        return;
    }
    let (side, occupied) = (position.side, position.pieces().occupied());
    for (wing, rook, step) in [(Wing::King, king.shift(3), 1), (Wing::Queen, king.shift(-4), -1)] {
        if position.castling.has(side, wing) && (attacks::between(king, rook) & occupied).is_empty() {
            let (passed, to) = (king.shift(step), king.shift(2 * step));
            if [passed, to].into_iter().all(|square| attackers(position, square, !side, occupied).is_empty()) {
                sink.others(Some(king), to.into(), Action::CASTLING);
            }
        }
    }
}

/// Moves of knights, bishops, rooks and queens to squares of `mask`.
#[inline]
fn piece_moves<S: Sink>(position: &Position, king: Square, pinned: Bitboard, mask: Bitboard, sink: &mut S) {
    let pieces = position.pieces();
    let (own, occupied) = (pieces.side(position.side), pieces.occupied());
    let (free, allowed) = (own & !pinned, mask & !own);
    let queens = pieces.kind(Kind::Queen);
    let (diagonal, straight) = (pieces.kind(Kind::Bishop) | queens, pieces.kind(Kind::Rook) | queens);
    for from in pieces.kind(Kind::Knight) & free {
        sink.moves(from, attacks::knight(from) & allowed);
    }
    for from in diagonal & free {
        sink.moves(from, attacks::bishop(from, occupied) & allowed);
    }
    for from in diagonal & pinned {
        sink.moves(from, attacks::bishop(from, occupied) & allowed & attacks::line(king, from));
    }
    for from in straight & free {
        sink.moves(from, attacks::rook(from, occupied) & allowed);
    }
    for from in straight & pinned {
        sink.moves(from, attacks::rook(from, occupied) & allowed & attacks::line(king, from));
    }
}

/// Moves of all pawns at once to squares of `mask`, en passant aside. A pinned pawn may go along the line it is pinned
/// on, which is the king's own line in that direction.
#[inline]
fn pawn_moves<S: Sink>(position: &Position, king: Square, pinned: Bitboard, mask: Bitboard, sink: &mut S) {
    let pieces = position.pieces();
    const LAST_RANKS: Bitboard = Bitboard::rank(0).or(Bitboard::rank(7));
    let side = position.side;
    let pawns = pieces.of(side, Kind::Pawn);
    let (enemy, empty) = (pieces.side(!side), !pieces.occupied());
    let (west_line, east_line) = (attacks::antidiagonal(king), attacks::diagonal(king));
    let (forward, third, west_line, east_line) = match side {
        Side::White => (8, Bitboard::rank(2), west_line, east_line),
        Side::Black => (-8, Bitboard::rank(5), east_line, west_line),
    };
    let ready = |line: Bitboard| pawns & (!pinned | line);
    let single = ready(Bitboard::file(king.file())).shift(forward) & empty;
    let double = (single & third).shift(forward) & empty & mask;
    let west = (ready(west_line) & !Bitboard::file(0)).shift(forward - 1) & enemy & mask;
    let east = (ready(east_line) & !Bitboard::file(7)).shift(forward + 1) & enemy & mask;
    let single = single & mask;
    sink.pawn_moves(single & !LAST_RANKS, forward);
    sink.pawn_moves(double, 2 * forward);
    sink.pawn_moves(west & !LAST_RANKS, forward - 1);
    sink.pawn_moves(east & !LAST_RANKS, forward + 1);
    if ((single | west | east) & LAST_RANKS).any() {
        sink.promotions(single & LAST_RANKS, forward);
        sink.promotions(west & LAST_RANKS, forward - 1);
        sink.promotions(east & LAST_RANKS, forward + 1);
    }
}

fn en_passants<S: Sink>(position: &Position, sink: &mut S) {
    let Some(passed) = position.en_passant else { return };
    for from in check::en_passant_capturers(position, position.side, passed) {
        if check::en_passant_is_safe(position, position.side, from, passed) {
            sink.others(Some(from), passed.into(), Action::EN_PASSANT);
        }
    }
}
