//! The rules of Omega Chess: positions made by hand for each sentence. What holds of every game is tested in
//! `every_game.rs`.

use crate::support::omega_pieces;

use std::collections::BTreeSet;

use maydan::{
    encode::layout_table,
    game::{Game, Reason, omega::Omega},
};
use omega_pieces::placement;

fn game() -> Game<Omega> {
    Omega::game(&toml::Table::new()).unwrap()
}

/// A position string from pieces on their squares (`Kf0 pw1`), and `side castling ep`.
fn position(pieces: &str, state: &str) -> String {
    let placement = placement(pieces);
    let counters = if state.split(' ').count() == 3 { " 0 1" } else { "" };
    format!("{placement} {state}{counters}")
}

/// The legal moves of the pieces on some squares.
fn moves(squares: &str, pieces: &str, state: &str) -> String {
    let game = game();
    let text = position(pieces, state);
    let position = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    let all: BTreeSet<String> = legal.into_iter().map(|action| action.to_string()).collect();
    let from = |action: &&String| squares.split(' ').any(|square| square == &action[..2]);
    all.iter().filter(from).cloned().collect::<Vec<_>>().join(" ")
}

fn after(pieces: &str, state: &str, actions: &str) -> String {
    let game = game();
    let mut position = game.parse_position(&position(pieces, state)).unwrap();
    for text in actions.split(' ') {
        let action = game.parse_action(&position, text).unwrap();
        game.apply(&mut position, action);
    }
    position.to_string()
}

#[test]
fn section_2_the_start() {
    let game = game();
    let start = "w**********w/*crnbqkbnrc*/*pppppppppp*/*10*/*10*/*10*/*10*/*10*/*10*/*PPPPPPPPPP*/*CRNBQKBNRC*/W**********W w KQkq - 0 1";
    assert_eq!(game.start().to_string(), start);
}

#[test]
fn section_3_champions_and_wizards() {
    let kings = "Kj5 ka8";
    // One square orthogonally, or exactly two in any direction, over pieces.
    let ring = "Pe5 pe6 pd5 pf5 pf6 pd6 pd4";
    assert_eq!(
        moves("e4", &format!("Ce4 {kings}"), "w - -"),
        "e4c2 e4c4 e4c6 e4d4 e4e2 e4e3 e4e5 e4e6 e4f4 e4g2 e4g4 e4g6"
    );
    assert_eq!(
        moves("e4", &format!("Ce4 {ring} {kings}"), "w - -"),
        "e4c2 e4c4 e4c6 e4d4 e4e2 e4e3 e4e6 e4f4 e4g2 e4g4 e4g6"
    );
    // One square diagonally, or one by three, over pieces.
    assert_eq!(
        moves("e4", &format!("We4 {ring} {kings}"), "w - -"),
        "e4b3 e4b5 e4d1 e4d3 e4d5 e4d7 e4f1 e4f3 e4f5 e4f7 e4h3 e4h5"
    );
    // From and to the corners.
    assert_eq!(moves("w1", &format!("Ww1 {kings}"), "w - -"), "w1a0 w1a2 w1c0");
    assert_eq!(moves("a0", &format!("Wa0 {kings}"), "w - -"), "a0b1 a0b3 a0d1 a0w1");
    assert_eq!(
        moves("w2 j0", &format!("Cw2 Qj0 Pi1 Pj1 {kings}"), "w - -"),
        "j0a0 j0b0 j0c0 j0d0 j0e0 j0f0 j0g0 j0h0 j0i0"
    );
    assert_eq!(moves("w3", &format!("Bw3 {kings}"), "w - -").split(' ').count(), 11);
    assert_eq!(moves("w3", &format!("Rw3 {kings}"), "w - -"), "");
}

#[test]
fn section_3_pawns() {
    let kings = "Ka5 kj5";
    assert_eq!(moves("e1", &format!("Pe1 {kings}"), "w - -"), "e1e2 e1e3 e1e4");
    assert_eq!(moves("e1 f1 g1", &format!("Pe1 pe4 Pf1 pf3 Pg1 pg2 {kings}"), "w - -"), "e1e2 e1e3 f1f2 f1g2");
    assert_eq!(moves("e2", &format!("Pe2 pd3 pf3 pe3 {kings}"), "w - -"), "e2d3 e2f3");
    assert_eq!(moves("e8 d7", &format!("pe8 pd7 {kings}"), "b - -"), "d7d6 e8e5 e8e6 e8e7");
    // Promotion on the far rank at once and always, to six kinds.
    assert_eq!(moves("e8", &format!("Pe8 re9 nd9 {kings}"), "w - -"), "e8d9b e8d9c e8d9n e8d9q e8d9r e8d9w");
    assert_eq!(moves("a1", &format!("pa1 {kings}"), "b - -"), "a1a0b a1a0c a1a0n a1a0q a1a0r a1a0w");
    assert!(after(&format!("Pj8 {kings}"), "w - -", "j8j9w").contains("/*9W*/"));
}

