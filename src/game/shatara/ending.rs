//! How a game ends (§5), as far as a position alone shows.

use super::{Action, Kind, Options, Position, PromotionStock, check};
use crate::game::{Outcome, Reason, Side};

/// Checkmate or stalemate of a position with these legal actions.
pub(super) fn ending(position: &Position, legal: &[Action]) -> Option<Outcome> {
    legal.is_empty().then(|| match check::in_check(position, position.side) {
        true => Outcome::win(!position.side, Reason::Checkmate),
        false => Outcome::draw(Reason::Stalemate),
    })
}

/// Whether neither side can ever mate: no pawn in the arena or to come, no rook or queen, at most one knight or bishop,
/// and that one cannot climb to a rook.
pub(super) fn is_dead(options: &Options, position: &Position) -> bool {
    let pieces = position.pieces();
    let heavy = pieces.kind(Kind::Pawn) | pieces.kind(Kind::Rook) | pieces.kind(Kind::Queen);
    let light = pieces.kind(Kind::Knight) | pieces.kind(Kind::Bishop);
    if heavy.any() || light.many() {
        return false;
    }
    let reinforced = |side| options.reinforcement && position.zone(side, Kind::Pawn) > 0;
    if reinforced(Side::White) || reinforced(Side::Black) {
        return false;
    }
    let Some((side, kind)) = pieces.at(light.first()).filter(|_| light.any() && options.ladder) else {
        return true;
    };
    let stocked = |kind| options.promotion_stock == PromotionStock::Unlimited || position.zone(side, kind) > 0;
    !(stocked(Kind::Rook) && (kind == Kind::Bishop || stocked(Kind::Bishop)))
}
