//! What XBoard must be taught of the game.

use super::{Action, ActionKind, Position, Shatra};
use crate::game::XBoard;

impl XBoard for Shatra {
    fn variant_setup(&self) -> String {
        include_str!("xboard.txt").to_owned()
    }

    /// A jump goes by way of the piece that it captures. A placing is a move as any other: where a step or slide goes
    /// the same way, one string stands for both, which lead to the same but for the clock.
    fn grid_string(&self, position: &Position, action: Action) -> String {
        let (from, to) = (action.from(), action.to());
        match action.kind() {
            ActionKind::Jump => {
                let over = position.jumped_by(action);
                let becomes = action.promotion().map(|kind| kind.letter().to_ascii_lowercase());
                format!("{from}{over},{over}{to}{}", becomes.map(String::from).unwrap_or_default())
            }
            ActionKind::Placing => format!("{from}{to}"),
            ActionKind::Stop => "@@@@".to_owned(),
            ActionKind::Quiet => action.to_string(),
        }
    }
}
