//! What XBoard must be taught of a game.

use super::Rules;

/// A game that XBoard can show: what the protocol adapter asks. Nothing needs to be said of a game that XBoard knows.
pub trait XBoard: Rules {
    /// Lines that teach XBoard the board and how pieces move, in answer to its `variant`: `setup` with the start, and a
    /// `piece` in Betza's notation a kind. Empty for a game that it knows.
    fn variant_setup(&self) -> String {
        String::new()
    }
    /// An action's string as programs write it that know boards of any shape, XBoard first: each square is named by its
    /// place on the grid of position strings, files from a and ranks from 1. A piece that takes off another than the
    /// one it lands on, or stays where it stands, goes in two legs with a comma between, by way of the piece it takes
    /// or an empty square, and so does one with which another of its side moves, by way of that one; `@@@@` is no move
    /// at all.
    fn grid_string(&self, _position: &Self::Position, action: Self::Action) -> String {
        action.to_string()
    }
}
