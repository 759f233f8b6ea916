//! The rules of Shatar: a slow reference on random games, positions made by hand for each sentence, and the encoding.

mod suite;

use std::collections::{BTreeMap, BTreeSet};

use maydan::{
    encode::layout_table,
    game::{Encode, Game, Reason, shatar::Shatar},
};
use suite::{
    encoding::{self, Symmetry},
    walk::{Visit, random_games},
};

fn game() -> Shatar {
    Shatar::from_options(&toml::Table::new()).unwrap()
}

/// Positions in which checks, pins and stuck qayins are near.
const SEEDS: &[&str] = &[
    "r3k2r/p1p2p2/4P3/1b1q4/4n3/2N5/PPP1QP2/R3K2R w - 3 9",
    "P3k1P1/8/8/2b3n1/8/4R3/3r1p2/4K2p b - 7 30",
    "3qk3/8/3p4/3P4/7b/8/5N2/R3K2r w - 0 1",
    "4k3/4p3/8/8/1b5q/2N3P1/3PP3/4K3 w - 9999999 9999999",
];

/// The game from the text of its rules: a mailbox, every move made and then asked whether the khan stands attacked.
struct Reference {
    board: BTreeMap<(i32, i32), char>,
    white: bool,
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Reference {
    fn read(text: &str) -> Self {
        let mut board = BTreeMap::new();
        for (row, rank) in text.split(' ').next().unwrap().split('/').zip((0..8).rev()) {
            let mut file = 0;
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(run) => file += run as i32,
                    None => {
                        board.insert((file, rank), c);
                        file += 1;
                    }
                }
            }
        }
        Reference { board, white: text.contains(" w ") }
    }

    /// Where the man on a square may go or capture, the khan's safety aside.
    fn targets(&self, (file, rank): (i32, i32)) -> Vec<(i32, i32)> {
        let man = self.board[&(file, rank)];
        let all: Vec<(i32, i32)> = STRAIGHT.into_iter().chain(DIAGONAL).collect();
        let (ways, steps) = match man.to_ascii_uppercase() {
            'K' => (all, 1),
            'Q' => (all, 7),
            'R' => (STRAIGHT.to_vec(), 7),
            'B' => (DIAGONAL.to_vec(), 7),
            'N' => (JUMPS.to_vec(), 1),
            'P' => (vec![(0, if man == 'P' { 1 } else { -1 })], 1),
            _ => panic!("{man}"),
        };
        let mut found = Vec::new();
        for (east, north) in ways {
            for step in 1..=steps {
                let to = (file + step * east, rank + step * north);
                if !(0..8).contains(&to.0) || !(0..8).contains(&to.1) {
                    break;
                }
                match self.board.get(&to) {
                    None => found.push(to),
                    Some(other) if other.is_uppercase() == man.is_uppercase() => break,
                    Some(_) => {
                        found.push(to);
                        break;
                    }
                }
            }
        }
        found
    }

    fn attacked(&self, white: bool) -> bool {
        let khan = if white { 'K' } else { 'k' };
        let men = self.board.iter().filter(|(_, man)| man.is_uppercase() != white);
        men.flat_map(|(&from, _)| self.targets(from)).any(|to| self.board.get(&to) == Some(&khan))
    }

    fn moves(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let name = |(file, rank): (i32, i32)| format!("{}{}", (b'a' + file as u8) as char, rank + 1);
        for (&from, _) in self.board.iter().filter(|(_, man)| man.is_uppercase() == self.white) {
            for to in self.targets(from) {
                let mut board = self.board.clone();
                let man = board.remove(&from).unwrap();
                board.insert(to, man);
                if !(Reference { board, white: self.white }).attacked(self.white) {
                    found.insert(format!("{}{}", name(from), name(to)));
                }
            }
        }
        found
    }
}

fn moves(game: &Shatar, text: &str) -> BTreeSet<String> {
    let position = game.parse_position(text).unwrap();
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    assert_eq!(game.count_legal_actions(&position), legal.len() as u64);
    legal.into_iter().map(|action| game.action_string(&position, action)).collect()
}

fn visits(game: &Shatar) -> Vec<Visit<Shatar>> {
    let mut visits = random_games(game, 6, 250);
    for text in SEEDS {
        let position = game.parse_position(text).unwrap();
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        visits.push(Visit { position, repetitions: 0, legal });
    }
    visits
}

