//! The rules of Omega Chess Advanced: positions made by hand for each sentence. What holds of every game is tested in
//! `every_game.rs`.

use crate::support::omega_pieces;

use std::collections::BTreeSet;

use maydan::{
    encode::layout_table,
    game::{Game, Reason, omega::advanced::OmegaAdvanced},
};
use omega_pieces::placement;

fn game(options: &str) -> Game<OmegaAdvanced> {
    OmegaAdvanced::game(&options.parse().unwrap()).unwrap()
}

/// A position string from pieces on their squares (`Kf0 pw1`), and `[fools] side unmoved ep last` with or without
/// counters.
fn position(pieces: &str, state: &str) -> String {
    let counters = if state.split(' ').count() == 5 { " 0 9" } else { "" };
    format!("{}{state}{counters}", placement(pieces))
}

/// The legal actions of the pieces on some squares, under some options.
fn moves_under(options: &str, squares: &str, pieces: &str, state: &str) -> String {
    let game = game(options);
    let text = position(pieces, state);
    let position = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    let all: BTreeSet<String> = legal.into_iter().map(|action| action.to_string()).collect();
    let from = |action: &&String| squares.split(' ').any(|square| square == &action[..2]);
    all.iter().filter(from).cloned().collect::<Vec<_>>().join(" ")
}

fn moves(squares: &str, pieces: &str, state: &str) -> String {
    moves_under("", squares, pieces, state)
}

/// Whether the action is legal.
fn may(action: &str, pieces: &str, state: &str) -> bool {
    moves(&action[..2], pieces, state).split(' ').any(|legal| legal == action)
}

fn after_under(options: &str, pieces: &str, state: &str, actions: &str) -> String {
    let game = game(options);
    let mut position = game.parse_position(&position(pieces, state)).unwrap();
    for text in actions.split(' ') {
        let action = game.parse_action(&position, text).unwrap();
        game.apply(&mut position, action);
    }
    position.to_string()
}

fn after(pieces: &str, state: &str, actions: &str) -> String {
    after_under("", pieces, state, actions)
}

/// How the game has ended: whether one side won, and why.
fn ended(pieces: &str, state: &str) -> Option<(bool, Reason)> {
    let game = game("");
    let position = game.parse_position(&position(pieces, state)).unwrap();
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    game.outcome(&position, &legal, 0).map(|outcome| (outcome.winner.is_some(), outcome.reason))
}

#[test]
fn section_1_guarding() {
    let pieces = "Qe0 Rb0 Ri0 Kg3 ka9";
    // With the b rook, with the i rook; what is written.
    assert_eq!(after(pieces, "[] w b0e0i0 - --", "e0b0"), position("Qc0 Rd0 Ri0 Kg3 ka9", "[] b i0 - Q- 1 9"));
    assert_eq!(after(pieces, "[] w b0e0i0 - --", "e0i0"), position("Qg0 Rf0 Rb0 Kg3 ka9", "[] b b0 - Q- 1 9"));
    let black = after("qe9 rb9 ri9 kg6 Ka0", "[] b b9e9i9 - --", "e9b9");
    assert_eq!(black, position("qc9 rd9 ri9 kg6 Ka0", "[] w i9 - -Q 1 10"));
    assert!(may("e9i9", "qe9 rb9 ri9 kg6 Ka0", "[] b b9e9i9 - --"));
    // Neither has moved.
    for (unmoved, legal) in [("b0e0", "b"), ("e0i0", "i"), ("b0i0", ""), ("e0", ""), ("-", "")] {
        for (file, action) in [("b", "e0b0"), ("i", "e0i0")] {
            assert_eq!(
                may(action, pieces, &format!("[] w {unmoved} - --")),
                legal.contains(file),
                "{unmoved} {action}"
            );
        }
    }
    // No piece between them: neither own nor enemy, the king included.
    for (piece, blocked) in
        [("Nc0", "b"), ("nd0", "b"), ("nf0", "i"), ("Bg0", "i"), ("fh0", "i"), ("Na0", ""), ("Cj0", "")]
    {
        let found = moves("e0", &format!("{pieces} {piece}"), "[] w b0e0i0 - --");
        for file in ["b", "i"] {
            assert_eq!(found.contains(&format!("e0{file}0")), !blocked.contains(file), "{piece}: {found}");
        }
    }
    assert!(!may("e0i0", "Qe0 Rb0 Ri0 Kf0 ka9", "[] w b0e0f0i0 - --"));
    // Attacks on the squares do not matter.
    assert!(may("e0b0", &format!("{pieces} rc5 rd5 re5 rb5"), "[] w b0e0i0 - --"));
    assert!(may("e0i0", &format!("{pieces} rf5 rh5 re5 ri5"), "[] w b0e0i0 - --"));
    // It may be played in check if it ends the check: Black's fool, a knight that gives check, becomes a queen whose
    // lines are closed.
    let checked = "Qe0 Rb0 Ri0 Kg3 ka9 fh5";
    assert!(may("e0b0", checked, "[] w b0e0i0 - N-"));
    assert!(!may("e0b0", checked.replace("fh5", "nh5").as_str(), "[] w b0e0i0 - N-"));
    // The own king must not be left attacked: a fool that becomes a queen attacks it.
    assert!(!may("e0b0", "Qe0 Rb0 Ri0 Kg3 ka9 fg6", "[] w b0e0i0 - N-"));
    assert!(may("e0b0", "Qe0 Rb0 Ri0 Kg3 ka9 fg6 Pg5", "[] w b0e0i0 - N-"));
}

