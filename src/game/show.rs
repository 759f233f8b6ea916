//! What there is to show of a game to a person who plays: rules, drawings, squares with their names, and what pieces
//! carry beside their kind.

use std::fmt;

use super::{Rules, Side};

/// A game that a person can look at: what the command line and the page show.
pub trait Show: Rules {
    /// The rules in the project's words, for users (Markdown).
    const RULES_TEXT: &'static str;
    /// The names of the game, its pieces and its kinds of action in English and Arabic, as JSON that
    /// [`Words`](super::Words) reads. What is not named there is shown by its id, its letter or its kind.
    const WORDS: &'static str = "{}";

    /// The board and the zones drawn as text, White below.
    fn draw(&self, position: &Self::Position) -> String;
    /// The square at a place of the grid of position strings, row 0 on White's side, column 0 on White's left; `None`
    /// for a hole. Squares are named as in actions' strings. Where a game says nothing every place is a square, files
    /// from a and ranks from 1.
    fn square(&self, row: usize, column: usize) -> Option<SquareInfo> {
        Some(SquareInfo::on_grid(row, column))
    }
    /// What the position knows of pieces beside where they stand, by the name of the square: what a person must see to
    /// know the legal actions.
    fn marks(&self, _position: &Self::Position) -> Vec<(String, Mark)> {
        Vec::new()
    }
}

/// A square of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareInfo {
    /// As actions' strings name it.
    pub name: String,
    /// The side to whose home it belongs, of a board with homes.
    pub home: Option<Side>,
}

impl SquareInfo {
    /// The square of a board without holes or homes: files from a, ranks from 1.
    pub fn on_grid(row: usize, column: usize) -> Self {
        SquareInfo { name: format!("{}{}", char::from(b'a' + column as u8), row + 1), home: None }
    }
}

/// What a position knows of a piece beside its kind and square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// It may climb to the next rank, where its zone has one.
    Climber,
    /// It has not left the initial reserve.
    Reserve,
    /// It jumps, and must go on.
    Jumper,
    /// It was jumped, and leaves the board when the series ends.
    Jumped,
    /// It has never moved, and that still matters.
    Unmoved,
    /// It is a piece of the kind with this letter, upper case, for now.
    Like(char),
}

/// The word for it in every output.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mark::Climber => f.write_str("climber"),
            Mark::Reserve => f.write_str("reserve"),
            Mark::Jumper => f.write_str("jumper"),
            Mark::Jumped => f.write_str("jumped"),
            Mark::Unmoved => f.write_str("unmoved"),
            Mark::Like(letter) => write!(f, "like_{letter}"),
        }
    }
}
