//! A text in the two languages of every page.

/// A text in English and Arabic. On a page, what stands between two backticks (commands, moves, formulas) is set as code, from left to right in either language.
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

    /// `text` such that it keeps its direction from left to right inside of Arabic, as intervals and other numbers with signs must (Unicode Standard
    /// Annex 9: an isolate).
    pub fn ltr(text: impl std::fmt::Display) -> String {
        format!("\u{2066}{text}\u{2069}")
    }

    /// The text in one language.
    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Arabic => &self.ar,
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
