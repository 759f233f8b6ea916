//! `maydan rules` as a user runs it.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Output, Stdio},
};

fn maydan(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// What a call that succeeds prints.
fn prints(arguments: &[&str], input: &str) -> String {
    let output = maydan(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout).unwrap()
}

/// What a call that fails complains of: one line, exit code 2.
fn complains(arguments: &[&str]) -> String {
    let output = maydan(arguments, "");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
    assert!(text.starts_with("error: "), "{text}");
    text
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[PPPPPPPPNNBBRRQppppppppnnbbrrq] w KQkq - - 0 1";
const KINGS: &str = "4k3/8/8/8/8/8/8/R3K3[P] w Q - - 0 1";

#[test]
fn questions_about_one_position() {
    assert_eq!(prints(&["rules", "shatara", "start"], ""), format!("{START}\n"));
    let moves = prints(&["rules", "shatara", "moves", KINGS], "");
    let lines: Vec<&str> = moves.lines().collect();
    assert!(lines.is_sorted() && lines.contains(&"P@e2") && lines.contains(&"e1c1"), "{moves}");
    assert_eq!(lines.len(), prints(&["rules", "shatara", "perft", KINGS, "1"], "").trim().parse::<usize>().unwrap());
    assert_eq!(prints(&["rules", "shatara", "perft", START, "3"], ""), "9302\n");
    let divided = prints(&["rules", "shatara", "divide", START, "2"], "");
    assert!(divided.starts_with("a2a3 20\na2a4 20\n") && divided.ends_with("h2h4 20\ntotal 400\n"), "{divided}");
    let played = prints(&["rules", "shatara", "play", START, "g1f3", "e7e5", "f3f3b"], "");
    assert_eq!(
        played,
        "rnbqkbnr/pppp1ppp/8/4p3/8/5B2/PPPPPPPP/RNBQKB1R[PPPPPPPPNNNBRRQppppppppnnbbrrq] b KQkq - e5 0 2\n"
    );
    assert_eq!(prints(&["rules", "shatara", "outcome", KINGS], ""), "ongoing\n");
    assert_eq!(prints(&["rules", "chess", "outcome", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"], ""), "draw insufficient\n");
    assert!(prints(&["rules", "shatara", "text"], "").contains("Reinforcement"));
}

#[test]
fn answers_in_json() {
    let json = |arguments: &[&str], input: &str| -> Vec<serde_json::Value> {
        let text = prints(&[&["rules", "shatara", "--json"], arguments].concat(), input);
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    assert_eq!(json(&["start"], ""), [START]);
    assert_eq!(json(&["perft", KINGS, "2"], ""), [json(&["divide", KINGS, "2"], "")[0]["total"].clone()]);
    let moves = json(&["moves", KINGS], "");
    assert_eq!(moves[0].as_array().unwrap().len(), prints(&["rules", "shatara", "moves", KINGS], "").lines().count());
    let divided = &json(&["divide", KINGS, "1"], "")[0]["moves"];
    assert!(divided.as_object().unwrap().values().all(|count| count == 1) && divided["e1c1"] == 1, "{divided}");
    let lines = json(&["outcome", "-"], &format!("{KINGS}\n{START}\n"));
    assert_eq!(lines[0], serde_json::json!({ "position": KINGS, "answer": "ongoing" }));
    let game = json(&["random", "7", "3"], "");
    assert!(game.len() == 4 && game[0]["position"] == START && game[3]["move"].is_null(), "{game:?}");
    let wrong = maydan(&["rules", "shatara", "--json", "moves", "-"], "nonsense\n");
    assert_eq!(wrong.status.code(), Some(2));
    let line: serde_json::Value = serde_json::from_slice(&wrong.stdout).unwrap();
    assert!(line["position"] == "nonsense" && line["error"].is_string(), "{line}");
}

#[test]
fn questions_about_many_positions() {
    let input = format!("{START}\n{KINGS}\r\n");
    let moves = prints(&["rules", "shatara", "moves", "-"], &input);
    let lines: Vec<&str> = moves.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with(&format!("{START}\ta2a3 a2a4 b1a3")), "{moves}");
    assert_eq!(
        prints(&["rules", "shatara", "perft", "-"], &format!("{START}\t2\n{START}\t3")),
        format!("{START}\t400\n{START}\t9302\n")
    );
    assert_eq!(prints(&["rules", "shatara", "perft", "-", "1"], &format!("{START}\n")), format!("{START}\t20\n"));
    assert_eq!(
        prints(&["rules", "shatara", "play", "-"], &format!("{KINGS}\te1c1 e8e7\n")),
        format!("{KINGS}\t8/4k3/8/8/8/8/8/2KR4[P] w - - d1 2 2\n")
    );
    assert_eq!(prints(&["rules", "shatara", "outcome", "-"], &format!("{KINGS}\n")), format!("{KINGS}\tongoing\n"));
    assert_eq!(prints(&["rules", "shatara", "moves", "-"], ""), "");
}

/// A wrong line is answered in its place and the others are answered all the same.
#[test]
fn wrong_lines_do_not_stop_the_others() {
    let input = format!("nonsense\n\n{START}\tx\n{}\n{START}\t1\n\u{fffd}\n", "8".repeat(3 << 20));
    let output = maydan(&["rules", "shatara", "perft", "-"], &input);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6);
    assert!(lines[0].starts_with("nonsense\terror: position field `zones`"), "{}", lines[0]);
    assert!(lines[1].starts_with("\terror: position field `placement`: missing"), "{}", lines[1]);
    assert!(lines[2].starts_with(&format!("{START}\terror: depth")), "{}", lines[2]);
    assert!(lines[3].contains("\terror: "));
    assert_eq!(lines[4], format!("{START}\t20"));
    assert!(lines[5].contains("\terror: "));
}

#[test]
fn options_may_stand_anywhere() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    std::fs::write(path, "reinforcement = false\nreserve = \"PQ\"\n").unwrap();
    let without = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - - 0 1\n";
    assert_eq!(prints(&["rules", "--set", "reserve=", "shatara", "start"], ""), without);
    assert_eq!(prints(&["rules", "shatara", "--set", "reserve=", "start"], ""), without);
    assert_eq!(prints(&["rules", "shatara", "start", "--set", "reserve=''"], ""), without);
    assert_eq!(
        prints(&["rules", "--rules", path, "shatara", "start"], ""),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[PQpq] w KQkq - - 0 1\n"
    );
    assert_eq!(prints(&["rules", "--set", "reserve=", "shatara", "start", "--rules", path], ""), without);
    let perft = ["rules", "shatara", "perft", KINGS, "1"];
    let all: u32 = prints(&perft, "").trim().parse().unwrap();
    let fewer = prints(&[&perft[..], &["--set", "reinforcement=false"]].concat(), "");
    assert_eq!(fewer.trim().parse::<u32>().unwrap() + 8, all);
    std::fs::write(path, "game = \"shatara\"\n[rules]\nladder = false\npromotion_after = \"move_ever\"\n").unwrap();
    prints(&["rules", "shatara", "start", "--rules", path], "");
}

#[test]
fn mistakes_are_one_line() {
    assert!(complains(&["rules", "checkers", "start"]).contains("unknown game `checkers`"));
    assert!(complains(&["rules", "shatara", "dance"]).contains("dance"));
    assert!(complains(&["rules", "shatara", "moves", "nonsense"]).contains("position field"));
    assert!(complains(&["rules", "shatara", "moves"]).contains("position"));
    assert!(complains(&["rules", "shatara", "moves", START, "x"]).contains("nothing else"));
    assert!(complains(&["rules", "shatara", "perft", START]).contains("depth"));
    assert!(complains(&["rules", "shatara", "perft", START, "1000"]).contains("0 to 64"));
    assert!(complains(&["rules", "shatara", "play", START, "e2e5"]).contains("`e2e5` is not a legal action"));
    assert!(complains(&["rules", "shatara", "start", "--set", "x=1"]).contains("unknown option `x`"));
    assert!(complains(&["rules", "shatara", "start", "--set", "ladder"]).contains("OPTION=VALUE"));
    assert!(complains(&["rules", "shatara", "start", "--set", "ladder=maybe"]).contains("`ladder`"));
    assert!(complains(&["rules", "shatara", "start", "--rules", "/no/such/file"]).contains("/no/such/file"));
    assert!(complains(&["rules", "shatara", "random", "x", "3"]).contains("seed"));
    assert!(complains(&["rules"]).contains("GAME"));
    assert!(complains(&["dance"]).contains("dance"));
}

#[test]
fn random_games_can_be_replayed() {
    let text = prints(&["rules", "shatara", "random", "7", "600"], "");
    assert_eq!(text, prints(&["rules", "shatara", "random", "7", "600"], ""));
    assert_ne!(text, prints(&["rules", "shatara", "random", "8", "600"], ""));
    let lines: Vec<(&str, &str)> = text.lines().map(|line| line.split_once('\t').unwrap()).collect();
    assert_eq!(lines[0].0, START);
    let (last, played) = lines.split_last().unwrap();
    assert_eq!(last.1, "-");
    let moves: Vec<&str> = played.iter().map(|(_, text)| *text).collect();
    let input = format!("{START}\t{}\n", moves.join(" "));
    assert_eq!(prints(&["rules", "shatara", "play", "-"], &input), format!("{START}\t{}\n", last.0));
    assert_eq!(prints(&["rules", "shatara", "random", "7", "0"], ""), format!("{START}\t-\n"));
}

/// Each line is answered before the next is sent, and a reader who has had enough is no error.
#[test]
fn answers_come_line_by_line() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
    command
        .args(["rules", "shatara", "outcome", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(input, "{KINGS}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line, format!("{KINGS}\tongoing\n"));
    }
    drop(output);
    // The pipe may close while we write; either way the command ends quietly.
    let _ = writeln!(input, "{KINGS}");
    drop(input);
    let rest = child.wait_with_output().unwrap();
    assert!(rest.status.success() && rest.stderr.is_empty(), "{rest:?}");
}

#[test]
fn help_is_printed_where_asked_for() {
    for arguments in [&["help"][..], &["--help"], &["rules", "--help"], &["help", "rules"]] {
        assert!(prints(arguments, "").contains("Usage"));
    }
}
