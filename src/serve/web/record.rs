//! A game as a text that people read, copy and paste:
//!
//! ```text
//! [maydan 1]
//! [game shatara]
//! [ruleset a92979a0e63d9b47]
//! [options ladder = true, max_plies = 512, ...]
//! [start rnbqkbnr/...[PPPPPPPPNNBBRRQppppppppnnbbrrq] w KQkq - - 0 1]
//! [result white checkmate]
//!
//! 1. e2e4 e7e5 2. P@a2 ...
//! ```
//!
//! A line in brackets is a tag: its name, a space, its value to the last bracket of the line. The result is `*` while
//! the game goes on. Then come the actions in the strings of the rules; numbers that end in a dot are for the eye.

use thiserror::Error;

use super::messages::Move;
use crate::game::{Outcome, Ruleset, Side};

/// Version of the record.
const VERSION: &str = "1";
/// Characters of a line of moves.
const WIDTH: usize = 100;
/// What stands for the result while there is none.
const UNDER_WAY: &str = "*";

/// A game that was read: its moves are not checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
    pub start: &'a str,
    pub actions: Vec<&'a str>,
    /// As [`Outcome`] writes it; none where the game goes on, or nothing is said.
    pub result: Option<&'a str>,
}

/// Writes the record of a game.
pub(super) fn write(ruleset: &Ruleset, start: &str, moves: &[Move], first: u32, outcome: Option<Outcome>) -> String {
    let options: Vec<String> = ruleset.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let result = outcome.map_or(UNDER_WAY.to_owned(), |outcome| outcome.to_string());
    let mut text = String::new();
    for (name, value) in [
        ("maydan", VERSION),
        ("game", &ruleset.game),
        ("ruleset", &ruleset.hash),
        ("options", &options.join(", ")),
        ("start", start),
        ("result", &result),
    ] {
        text += &format!("[{name} {value}]\n");
    }
    text.push('\n');
    let mut length = 0;
    for word in words(moves, first) {
        let room = if length == 0 {
            ""
        } else if length + word.len() < WIDTH {
            " "
        } else {
            "\n"
        };
        length = if room == "\n" { word.len() } else { length + room.len() + word.len() };
        text += room;
        text += &word;
    }
    if length > 0 {
        text.push('\n');
    }
    text
}

/// The actions, with the number of the turn before White's first of it; `first` is that of the first.
fn words(moves: &[Move], first: u32) -> Vec<String> {
    let mut words = Vec::new();
    let (mut number, mut before) = (first, None);
    for Move { action, side } in moves {
        match (before, side) {
            (None, Side::White) => words.push(format!("{number}.")),
            (None, Side::Black) => words.push(format!("{number}...")),
            (Some(Side::Black), Side::White) => {
                number += 1;
                words.push(format!("{number}."));
            }
            _ => {}
        }
        words.push(action.clone());
        before = Some(*side);
    }
    words
}

