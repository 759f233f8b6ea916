//! The engine in USHI: transcripts, whole games, and lines that no frontend should send.

use crate::support::transcript;

use std::io::Cursor;

use maydan::{
    game::{random::stream, shatara::Shatara},
    model::Uniform,
    serve::{EngineError, ProtocolName, serve},
};
use proptest::prelude::*;
use transcript::{Engine, answers, hold};

#[test]
fn shatra_in_ushi() {
    hold("ushi_shatra.txt", "shatra");
}

/// Shatrabase stops a search, changes an option and begins another without waiting.
#[test]
fn what_comes_while_a_search_stops_is_for_after_it() {
    let mut engine = Engine::new("shatra");
    for _ in 0..8 {
        for command in ["ushi", "go infinite", "stop", "setoption name MultiPV value 3", "go infinite", "isready"] {
            engine.say(command);
        }
        engine.hear_of("bestmove ");
        assert_eq!(engine.hear_of("readyok"), "readyok");
        for command in ["stop", "ushinewgame", "position startpos", "go nodes 1"] {
            engine.say(command);
        }
        engine.hear_of("bestmove ");
        engine.hear_of("bestmove ");
    }
    assert_eq!(engine.end(), [""; 0]);
}

#[test]
fn other_games_are_refused() {
    for (first, protocol) in [("ushi", None), ("hello", Some(ProtocolName::Ushi))] {
        let game = Shatara::game(&toml::Table::new()).unwrap();
        let mut out = Vec::new();
        let end =
            serve(game, Uniform::make(), "uniform", protocol, stream("test", 1, 0, 0), Cursor::new(first), &mut out);
        let Err(EngineError::Game(error)) = end else { panic!("{end:?}") };
        assert_eq!(error.to_string(), "protocol `ushi`: expected a bot for shatra, found one for shatara");
        assert!(out.is_empty());
    }
}

/// The bot plays whole games against itself, each move written, read and played as Shatrabase does; none is refused.
#[test]
fn games_are_played_by_what_is_written() {
    let mut engine = Engine::new("shatra");
    for command in ["ushi", "setoption name Temperature value 1"] {
        engine.say(command);
    }
    engine.hear_of("ushiok");
    let (mut moves, mut series) = (String::new(), 0);
    for _ in 0..60 {
        engine.say(&format!("position startpos moves{moves}"));
        engine.say("go nodes 400");
        let line = loop {
            let line = engine.hear();
            assert!(!line.contains("error"), "{line} after {moves}");
            if line.starts_with("info string the game is over") {
                break line;
            }
            if line.starts_with("bestmove ") {
                break line;
            }
        };
        let Some(words) = line.strip_prefix("bestmove ") else { break };
        let words: Vec<&str> = words.split(' ').collect();
        series += usize::from(words.len() > 1);
        moves += &format!(" {}", words.concat());
    }
    assert!(series > 0, "{moves}");
}

/// Words of the protocol, in any order, and what is none.
fn line() -> impl Strategy<Value = String> {
    const WORDS: [&str; 40] = [
        "ushi",
        "isready",
        "ushinewgame",
        "position",
        "startpos",
        "spn",
        "moves",
        "go",
        "infinite",
        "nodes",
        "movetime",
        "wtime",
        "btime",
        "movestogo",
        "depth",
        "stop",
        "setoption",
        "name",
        "value",
        "Shatra",
        "version",
        "MultiPV",
        "USHI_AnalyseMode",
        "true",
        "d",
        "49-42",
        "49:33:21",
        ":21",
        "pass",
        "Kd4-d5",
        "-1",
        "0",
        "1",
        "7",
        "99999999999999999999",
        "w",
        "-",
        "sqssrsbrb/k/sssssss/7/7/7/7/SSSSSSS/K/BRBSRSSQS w Tt - - - 1",
        "k8/1/7/7/2s4/1S5/2p4/K6/1/9 w - 33 - - 20",
        "\u{7f}\u{0}",
    ];
    let words = prop::collection::vec(prop::sample::select(&WORDS[..]), 0..8).prop_map(|words| words.join(" "));
    let position = "[KQRBSkqrbsyuip!1-9/]{0,60} [wb] (T|t|Tt|-) (-|[0-9]{1,2}) (-|[0-9]{1,2}) - [0-9]{1,3}"
        .prop_map(|spn| format!("position spn {spn}"));
    let moves = prop::collection::vec("[KS]?[a-g1-9][0-9]{0,2}[-:][a-g1-9][0-9]{0,2}[Qx(=]{0,2}", 0..4)
        .prop_map(|moves| format!("position startpos moves {}", moves.join(" ")));
    let long = (1usize..200_000).prop_map(|length| "x".repeat(length));
    prop_oneof![12 => words, 3 => position, 3 => moves, 1 => long]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Whatever comes, the engine goes on to the end of its input, and every search has its end.
    #[test]
    fn no_line_upsets_it(lines in prop::collection::vec(line(), 0..30)) {
        let text = answers("shatra", Some(ProtocolName::Ushi), lines.join("\n").into_bytes());
        prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        let first = |line: &String| line.split_whitespace().next().map(str::to_owned);
        let count = |word: &str| lines.iter().filter(|line| line.len() < 60_000 && first(line).as_deref() == Some(word)).count();
        let written = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
        prop_assert!(written("bestmove ") <= count("go"));
        if count("stop") == 0 {
            prop_assert_eq!(written("readyok"), count("isready"));
            prop_assert!(written("bestmove ") + written("info string error: go: ") >= count("go"), "{}", text);
        }
    }
}
