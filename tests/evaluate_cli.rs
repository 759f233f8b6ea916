//! `maydan match` and `maydan play` as a user runs them.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

fn maydan(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_maydan"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that ends without reading leaves a closed pipe behind.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_match_prints_the_same_on_any_number_of_threads_and_writes_games_that_replay() {
    let folder = tempfile::tempdir().unwrap();
    let run = |threads: &str, file: &str| {
        let path = folder.path().join(file);
        let arguments = ["match", "greedy", "random", "--game", "shatara", "--games", "12", "--threads", threads];
        let output = maydan(&[&arguments[..], &["--games-file", path.to_str().unwrap()]].concat(), b"");
        (text(&output), std::fs::read_to_string(path).unwrap())
    };
    let (one, games) = run("1", "one.jsonl");
    assert_eq!((one.clone(), games.clone()), run("2", "two.jsonl"));
    assert!(one.contains("A: greedy\nB: random\n") && one.contains("Elo of A over B: "), "{one}");

    let mut lines = games.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let header = lines.next().unwrap();
    assert_eq!((&header["ruleset"]["game"], &header["first"]), (&"shatara".into(), &"greedy".into()));
    let games: Vec<_> = lines.collect();
    assert_eq!(games.len(), 12);
    let start = text(&maydan(&["rules", "shatara", "start"], b""));
    let words = |list: &serde_json::Value| {
        list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let game = games.iter().find(|game| game["reason"] == "checkmate").expect("greedy mates random");
    let moves = [words(&game["opening"]), words(&game["moves"])].concat();
    let mut replay = vec!["rules", "shatara", "play", start.trim()];
    replay.extend(moves.iter().map(String::as_str));
    let end = text(&maydan(&replay, b""));
    let outcome = text(&maydan(&["rules", "shatara", "outcome", end.trim()], b""));
    assert_eq!(outcome.trim(), format!("{} checkmate", game["result"].as_str().unwrap()));
}

#[test]
fn sprt_is_reported() {
    let arguments = ["match", "greedy", "random", "--game", "chess", "--games", "400", "--sprt", "0,200"];
    let output = text(&maydan(&arguments, b""));
    assert!(output.contains("H1 accepted, A is more than 0 Elo stronger"), "{output}");
}

#[test]
fn a_game_against_a_baseline() {
    let input = b"moves\n  e2e4 \nnonsense\n\xff\xfe\n\nhint\nundo\nposition\nundo\nresign\n";
    let output = text(&maydan(&["play", "alphabeta:1", "--game", "chess"], input));
    for part in [
        " e2e4 ",
        "black plays ",
        "`nonsense` is not a legal move here",
        "hint: ",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - - 0 1",
        "there is no move of yours to take back",
        "The game is over: black resignation.",
    ] {
        assert!(output.contains(part), "{part:?} in {output}");
    }
}

#[test]
fn a_game_ends_with_the_input_or_the_game() {
    let eof = text(&maydan(&["play", "random", "--game", "chess", "--side", "both"], b"e2e4\ne7e5"));
    assert!(eof.ends_with("white> \n"), "{eof}");
    let long = text(&maydan(&["play", "random", "--game", "chess"], &b"x".repeat(1 << 20)));
    assert!(long.contains("not a legal move"), "{}", long.len());
    let mate = ["play", "random", "--game", "chess", "--position", "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"];
    assert!(text(&maydan(&mate, b"f7g7\n")).contains("The game is over: white checkmate."));
    let over = ["play", "random", "--game", "chess", "--position", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"];
    assert!(text(&maydan(&over, b"")).contains("The game is over: white checkmate."));
}

#[test]
fn mistakes_are_one_line_and_exit_code_2() {
    for (arguments, part) in [
        (&["match", "random", "greedy"][..], "--game"),
        (&["match", "random", "alphabeta:0", "--game", "chess"], "alphabeta:0"),
        (&["match", "random", "greedy", "--game", "nochess"], "nochess"),
        (&["match", "random", "greedy", "--game", "chess", "--games", "0"], "games"),
        (&["match", "random", "greedy", "--game", "chess", "--set", "none=1"], "none"),
        (&["match", "random", "greedy", "--game", "chess", "--sprt", "5,1"], "sprt"),
        (&["match", "random", "greedy", "--game", "chess", "--simulations", "0"], "simulations"),
        (&["match", "random", "greedy", "--game", "chess", "--games-file", "/no/such/folder/x"], "games-file"),
        (&["match", "random", "no/such/checkpoint", "--game", "chess"], "no/such/checkpoint"),
        (&["play", "random", "--game", "chess", "--position", "x"], "placement"),
    ] {
        let output = maydan(arguments, b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains(part), "{arguments:?}: {error}");
    }
}
