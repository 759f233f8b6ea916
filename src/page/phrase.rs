//! A text in the two languages of every page.

use std::{borrow::Cow, fmt::Display};

use super::bidi::{isolated, with_numbers_isolated};

/// A text in English and Arabic. On a page, what stands between two backticks (commands, moves, formulas) is set as
/// code, from left to right in either language.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phrase {
    pub en: String,
    pub ar: String,
}

impl Phrase {
    /// The text in both languages.
    pub fn new(en: impl Into<String>, ar: impl Into<String>) -> Self {
        Phrase { en: en.into(), ar: ar.into() }
    }

    /// A name, a number or a move: the same in both languages.
    pub fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Phrase { en: text.clone(), ar: text }
    }

    /// `text` such that it is read from left to right inside of Arabic too, as ratios and lists of moves must. Numbers
    /// and intervals are set so anyway.
    pub fn ltr(text: impl Display) -> String {
        isolated(&text.to_string())
    }

    /// This and another text behind it, with a space between them.
    #[must_use]
    pub fn with(&self, more: &Phrase) -> Self {
        Phrase::new(format!("{} {}", self.en, more.en), format!("{} {}", self.ar, more.ar))
    }

    /// The text as a page shows it, in one language.
    pub fn shown(&self, language: Language) -> Cow<'_, str> {
        match language {
            Language::English => Cow::Borrowed(&self.en),
            Language::Arabic => Cow::Owned(with_numbers_isolated(&self.ar)),
        }
    }

    /// Whether both languages read alike.
    pub fn is_same(&self) -> bool {
        self.en == self.ar
    }
}

/// A language of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    Arabic,
}

impl Language {
    /// Both, the one shown first before the other.
    pub const ALL: [Language; 2] = [Language::English, Language::Arabic];

    /// Its code in HTML: `en`, `ar`.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Arabic => "ar",
        }
    }

    /// Its direction in HTML: `ltr`, `rtl`.
    pub fn direction(self) -> &'static str {
        match self {
            Language::English => "ltr",
            Language::Arabic => "rtl",
        }
    }
}
