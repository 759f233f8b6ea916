//! What a person sees of the game.

use super::{Omega, Position, Square, notation, square::SIDE};
use crate::game::{Show, SquareInfo};

impl Show for Omega {
    const RULES_TEXT: &'static str = include_str!("RULES.md");
    const WORDS: &'static str = include_str!("words.json");

    /// The board with coordinates, White below, the corners beside the ranks, and whose turn it is.
    fn draw(&self, position: &Position) -> String {
        let board = board(|square| notation::letter(position, square));
        format!("{board}     {}      {} to move\n", FILES, position.side_to_move())
    }

    fn square(&self, row: usize, column: usize) -> Option<SquareInfo> {
        Square::at(column, row).map(Square::info)
    }
}

/// The files below the board.
pub(super) const FILES: &str = "a b c d e f g h i j";

/// The board with its ranks, White below, the corners beside; `piece` gives the letter of the piece on a square.
pub(super) fn board(piece: impl Fn(Square) -> Option<char>) -> String {
    let mut text = String::new();
    for row in (0..SIDE).rev() {
        let rank = if (1..=10).contains(&row) { (row - 1).to_string() } else { " ".to_owned() };
        let letter = |square| piece(square).unwrap_or('.');
        let places = (0..SIDE).map(|column| Square::at(column, row).map_or(' ', letter).to_string());
        let line = format!("{rank}  {}", places.collect::<Vec<_>>().join(" "));
        text += line.trim_end();
        text.push('\n');
    }
    text
}
