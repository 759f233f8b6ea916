//! Shatar against Fairy-Stockfish, which plays it as a variant of chess. Skipped where the program is not installed
//! (Debian package `fairy-stockfish`).

use crate::support::suite;

use std::{
    collections::BTreeSet,
    io::Write,
    process::{Command, Stdio},
};

use maydan::game::shatar::Shatar;
use suite::walk::random_games;

/// Chess with pawns that capture as they move, without castling, double step and promotion.
const VARIANT: &str = include_str!("../../external/shatar_fairy.ini");

/// Where the program may be; Debian's games are not in everybody's PATH.
const PROGRAMS: [&str; 2] = ["fairy-stockfish", "/usr/games/fairy-stockfish"];

#[test]
fn legal_moves_are_those_of_fairy_stockfish() {
    let spawn = |program| Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok();
    let Some(mut program) = PROGRAMS.into_iter().find_map(spawn) else {
        eprintln!("skipped: fairy-stockfish is not installed");
        return;
    };
    let game = Shatar::game(&toml::Table::new()).unwrap();
    let visits = random_games(&game, 8, 200);
    let folder = tempfile::tempdir().unwrap();
    let variants = folder.path().join("variants.ini");
    std::fs::write(&variants, VARIANT).unwrap();
    let mut input = format!("setoption name VariantPath value {}\n", variants.display());
    input += "setoption name UCI_Variant value maydan-shatar\n";
    for visit in &visits {
        let text = visit.position.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let [board, side, _, clock, fullmove] = fields[..] else { panic!("{text}") };
        input += &format!("position fen {board} {side} - - {clock} {fullmove}\ngo perft 1\n");
    }
    input += "quit\n";
    let mut stdin = program.stdin.take().unwrap();
    // Written from a thread of its own: the program answers before it has read everything.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = String::from_utf8(program.wait_with_output().unwrap().stdout).unwrap();
    writer.join().unwrap();

    let mut answers = output.split("Nodes searched:");
    for visit in &visits {
        let answer = answers.next().unwrap();
        let theirs: BTreeSet<&str> = answer.lines().filter_map(|line| line.strip_suffix(": 1")).collect();
        let ours: Vec<String> = visit.legal.iter().map(|&action| action.to_string()).collect();
        let text = visit.position.to_string();
        assert_eq!(ours.iter().map(String::as_str).collect::<BTreeSet<_>>(), theirs, "{text}");
    }
    assert_eq!(answers.count(), 1, "an answer a position");
}
