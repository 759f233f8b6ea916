//! A page as one HTML file that needs no network.

use std::{
    io::{self, Write},
    path::Path,
};

use super::{Phrase, Section, file::write_whole};

/// A page of sections.
#[derive(Clone, Debug)]
pub struct Page {
    pub title: Phrase,
    pub subtitle: Phrase,
    pub sections: Vec<Section>,
}

impl Page {
    /// The page as the text of one HTML file.
    pub fn to_html(&self) -> String {
        maud::html! { h1 { (self.title.en) } }.into_string()
    }

    /// Writes the page to `path`, whole or not at all.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_whole(path, |file| file.write_all(self.to_html().as_bytes()))
    }
}