#[test]
fn section_3_en_passant() {
    let kings = "Ka5 kj9";
    // After a step of three on both squares passed, after one of two on one; not after one of one.
    let pieces = format!("Pe1 pd3 pf4 {kings}");
    let three = after(&pieces, "w - -", "e1e4");
    assert_eq!(three, position(&format!("Pe4 pd3 pf4 {kings}"), "b - e2e3 0 1"));
    assert_eq!(moves("d3 f4", &format!("Pe4 pd3 pf4 {kings}"), "b - e2e3"), "d3d2 d3e2 f4e3 f4f3");
    assert_eq!(after(&pieces, "w - -", "e1e3"), position(&format!("Pe3 pd3 pf4 {kings}"), "b - e2 0 1"));
    assert!(after(&pieces, "w - -", "e1e2").contains(" b - - "));
    // The pawn that stepped is captured.
    assert_eq!(after(&format!("Pe4 pd3 {kings}"), "b - e2", "d3e2"), position(&format!("pe2 {kings}"), "w - - 0 2"));
    assert_eq!(after(&format!("pe5 Pf6 {kings}"), "w - e7", "f6e7"), position(&format!("Pe7 {kings}"), "b - - 0 1"));
    // Right after the step only, and only squares where the capture is legal are written.
    assert!(after(&pieces, "w - -", "e1e4 j9j8 a5a6").contains(" b - - "));
    assert!(after("Pe1 pd3 Ka5 kd8 Qd0", "w - -", "e1e3").contains(" b - - "));
    // Two pawns leave a rank at once.
    assert!(after("Ph1 pg3 kj3 Ka5 Ra3", "w - -", "h1h3").contains(" b - - "));
    assert!(after("Ph1 pg3 kj3 Ka5 Ra2", "w - -", "h1h3").contains(" b - h2 "));
}

#[test]
fn section_3_castling() {
    let pieces = "Kf0 Ri0 Rb0 ka9";
    assert_eq!(moves("f0", pieces, "w KQ -"), "f0d0 f0e0 f0e1 f0f1 f0g0 f0g1 f0h0");
    assert!(!moves("f0", pieces, "w Q -").contains("f0h0"));
    assert!(after(pieces, "w KQ -", "f0h0").contains("/*1R4RK2*/"));
    assert!(after(pieces, "w KQ -", "f0d0").contains("/*3KR3R1*/"));
    assert!(after("kf9 ri9 rb9 Ka0", "b kq -", "f9d9").contains("/*3kr3r1*/"));
    // Every square between is empty; the king is not attacked, passes and reaches no attacked square; the rook may.
    for (piece, blocks) in [
        ("Ng0", "h"),
        ("Nh0", "h"),
        ("Nc0", "d"),
        ("Nd0", "d"),
        ("Ne0", "d"),
        ("rg5", "h"),
        ("rh5", "h"),
        ("rd5", "d"),
        ("re5", "d"),
        ("rf5", "dh"),
        ("rc5", ""),
        ("rb5", ""),
        ("ri5", ""),
        ("wf3", "dh"),
        ("wf4", ""),
    ] {
        let found = moves("f0", &format!("{pieces} {piece}"), "w KQ -");
        for wing in ["d", "h"] {
            assert_eq!(found.contains(&format!("f0{wing}0")), !blocks.contains(wing), "{piece}: {found}");
        }
    }
    // A rook that is captured, or has moved, and a king that has.
    assert!(after("Kf0 Ri0 Rb0 ka9 bc9", "b KQ -", "c9i3").contains(" w KQ "));
    assert!(after("Kf0 Ri0 Rb0 ka9 be4", "b KQ -", "e4i0").contains(" w Q "));
    assert!(after(pieces, "w KQ -", "b0b1").contains(" b K "));
    assert!(after(pieces, "w KQ -", "f0f1").contains(" b - "));
    // A piece behind the rook looks along the rank once the rook has gone.
    assert!(!moves("f0", "Kf0 Ri0 Rb0 ka9 rj0", "w KQ -").contains("f0h0"));
    assert!(!moves("f0", "Kf0 Ri0 Rb0 ka9 ra0", "w KQ -").contains("f0d0"));
    assert!(moves("f0", "Kf0 Ri0 Rb0 ka9 nj0", "w KQ -").contains("f0h0"));
}

