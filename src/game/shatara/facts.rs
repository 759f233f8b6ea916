//! What a record says of actions and zones.

use super::{Action, ActionKind, Position, Shatara};
use crate::game::{Facts, Side};

impl Facts for Shatara {
    const ACTION_KINDS: &'static [&'static str] =
        &["quiet", "capture", "castling", "en_passant", "promotion", "ladder", "reinforcement"];
    const ZONE_KINDS: &'static str = "PNBRQ";
    const RESERVE_KINDS: &'static [&'static str] = &["promotion", "ladder", "reinforcement"];

    fn action_kind(&self, position: &Position, action: Action) -> usize {
        match action.kind() {
            ActionKind::Move => usize::from(position.pieces().occupied().has(action.to())),
            ActionKind::Castling => 2,
            ActionKind::EnPassant => 3,
            ActionKind::Promotion(_) => 4,
            ActionKind::Ladder(_) => 5,
            ActionKind::Reinforcement => 6,
        }
    }

    fn zone(&self, position: &Position, side: Side) -> Vec<u8> {
        position.zones[side.index()].to_vec()
    }

    fn reserve(&self, position: &Position, side: Side) -> u32 {
        position.zones[side.index()].iter().map(|&pieces| u32::from(pieces)).sum()
    }
}