#[test]
fn section_2_the_fool_enters() {
    let game = game("");
    let start = "w**********w/*crnbqkbnrc*/*pppppppppp*/*10*/*10*/*10*/*10*/*10*/*10*/*PPPPPPPPPP*/*CRNBQKBNRC*/W**********W[Ff] w a0b0c0d0e0f0g0h0i0j0a9b9c9d9e9f9g9h9i9j9w1w2w3w4 - -- 0 1";
    assert_eq!(game.start().to_string(), start);
    // When a piece other than a pawn makes its first move, on the square that it left; the kind used is the moving
    // piece's.
    let pieces = "Kf0 Nc0 Pe1 kf9 nd2";
    let state = "[Ff] w c0f0f9 - --";
    assert_eq!(moves("c0 e1", pieces, state), "c0a1 c0a1f c0b2 c0b2f c0d2 c0d2f e1d2 e1e2 e1e3 e1e4");
    assert_eq!(after(pieces, state, "c0b2f"), position("Kf0 Fc0 Nb2 Pe1 kf9 nd2", "[f] b f0f9 - N- 0 9"));
    // Capturing or not.
    assert_eq!(after(pieces, state, "c0d2f"), position("Kf0 Fc0 Nd2 Pe1 kf9", "[f] b f0f9 - N- 0 9"));
    // The first move alone; and of a piece that is unmoved, not of one that stands where such a piece would.
    assert!(!may("c0b2f", pieces, "[Ff] w f0f9 - --"));
    assert!(!may("c0b2f", pieces, "[f] w c0f0f9 - --"));
    assert_eq!(moves("w1", "Ww1 Kf0 kf9", "[Ff] w w1 - --"), "w1a0 w1a0f w1a2 w1a2f w1c0 w1c0f");
    // A pawn never brings it: `f` is then a promotion.
    assert_eq!(moves("e8", "Pe8 Kf0 ka7", "[F] w f0 - --"), "e8e9b e8e9c e8e9f e8e9n e8e9q e8e9r e8e9w");
    // In moves 1 to 20.
    assert!(may("f0e0f", "Kf0 Pd4 kf9", "[F] w f0 - -- 0 20"));
    assert!(!may("f0e0f", "Kf0 Pd4 kf9", "[F] w f0 - -- 0 21"));
    assert!(may("f9e9f", "Kf0 Pd4 kf9", "[f] b f9 - -- 0 20"));
    // The fool of a side whose pieces have all moved is out of the game, and so are all after move 20.
    assert!(after("Kf0 Nc0 kf9", "[F] w c0 - --", "c0b2").contains("[] b - "));
    assert!(after("Kf0 Nc0 kf9 ne1", "[F] b c0 - --", "e1c0").contains("[] w - "));
    assert!(after("Kf0 Nc0 kf9", "[Ff] w f0f9 - -- 0 20", "c0b2").contains("[Ff] b f0f9 "));
    assert!(after("Kf0 Nc0 kf9", "[Ff] b f0f9 - -- 0 20", "f9e8").contains("[] w f0 "));
    // With castling and with guarding, on either of the squares left; they use the king and the queen.
    let home = "Kf0 Ri0 Rb0 ka9";
    assert_eq!(moves("f0", home, "[F] w b0f0i0 - --").matches("h0").count(), 3);
    assert_eq!(after(home, "[F] w b0f0i0 - --", "f0h0f"), position("Kh0 Rg0 Ff0 Rb0 ka9", "[] b b0 - K- 0 9"));
    assert_eq!(after(home, "[F] w b0f0i0 - --", "f0h0r"), position("Kh0 Rg0 Fi0 Rb0 ka9", "[] b b0 - K- 0 9"));
    assert_eq!(after(home, "[F] w b0f0i0 - --", "f0d0r"), position("Kd0 Re0 Fb0 Ri0 ka9", "[] b i0 - K- 0 9"));
    let queen = "Qe0 Ri0 Rb0 Kg3 ka9";
    assert_eq!(after(queen, "[F] w b0e0i0 - --", "e0b0f"), position("Qc0 Rd0 Fe0 Ri0 Kg3 ka9", "[] b i0 - Q- 0 9"));
    assert_eq!(after(queen, "[F] w b0e0i0 - --", "e0b0r"), position("Qc0 Rd0 Fb0 Ri0 Kg3 ka9", "[] b i0 - Q- 0 9"));
    assert_eq!(after(queen, "[F] w b0e0i0 - --", "e0i0r"), position("Qg0 Rf0 Fi0 Rb0 Kg3 ka9", "[] b b0 - Q- 0 9"));
}

