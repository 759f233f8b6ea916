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
//! the game goes on. Then come the actions in the strings of the rules; numbers that end in a dot are for the eye, and
//! so is what stands in braces: after an action the value that a search found for the side that moved, win less loss.

use thiserror::Error;

use super::{Ruleset, Side};

/// Version of the record.
const VERSION: &str = "1";
/// Characters of a line of moves.
const WIDTH: usize = 100;
/// What stands for the result while there is none.
const UNDER_WAY: &str = "*";

/// A game that was read: its moves are not checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    pub start: &'a str,
    pub actions: Vec<&'a str>,
    /// As [`Outcome`](super::Outcome) writes it; none where the game goes on, or nothing is said.
    pub result: Option<&'a str>,
}

/// An action of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedMove<'a> {
    pub action: &'a str,
    pub side: Side,
    /// What a search expected for the side that moved, -1 to 1, if it is to be told.
    pub value: Option<f64>,
}

/// Writes the record of a game that began at `start`, in turn `first`; `result` is as [`Outcome`](super::Outcome) writes
/// it, none where the game goes on.
pub fn write_record<'a>(
    ruleset: &Ruleset,
    start: &str,
    moves: impl Iterator<Item = RecordedMove<'a>>,
    first: u32,
    result: Option<&str>,
) -> String {
    let options: Vec<String> = ruleset.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let mut text = String::new();
    for (name, value) in [
        ("maydan", VERSION),
        ("game", &ruleset.game),
        ("ruleset", &ruleset.hash),
        ("options", &options.join(", ")),
        ("start", start),
        ("result", result.unwrap_or(UNDER_WAY)),
    ] {
        text += &format!("[{name} {value}]\n");
    }
    text.push('\n');
    text + &movetext(moves, first)
}

/// Numbered actions in lines of at most 100 characters, each with the value that was found for it.
pub fn movetext<'a>(moves: impl Iterator<Item = RecordedMove<'a>>, first: u32) -> String {
    let mut text = String::new();
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
fn words<'a>(moves: impl Iterator<Item = RecordedMove<'a>>, first: u32) -> Vec<String> {
    let mut words = Vec::new();
    let (mut number, mut before) = (first, None);
    for RecordedMove { action, side, value } in moves {
        match (before, side) {
            (None, Side::White) => words.push(format!("{number}.")),
            (None, Side::Black) => words.push(format!("{number}...")),
            (Some(Side::Black), Side::White) => {
                number += 1;
                words.push(format!("{number}."));
            }
            _ => {}
        }
        words.push(action.to_owned());
        words.extend(value.map(|value| format!("{{{value:+.3}}}")));
        before = Some(side);
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
        let mut is_comment = false;
        for line in text.lines().map(str::trim) {
            if let Some(tag) = line.strip_prefix('[').filter(|_| !is_comment) {
                let tag = tag.strip_suffix(']').ok_or_else(|| RecordError::Open(line.to_owned()))?;
                let (name, value) = tag.split_once(' ').unwrap_or((tag, ""));
                let place = NAMES.iter().position(|known| *known == name);
                let unknown = || RecordError::Unknown { known: NAMES.join(", "), found: name.to_owned() };
                let place = place.ok_or_else(unknown)?;
                if tags[place].replace(value.trim()).is_some() {
                    return Err(RecordError::Twice(name.to_owned()));
                }
            } else {
                for word in line.split_whitespace() {
                    is_comment |= word.starts_with('{');
                    if !is_comment && !is_number(word) {
                        actions.push(word);
                    }
                    is_comment &= !word.ends_with('}');
                }
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
    use crate::game::{Outcome, Reason, text_game::text_game};

    fn written(ruleset: &Ruleset, start: &str, moves: &[(&str, Side)], first: u32, outcome: Option<Outcome>) -> String {
        let moves = moves.iter().map(|&(action, side)| RecordedMove { action, side, value: None });
        write_record(ruleset, start, moves, first, outcome.map(|outcome| outcome.to_string()).as_deref())
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        use Side::{Black, White};
        let rules = text_game("shatra", &toml::Table::new()).unwrap();
        let start = rules.start();
        let played =
            [("d5d6", White), ("d10d9", Black), ("d6d8", White), ("d8d10", White), ("0000", White), ("c9d8", Black)];
        let text = written(rules.ruleset(), &start, &played, 1, Some(Outcome::win(White, Reason::NoAction)));
        assert!(text.starts_with("[maydan 1]\n[game shatra]\n[ruleset "), "{text}");
        assert!(text.contains(", max_plies = 768") && text.contains("[options king_refusal = \"king\", "), "{text}");
        assert!(text.ends_with("\n[result white no_action]\n\n1. d5d6 d10d9 2. d6d8 d8d10 0000 c9d8\n"), "{text}");
        let record = Record::read(&text, rules.ruleset(), 6).unwrap();
        assert_eq!((record.start, record.result), (start.as_str(), Some("white no_action")));
        assert!(record.actions.iter().eq(played.iter().map(|(action, _)| action)));
        // As a mail program quotes it.
        let pasted = text.replace('\n', "\r\n  ").replace("2. d6d8", "2. \n\t d6d8");
        assert_eq!(Record::read(&pasted, rules.ruleset(), 6).unwrap(), record);
    }

    #[test]
    fn black_may_begin_and_lines_are_short() {
        let rules = text_game("shatar", &toml::Table::new()).unwrap();
        let played = [("a1a2", Side::Black), ("a2a1", Side::White)].repeat(60);
        let text = written(rules.ruleset(), &rules.start(), &played, 7, None);
        let (tags, body) = text.split_once("\n\n").unwrap();
        assert!(tags.ends_with("[result *]") && body.starts_with("7... a1a2 8. a2a1 a1a2 9. "), "{text}");
        assert!(body.lines().count() > 5 && body.lines().all(|line| line.len() <= WIDTH && line.trim() == line));
        let record = Record::read(&text, rules.ruleset(), 120).unwrap();
        assert_eq!((record.actions.len(), record.result), (120, None));
    }

    #[test]
    fn values_are_written_and_passed_over() {
        let rules = text_game("shatar", &toml::Table::new()).unwrap();
        let value = |action, side, value| RecordedMove { action, side, value };
        let moves = [value("e2e4", Side::White, Some(-0.0625)), value("e7e5", Side::Black, None)];
        let text = write_record(rules.ruleset(), &rules.start(), moves.into_iter(), 1, None);
        assert!(text.ends_with("\n1. e2e4 {-0.062} e7e5\n"), "{text}");
        let remark = text.replace("{-0.062}", "{a remark\n[of two lines] }");
        for text in [text, remark] {
            assert_eq!(Record::read(&text, rules.ruleset(), 2).unwrap().actions, ["e2e4", "e7e5"]);
        }
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let rules = text_game("shatar", &toml::Table::new()).unwrap();
        let ruleset = rules.ruleset();
        let text = written(ruleset, &rules.start(), &[("e2e4", Side::White)], 1, None);
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
