//! The two support actions: ladder promotion (§3) and reinforcement (§4).

use super::{Action, Kind, Options, Position, PromotionStock, sink::Sink};
use crate::{
    board::{Bitboard, Square, attacks},
    game::Side,
};

/// Ladder promotions of a side that is not in check. The squares and the lines between them stay as they are, so no
/// check is uncovered on either side: all that can be wrong is a check by the new piece itself.
#[inline]
pub(super) fn ladder<S: Sink>(options: &Options, position: &Position, sink: &mut S) {
    let pieces = position.pieces();
    let side = position.side;
    let ready = position.moved & pieces.side(side);
    if ready.is_empty() || !options.ladder {
        return;
    }
    let unlimited = options.promotion_stock == PromotionStock::Unlimited;
    for becomes in Kind::PROMOTIONS {
        let climbers = ready & pieces.by_kind()[becomes.index() - 1];
        if climbers.is_empty() || !unlimited && position.zone(side, becomes) == 0 {
            continue;
        }
        let checking = match options.support_actions_may_check {
            true => Bitboard::EMPTY,
            false => reach(becomes, position.king(!side), pieces.occupied()),
        };
        sink.others(None, climbers & !checking, Action::LADDER + becomes.index() as u16);
    }
}

/// Squares from which a knight, bishop, rook or queen attacks `square`.
#[inline]
fn reach(kind: Kind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Knight => attacks::knight(square),
        Kind::Bishop => attacks::bishop(square, occupied),
        Kind::Rook => attacks::rook(square, occupied),
        _ => attacks::bishop(square, occupied) | attacks::rook(square, occupied),
    }
}

/// Reinforcements on squares of `mask`, which in check are those between the king and the piece that attacks it. A pawn
/// more uncovers no check: all that can be wrong is a check by the pawn itself.
#[inline]
pub(super) fn reinforcements<S: Sink>(options: &Options, position: &Position, mask: Bitboard, sink: &mut S) {
    let pieces = position.pieces();
    let side = position.side;
    if !options.reinforcement || position.zone(side, Kind::Pawn) == 0 {
        return;
    }
    let home = match side {
        Side::White => Bitboard::rank(1),
        Side::Black => Bitboard::rank(6),
    };
    let mut squares = home & mask & !pieces.occupied();
    if squares.is_empty()
        || pieces.of(side, Kind::Pawn).count() >= options.max_arena_pawns
        || pieces.side(side).count() >= options.max_arena_pieces
    {
        return;
    }
    if !options.support_actions_may_check {
        squares &= !attacks::pawn((!side).index(), position.king(!side));
    }
    sink.others(None, squares, Action::REINFORCEMENT);
}