/// A text that is no record of a game by these rules. Each prints as one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    #[error("expected `]` at the end of `{0}`")]
    Open(String),
    #[error("expected one of the tags {known}, found `{found}`")]
    Unknown { known: String, found: String },
    #[error("expected the tag `{0}` once")]
    Twice(String),
    #[error("expected the tag [{name} {expected}]")]
    Missing { name: &'static str, expected: String },
    #[error("{name}: expected {expected}, found `{found}`")]
    Tag { name: &'static str, expected: String, found: String },
    #[error("expected at most {most} actions, found {found}")]
    Actions { most: usize, found: usize },
}

impl<'a> Record<'a> {
    /// Reads the record of a game by `ruleset`, of at most `most` actions.
    ///
    /// # Errors
    /// Names the tag, what is expected there, and what was found.
    pub fn read(text: &'a str, ruleset: &Ruleset, most: usize) -> Result<Self, RecordError> {
        const NAMES: [&str; 6] = ["maydan", "game", "ruleset", "options", "start", "result"];
        let mut tags: [Option<&str>; NAMES.len()] = [None; NAMES.len()];
        let mut actions = Vec::new();
        for line in text.lines().map(str::trim) {
            if let Some(tag) = line.strip_prefix('[') {
                let tag = tag.strip_suffix(']').ok_or_else(|| RecordError::Open(line.to_owned()))?;
                let (name, value) = tag.split_once(' ').unwrap_or((tag, ""));
                let place = NAMES.iter().position(|known| *known == name);
                let unknown = || RecordError::Unknown { known: NAMES.join(", "), found: name.to_owned() };
                let place = place.ok_or_else(unknown)?;
                if tags[place].replace(value.trim()).is_some() {
                    return Err(RecordError::Twice(name.to_owned()));
                }
            } else {
                actions.extend(line.split_whitespace().filter(|word| !is_number(word)));
            }
        }
        let [version, game, hash, _, start, result] = tags;
        let expect = |name, found: Option<&str>, expected: &str| match found {
            Some(found) if found == expected => Ok(()),
            Some(found) => Err(RecordError::Tag { name, expected: expected.to_owned(), found: found.to_owned() }),
            None => Err(RecordError::Missing { name, expected: expected.to_owned() }),
        };
        expect("maydan", version, VERSION)?;
        expect("game", game, &ruleset.game)?;
        expect("ruleset", hash, &ruleset.hash)?;
        let start = start.ok_or(RecordError::Missing { name: "start", expected: "POSITION".to_owned() })?;
        if actions.len() > most {
            return Err(RecordError::Actions { most, found: actions.len() });
        }
        Ok(Record { start, actions, result: result.filter(|&result| result != UNDER_WAY) })
    }
}

/// Whether a word numbers a turn: `12.` or `12...`.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Reason, text_game::text_game};

    fn moves(actions: &[(&str, Side)]) -> Vec<Move> {
        actions.iter().map(|&(action, side)| Move { action: action.to_owned(), side }).collect()
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        use Side::{Black, White};
        let rules = text_game("shatra", &toml::Table::new()).unwrap();
        let start = rules.start();
        let played = moves(&[
            ("d5d6", White),
            ("d10d9", Black),
            ("d6d8", White),
            ("d8d10", White),
            ("0000", White),
            ("c9d8", Black),
        ]);
        let text = write(rules.ruleset(), &start, &played, 1, Some(Outcome::win(White, Reason::NoAction)));
        assert!(text.starts_with("[maydan 1]\n[game shatra]\n[ruleset "), "{text}");
        assert!(text.contains(", max_plies = 768") && text.contains("[options king_refusal = \"king\", "), "{text}");
        assert!(text.ends_with("\n[result white no_action]\n\n1. d5d6 d10d9 2. d6d8 d8d10 0000 c9d8\n"), "{text}");
        let record = Record::read(&text, rules.ruleset(), 6).unwrap();
        assert_eq!((record.start, record.result), (start.as_str(), Some("white no_action")));
        assert!(record.actions.iter().eq(played.iter().map(|played| &played.action)));
        // As a mail program quotes it.
        let pasted = text.replace('\n', "\r\n  ").replace("2. d6d8", "2. \n\t d6d8");
        assert_eq!(Record::read(&pasted, rules.ruleset(), 6).unwrap(), record);
    }

    #[test]
    fn black_may_begin_and_lines_are_short() {
        let rules = text_game("shatar", &toml::Table::new()).unwrap();
        let played = moves(&[("a1a2", Side::Black), ("a2a1", Side::White)].repeat(60));
        let text = write(rules.ruleset(), &rules.start(), &played, 7, None);
        let (tags, body) = text.split_once("\n\n").unwrap();
        assert!(tags.ends_with("[result *]") && body.starts_with("7... a1a2 8. a2a1 a1a2 9. "), "{text}");
        assert!(body.lines().count() > 5 && body.lines().all(|line| line.len() <= WIDTH && line.trim() == line));
        let record = Record::read(&text, rules.ruleset(), 120).unwrap();
        assert_eq!((record.actions.len(), record.result), (120, None));
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let rules = text_game("shatar", &toml::Table::new()).unwrap();
        let ruleset = rules.ruleset();
        let text = write(ruleset, &rules.start(), &moves(&[("e2e4", Side::White)]), 1, None);
        let refusal = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Record::read(&text.replace(from, to), ruleset, 1).unwrap_err().to_string()
        };
        for (from, to, expected) in [
            ("[maydan 1]\n", "", "expected the tag [maydan 1]"),
            ("[maydan 1]", "[maydan 2]", "maydan: expected 1, found `2`"),
            ("[game shatar]", "[game chess]", "game: expected shatar, found `chess`"),
            ("[game shatar]", "[game shatar]\n[game shatar]", "expected the tag `game` once"),
            (ruleset.hash.as_str(), "0", "found `0`"),
            (
                "[start ",
                "[begin ",
                "expected one of the tags maydan, game, ruleset, options, start, result, found `begin`",
            ),
            ("[result *]", "[result *", "expected `]` at the end of `[result *`"),
            ("e2e4", "e2e4 e7e5", "expected at most 1 actions, found 2"),
        ] {
            let error = refusal(from, to);
            assert!(error.contains(expected), "{error}");
        }
        assert!(Record::read("", ruleset, 1).is_err());
    }
}
