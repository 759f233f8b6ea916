//! What a record says of actions, stocks and the initial reserve.

use super::{Action, ActionKind, Position, Shatra};
use crate::game::{Facts, Side};

impl Facts for Shatra {
    const ACTION_KINDS: &'static [&'static str] = &["quiet", "jump", "placing", "promotion", "stop"];
    const ZONE_KINDS: &'static str = "QRB";
    const RESERVE_KINDS: &'static [&'static str] = &["placing", "promotion"];

    fn action_kind(&self, _: &Position, action: Action) -> usize {
        match (action.promotion(), action.kind()) {
            (Some(_), _) => 3,
            (None, ActionKind::Quiet) => 0,
            (None, ActionKind::Jump) => 1,
            (None, ActionKind::Placing) => 2,
            (None, ActionKind::Stop) => 4,
        }
    }

    /// The stock (§7).
    fn zone(&self, position: &Position, side: Side) -> Vec<u8> {
        position.stock(side).to_vec()
    }

    /// The initial reserve (§3).
    fn reserve(&self, position: &Position, side: Side) -> u32 {
        position.reserve(side).count()
    }
}
