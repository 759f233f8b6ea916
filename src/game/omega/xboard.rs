//! What XBoard must be taught of the game.

use super::{Action, Omega, Position};
use crate::game::XBoard;

impl XBoard for Omega {
    fn variant_setup(&self) -> String {
        include_str!("xboard.txt").to_owned()
    }

    /// From a1 to l12: the arena begins at b2.
    fn grid_string(&self, _: &Position, action: Action) -> String {
        let becomes = action.promotion().map(|kind| kind.letter().to_ascii_lowercase());
        format!(
            "{}{}{}",
            action.from().grid_name(),
            action.to().grid_name(),
            becomes.map(String::from).unwrap_or_default()
        )
    }
}