#[test]
fn section_2_the_fool_closes_a_line() {
    // A pinned knight may go if the fool stays in its place.
    assert_eq!(moves("c0", "Kf0 Nc0 ra0 ka9", "[F] w c0f0 - --"), "c0a1f c0b2f c0d2f c0e1f");
    // The king steps along the line of the piece that checks it, and leaves the fool between.
    assert_eq!(moves("f0", "Kf0 Pe1 Pf1 Pg1 ri0 ka9", "[F] w f0 - --"), "f0e0f");
    assert_eq!(moves("f0", "Kf0 Pe1 Pf1 Pg1 ri0 ka9", "[] w f0 - --"), "");
    // Behind a castling rook, on the rook's square and not on the king's.
    assert_eq!(moves("f0", "Kf0 Ri0 Pe1 Pf1 Pg1 rj0 ka9", "[F] w f0i0 - --"), "f0e0 f0e0f f0g0 f0g0f f0h0r");
}

#[test]
fn section_3_a_fool_is_what_the_enemy_used() {
    let pieces = "Fe4 Kj5 kc9";
    // Ways of every kind; own pieces bar its way and are not captured, enemy pieces are.
    for (last, expected) in [
        ("N", "e4c3 e4c5 e4d2 e4d6 e4f2 e4f6 e4g3 e4g5"),
        ("C", "e4c2 e4c4 e4c6 e4d4 e4e2 e4e3 e4e5 e4e6 e4f4 e4g2 e4g4 e4g6"),
        ("W", "e4b3 e4b5 e4d1 e4d3 e4d5 e4d7 e4f1 e4f3 e4f5 e4f7 e4h3 e4h5"),
        ("K", "e4d3 e4d4 e4d5 e4e3 e4e5 e4f3 e4f4 e4f5"),
        ("P", "e4e5"),
        ("-", ""),
    ] {
        assert_eq!(moves("e4", pieces, &format!("[] w - - -{last}")), expected, "{last}");
    }
    for (last, count) in [("R", 18), ("B", 19), ("Q", 37)] {
        assert_eq!(moves("e4", pieces, &format!("[] w - - -{last}")).split(' ').count(), count, "{last}");
    }
    assert_eq!(moves("e4", &format!("{pieces} Pe6 pg4 Pd4 Pe3"), "[] w - - -R"), "e4e5 e4f4 e4g4");
    // The kind is of the enemy's last action, each side's of the other's.
    let both = "Fe4 fe7 Nc0 Ka0 ka9 bh9";
    assert!(after(both, "[] w - - --", "c0d2 h9g8").ends_with(" w - - NB 2 10"));
    assert_eq!(moves("e7", both, "[] b - - P-"), "e7e6");
    // While the enemy's last action was a fool's, it is what that fool was.
    assert!(after(both, "[] w - - --", "c0d2 h9g8 e4f5 e7d6").ends_with(" w - - BB 4 11"));
    // Castling counts as the king, guarding as the queen, en passant as the pawn.
    assert!(after("Kf0 Ri0 ka9", "[] w f0i0 - --", "f0h0").contains(" K- "));
    assert!(after("Qe0 Ri0 Kg3 ka9", "[] w e0i0 - --", "e0i0").contains(" Q- "));
    assert!(after("Pe4 pd3 Ka0 ka9", "[] b - e2 P-", "d3e2").contains(" PP "));
    // After a promotion it is the piece the pawn became, a pawn if that is a fool.
    for (letter, kind) in [("q", "Q"), ("r", "R"), ("b", "B"), ("n", "N"), ("c", "C"), ("w", "W"), ("f", "P")] {
        let text = after("Pe8 Ka0 kj5", "[] w - - --", &format!("e8e9{letter}"));
        assert!(text.contains(&format!(" {kind}- ")), "{text}");
    }
}

