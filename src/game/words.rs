//! A game's words in both languages: its own name, and those of its pieces and its kinds of action.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A word or two in each language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    pub en: String,
    pub ar: String,
}

/// The words of one game, read from [`Show::WORDS`](super::Show::WORDS).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Words {
    pub name: Term,
    /// Pieces by their letter, upper case.
    pub pieces: BTreeMap<char, Term>,
    /// Kinds of action by their names in files.
    pub kinds: BTreeMap<String, Term>,
}

/// The file: one for all the games of a type, which share everything but their names.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    names: BTreeMap<String, Term>,
    pieces: BTreeMap<char, Term>,
    kinds: BTreeMap<String, Term>,
}

impl Words {
    /// The words of the game called `id`. A game without a name in the file is called by its id.
    ///
    /// # Panics
    /// When the file, which is a part of the program, cannot be read.
    pub(super) fn of(id: &str, file: &str) -> Words {
        let File { mut names, pieces, kinds } =
            serde_json::from_str(file).unwrap_or_else(|error| panic!("words of `{id}`: {error}"));
        let name = names.remove(id).unwrap_or_else(|| Term { en: id.to_owned(), ar: id.to_owned() });
        Words { name, pieces, kinds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_one_type_share_their_words() {
        let file =
            r#"{ "names": { "a": { "en": "A", "ar": "ا" } }, "pieces": { "K": { "en": "king", "ar": "ملك" } } }"#;
        let (named, other) = (Words::of("a", file), Words::of("b", file));
        assert_eq!((named.name.ar.as_str(), other.name.ar.as_str()), ("ا", "b"));
        assert_eq!((&named.pieces, named.pieces[&'K'].en.as_str()), (&other.pieces, "king"));
        assert!(Words::of("b", "{}").kinds.is_empty());
    }
}
