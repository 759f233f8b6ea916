//! What a record says of actions.

use super::{Action, Kind, Omega, Position};
use crate::game::Facts;

impl Facts for Omega {
    const ACTION_KINDS: &'static [&'static str] = &["quiet", "capture", "en_passant", "promotion", "castling"];
    const RESERVE_KINDS: &'static [&'static str] = &["promotion"];

    fn action_kind(&self, position: &Position, action: Action) -> usize {
        let (from, to) = (action.from(), action.to());
        let is = |kind| position.pieces().kind(kind).has(from);
        if action.promotion().is_some() {
            3
        } else if position.pieces().occupied().has(to) {
            1
        } else if is(Kind::Pawn) && from.column() != to.column() {
            2
        } else if is(Kind::King) && from.column().abs_diff(to.column()) == 2 {
            4
        } else {
            0
        }
    }
}