#[test]
fn section_3_what_a_fool_does_not_do() {
    // As a king it is not royal: it may stand attacked, and be captured; and it does not castle.
    assert!(may("f0f1", "Ff0 Ri0 Ka5 rf9 re1 kj9", "[] w i0 - -K"));
    assert_eq!(moves("f0", "Ff0 Ri0 Ka5 kj9", "[] w i0 - -K"), "f0e0 f0e1 f0f1 f0g0 f0g1");
    assert_eq!(ended("Fa0 Ka5 kj9 rb5", "[] w - - -K"), None);
    assert!(may("b0a0", "Fa0 Ka5 kj9 rb0", "[] b - - K-"));
    // As a queen it does not guard, as a rook it castles with nobody.
    assert!(!moves("e0", "Fe0 Rb0 Ka5 kj9", "[] w b0 - -Q").contains("e0b0"));
    assert!(!may("f0h0", "Kf0 Fi0 kj9", "[] w f0 - -R"));
    // As a pawn: one step, from the second rank as well; captures diagonally forward.
    let kings = "Ka5 kj5";
    assert_eq!(moves("e1", &format!("Fe1 {kings}"), "[] w - - -P"), "e1e2");
    assert_eq!(moves("e8", &format!("fe8 {kings}"), "[] b - - P-"), "e8e7");
    assert_eq!(moves("e4", &format!("Fe4 pe5 pd5 pf5 pd3 {kings}"), "[] w - - -P"), "e4d5 e4f5");
    // It never captures en passant, and cannot be captured so.
    assert_eq!(moves("d3 f3", &format!("Pe4 fd3 pf3 {kings}"), "[] b - e2 P-"), "d3d2 f3e2 f3f2");
    assert!(after(&format!("Fe1 pd2 pf2 {kings}"), "[] w - - -P", "e1e2").contains(" b - - PP "));
    assert!(after(&format!("Fe1 pd3 pf3 {kings}"), "[] w - - -R", "e1e4").contains(" b - - RR "));
    // It does not promote: on the last rank it is a fool, without a step, and captures into the corner.
    assert_eq!(moves("e8", &format!("Fe8 {kings}"), "[] w - - -P"), "e8e9");
    assert_eq!(moves("a9", &format!("Fa9 ww4 {kings}"), "[] w - - -P"), "a9w4");
    assert_eq!(moves("j9", &format!("Fj9 ww3 {kings}"), "[] w - - -P"), "j9w3");
    assert_eq!(moves("w1 w2", &format!("Fw1 na0 Fw2 qj0 {kings}"), "[] w - - -P"), "w1a0 w1w3 w1w4 w2j0 w2w3 w2w4");
    assert_eq!(moves("a0 w4", &format!("fa0 Ww1 fw4 Na9 Wj0 {kings}"), "[] b - - P-"), "a0w1 w4a9 w4w2 w4w3");
}

#[test]
fn section_3_corner_jumps() {
    let kings = "Ka5 kj5";
    // To any other empty corner, whatever it is; the jump captures nothing.
    for last in ["-", "N", "C", "K", "P"] {
        let found = moves("w1", &format!("Fw1 {kings} Ba0 Ba2 Bc0 Pb1 Ra8 Rb0"), &format!("[] w - - -{last}"));
        for corner in ["w1w2", "w1w3", "w1w4"] {
            assert!(found.contains(corner), "{last}: {found}");
        }
    }
    assert_eq!(moves("w1", &format!("Fw1 ww2 Ww3 {kings}"), "[] w - - --"), "w1w4");
    // It "was" the kind it had.
    assert!(after(&format!("Fw1 {kings}"), "[] w - - -N", "w1w2").contains(" b - - NN 1 "));
    // A fool of no kind attacks nothing and makes only corner jumps, after which the enemy's fools are of no kind too.
    assert_eq!(moves("e4 w2", &format!("Fe4 Fw2 {kings} pe5 pd5"), "[] w - - --"), "w2w1 w2w3 w2w4");
    assert!(after(&format!("Fw2 fe4 {kings}"), "[] w - - N-", "w2w1").contains(" b - - -- "));
    let read = |last: &str| game("").parse_position(&position("Ka5 kj5 fb5", &format!("[] b - - {last}-")));
    assert!(read("-").is_ok() && read("K").is_err());
    // One that is also an ordinary move is listed once.
    let found = moves("w1", &format!("Fw1 {kings}"), "[] w - - -B");
    assert_eq!(found.matches("w1w3").count(), 1);
    assert_eq!(found.split(' ').count(), 13);
}

