//! What a page is made of.

use super::{Cell, Figure, Phrase, Table};

/// A part of a page under one heading.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its anchor on the page: letters, digits and `-`.
    pub id: String,
    pub title: Phrase,
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[expect(clippy::large_enum_variant, reason = "a page has dozens of them, not millions")]
#[derive(Clone, Debug)]
pub enum Block {
    Heading(Phrase),
    Paragraph(Phrase),
    Table(Table),
    Figure(Figure),
    /// What is read first: values, each below what it is; the first is set large.
    Headline(Vec<(Phrase, Cell)>),
    /// Terms, each with what it means.
    Definitions(Vec<(Phrase, Phrase)>),
    /// Text for machines, shown as it is.
    Code {
        title: Phrase,
        text: String,
    },
    /// Anything else, in both languages (`<span lang="en">`, `<span lang="ar">`).
    Markup(maud::Markup),
}

impl Block {
    /// The table of a block: its own, or the data of its figure.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Block::Table(table) => Some(table),
            Block::Figure(figure) => Some(&figure.data),
            _ => None,
        }
    }

    /// The table that a terminal shows: a block's own, not the long one behind a figure.
    pub fn printed(&self) -> Option<&Table> {
        match self {
            Block::Table(table) => Some(table),
            _ => None,
        }
    }
}
