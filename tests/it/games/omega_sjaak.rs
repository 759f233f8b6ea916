//! Omega Chess against Sjaak II. Skipped where the program is not installed (Debian package `sjaakii`).
//!
//! Known faults of Sjaak II 1.4.1 are left out, and nothing else; all of them lie at the corners: a king or champion
//! there may stay where it is, a rook or queen there slides along the edge, and between a corner and another square of
//! its diagonal it sees no square on which a piece could bar the way of a check.

use crate::support::{suite, witnesses};

use std::{
    collections::BTreeSet,
    io::Write,
    process::{Command, Stdio},
};

use maydan::game::{
    Game,
    omega::{Kind, Omega, Position, Square},
};
use suite::walk::{Visit, random_game, seeds};
use witnesses::witness;

/// Where the program may be; Debian's games are not in everybody's PATH.
const PROGRAMS: [&str; 2] = ["sjaakii", "/usr/games/sjaakii"];

/// Where pawns can be captured in passing, free ones and pinned ones.
const EN_PASSANT: [&str; 3] = [
    "1**********1/*5k4*/*p1p1p1p1p1*/*10*/*1P1P1P1P1P*/*10*/*10*/*p1p1p1p1p1*/*10*/*1P1P1P1P1P*/*5K4*/1**********1 w - - 0 1",
    "1**********1/*10*/*4p1p3*/*10*/*k2P1P3R*/*10*/*10*/*r2p1p3K*/*10*/*4P1P3*/*10*/1**********1 w - - 0 9",
    "1**********1/*2k7*/*9b*/*10*/*2B7*/*10*/*3p1p4*/*10*/*10*/*b3P5*/*5K3R*/1**********1 w - - 0 9",
];

#[test]
fn legal_moves_are_those_of_sjaak() {
    let spawn = |program| {
        Command::new(program)
            .arg("-xboard")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()
    };
    let Some(mut program) = PROGRAMS.into_iter().find_map(spawn) else {
        eprintln!("skipped: sjaakii is not installed");
        return;
    };
    let game = Omega::game(&toml::Table::new()).unwrap();
    let questions = questions(&game);
    let asked: String = questions.iter().map(|question| format!("{}perft 1 1\n", question.setup)).collect();
    let input = format!("variant omega\nforce\n{asked}quit\n");
    let mut stdin = program.stdin.take().unwrap();
    // Written from a thread of its own: the program answers before it has read everything.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = String::from_utf8(program.wait_with_output().unwrap().stdout).unwrap();
    writer.join().unwrap();

    let mut answers = output.split("nps\n");
    for Question { visit, .. } in &questions {
        let position = &visit.position;
        let text = position.to_string();
        let answer = answers.next().unwrap();
        assert!(!answer.contains("Error"), "{text}: {answer}");
        let theirs: BTreeSet<String> =
            answer.lines().filter_map(legal_move).map(|shown| our_string(shown, text.contains(" w "))).collect();
        let ours: BTreeSet<String> = visit.legal.iter().map(|&action| action.to_string()).collect();
        let wrong = |action: &&String| !ours.contains(*action) && !is_false_at_corner(position, action);
        let missing = |action: &&String| !theirs.contains(*action) && !is_overlooked_shield(position, action);
        assert_eq!(theirs.iter().filter(wrong).collect::<Vec<_>>(), [""; 0], "Sjaak II alone in {text}");
        assert_eq!(ours.iter().filter(missing).collect::<Vec<_>>(), [""; 0], "not Sjaak II in {text}");
    }
    assert_eq!(answers.count(), 1, "an answer a position");
}

struct Question {
    visit: Visit<Omega>,
    /// Lines that bring the program to the position.
    setup: String,
}