#[test]
fn legal_moves_are_those_of_the_reference() {
    let game = game();
    let (mut checks, mut total) = (0, 0);
    for visit in visits(&game) {
        let text = game.position_string(&visit.position);
        let reference = Reference::read(&text);
        assert_eq!(moves(&game, &text), reference.moves(), "{text}");
        checks += usize::from(reference.attacked(reference.white));
        total += 1;
    }
    assert!(checks > 10 && total > 500, "{checks} of {total}");
}

#[test]
fn strings_and_keys_say_everything() {
    let game = game();
    let mut keys = BTreeMap::new();
    for visit in visits(&game) {
        let text = game.position_string(&visit.position);
        let read = game.parse_position(&text).unwrap();
        assert_eq!(read, visit.position);
        assert_eq!(game.repetition_key(&read), game.repetition_key(&visit.position));
        assert_eq!(*keys.entry(game.key(&read)).or_insert_with(|| text.clone()), text);
        assert!(
            visit
                .legal
                .iter()
                .all(|&action| game.parse_action(&read, &game.action_string(&read, action)) == Ok(action))
        );
    }
}

#[test]
fn men_move_as_the_rules_say() {
    let game = game();
    let has = |text: &str, action: &str| moves(&game, text).contains(action);
    // A qayin goes straight forward one square, also onto an enemy; never two, never diagonally; on the last rank not at all.
    let qayins = "4k3/8/8/8/2n5/1p1p4/2P4P/4K3 w - 0 1";
    assert_eq!(moves(&game, qayins), ["c2c3", "e1d1", "e1e2", "e1f1", "e1f2", "h2h3"].map(String::from).into());
    assert!(has("4k3/8/8/8/8/2n5/2P5/4K3 w - 0 1", "c2c3"));
    assert!(!has("4k3/8/8/8/8/2N5/2P5/4K3 w - 0 1", "c2c3"));
    assert_eq!(moves(&game, "P3k3/8/8/8/8/8/8/7K w - 0 1"), ["h1g1", "h1g2", "h1h2"].map(String::from).into());
    // It gives check straight ahead only.
    assert!(game.parse_position("4k3/4P3/8/8/8/8/8/4K3 w - 0 1").is_err());
    assert!(game.parse_position("4k3/3P4/8/8/8/8/8/4K3 w - 0 1").is_ok());
    assert!(has("4k3/4P3/8/8/8/8/8/4K3 b - 0 1", "e8e7"));
    assert!(!has("4k3/4P3/8/6B1/8/8/8/4K3 b - 0 1", "e8e7"));
    // There is no castling.
    assert!(!has("4k3/8/8/8/8/8/8/R3K2R w - 0 1", "e1g1"));
}

#[test]
fn games_end_as_the_rules_say() {
    let game = game();
    let reason = |text: &str| {
        let position = game.parse_position(text).unwrap();
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        game.outcome(&position, &legal).map(|outcome| (outcome.winner.is_some(), outcome.reason))
    };
    for (text, expected) in [
        ("R3k3/8/4K3/8/8/8/8/8 b - 0 1", Some((true, Reason::Checkmate))),
        ("R3k3/8/4K3/8/8/8/8/8 b - 100 1", Some((true, Reason::Checkmate))),
        ("k7/8/1Q6/8/8/8/8/4K3 b - 0 1", Some((false, Reason::Stalemate))),
        ("4k3/8/8/8/8/8/8/4K2R w - 99 1", None),
        ("4k3/8/8/8/8/8/8/4K2R w - 100 1", Some((false, Reason::NoProgress))),
        ("4k3/8/8/8/8/8/8/4K3 w - 0 1", Some((false, Reason::Insufficient))),
        ("4k3/8/8/8/8/8/8/4K2N w - 0 1", Some((false, Reason::Insufficient))),
        ("4k2b/8/8/8/8/8/8/4K3 w - 0 1", Some((false, Reason::Insufficient))),
        ("4k2b/8/8/8/8/8/8/4K2N w - 0 1", None),
        ("P3k3/8/8/8/8/8/8/4K3 w - 0 1", None),
        ("4k3/8/8/8/8/8/8/4K2R w - 0 257", Some((false, Reason::MaxPlies))),
        ("4k3/8/8/8/8/8/8/4K2R b - 0 256", None),
    ] {
        assert_eq!(reason(text), expected, "{text}");
    }
}