#[test]
fn section_4_check_by_what_a_fool_is_now() {
    // The side not to move must not be in check, the fools being what they are.
    let read = |last: &str| game("").parse_position(&position("Ke0 Ra3 kj9 fe5", &format!("[] b - - {last}-")));
    assert_eq!(read("R").unwrap_err().field, "side");
    assert!(read("N").is_ok() && read("-").is_ok() && read("P").is_ok());
    // A check by a fool ends because another kind is moved: the fool on e5 is a rook, and no more once the king, bishop
    // or knight moves.
    let pieces = "Ke0 Ra3 Ba0 Nh0 kj8 fe5";
    assert_eq!(moves("h0", pieces, "[] w - - R-"), "h0f1 h0g2 h0i2 h0j1");
    assert_eq!(moves("a0", pieces, "[] w - - R-").split(' ').count(), 11);
    // It stays for the kind itself, which must bar the way or capture.
    assert_eq!(moves("a3", pieces, "[] w - - R-"), "a3e3");
    // The king's move makes it a king, so that the king may stay on the line.
    assert!(moves("e0", pieces, "[] w - - R-").contains("e0e1"));
    assert!(ended(pieces, "[] w - - R-").is_none());
    // A piece may not move since the enemy's fool would become it: here on e5, a knight's move from d3.
    let pieces = "Kd3 Nh0 Bh1 Pa1 kj9 fe5";
    assert_eq!(moves("h0", pieces, "[] w - - P-"), "");
    assert_eq!(moves("a1", pieces, "[] w - - P-"), "a1a2 a1a3 a1a4");
    assert!(moves("h1", pieces, "[] w - - P-").contains("h1i0"));
    // Every kind in turn: the piece may only bar the way of the fool that becomes like it, or capture it; another
    // piece's move leaves the king safe.
    for (piece, fool, expected) in [
        ("Na8", "fe5", ""),
        ("Wa8", "fe6", ""),
        ("Ca8", "fd5", ""),
        ("Pa1", "fe4", ""),
        ("Ra8", "fd8", "a8d8"),
        ("Bb9", "fg6", "b9f5"),
        ("Qa8", "fd8", "a8d5 a8d8"),
    ] {
        let other = if piece.starts_with('N') { "Wi0" } else { "Ni0" };
        let pieces = format!("Kd3 {piece} {other} kj9 {fool}");
        assert_eq!(moves(&piece[1..], &pieces, "[] w - - --"), expected, "{piece} {fool}");
        assert!(!moves("i0", &pieces, "[] w - - --").is_empty());
    }
    // The king's own steps: a fool next to where it goes would be a king.
    assert_eq!(moves("d3", "Kd3 kj9 fd5", "[] w - - --"), "d3c2 d3c3 d3d2 d3e2 d3e3");
    // The promotions of one pawn differ in legality: the fool on d7 would be a queen or rook.
    assert_eq!(moves("h8", "Kd3 Ph8 kj2 fd7", "[] w - - --"), "h8h9b h8h9c h8h9f h8h9n h8h9w");
    assert_eq!(moves("h8", "Kd3 Ph8 kj2 fe4", "[] w - - --"), "h8h9c h8h9n h8h9r");
    // The own fool's move makes the enemy's what it was.
    assert_eq!(moves("h5", "Kd3 Fh5 kj2 fd7", "[] w - - -R"), "h5d5");
    assert_eq!(moves("h5", "Kd3 Fh5 kj2 fd7", "[] w - - -K").split(' ').count(), 8);
}