/// Positions of random games from the start, from the witness's seeds and from where pawns can be captured in passing.
fn questions(game: &Game<Omega>) -> Vec<Question> {
    let pawns = EN_PASSANT.map(|text| game.parse_position(text).unwrap());
    let seeds = seeds(game, witness("omega"));
    let plans = [(vec![game.start()], 8, 300), (seeds, 4, 100), (pawns.into(), 40, 20)];
    let starts = plans.into_iter().flat_map(|(starts, games, plies)| {
        starts.into_iter().flat_map(move |start| std::iter::repeat_n((start, plies), games))
    });
    let games = starts.zip(0..).map(|((start, plies), number)| random_game(game, start, number, plies));
    let mut questions = Vec::new();
    for visits in games {
        let mut before: Option<Visit<Omega>> = None;
        for visit in visits {
            let setup = if visit.position.passed().is_empty() {
                Some(format!("setboard {}\n", visit.position))
            } else {
                // Of an en passant field the program reads one square at most: it is shown the step instead.
                before.map(|before| {
                    let leads_here = |action: &&_| {
                        let mut position = before.position;
                        game.apply(&mut position, **action);
                        position == visit.position
                    };
                    let step = before.legal.iter().find(leads_here).unwrap();
                    let step = their_name(step.from()) + &their_name(step.to());
                    format!("setboard {}\n{step}\n", before.position)
                })
            };
            questions.extend(setup.map(|setup| Question { visit: visit.clone(), setup }));
            before = Some(visit);
        }
    }
    questions
}

/// The move of a line `move 1 total`; the moves with 0 are not legal.
fn legal_move(line: &str) -> Option<&str> {
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        [shown, "1", _] => Some(shown),
        _ => None,
    }
}

/// The program names the places of the whole grid, a1 to l12.
fn their_name(square: Square) -> String {
    format!("{}{}", (b'a' + square.column() as u8) as char, square.row() + 1)
}

/// Our string of a move as the program shows it: `Cb2-d4`, `f10xg11Q`, `O-O`.
fn our_string(shown: &str, white: bool) -> String {
    match (shown, white) {
        ("O-O", true) => "f0h0".to_owned(),
        ("O-O", false) => "f9h9".to_owned(),
        ("O-O-O", true) => "f0d0".to_owned(),
        ("O-O-O", false) => "f9d9".to_owned(),
        _ => {
            let (from, to) = shown.split_once(['-', 'x']).unwrap_or_else(|| panic!("{shown}"));
            let name = |text: &str| {
                let place = text.trim_matches(|c: char| c.is_ascii_uppercase());
                Square::all().find(|&square| their_name(square) == place).unwrap_or_else(|| panic!("{shown}"))
            };
            let becomes = to.trim_start_matches(|c: char| !c.is_ascii_uppercase());
            format!("{}{}{}", name(from), name(to), becomes.to_ascii_lowercase())
        }
    }
}

fn squares(action: &str) -> [Square; 2] {
    [&action[..2], &action[2..4]].map(|name| name.parse().unwrap())
}

fn is_corner(square: Square) -> bool {
    square.to_string().starts_with('w')
}

fn on_one_diagonal(a: Square, b: Square) -> bool {
    a.column().abs_diff(b.column()) == a.row().abs_diff(b.row())
}

/// A move that is none: of a king or champion from a corner to itself, of a rook or queen from a corner elsewhere than
/// along the diagonal.
fn is_false_at_corner(position: &Position, action: &str) -> bool {
    let [from, to] = squares(action);
    let kind = position.pieces().at(from).map(|(_, kind)| kind);
    is_corner(from)
        && match kind {
            Some(Kind::King | Kind::Champion) => from == to,
            Some(Kind::Rook | Kind::Queen) => !on_one_diagonal(from, to),
            _ => false,
        }
}

/// A move of another piece than the king onto an empty square of a corner's diagonal, on which the king stands in that
/// corner or the enemy has a piece there that slides.
fn is_overlooked_shield(position: &Position, action: &str) -> bool {
    let [from, to] = squares(action);
    let side = position.side_to_move();
    let king = position.pieces().king(side);
    let sliders = position.pieces().of(!side, Kind::Bishop) | position.pieces().of(!side, Kind::Queen);
    let shields = |corner: Square| {
        let on_it = on_one_diagonal(corner, king) && on_one_diagonal(corner, to);
        on_it && (king == corner || sliders.has(corner))
    };
    let mut corners = Square::all().filter(|square| is_corner(*square));
    from != king && !position.pieces().occupied().has(to) && corners.any(shields)
}
