//! A game's words in both languages: its own name, and those of its pieces, its kinds of action and its zones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A word or two in each language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    pub en: String,
    pub ar: String,
}

/// What a button says that chooses one of several actions which go from and to the same squares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    pub en: String,
    pub ar: String,
    /// Letter of the piece that the action brings in, upper case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<char>,
}

/// The words of one game, read from [`Show::WORDS`](super::Show::WORDS).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Words {
    pub name: Term,
    /// Letter of the piece that stands for the game in a list of games, upper case.
    pub emblem: char,
    /// What a zone is called, where the game has zones.
    pub zone: Option<Term>,
    /// Pieces by their letter, upper case.
    pub pieces: BTreeMap<char, Term>,
    /// Kinds of action by their names in files.
    pub kinds: BTreeMap<String, Term>,
    /// Choices between actions by kind of action, or by kind and [choice](super::gesture::Gesture::choice) with a space
    /// between. A choice that is not named is shown by the piece that its letter names, or by the action's string.
    pub choices: BTreeMap<String, Choice>,
}

/// The file: one for all the games of a type, which share everything but their names.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    names: BTreeMap<String, Term>,
    /// By the game's id; the king where there is none.
    emblems: BTreeMap<String, char>,
    zone: Option<Term>,
    pieces: BTreeMap<char, Term>,
    kinds: BTreeMap<String, Term>,
    choices: BTreeMap<String, Choice>,
}

impl Words {
    /// The words of the game called `id`. A game without a name in the file is called by its id.
    ///
    /// # Panics
    /// When the file, which is a part of the program, cannot be read.
    pub(super) fn of(id: &str, file: &str) -> Words {
        let File { mut names, emblems, zone, pieces, kinds, choices } =
            serde_json::from_str(file).unwrap_or_else(|error| panic!("words of `{id}`: {error}"));
        let name = names.remove(id).unwrap_or_else(|| Term { en: id.to_owned(), ar: id.to_owned() });
        let emblem = emblems.get(id).copied().unwrap_or('K');
        Words { name, emblem, zone, pieces, kinds, choices }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_one_type_share_their_words() {
        let file = r#"{
            "names": { "a": { "en": "A", "ar": "ا" } },
            "emblems": { "a": "N" },
            "pieces": { "K": { "en": "king", "ar": "ملك" } }
        }"#;
        let (named, other) = (Words::of("a", file), Words::of("b", file));
        assert_eq!((named.name.ar.as_str(), other.name.ar.as_str()), ("ا", "b"));
        assert_eq!((named.emblem, other.emblem), ('N', 'K'));
        assert_eq!((&named.pieces, named.pieces[&'K'].en.as_str()), (&other.pieces, "king"));
        assert!(Words::of("b", "{}").kinds.is_empty());
    }
}
