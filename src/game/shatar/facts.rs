//! What a record says of actions.

use super::{Action, Position, Shatar};
use crate::game::Facts;

impl Facts for Shatar {
    const ACTION_KINDS: &'static [&'static str] = &["quiet", "capture"];

    fn action_kind(&self, position: &Position, action: Action) -> usize {
        usize::from(position.pieces().occupied().has(action.to()))
    }
}
