//! How a game ends (§5), as far as a position alone shows.

use super::{Action, Kind, Position, PromotionStock, Shatara, check};
use crate::game::{Outcome, Reason, Side};

/// The outcome of a position, given its legal actions.
pub(super) fn outcome(game: &Shatara, position: &Position, legal: &[Action]) -> Option<Outcome> {
    let rules = game.rules();
    let reached = |limit: u32, count: u32| limit > 0 && count >= limit;
    if legal.is_empty() {
        return Some(match check::in_check(position, position.side) {
            true => Outcome::win(!position.side, Reason::Checkmate),
            false => Outcome::draw(Reason::Stalemate),
        });
    }
    if reached(rules.no_progress_plies, position.clock) {
        Some(Outcome::draw(Reason::NoProgress))
    } else if insufficient(game, position) {
        Some(Outcome::draw(Reason::Insufficient))
    } else if reached(rules.max_plies, ply(position)) {
        Some(Outcome::draw(Reason::MaxPlies))
    } else {
        None
    }
}

/// Plies from the start by the counters.
#[inline]
pub(super) fn ply(position: &Position) -> u32 {
    2 * (position.fullmove - 1) + position.side.index() as u32
}

/// Whether neither side can ever mate: no pawn in the arena or to come, no rook or queen, at most one knight or bishop, and that one cannot climb
/// to a rook.
fn insufficient(game: &Shatara, position: &Position) -> bool {
    let heavy = position.kind(Kind::Pawn) | position.kind(Kind::Rook) | position.kind(Kind::Queen);
    let light = position.kind(Kind::Knight) | position.kind(Kind::Bishop);
    if heavy.any() || light.many() {
        return false;
    }
    let rules = game.rules();
    let reinforced = |side| rules.reinforcement && position.zone(side, Kind::Pawn) > 0;
    if reinforced(Side::White) || reinforced(Side::Black) {
        return false;
    }
    let Some((side, kind)) = position.at(light.first()).filter(|_| light.any() && rules.ladder) else { return true };
    let stocked = |kind| rules.promotion_stock == PromotionStock::Unlimited || position.zone(side, kind) > 0;
    !(stocked(Kind::Rook) && (kind == Kind::Bishop || stocked(Kind::Bishop)))
}
