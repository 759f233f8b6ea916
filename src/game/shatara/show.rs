//! What a person sees of the game.

use super::{Kind, Position, Shatara, notation::letter};
use crate::{
    board::Square,
    game::{Mark, Show, Side},
};

impl Show for Shatara {
    const RULES_TEXT: &'static str = include_str!("RULES.md");
    const WORDS: &'static str = include_str!("words.json");

    fn draw(&self, position: &Position) -> String {
        draw(position)
    }

    /// The pieces that have moved since they got their rank.
    fn marks(&self, position: &Position) -> Vec<(String, Mark)> {
        position.moved().into_iter().map(|square| (square.to_string(), Mark::Climber)).collect()
    }
}

/// The board with coordinates, White below, each side's zone beside its own ranks, and whose turn it is.
///
/// ```text
/// 8  r n b q k b n r    zone  pppppppp nn bb rr q
/// 7  p p p p p p p p
/// ...
/// 1  R N B Q K B N R    zone  PPPPPPPP NN BB RR Q
///    a b c d e f g h    white to move
/// ```
fn draw(position: &Position) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        text += &format!("{} ", rank + 1);
        for file in 0..8 {
            let piece = position.pieces().at(Square::at(file, rank)).map_or('.', |(side, kind)| letter(side, kind));
            text.push(' ');
            text.push(piece);
        }
        match rank {
            7 => text += &format!("    zone  {}", zone(position, Side::Black)),
            0 => text += &format!("    zone  {}", zone(position, Side::White)),
            _ => {}
        }
        text.push('\n');
    }
    text + &format!("   a b c d e f g h    {} to move\n", position.side_to_move())
}

fn zone(position: &Position, side: Side) -> String {
    let pieces = Kind::RESERVE.map(|kind| letter(side, kind).to_string().repeat(position.zone(side, kind).into()));
    let held: Vec<&str> = pieces.iter().map(String::as_str).filter(|pieces| !pieces.is_empty()).collect();
    if held.is_empty() { "empty".to_owned() } else { held.join(" ") }
}
