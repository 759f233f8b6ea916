//! What the game looks like to a network.

use super::{Action, Position, Shatara};
use crate::game::{Encode, Layout, RowMut};

impl Encode for Shatara {
    fn layout(&self) -> &'static Layout {
        todo!()
    }

    fn encode(&self, _position: &Position, _repetitions: u32, _row: RowMut<'_>) {
        todo!()
    }

    fn action_index(&self, _position: &Position, _action: Action) -> usize {
        todo!()
    }

    fn mirror_applies(&self, _position: &Position) -> bool {
        todo!()
    }

    fn mirror_action(&self, _index: usize) -> usize {
        todo!()
    }
}
