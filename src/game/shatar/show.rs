//! What a person sees of the game.

use super::{Position, Shatar, notation};
use crate::{board::Square, game::Show};

impl Show for Shatar {
    const RULES_TEXT: &'static str = include_str!("RULES.md");
    const WORDS: &'static str = include_str!("words.json");

    /// The board with coordinates, White below, and whose turn it is.
    fn draw(&self, position: &Position) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            text += &format!("{} ", rank + 1);
            for file in 0..8 {
                text.push(' ');
                text.push(notation::letter(position, Square::at(file, rank)).unwrap_or('.'));
            }
            text.push('\n');
        }
        text + &format!("   a b c d e f g h    {} to move\n", position.side_to_move())
    }
}
