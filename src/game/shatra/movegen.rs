//! The legal actions: captures, and where none is obligatory quiet moves and placings.
//!
//! Their order: captures, quiet moves, placings; in each by the men's kinds, strongest first, then by squares from the lowest up. In a series its jumps, then the
//! stop.

use super::{
    Action, Bitboard, Kind, Position, Square,
    action::ActionKind,
    jumps::Jumper,
    lines,
    rules::KingRefusal,
    square::{forward, rank_for},
};
use crate::game::Side;

/// Calls `sink` with each legal action.
pub(super) fn generate(position: &Position, refusal: KingRefusal, mut sink: impl FnMut(Action)) {
    if !position.has_both_kings() {
        return;
    }
    if let Some(series) = position.series() {
        let at = series.jumper();
        let mut goes_on = false;
        jumps(position, at, &mut |action| {
            goes_on = true;
            sink(action);
        });
        if goes_on && may_stop(position, at) {
            sink(Action::stop(at));
        }
        return;
    }
    let side = position.side_to_move();
    let king = position.men(side, Kind::Biy).first();
    // Neither the king nor a shatra in the enemy's home has to capture.
    let unbound = Bitboard::of(king) | position.men(side, Kind::Shatra) & Bitboard::home(!side);
    let (mut bound_captures, mut king_captures) = (false, false);
    for from in men(position, side) {
        jumps(position, from, &mut |action| {
            bound_captures |= !unbound.has(from);
            king_captures |= from == king;
            sink(action);
        });
    }
    if bound_captures {
        return;
    }
    let movers = match refusal {
        KingRefusal::King if king_captures => Bitboard::of(king),
        _ => position.side(side),
    };
    for from in men(position, side).filter(|&from| movers.has(from)) {
        quiet_moves(position, from, &mut sink);
    }
    for from in men(position, side).filter(|&from| movers.has(from)) {
        for to in places(position, from) {
            sink(Action::new(ActionKind::Placing, from, to));
        }
    }
}

/// Whether some shatra of the side to move can capture en passant over `passed`.
pub(super) fn en_passant_is_legal(position: &Position, passed: Square) -> bool {
    let side = position.side_to_move();
    let pawns = position.men(side, Kind::Shatra);
    position.has_both_kings()
        && pawns.into_iter().any(|at| Jumper::new(position, side, Kind::Shatra, at).en_passant(passed).is_some())
}

/// The men of a side by kind, strongest first.
fn men(position: &Position, side: Side) -> impl Iterator<Item = Square> {
    Kind::ALL.into_iter().rev().flat_map(move |kind| position.men(side, kind))
}

/// Whether the man of a series may stop where it stands: the king, and a shatra in the enemy's home.
fn may_stop(position: &Position, at: Square) -> bool {
    let side = position.side_to_move();
    position.kind(Kind::Biy).has(at) || position.kind(Kind::Shatra).has(at) && Bitboard::home(!side).has(at)
}

/// The jumps of one man.
fn jumps(position: &Position, from: Square, sink: &mut impl FnMut(Action)) {
    let Some((side, kind)) = position.at(from) else { return };
    let jumper = Jumper::new(position, side, kind, from);
    jumper.each(|jump| {
        for to in jump.landings {
            with_promotions(position, Action::new(ActionKind::Jump, from, to), sink);
        }
    });
    if let Some(to) = position.passed().and_then(|passed| jumper.en_passant(passed)) {
        with_promotions(position, Action::new(ActionKind::Jump, from, to), sink);
    }
}

/// The steps and slides of one man (§4), the initial reserve at rest (§3).
fn quiet_moves(position: &Position, from: Square, sink: &mut impl FnMut(Action)) {
    let Some((side, kind)) = position.at(from) else { return };
    if position.in_reserve(from) {
        return;
    }
    let barred = if position.reserve(side).any() { Bitboard::home(side) } else { Bitboard::EMPTY };
    let occupied = position.occupied();
    let targets = match kind {
        Kind::Shatra => shatra_steps(side, from, occupied),
        Kind::Biy => lines::directions(kind).iter().fold(Bitboard::EMPTY, |all, &d| all | lines::next(d, from)),
        _ => lines::directions(kind).iter().fold(Bitboard::EMPTY, |all, &d| all | lines::open(d, from, occupied)),
    };
    for to in targets & !occupied & !barred {
        with_promotions(position, Action::new(ActionKind::Quiet, from, to), sink);
    }
}

/// Where a shatra may step, men in the way of a double step seen and others not.
fn shatra_steps(side: Side, from: Square, occupied: Bitboard) -> Bitboard {
    let up = forward(side);
    let to = |columns: i32, rows: i32| from.step((columns, rows)).map_or(Bitboard::EMPTY, Bitboard::of);
    let ahead = to(0, up);
    let (diagonals, sides) = (to(-1, up) | to(1, up), to(-1, 0) | to(1, 0));
    match rank_for(side, from) {
        // The first rank of the own half.
        4 if (ahead & occupied).is_empty() => ahead | to(0, 2 * up),
        0..=5 => ahead,
        // At the ditch.
        6 => ahead | diagonals,
        13 => sides,
        _ => ahead | diagonals | sides,
    }
}

/// Where one man may be placed (§5).
fn places(position: &Position, from: Square) -> Bitboard {
    let Some((side, kind)) = position.at(from) else { return Bitboard::EMPTY };
    let half = if Bitboard::home(side).has(from) {
        Bitboard::half(side)
    } else if Bitboard::home(!side).has(from) && kind != Kind::Shatra {
        Bitboard::half(!side)
    } else {
        Bitboard::EMPTY
    };
    half & !position.occupied()
}

/// The action, or one for each kind that a shatra can become with it (§7).
fn with_promotions(position: &Position, action: Action, sink: &mut impl FnMut(Action)) {
    let side = position.side_to_move();
    let arrives = position.kind(Kind::Shatra).has(action.from()) && Bitboard::last_rank(side).has(action.to());
    let stock = position.stock(side);
    if !arrives || stock == [0; 3] {
        return sink(action);
    }
    for (i, _) in stock.iter().enumerate().filter(|&(_, &men)| men > 0) {
        sink(action.becoming(i));
    }
}
