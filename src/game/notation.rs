//! Positions as text.

use super::{PositionError, Rules};

/// A game whose positions can be read from text: what commands, protocols and replays ask. (Positions and actions are
/// written by their `Display`, and actions are read by [`Game::parse_action`](super::Game::parse_action).)
pub trait Notation: Rules {
    /// Reads a position string.
    ///
    /// # Errors
    /// Names the field and the reason when the text is no position of this game.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;
}
