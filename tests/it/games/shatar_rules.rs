//! The rules of Shatar: positions made by hand for each sentence. What holds of every game is tested in
//! `every_game.rs`.

use std::collections::BTreeSet;

use maydan::{
    encode::layout_table,
    game::{Game, Reason, shatar::Shatar},
};

fn game() -> Game<Shatar> {
    Shatar::game(&toml::Table::new()).unwrap()
}

fn moves(game: &Game<Shatar>, text: &str) -> BTreeSet<String> {
    let position = game.parse_position(text).unwrap();
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    assert_eq!(game.count_legal_actions(&position), legal.len() as u64);
    legal.into_iter().map(|action| action.to_string()).collect()
}

#[test]
fn pieces_move_as_the_rules_say() {
    let game = game();
    let has = |text: &str, action: &str| moves(&game, text).contains(action);
    // A qayin goes straight forward one square, also onto an enemy; never two, never diagonally; on the last rank not
    // at all.
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
        game.outcome(&position, &legal, 0).map(|outcome| (outcome.winner.is_some(), outcome.reason))
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
        position.to_string()
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
    assert!(Shatar::game(&once).unwrap_err().to_string().contains("repetition"));
}

#[test]
fn the_documented_table_is_the_layout() {
    let table = layout_table(game().layout());
    let documented = include_str!("../../../src/game/shatar/PLANES.md");
    assert!(documented.ends_with(&format!("\n\n{table}")), "PLANES.md should end with:\n\n{table}");
}
