//! What a record says of actions and of fools in hand.

use super::{Action, Kind, OmegaAdvanced, Position, Suffix, pair};
use crate::game::{Facts, Side};

impl Facts for OmegaAdvanced {
    const ACTION_KINDS: &'static [&'static str] =
        &["quiet", "capture", "en_passant", "promotion", "castling", "guarding", "entry"];
    const ZONE_KINDS: &'static str = "F";
    const RESERVE_KINDS: &'static [&'static str] = &["promotion", "entry"];

    fn action_kind(&self, position: &Position, action: Action) -> usize {
        let (from, to) = (action.from(), action.to());
        let is = |kind| position.pieces().kind(kind).has(from);
        match (action.suffix(), pair::Pair::of_move(from, to, position.unmoved())) {
            (Suffix::Becomes(_), _) => 3,
            (Suffix::Enters | Suffix::EntersForRook, _) => 6,
            (Suffix::None, Some(pair)) => {
                if pair.kind == Kind::King {
                    4
                } else {
                    5
                }
            }
            _ if position.pieces().occupied().has(to) => 1,
            _ if is(Kind::Pawn) && from.column() != to.column() => 2,
            _ => 0,
        }
    }

    fn zone(&self, position: &Position, side: Side) -> Vec<u8> {
        vec![u8::from(position.has_fool_in_hand(side))]
    }

    fn reserve(&self, position: &Position, side: Side) -> u32 {
        u32::from(position.has_fool_in_hand(side))
    }
}