#[test]
fn section_4_castling_among_fools() {
    let pieces = "Kf0 Ri0 Rb0 ka9";
    // The squares left, passed and reached are judged with the fools as they stand before it.
    for (fool, last, blocked) in [
        ("fg5", "R", "h"),
        ("fh5", "R", "h"),
        ("ff5", "R", "dh"),
        ("fd5", "R", "d"),
        ("fe5", "R", "d"),
        ("fc5", "R", ""),
        ("fi5", "R", ""),
        ("fg5", "N", ""),
        ("fh2", "N", "h"),
        ("fe5", "-", ""),
    ] {
        let found = moves("f0", &format!("{pieces} {fool}"), &format!("[] w b0f0i0 - {last}-"));
        for wing in ["d", "h"] {
            assert_eq!(found.contains(&format!("f0{wing}0")), !blocked.contains(wing), "{fool} {last}: {found}");
        }
    }
    // Where the king arrives, it must also be safe from fools that have become kings.
    assert!(!may("f0h0", &format!("{pieces} fh1"), "[] w b0f0i0 - --"));
    assert!(may("f0d0", &format!("{pieces} fh1"), "[] w b0f0i0 - --"));
    // Next to a square that it passes they do not matter, nor the one that it leaves.
    assert!(may("f0h0", &format!("{pieces} ff1"), "[] w b0f0i0 - --"));
}

#[test]
fn section_4_ends() {
    // Mate by a fool that is a king, and would be a pawn that gives check too.
    assert_eq!(ended("Kw1 fa0 kb1", "[] w - - K-"), Some((true, Reason::Checkmate)));
    assert_eq!(ended("Kw1 fa0 kb1 Pj1", "[] w - - K-"), Some((true, Reason::Checkmate)));
    // No mate while a piece of another kind can be moved.
    assert_eq!(ended("Kw1 fa0 kb1 Nj1", "[] w - - K-"), None);
    // Stalemate: the fool is of no kind and gives no check, and every move would make it give one.
    assert_eq!(ended("Kw1 fa0 kb1 Pj1", "[] w - - --"), Some((false, Reason::Stalemate)));
    assert_eq!(ended("Kw1 fa0 kb1 Nj1", "[] w - - --"), None);
}

#[test]
fn section_5_promotion_to_fools() {
    let pieces = "Pe8 Pg8 Fe4 Ka0 kj5";
    let text = after(pieces, "[] w - - --", "e8e9f j5j4 g8g9f");
    assert_eq!(text, position("Fe9 Fg9 Fe4 Ka0 kj4", "[] b - - PK 0 10"));
    // While one is in hand as well.
    assert!(after("Pe8 Kf0 kj5", "[F] w f0 - --", "e8e9f").contains("[F] b f0 "));
    // A fool that was a pawn is none of the unmoved pieces, and does not promote again.
    assert_eq!(moves("e9", "Fe9 Ka0 kj5", "[] w - - -P"), "");
}

#[test]
fn section_6_fools_immobilise() {
    let on = "fool_immobilises = true";
    let pieces = "Ra0 Nd4 Pd6 Ke4 kj9 fd5";
    // Orthogonally next to an enemy fool no piece moves; diagonally next to it they do.
    assert_eq!(moves_under(on, "d4 d6", pieces, "[] w - - --"), "");
    assert!(!moves_under(on, "e4", pieces, "[] w - - --").is_empty());
    assert!(!moves_under("", "d4", pieces, "[] w - - --").is_empty());
    // Kings and fools are pieces too.
    assert_eq!(moves_under(on, "e5", "Ke5 Ra0 kj9 fd5", "[] w - - --"), "");
    assert_eq!(moves_under(on, "e5", "Fe5 Ka0 kj9 fd5", "[] w - - -Q"), "");
    // Unless next to a fool of its own side.
    assert!(!moves_under(on, "d4", "Nd4 Fc4 Ka0 kj9 fd5", "[] w - - --").is_empty());
    assert_eq!(moves_under(on, "d4", "Nd4 Fc3 Ka0 kj9 fd5", "[] w - - --"), "");
    assert!(!moves_under(on, "e5", "Fe5 Ff5 Ka0 kj8 fd5", "[] w - - -Q").is_empty());
    // It still attacks: the king may not go where the rook on j1, which cannot move, looks.
    assert_eq!(moves_under(on, "a0", "Ka0 kj9 rj1 Fj2", "[] w - - --"), "a0b0 a0w1");
    // Castling and guarding need both pieces able to move.
    for (fool, castles, guards) in
        [("fi1", false, false), ("ff1", false, true), ("fe1", true, false), ("fa3", true, true)]
    {
        let pieces = format!("Kf0 Ri0 ka9 {fool}");
        assert_eq!(moves_under(on, "f0", &pieces, "[] w f0i0 - --").contains("f0h0"), castles, "{fool}");
        let pieces = format!("Qe0 Ri0 Kb6 kc9 {fool}");
        assert_eq!(moves_under(on, "e0", &pieces, "[] w e0i0 - --").contains("e0i0"), guards, "{fool}");
    }
    // An immobilised pawn gives no en passant square.
    let pieces = "Pe1 pd3 Fd4 Ka0 kj9";
    assert!(after_under(on, pieces, "[] w - - --", "e1e3").contains(" b - - P- "));
    assert!(after_under("", pieces, "[] w - - --", "e1e3").contains(" b - e2 P- "));
    // Nothing is next to a corner.
    assert!(!moves_under(on, "w1", "Ww1 Ka5 kj9 fa0", "[] w - - --").is_empty());
}

