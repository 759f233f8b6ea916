//! The legal actions: captures, and where none is obligatory quiet moves and placings.
//!
//! Their order: captures, quiet moves, placings; in each by the pieces' kinds, strongest first, then by squares from
//! the lowest up. In a series its jumps, then the stop.

use super::{
    Action, Bitboard, Kind, Position, Square,
    action::ActionKind,
    jumps::Jumper,
    lines,
    options::KingRefusal,
    square::{forward, rank_for},
};
use crate::game::Side;

/// Calls `sink` with each legal action.
pub(super) fn generate(position: &Position, refusal: KingRefusal, mut sink: impl FnMut(Action)) {
    let pieces = position.pieces();
    if !position.has_both_kings() {
        return;
    }
    if let Some(series) = position.series() {
        let at = series.jumper();
        let mut goes_on = false;
        let (_, kind) = pieces.at(at).expect("a piece of a series");
        jumps(position, kind, at, &mut |action| {
            goes_on = true;
            sink(action);
        });
        if goes_on && may_stop(position, at) {
            sink(Action::stop(at));
        }
        return;
    }
    let side = position.side_to_move();
    let king = pieces.of(side, Kind::Biy).first();
    // Neither the king nor a shatra in the enemy's home has to capture.
    let unbound = Bitboard::of(king) | pieces.of(side, Kind::Shatra) & Bitboard::home(!side);
    let (mut bound_captures, mut king_captures) = (false, false);
    for (kind, from) in strongest_first(position, side) {
        jumps(position, kind, from, &mut |action| {
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
        _ => pieces.side(side),
    };
    for (kind, from) in strongest_first(position, side).filter(|&(_, from)| movers.has(from)) {
        quiet_moves(position, kind, from, &mut sink);
    }
    for (kind, from) in strongest_first(position, side).filter(|&(_, from)| movers.has(from)) {
        for to in places(position, kind, from) {
            sink(Action::new(ActionKind::Placing, from, to));
        }
    }
}

/// Whether some shatra of the side to move can capture en passant over `passed`.
pub(super) fn en_passant_is_legal(position: &Position, passed: Square) -> bool {
    let side = position.side_to_move();
    let pawns = position.pieces().of(side, Kind::Shatra);
    position.has_both_kings()
        && pawns.into_iter().any(|at| Jumper::new(position, side, Kind::Shatra, at).en_passant(passed).is_some())
}

/// The pieces of a side by kind, strongest first.
fn strongest_first(position: &Position, side: Side) -> impl Iterator<Item = (Kind, Square)> {
    Kind::ALL
        .into_iter()
        .rev()
        .flat_map(move |kind| position.pieces().of(side, kind).into_iter().map(move |at| (kind, at)))
}

/// Whether the piece of a series may stop where it stands: the king, and a shatra in the enemy's home.
fn may_stop(position: &Position, at: Square) -> bool {
    let side = position.side_to_move();
    position.pieces().kind(Kind::Biy).has(at)
        || position.pieces().kind(Kind::Shatra).has(at) && Bitboard::home(!side).has(at)
}

/// The jumps of one piece.
fn jumps(position: &Position, kind: Kind, from: Square, sink: &mut impl FnMut(Action)) {
    let jumper = Jumper::new(position, position.side_to_move(), kind, from);
    jumper.each(|jump| arrivals(position, kind, ActionKind::Jump, from, jump.landings, sink));
    if let Some(to) = position.passed().and_then(|passed| jumper.en_passant(passed)) {
        arrivals(position, kind, ActionKind::Jump, from, to.into(), sink);
    }
}

/// The steps and slides of one piece (§4), the initial reserve at rest (§3).
fn quiet_moves(position: &Position, kind: Kind, from: Square, sink: &mut impl FnMut(Action)) {
    if position.in_reserve(from) {
        return;
    }
    let side = position.side_to_move();
    let barred = if position.reserve(side).any() { Bitboard::home(side) } else { Bitboard::EMPTY };
    let occupied = position.pieces().occupied();
    let targets = match kind {
        Kind::Shatra => shatra_steps(side, from, occupied),
        Kind::Biy => lines::directions(kind).iter().fold(Bitboard::EMPTY, |all, &d| all | lines::next(d, from)),
        _ => lines::directions(kind).iter().fold(Bitboard::EMPTY, |all, &d| all | lines::open(d, from, occupied)),
    };
    arrivals(position, kind, ActionKind::Quiet, from, targets & !occupied & !barred, sink);
}

/// Where a shatra of each side may step from each square, double steps aside.
static STEPS: [[Bitboard; Square::COUNT]; 2] = [steps(Side::White), steps(Side::Black)];

const fn steps(side: Side) -> [Bitboard; Square::COUNT] {
    let up = forward(side);
    let (ahead, diagonals, sides) = ((0, up), [(-1, up), (1, up)], [(-1, 0), (1, 0)]);
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let from = Square::new(i);
        let ways: &[(i32, i32)] = match rank_for(side, from) {
            0..=5 => &[ahead],
            // At the ditch.
            6 => &[ahead, diagonals[0], diagonals[1]],
            13 => &sides,
            _ => &[ahead, diagonals[0], diagonals[1], sides[0], sides[1]],
        };
        let mut way = 0;
        while way < ways.len() {
            if let Some(to) = from.step(ways[way]) {
                table[i] = table[i].with(to);
            }
            way += 1;
        }
        i += 1;
    }
    table
}

/// Where a shatra may step, pieces in the way of a double step seen and others not.
#[inline]
fn shatra_steps(side: Side, from: Square, occupied: Bitboard) -> Bitboard {
    let steps = STEPS[side.index()][from.index()];
    // From the first rank of the own half, the square ahead is the only single step.
    if rank_for(side, from) != 4 || (steps & occupied).any() {
        return steps;
    }
    from.step((0, 2 * forward(side))).map_or(steps, |to| steps.with(to))
}

/// Where one piece may be placed (§5).
fn places(position: &Position, kind: Kind, from: Square) -> Bitboard {
    let side = position.side_to_move();
    let half = if Bitboard::home(side).has(from) {
        Bitboard::half(side)
    } else if Bitboard::home(!side).has(from) && kind != Kind::Shatra {
        Bitboard::half(!side)
    } else {
        Bitboard::EMPTY
    };
    half & !position.pieces().occupied()
}

/// The actions of one piece that end on `targets`; one for each kind that a shatra can become with it (§7).
#[inline]
fn arrivals(
    position: &Position,
    kind: Kind,
    sort: ActionKind,
    from: Square,
    targets: Bitboard,
    sink: &mut impl FnMut(Action),
) {
    let side = position.side_to_move();
    let promotes = kind == Kind::Shatra && (targets & Bitboard::last_rank(side)).any();
    let stock = if promotes { position.stock(side) } else { [0; 3] };
    for to in targets {
        let action = Action::new(sort, from, to);
        if stock == [0; 3] || !Bitboard::last_rank(side).has(to) {
            sink(action);
            continue;
        }
        for (i, _) in stock.iter().enumerate().filter(|&(_, &pieces)| pieces > 0) {
            sink(action.becoming(i));
        }
    }
}
