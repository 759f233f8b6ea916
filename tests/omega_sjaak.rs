//! Omega Chess against Sjaak II. Skipped where the program is not installed (Debian package `sjaakii`).
//!
//! Where a king, champion, rook or queen stands on a corner the program errs: it lets the first two stay where they are for a move, the others slide off
//! the corner along the edge of its grid, and allows nobody to stand between a king on a corner and a distant check. Such positions are not compared.

mod suite;

use std::{
    io::Write,
    process::{Command, Stdio},
};

use maydan::game::{
    Game,
    omega::{Action, Omega, Position, Square},
};
use suite::walk::random_game;

/// Where the program may be; Debian's games are not in everybody's PATH.
const PROGRAMS: [&str; 2] = ["sjaakii", "/usr/games/sjaakii"];

/// The program names squares by their places on the grid, a1 to l12.
fn name(square: Square) -> String {
    format!("{}{}", (b'a' + square.column() as u8) as char, square.row() + 1)
}

fn its_string(action: Action) -> String {
    let letter = action.promotion().map_or(String::new(), |kind| kind.letter().to_ascii_lowercase().to_string());
    name(action.from()) + &name(action.to()) + &letter
}

/// Whether the program knows the rules in this position.
fn is_sound(position: &Position) -> bool {
    let corners = [(0, 0), (11, 0), (0, 11), (11, 11)].map(|(column, row)| Square::at(column, row).unwrap());
    corners.into_iter().filter_map(|corner| position.at(corner)).all(|(_, kind)| !"KCRQ".contains(kind.letter()))
}

#[test]
fn legal_moves_are_those_of_sjaak() {
    let spawn = |program| Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok();
    let Some(mut program) = PROGRAMS.into_iter().find_map(spawn) else {
        eprintln!("skipped: sjaakii is not installed");
        return;
    };
    let game = Omega::from_options(&toml::Table::new()).unwrap();
    let mut input = "xboard\nvariant omega\nforce\n".to_owned();
    let mut compared = Vec::new();
    for number in 0..6 {
        for pair in random_game(&game, game.start(), number, 200).windows(2) {
            let [before, visit] = pair else { unreachable!("windows of two") };
            if !is_sound(&before.position) || !is_sound(&visit.position) || visit.legal.is_empty() {
                continue;
            }
            // It reads no en passant square, so that it must see the move before.
            let leads = |action: &&Action| {
                let mut next = before.position;
                game.apply(&mut next, **action);
                next == visit.position
            };
            let last = *before.legal.iter().find(leads).unwrap();
            input += &format!("setboard {}\n{}\nperft 1\n", game.position_string(&before.position), its_string(last));
            for &action in &visit.legal {
                input += &format!("{}\nundo\n", its_string(action));
            }
            compared.push(visit.clone());
        }
    }
    assert!(compared.len() > 300, "{} positions", compared.len());
    input += "quit\n";
    let mut stdin = program.stdin.take().unwrap();
    // Written from a thread of its own: the program answers before it has read everything.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = String::from_utf8_lossy(&program.wait_with_output().unwrap().stdout).into_owned();
    writer.join().unwrap();

    // As many moves as here, and each move from here is accepted: the same moves.
    let refused: Vec<&str> = output.lines().filter(|line| line.starts_with("Error")).collect();
    assert!(refused.is_empty(), "{refused:?}");
    let counts = output.lines().filter(|line| line.ends_with("nps"));
    let counts: Vec<usize> = counts.map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(counts.len(), compared.len());
    for (visit, count) in compared.iter().zip(counts) {
        assert_eq!(count, visit.legal.len(), "{}", game.position_string(&visit.position));
    }
}