#[test]
fn section_6_templar_knights() {
    let on = "templar = true";
    let pieces = "Ne4 Ka0 kj9 pg7 Ph6 pe5 pd5 pf5";
    // Jumps of two by three over any pieces, to empty squares alone.
    let found = moves_under(on, "e4", pieces, "[] w - - --");
    assert_eq!(found, "e4b2 e4b6 e4c1 e4c3 e4c5 e4c7 e4d2 e4d6 e4f2 e4f6 e4g1 e4g3 e4g5 e4h2");
    assert_eq!(moves("e4", pieces, "[] w - - --"), "e4c3 e4c5 e4d2 e4d6 e4f2 e4f6 e4g3 e4g5");
    // They attack nothing: the king on g7 is not in check, and may stand there.
    let game = game(on);
    assert!(game.parse_position(&position("Ne4 Ka0 kg7", "[] w - - --")).is_ok());
    // They bar the way of a check.
    assert!(moves_under(on, "e4", "Ne4 Kg0 kj9 rg9", "[] w - - --").contains("e4g7"));
    // A fool that mirrors one is one.
    assert_eq!(moves_under(on, "e4", &pieces.replace('N', "F"), "[] w - - -N"), found);
    // First moves bring the fool as well.
    assert!(moves_under(on, "c0", "Nc0 Kf0 kj9", "[F] w c0f0 - --").contains("c0e3f"));
}

#[test]
fn section_7_the_end() {
    for (pieces, state, expected) in [
        ("ka9 Kj0", "[] w - - --", Some((false, Reason::Insufficient))),
        ("ka9 Kj0 Nd4", "[] w - - --", Some((false, Reason::Insufficient))),
        ("ka9 Kj0 wd4", "[] w - - --", Some((false, Reason::Insufficient))),
        ("ka9 Kj0 wd4 Cd5", "[] w - - --", None),
        // A fool on the board or in hand is sufficient; one in hand that can no longer enter is not.
        ("ka9 Kj0 Fd4", "[] w - - --", None),
        ("ka9 Kj0 fd4", "[] w - - --", None),
        ("ka9 Kf0", "[F] w f0 - --", None),
        ("kf9 Kf0", "[f] w f9 - --", None),
        ("kf9 Kf0", "[f] w f9 - -- 0 21", Some((false, Reason::Insufficient))),
        ("ka9 Kf0", "[F] w - - --", Some((false, Reason::Insufficient))),
        ("ka9 Kj0 rd4", "[] w - - -- 99 1", None),
        ("ka9 Kj0 rd4", "[] w - - -- 100 1", Some((false, Reason::NoProgress))),
        ("ka9 Kj0 rd4", "[] b - - -- 0 384", None),
        ("ka9 Kj0 rd4", "[] w - - -- 0 385", Some((false, Reason::MaxPlies))),
        ("kw3 Kh8 Bi8", "[] b - - --", Some((true, Reason::Checkmate))),
        ("kw3 Ra9 Rb8 Ka0", "[] b - - --", Some((false, Reason::Stalemate))),
    ] {
        assert_eq!(ended(pieces, state), expected, "{pieces} {state}");
    }
    // Entering a fool is progress; a fool's move as a pawn is no pawn move, its capture is a capture.
    assert!(after("Nc0 Kf0 ka9", "[F] w c0f0 - -- 7 9", "c0b2f").ends_with(" 0 9"));
    assert!(after("Nc0 Kf0 ka9", "[F] w c0f0 - -- 7 9", "c0b2").ends_with(" 8 9"));
    assert!(after("Fe4 Kf0 ka9", "[] w - - -P 7 9", "e4e5").ends_with(" 8 9"));
    assert!(after("Fe4 nd5 Kf0 ka9", "[] w - - -P 7 9", "e4d5").ends_with(" 0 9"));
    assert!(after("Fw1 Kf0 ka9", "[] w - - -P 7 9", "w1w3").ends_with(" 8 9"));
}

