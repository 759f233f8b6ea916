//! Games as text: records that the page reads, PGN, and lines of JSON.

use std::str::FromStr;

use serde::Serialize;

use super::GameColumns;
use crate::game::{
    Outcome, Ruleset, Side,
    record::{RecordedMove, movetext, write_record},
};

/// A form of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameFormat {
    /// [`crate::game::record`].
    Record,
    /// Tags and moves as in Portable Game Notation, with moves in the strings of the rules.
    Pgn,
    /// An object a line.
    Jsonl,
}

impl FromStr for GameFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "record" => Ok(GameFormat::Record),
            "pgn" => Ok(GameFormat::Pgn),
            "jsonl" => Ok(GameFormat::Jsonl),
            _ => Err(format!("expected record, pgn or jsonl, found `{text}`")),
        }
    }
}

impl GameFormat {
    /// A game in this form, ends of lines included.
    pub fn text(self, game: &GameColumns, ruleset: &Ruleset) -> String {
        match self {
            GameFormat::Record => {
                let result = format!("{} {}", result(game), game.reason);
                write_record(ruleset, game.position(0), moves(game), first_turn(game), Some(&result))
            }
            GameFormat::Pgn => pgn(game, ruleset),
            GameFormat::Jsonl => {
                serde_json::to_string(&GameLine::new(game, ruleset)).expect("a game serialises") + "\n"
            }
        }
    }

    /// What stands between two games.
    pub fn separator(self) -> &'static str {
        if self == GameFormat::Jsonl { "" } else { "\n" }
    }
}

fn result(game: &GameColumns) -> &'static str {
    Outcome::name_of(game.winner)
}

/// The number of the turn, which position strings end with.
fn first_turn(game: &GameColumns) -> u32 {
    game.position(0).rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1)
}

fn moves(game: &GameColumns) -> impl Iterator<Item = RecordedMove<'_>> {
    (0..game.plies()).map(|ply| RecordedMove {
        action: game.action(ply),
        side: game.side(ply),
        value: game.root_value(ply),
    })
}

/// Portable Game Notation (Edwards 1994), section 8.1: the seven tags that every game has, then ours.
fn pgn(game: &GameColumns, ruleset: &Ruleset) -> String {
    let result = match game.winner {
        _ if !game.was_ended() => "*",
        Some(Side::White) => "1-0",
        Some(Side::Black) => "0-1",
        None => "1/2-1/2",
    };
    let player = format!("{} gen-{:06}", game.run, game.generation);
    let tags = [
        ("Event", "self-play"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", game.id()),
        ("White", &player),
        ("Black", &player),
        ("Result", result),
        ("Variant", &ruleset.game),
        ("Ruleset", &ruleset.hash),
        ("SetUp", "1"),
        ("FEN", game.position(0)),
        ("Termination", &game.reason),
    ];
    let tags = tags.map(|(name, value)| format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\"")));
    let body = movetext(moves(game), first_turn(game));
    format!("{}\n{}{}{result}\n", tags.concat(), body.trim_end(), if body.is_empty() { "" } else { " " })
}

/// A line of JSON.
#[derive(Serialize)]
struct GameLine<'a> {
    run: &'a str,
    generation: u64,
    index: u64,
    game: &'a str,
    ruleset: &'a str,
    start: &'a str,
    /// `white`, `black` or `draw`.
    result: &'a str,
    reason: &'a str,
    moves: Vec<MoveLine<'a>>,
}

#[derive(Serialize)]
struct MoveLine<'a> {
    action: &'a str,
    side: &'a str,
    /// `full`, `cheap`, `opening` or `forced`.
    decision: &'a str,
    /// Win less loss for the side that moves, by the search; null without one.
    value: Option<f64>,
    /// The network's probability of the action.
    prior: Option<f64>,
    /// Share of the search's visits that the action got.
    visit_share: Option<f64>,
}

impl<'a> GameLine<'a> {
    fn new(game: &'a GameColumns, ruleset: &'a Ruleset) -> Self {
        let moves = (0..game.plies()).map(|ply| MoveLine {
            action: game.action(ply),
            side: game.side(ply).name(),
            decision: game.decision(ply),
            value: game.root_value(ply),
            prior: game.prior(ply),
            visit_share: game.visit_share(ply),
        });
        GameLine {
            run: &game.run,
            generation: game.generation,
            index: game.index,
            game: &ruleset.game,
            ruleset: &ruleset.hash,
            start: game.position(0),
            result: result(game),
            reason: &game.reason,
            moves: moves.collect(),
        }
    }
}