#[test]
fn section_3_kings_are_kept_safe() {
    // A champion two squares away and a wizard give check over pieces, and nobody can stand between.
    assert_eq!(moves("e0 d2", "Ke0 Rd2 ce2 ka9", "w - -"), "d2e2 e0d0 e0d1 e0f0 e0f1");
    assert_eq!(moves("d2", "Ke0 Rd2 wd3 ka9", "w - -"), "d2d3");
    // A pinned champion may not jump over the piece that pins it.
    assert_eq!(moves("e4", "Ke0 Ce4 re5 ka9", "w - -"), "e4e2 e4e3 e4e5");
    // From a corner a king sees one square.
    assert_eq!(moves("w1", "Kw1 ka9", "w - -"), "w1a0");
    assert_eq!(moves("w1", "Kw1 ka9 rb5 ra5", "w - -"), "");
}

#[test]
fn section_4_games_end() {
    let game = game();
    let reason = |pieces: &str, state: &str| {
        let position = game.parse_position(&position(pieces, state)).unwrap();
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        game.outcome(&position, &legal, 0).map(|outcome| (outcome.winner.is_some(), outcome.reason))
    };
    for (pieces, state, expected) in [
        ("kw3 Kh8 Bi8", "b - -", Some((true, Reason::Checkmate))),
        ("kw3 Ra9 Rb8 Ka0", "b - -", Some((false, Reason::Stalemate))),
        ("ka9 Kj0", "w - -", Some((false, Reason::Insufficient))),
        ("ka9 Kj0 Nd4", "w - -", Some((false, Reason::Insufficient))),
        ("ka9 Kj0 bd4", "w - -", Some((false, Reason::Insufficient))),
        ("ka9 Kj0 Cd4", "w - -", Some((false, Reason::Insufficient))),
        ("ka9 Kj0 wd4", "w - -", Some((false, Reason::Insufficient))),
        ("ka9 Kj0 wd4 Cd5", "w - -", None),
        ("ka9 Kj0 pd4", "w - -", None),
        ("ka9 Kj0 rd4", "w - -", None),
        ("ka9 Kj0 rd4", "w - - 99 1", None),
        ("ka9 Kj0 rd4", "w - - 100 1", Some((false, Reason::NoProgress))),
        ("ka9 Kj0 rd4", "b - - 0 384", None),
        ("ka9 Kj0 rd4", "w - - 0 385", Some((false, Reason::MaxPlies))),
    ] {
        assert_eq!(reason(pieces, state), expected, "{pieces} {state}");
    }
}

#[test]
fn section_5_bad_positions_are_refused_by_field() {
    let kings = "Kf0 kf9";
    for (pieces, state, field) in [
        ("Kf0", "w - -", "placement"),
        ("Kf0 Ke0 kf9", "w - -", "placement"),
        (kings, "x - -", "side"),
        ("Kf0 kf9 Rf5", "w - -", "side"),
        (kings, "w QK -", "castling"),
        (kings, "w K -", "castling"),
        ("Kf0 kf9 ri9", "w q -", "castling"),
        (kings, "w - e2e3e4", "ep"),
        (kings, "w - é", "ep"),
        (kings, "b - e2", "ep"),
        ("Kf0 kf9 Pe4 pd3 pf4", "b - e3e2", "ep"),
        ("Kf0 kf9 Pe4 pd3 pf4", "b - e2", "ep"),
        ("Kf0 kf9 Pe4 pd3 pf4", "b - e3", "ep"),
        ("Kf0 kf9 Pa0", "w - -", "placement"),
        ("Kf0 kf9 pb9", "w - -", "placement"),
        ("Kf0 kf9 Pw1", "w - -", "placement"),
        ("Kf0 kf9 Pe4 pd3 pf4 Ne1", "b - e2e3", "ep"),
        ("Kf0 kf9 Pe3 pd3 pf4", "b - e2e3", "ep"),
        ("Kf0 kf9 Pe4 pd3 pf4", "w - e2e3", "ep"),
        (kings, "w - - -1 1", "clock"),
        (kings, "w - - 0 0", "fullmove"),
        (kings, "w - - 0 1 1", "fullmove"),
    ] {
        let read = game().parse_position(&position(pieces, state)).map_err(|error| error.field);
        assert_eq!(read, Err(field), "{pieces} {state}");
    }
    let good = position(kings, "w - -");
    for (from, to) in [("*10*", "*11*"), ("*10*", "*1010*"), ("*10*", "10**"), ("1**********1", "12"), ("K", "X")] {
        assert_eq!(game().parse_position(&good.replacen(from, to, 1)).unwrap_err().field, "placement", "{to}");
    }
    let once: toml::Table = "repetition = 1".parse().unwrap();
    assert!(Omega::game(&once).unwrap_err().to_string().contains("repetition"));
}

#[test]
fn the_documented_table_is_the_layout() {
    let game = game();
    let table = layout_table(game.layout());
    let documented = include_str!("../../../src/game/omega/PLANES.md");
    assert!(documented.ends_with(&format!("\n\n{table}")), "PLANES.md should end with:\n\n{table}");
}
