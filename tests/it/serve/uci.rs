//! The engine in UCI: transcripts, stopping and pondering, and lines that no frontend should send.

use crate::support::transcript;

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use maydan::{
    model::{MakeEvaluator, Uniform},
    serve::ProtocolName,
};
use proptest::prelude::*;
use transcript::{Engine, answers, answers_with, hold};

#[test]
fn shatara_in_uci() {
    hold("uci_shatara.txt", "shatara");
}

#[test]
fn shatra_in_uci() {
    hold("uci_shatra.txt", "shatra");
}

/// The first search after `readyok` waits for no evaluator.
#[test]
fn what_is_ready_has_its_evaluators() {
    let made = |lines: &str| {
        let count = Arc::new(AtomicUsize::new(0));
        let (counted, make) = (Arc::clone(&count), Uniform::make());
        let make: Arc<MakeEvaluator> = Arc::new(move |rows| {
            counted.fetch_add(1, Ordering::Relaxed);
            make(rows)
        });
        answers_with(make, "chess", None, lines.into());
        count.load(Ordering::Relaxed)
    };
    let one = made("uci\n");
    assert_eq!(made("uci\nisready\ngo nodes 100\n"), one);
    let threads = "uci\nsetoption name Threads value 3\n";
    assert_eq!(made(&format!("{threads}isready\n")), 3 * one);
    assert_eq!(made(&format!("{threads}isready\ngo nodes 100\nisready\n")), 3 * one);
    assert_eq!(made("xboard\nprotover 2\ncores 3\nping 1\n"), 3 * one);
}

#[test]
fn an_analysis_ends_when_it_is_stopped() {
    let mut engine = Engine::new("omega");
    for command in ["uci", "setoption name MultiPV value 3", "go infinite"] {
        engine.say(command);
    }
    engine.hear_of("info depth 2 multipv 3");
    engine.say("isready");
    engine.hear_of("readyok");
    engine.say("go nodes 1");
    engine.hear_of("info string error: go: the last");
    engine.say("stop");
    engine.hear_of("bestmove ");
    engine.say("go infinite");
    let rest = engine.end();
    assert!(rest.last().unwrap().starts_with("bestmove "), "the end of the input stops it: {rest:?}");
}

/// A mate is proven at once; while pondering or analysing nothing is said of it until it is asked for.
#[test]
fn what_is_known_early_is_told_in_time() {
    let mut engine = Engine::new("chess");
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    for (go, end) in
        [("go infinite", "stop"), ("go ponder movetime 100000", "ponderhit"), ("go ponder infinite", "stop")]
    {
        engine.say(go);
        while !engine.hear_of("info depth ").contains(" score mate 1 ") {}
        engine.say("isready");
        engine.hear_of("readyok");
        engine.say(end);
        assert_eq!(engine.hear_of("bestmove"), "bestmove a1a8");
    }
    engine.say("go");
    assert_eq!(engine.hear_of("bestmove"), "bestmove a1a8");
    for limit in ["movetime 1", "wtime 10 btime 0", "wtime -5 winc 0", "depth 1", "nodes 0", "movetime x nodes 3"] {
        engine.say(&format!("go {limit}"));
        engine.hear_of("bestmove ");
    }
    assert_eq!(engine.end(), [""; 0]);
}

/// Without a choice the clock's time is not used, however much there is of it; a time for the move is.
#[test]
fn a_forced_move_is_played_at_once() {
    let mut engine = Engine::new("chess");
    engine.say("position fen r6k/7b/8/8/8/8/8/K7 w - - 0 1");
    engine.say("perft 1");
    assert!(engine.hear_of("nodes ").starts_with("nodes 1 "));
    engine.say("go wtime 100000000 btime 100000000");
    assert_eq!(engine.hear_of("bestmove").split(' ').nth(1), Some("a1b2"));
}

#[test]
fn a_count_can_be_stopped() {
    let mut engine = Engine::new("shatara");
    engine.say("perft 30");
    engine.say("stop");
    assert_eq!(engine.hear(), "info string error: perft: stopped");
    engine.say("perft 2");
    assert!(engine.hear_of("nodes ").starts_with("nodes 400 nps "));
}

#[test]
fn level_and_temperature() {
    let mut engine = Engine::new("shatar");
    engine.say("setoption name Playouts value 16");
    engine.say("setoption name Temperature value 10");
    let mut chosen_in = |position: &str| {
        let mut chosen = BTreeSet::new();
        for _ in 0..8 {
            engine.say(position);
            engine.say("go movetime 1000000");
            chosen.insert(engine.hear_of("bestmove").split(' ').nth(1).unwrap().to_owned());
        }
        engine.say("setoption name Temperature Plies value 1");
        chosen.len()
    };
    assert!(chosen_in("position startpos moves g1f3") > 1);
    // From now on the first move alone is drawn.
    assert!(chosen_in("position startpos") > 1);
    assert_eq!(chosen_in("position startpos moves g1f3"), 1);
}

/// Words of the protocol, in any order, and what is none.
fn line() -> impl Strategy<Value = Vec<u8>> {
    const WORDS: [&str; 44] = [
        "uci",
        "isready",
        "ucinewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "infinite",
        "ponder",
        "nodes",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "movestogo",
        "depth",
        "perft",
        "stop",
        "ponderhit",
        "setoption",
        "name",
        "value",
        "Hash",
        "MultiPV",
        "Playouts",
        "Temperature",
        "UCI_Variant",
        "d",
        "e2e4",
        "P@e2",
        "0000",
        "d5d6",
        "-1",
        "0",
        "1",
        "7",
        "99999999999999999999",
        "nan",
        "w",
        "-",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[]",
        "[",
        "debug",
    ];
    let words =
        prop::collection::vec(prop::sample::select(&WORDS[..]), 0..9).prop_map(|words| words.join(" ").into_bytes());
    let moves =
        prop::collection::vec(prop::sample::select(&["e2e4", "e7e5", "b1c3", "d5d6", "c3c3b", "P@e2"][..]), 0..6)
            .prop_map(|moves| format!("position startpos moves {}", moves.join(" ")).into_bytes());
    let noise = prop::collection::vec(any::<u8>().prop_filter("one line", |&byte| byte != b'\n'), 0..60);
    let long = (1usize..200_000).prop_map(|length| vec![b'x'; length]);
    prop_oneof![12 => words, 4 => moves, 2 => noise, 1 => long]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Whatever comes, the engine goes on to the end of its input, answers each `isready`, and no search or count stays
    /// without its end.
    #[test]
    fn no_line_upsets_it(lines in prop::collection::vec(line(), 0..30), game in prop::sample::select(&["shatara", "shatra", "omega"][..])) {
        let input = lines.join(&b'\n');
        let text = answers(game, Some(ProtocolName::Uci), input);
        let first = |line: &Vec<u8>| String::from_utf8_lossy(line).split_whitespace().next().map(str::to_owned);
        let asked = lines.iter().filter(|&line| line.len() < 60_000 && first(line).as_deref() == Some("isready")).count();
        prop_assert_eq!(text.lines().filter(|&line| line == "readyok").count(), asked);
        let went = lines.iter().filter(|&line| first(line).as_deref() == Some("go")).count();
        let answered = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
        let ends = answered("bestmove ") + answered("info string error: go: ") + answered("info string error: perft: ") + answered("nodes ");
        prop_assert!(ends >= went, "{} of {}: {}", ends, went, text);
        prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    }
}