#[test]
fn section_8_strings() {
    let game = game("");
    let canonical = |text: &str| game.parse_position(text).map(|position| position.to_string()).unwrap();
    // `unmoved` is read in any order; a fool that may not enter is dropped; an `ep` square without a legal capture is
    // not written.
    let pieces = "Kf0 Ri0 Rb0 Ww1 kf9 pd3 Pe4";
    let written = position(pieces, "[F] b b0f0i0w1 e2 P-");
    assert_eq!(canonical(&position(pieces, "[F] b w1i0b0f0 e2e3 P-")), written);
    assert_eq!(canonical(&position(pieces, "[Ff] b b0f0i0w1 e2 P-")), written);
    assert_eq!(
        canonical(&position(pieces, "[Ff] b b0f0i0w1f9 - P- 0 21")),
        position(pieces, "[] b b0f0i0f9w1 - P- 0 21")
    );
    // Castling and guarding follow from `unmoved`.
    assert!(may("f0h0", "Kf0 Ri0 kf9", "[] w f0i0 - --"));
    assert!(!may("f0h0", "Kf0 Ri0 kf9", "[] w f0 - --"));
    assert!(!may("f0h0", "Kf0 Ri0 kf9", "[] w i0 - --"));
}

#[test]
fn section_8_bad_positions_are_refused_by_field() {
    let kings = "Kf0 kf9";
    for (pieces, state, field) in [
        ("Kf0", "[] w - - --", "placement"),
        ("Kf0 Ke0 kf9", "[] w - - --", "placement"),
        ("Kf0 kf9 Pa0", "[] w - - --", "placement"),
        ("Kf0 kf9 pj9", "[] w - - --", "placement"),
        ("Kf0 kf9 pw2", "[] w - - --", "placement"),
        (kings, " w - - -- 0", "fools"),
        (kings, "[fF] w - - --", "fools"),
        (kings, "[FF] w - - --", "fools"),
        (kings, "[Ff w - - --", "fools"),
        (kings, "[] x - - --", "side"),
        ("Kf0 kf9 Rf5", "[] w - - --", "side"),
        ("Kf0 kf9 Ff5", "[] w - - -R", "side"),
        (kings, "[] w f0f0 - --", "unmoved"),
        (kings, "[] w f0i0 - --", "unmoved"),
        ("Kf0 kf9 Fi0", "[] w f0i0 - --", "unmoved"),
        ("Kf0 kf9 ri0", "[] w f0i0 - --", "unmoved"),
        ("Kf0 kf9 Pe1", "[] w e1 - --", "unmoved"),
        (kings, "[] w f - --", "unmoved"),
        (kings, "[] w f0é - --", "unmoved"),
        (kings, "[] w - é --", "ep"),
        (kings, "[] b - e2 P-", "ep"),
        ("Kf0 kf9 Pe4 pd3 pf4", "[] b - e3e2 P-", "ep"),
        ("Kf0 kf9 Fe4 pd3 pf4", "[] b - e2e3 P-", "ep"),
        (kings, "[] w - - F-", "last"),
        (kings, "[] w - - n-", "last"),
        (kings, "[] w - - - 0 9", "last"),
        (kings, "[] w - - NNN", "last"),
        (kings, "[] w - - -- -1 1", "clock"),
        (kings, "[] w - - -- 0 0", "fullmove"),
        (kings, "[] w - - -- 0 1 1", "fullmove"),
    ] {
        let text = position(pieces, state);
        let read = game("").parse_position(&text).map_err(|error| error.field);
        assert_eq!(read, Err(field), "{pieces} {state}");
    }
    let once: toml::Table = "repetition = 1".parse().unwrap();
    assert!(OmegaAdvanced::game(&once).unwrap_err().to_string().contains("repetition"));
}

#[test]
fn the_documented_table_is_the_layout() {
    let game = game("");
    let table = layout_table(game.layout());
    let documented = include_str!("../../../src/game/omega/advanced/PLANES.md");
    assert!(documented.ends_with(&format!("\n\n{table}")), "PLANES.md should end with:\n\n{table}");
}
