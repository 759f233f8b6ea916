//! What a person sees of the game.

use super::{
    Bitboard, Position, Shatra, Square, notation,
    square::{COLUMNS, ROWS},
};
use crate::game::{Mark, Show, Side, SquareInfo};

impl Show for Shatra {
    const RULES_TEXT: &'static str = include_str!("RULES.md");
    const WORDS: &'static str = include_str!("words.json");

    /// The board with coordinates, White below, the stocks, whose turn it is, what is under way, and who has not left
    /// the initial reserve.
    fn draw(&self, position: &Position) -> String {
        let mut text = String::new();
        for row in (0..ROWS).rev() {
            let places = (0..COLUMNS).map(|column| {
                let piece = |square| notation::letter(position, square).unwrap_or('.');
                Square::at(column, row).map_or(' ', piece).to_string()
            });
            let mut line = format!("{:2}  {:13}", row + 1, places.collect::<Vec<_>>().join(" "));
            for (side, beside) in [(Side::Black, ROWS - 1), (Side::White, 0)] {
                if row == beside {
                    line += &format!("    stock  {}", notation::stock_letters(position, side));
                }
            }
            text += line.trim_end();
            text.push('\n');
        }
        text += &format!("    a b c d e f g    {} to move", position.side_to_move());
        if let Some(series) = position.series() {
            text += &format!(", {} jumps on", series.jumper());
        }
        let reserve = position.reserve(Side::White) | position.reserve(Side::Black);
        if reserve.any() {
            let squares: Vec<String> = reserve.into_iter().map(|square| square.to_string()).collect();
            text += &format!("\n    initial reserve  {}", squares.join(" "));
        }
        text + "\n"
    }

    /// Fortress and gate are a side's home.
    fn square(&self, row: usize, column: usize) -> Option<SquareInfo> {
        Square::at(column, row).map(|square| {
            let home = [Side::White, Side::Black].into_iter().find(|&side| Bitboard::home(side).has(square));
            SquareInfo { name: square.to_string(), home }
        })
    }

    /// The initial reserve, and the series under way.
    fn marks(&self, position: &Position) -> Vec<(String, Mark)> {
        let reserve = position.reserve(Side::White) | position.reserve(Side::Black);
        let reserve = reserve.into_iter().map(|square| (square, Mark::Reserve));
        let series = position.series().into_iter().flat_map(|series| {
            let jumped = series.jumped().map(|square| (square, Mark::Jumped));
            std::iter::once((series.jumper(), Mark::Jumper)).chain(jumped)
        });
        reserve.chain(series).map(|(square, mark)| (square.to_string(), mark)).collect()
    }
}