#[test]
fn progress_is_a_capture_or_a_qayins_move() {
    let game = game();
    let play = |text: &str, action: &str| {
        let mut position = game.parse_position(text).unwrap();
        let action = game.parse_action(&position, action).unwrap();
        game.apply(&mut position, action);
        game.position_string(&position)
    };
    let text = "4k3/8/8/8/8/5n2/P7/4K1N1 w - 7 3";
    assert_eq!(play("4k3/8/8/8/8/8/P7/4K1N1 w - 7 3", "g1e2"), "4k3/8/8/8/8/8/P3N3/4K3 b - 8 3");
    assert_eq!(play("4k3/8/8/8/8/8/P7/4K1N1 w - 7 3", "a2a3"), "4k3/8/8/8/8/P7/8/4K1N1 b - 0 3");
    assert_eq!(play(text, "g1f3"), "4k3/8/8/8/8/5N2/P7/4K3 b - 0 3");
    assert_eq!(play("4k3/8/8/8/8/8/P7/4K1N1 b - 7 3", "e8e7"), "8/4k3/8/8/8/8/P7/4K1N1 w - 8 4");
}

#[test]
fn bad_positions_are_refused_by_field() {
    for (text, field) in [
        ("", "placement"),
        ("4k3/8/8/8/8/8/8 w - 0 1", "placement"),
        ("4k3/8/8/8/8/8/8/4X3 w - 0 1", "placement"),
        ("4k3/8/8/8/8/8/8/8 w - 0 1", "placement"),
        ("4k3/8/8/8/8/8/8/4K3 x - 0 1", "side"),
        ("4k3/8/8/8/8/8/8/4RK2 w - 0 1", "side"),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq 0 1", "third"),
        ("4k3/8/8/8/8/8/8/4K3 w", "third"),
        ("4k3/8/8/8/8/8/8/4K3 w - +1 1", "clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - 0 0", "fullmove"),
        ("4k3/8/8/8/8/8/8/4K3 w - 0 1 1", "fullmove"),
    ] {
        assert_eq!(game().parse_position(text).unwrap_err().field, field, "{text}");
    }
    let once: toml::Table = "repetition = 1".parse().unwrap();
    assert!(Shatar::from_options(&once).unwrap_err().to_string().contains("repetition"));
}

#[test]
fn colours_and_wings_do_not_matter() {
    let game = game();
    let swap = Symmetry { position: swap_colours, action: |text| map_squares(text, |c| c, flip) };
    encoding::colours_do_not_matter(&game, &visits(&game), &swap, &["black"]);
    let mirror = Symmetry { position: mirror_files, action: |text| map_squares(text, turn, |c| c) };
    let visits = visits(&game);
    assert_eq!(encoding::the_mirror_is_seen(&game, &visits, &mirror), visits.len());
}

#[test]
fn the_documented_table_is_the_layout() {
    let table = layout_table(game().layout());
    let documented = include_str!("../src/game/shatar/PLANES.md");
    assert!(documented.ends_with(&format!("\n\n{table}")), "PLANES.md should end with:\n\n{table}");
}

fn swap_colours(text: &str) -> String {
    let (board, rest) = text.split_once(' ').unwrap();
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let rows: Vec<String> = board.split('/').rev().map(|row| row.chars().map(swap).collect()).collect();
    let side = if rest.starts_with('w') { 'b' } else { 'w' };
    format!("{} {side}{}", rows.join("/"), &rest[1..])
}

fn mirror_files(text: &str) -> String {
    let (board, rest) = text.split_once(' ').unwrap();
    let rows: Vec<String> = board.split('/').map(|row| row.chars().rev().collect()).collect();
    format!("{} {rest}", rows.join("/"))
}

fn map_squares(text: &str, file: fn(char) -> char, rank: fn(char) -> char) -> String {
    text.chars().map(|c| if c.is_ascii_digit() { rank(c) } else { file(c) }).collect()
}

fn flip(rank: char) -> char {
    (b'1' + b'8' - rank as u8) as char
}

fn turn(file: char) -> char {
    (b'a' + b'h' - file as u8) as char
}
