//! Openings as books: what searches chose in each position, for programs that play or look it up.

mod polyglot;
mod text;

use std::{
    io::{self, Write},
    path::Path,
};

use super::Openings;
use crate::{game::Ruleset, stats::StatsError};

/// A form of books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// Polyglot's, for chess.
    Polyglot,
    /// Lines of text, for every game.
    Text,
}

impl BookFormat {
    /// The form that the name of a file asks for: `*.bin` is Polyglot's.
    ///
    /// # Errors
    /// Where the game has no such books.
    pub fn of_file(path: &Path, ruleset: &Ruleset) -> Result<Self, StatsError> {
        if path.extension().is_none_or(|extension| extension != "bin") {
            return Ok(BookFormat::Text);
        }
        match polyglot::is_of(ruleset) {
            true => Ok(BookFormat::Polyglot),
            false => Err(StatsError::Option {
                field: "book",
                expected: "games of chess for Polyglot's *.bin, or another name for a book as text".to_owned(),
                found: ruleset.to_string(),
            }),
        }
    }
}

impl Openings {
    /// Writes the actions of the graph that searches chose, as a book.
    ///
    /// # Errors
    /// When `out` takes no more.
    pub fn write_book(&self, format: BookFormat, out: &mut impl Write) -> io::Result<()> {
        let chosen = self.edges.iter().filter(|edge| edge.record.decisions.searched > 0);
        match format {
            BookFormat::Polyglot => polyglot::write(chosen, out),
            BookFormat::Text => text::write(&self.ruleset, chosen, out),
        }
    }
}
