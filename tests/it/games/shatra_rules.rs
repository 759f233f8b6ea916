//! The rules of Altai Shatra: positions made by hand for each sentence of §3 to §10. What holds of every game is tested
//! in `every_game.rs`.

use std::collections::BTreeSet;

use maydan::{
    encode::layout_table,
    game::{Encode, Game, History, Outcome, Reason, Side, shatra::Shatra},
};

fn game(options: &str) -> Game<Shatra> {
    Shatra::game(&options.parse().unwrap()).unwrap()
}

/// A position string from pieces on their squares (`Kd4 pa10`), and `[stock] side reserve ep series`.
fn position(pieces: &str, state: &str) -> String {
    let piece =
        |square: String| pieces.split(' ').find(|piece| piece[1..] == square).map(|piece| piece[..1].to_owned());
    let row = |rank: u32| {
        let square = |file: char| match (rank, file) {
            (4 | 11, 'd') | (1..=3 | 12..=14, 'c'..='e') | (5..=10, _) => {
                piece(format!("{file}{rank}")).unwrap_or(".".to_owned())
            }
            _ => "*".to_owned(),
        };
        let marks: String = ('a'..='g').map(square).collect();
        (1..=7).rev().fold(marks, |marks, run| marks.replace(&".".repeat(run), &run.to_string()))
    };
    let rows: Vec<String> = (1..=14).rev().map(row).collect();
    let counters = if state.split(' ').count() == 5 { " 0 1" } else { "" };
    format!("{}{state}{counters}", rows.join("/"))
}

fn legal(game: &Game<Shatra>, text: &str) -> BTreeSet<String> {
    let position = game.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    legal.into_iter().map(|action| action.to_string()).collect()
}

/// The legal actions that begin with one of `squares`, without what follows the first square.
fn of(squares: &str, pieces: &str, state: &str) -> String {
    let all = legal(&game(""), &position(pieces, state));
    let starts = |action: &&String| {
        let rest = action.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let square = &action[..action.len() - rest.len() + digits];
        squares.split(' ').any(|wanted| wanted == square)
    };
    all.iter().filter(starts).cloned().collect::<Vec<_>>().join(" ")
}

/// All legal actions but placings.
fn moves(pieces: &str, state: &str) -> String {
    let all = legal(&game(""), &position(pieces, state));
    all.into_iter().filter(|action| !action.contains('@')).collect::<Vec<_>>().join(" ")
}

/// The string after some actions.
fn after(pieces: &str, state: &str, actions: &str) -> String {
    let game = game("");
    let mut position = game.parse_position(&position(pieces, state)).unwrap();
    for text in actions.split(' ') {
        let action = game.parse_action(&position, text).unwrap();
        game.apply(&mut position, action);
    }
    position.to_string()
}

fn outcome(options: &str, text: &str) -> Option<Outcome> {
    let game = game(options);
    let position = game.parse_position(text).unwrap();
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    game.outcome(&position, &legal, 0)
}

#[test]
fn section_3_the_initial_reserve_rests_until_it_is_placed_or_captures() {
    // It makes no step or slide, but is placed and captures.
    assert_eq!(moves("Kd4 Rd2 Bc3 Pe1 kd11", "[] w e1d2c3d4d11 - -"), "");
    assert_eq!(of("e1", "Kd4 Pe1 kd11 Pa5", "[] w e1d4 - -").split(' ').count(), 20);
    assert_eq!(moves("Kd1 Bc3 pd4 kd11", "[] w d1c3 - -"), "c3e5 c3f6 c3g7");
    // Placed, it is initial reserve no more, and moves.
    let placed = after("Kd4 Rd2 kd11 pa10", "[] w d2d4d11 - -", "d2@b5");
    assert_eq!(placed, position("Kd4 Rb5 kd11 pa10", "[] b d4d11 - - 0 1"));
    assert!(of("b5", "Kd4 Rb5 kd11 pa10", "[] w d4d11 - -").contains("b5b9"));
    // A jump out of its home ends it at once: the next jump may not end in the home again, while others are of the
    // reserve.
    let out = after("Kd1 Bc3 pd4 pf9 kd11", "[] w d1c3 - -", "c3g7");
    assert_eq!(out, position("Kd1 Bg7 kd11 pf9", "[] b d1 - - 0 1"));
    assert_eq!(moves("Kd1 Bf6 pe5 pe7 pg10 kd11", "[] w d1 - f6:g10"), "f6b10 f6c9 f6d8");
    assert!(moves("Kd1 Bf6 pe5 pe7 pg10 kd11", "[] w - - f6:g10").starts_with("f6b10 f6c3 f6c9 f6d4"));
    // Landing in its home it stays initial reserve on its new square.
    let home = after("Kd4 Rd1 pd2 kd11", "[] w d1d4 - -", "d1d3");
    assert_eq!(home, position("Kd4 Rd3 kd11", "[] b d3d4 - - 0 1"));
}

#[test]
fn section_3_no_other_piece_comes_home_while_there_is_a_reserve() {
    // By no slide, not even within the home; through it and out again is no end there.
    assert_eq!(of("e5", "Kg7 Pc1 Be5 kd11", "[] w c1 - -"), "e5a9 e5b8 e5c7 e5d6 e5f6");
    assert!(moves("Kg7 Pc1 Bc3 kd11", "[] w c1 - -").starts_with("c3e5 c3f6 g7"));
    assert!(of("c3", "Kg7 Pc1 Bc3 kd11", "[] w c1 - -").contains("c3e5 c3f6"));
    // By no jump of another piece; the king may capture into the home, and not step.
    assert_eq!(moves("Ka7 Pc1 Be5 pd4 kd11", "[] w - - -").split(' ').next(), Some("e5c3"));
    assert!(!moves("Ka7 Pc1 Be5 pd4 kd11", "[] w c1 - -").contains("e5c3"));
    assert_eq!(of("e5", "Ke5 Pc1 pd4 kd11", "[] w c1 - -").split(' ').next(), Some("e5c3"));
    assert!(!of("e5", "Ke5 Pc1 kd11", "[] w c1 - -").contains("e5d4"));
    // With none left, pieces come and go as anywhere.
    assert_eq!(of("e5", "Kg7 Be5 kd11", "[] w - - -"), "e5a9 e5b8 e5c3 e5c7 e5d4 e5d6 e5f6");
    assert!(of("e5", "Ke5 kd11", "[] w - - -").contains("e5d4"));
    // The other side's reserve does not matter.
    assert!(of("e5", "Kg7 Be5 kd11", "[] w d11 - -").contains("e5d4"));
}

#[test]
fn section_4_pieces_step_and_slide() {
    assert_eq!(of("d8", "Kd8 ka10", "[] w - - -"), "d8c7 d8c8 d8c9 d8d7 d8d9 d8e7 d8e8 d8e9");
    assert_eq!(of("c5", "Kg5 Rc5 Pc8 ka10", "[] w - - -"), "c5a5 c5b5 c5c6 c5c7 c5d5 c5e5 c5f5");
    assert_eq!(of("d4", "Kg5 Bd4 ka10", "[] w - - -").split(' ').filter(|a| !a.contains('@')).count(), 8);
    // On the own half straight forward, from its first rank one square or two, both empty.
    assert_eq!(of("b5 c6 d7", "Kg5 Pb5 Pc6 ka10", "[] w - - -"), "b5b6 b5b7 c6c7");
    assert_eq!(of("b5 c5", "Kg5 Pb5 Pb7 Pc5 Pc6 ka10", "[] w - - -"), "b5b6");
    assert_eq!(of("b10 c9", "Kg5 pb10 pc9 ka10", "[] b - - -"), "b10b8 b10b9 c9c8");
    // At the ditch also diagonally; beyond it forward, diagonally and sideways.
    assert_eq!(of("b7", "Kg5 Pb7 ka10", "[] w - - -"), "b7a8 b7b8 b7c8");
    assert_eq!(of("b8", "Kg5 pb8 ka10", "[] b - - -"), "b8a7 b8b7 b8c7");
    assert_eq!(of("b8", "Kg5 Pb8 ka10", "[] w - - -"), "b8a8 b8a9 b8b9 b8c8 b8c9");
    assert_eq!(of("d11 d12", "Kg5 Pd11 Pd12 kg10", "[] w - - -"), "d11c12 d11e12 d12c12 d12c13 d12d13 d12e12 d12e13");
    // At home straight forward; on the last rank sideways.
    assert_eq!(moves("Kg5 Pd4 Pc1 ka10", "[] w - - -").split(' ').take(2).collect::<Vec<_>>(), ["c1c2", "d4d5"]);
    assert_eq!(of("d14 c14", "Kg5 Pd14 ka10", "[] w - - -"), "d14c14 d14e14");
    assert_eq!(of("d1", "Kg5 pd1 ka10", "[] b - - -"), "d1c1 d1e1");
}

#[test]
fn section_5_pieces_are_placed_from_either_home() {
    // Any kind from the own home on any empty square of the own half.
    for piece in ["K", "Q", "R", "B", "P"] {
        let king = if piece == "K" { String::new() } else { "Kg7 ".to_owned() };
        let places = of("d4", &format!("{king}{piece}d4 Pa5 ka10"), "[] w - - -");
        let placed: Vec<&str> = places.split(' ').filter(|action| action.contains('@')).collect();
        let free = if piece == "K" { 20 } else { 19 };
        assert_eq!(placed.len(), free, "{piece}: {places}");
        assert!(placed.iter().all(|action| matches!(&action[4..], "5" | "6" | "7")), "{places}");
    }
    // One that is no pawn from the enemy's home, on the enemy's half; the gate is part of the home.
    assert_eq!(of("c13 d11", "Kg7 Bc13 Pd11 ka5", "[] w - - -").matches("c13@").count(), 21);
    assert_eq!(of("c13 d11", "Kg7 Bc13 Pd11 ka5", "[] w - - -").matches("d11@").count(), 0);
    assert_eq!(of("d11", "Kg7 Rd11 ka5", "[] w - - -").matches('@').count(), 21);
    assert!(of("d11", "Kg7 Rd11 ka5", "[] w - - -").contains("d11@g10"));
    // From the field nobody.
    assert_eq!(of("a5", "Kg7 Ra5 ka10", "[] w - - -").matches('@').count(), 0);
    // Initial and later pieces alike; only the first is progress.
    assert!(after("Kd4 Rd2 kd11", "[] w d2d11 - - 7 3", "d2@a5").ends_with("b d11 - - 0 3"));
    assert!(after("Kd4 Rd2 kd11", "[] w d11 - - 7 3", "d2@a5").ends_with("b d11 - - 8 3"));
}

#[test]
fn section_6_pieces_jump() {
    // King and pawn over an adjacent enemy in all directions to the empty square beyond.
    let ring = "pc6 pc7 pc8 pd6 pd8 pe6 pe7 pe8 ka10";
    let landings = "d7b5 d7b7 d7b9 d7d5 d7d9 d7f5 d7f7 d7f9";
    assert_eq!(of("d7", &format!("Pd7 Kg10 {ring}"), "[] w - - -"), landings);
    assert!(of("d7", &format!("Kd7 {ring}"), "[] w - - -").starts_with(landings));
    assert_eq!(of("d7", "Pd7 Kg10 pd8 pd9 pc8 Pb9 pf7 ka10", "[] w - - -"), "d7e8");
    // Not over a piece of its own, nor an edge.
    assert_eq!(moves("Pa5 Pb6 pa6 pa7 Kg7 kd14", "[] w - - -").split(' ').next(), Some("b6b7"));
    // The others along their lines, to any empty square before the next piece.
    assert_eq!(of("a5", "Ra5 pa7 pa10 Kg7 kd14", "[] w - - -"), "a5a8 a5a9");
    assert_eq!(of("a5", "Ba5 pb6 Kg7 kd14", "[] w - - -"), "a5c7 a5d8 a5e9 a5f10");
    assert_eq!(of("a5", "Qa5 pb6 pa6 pa7 Kg7 kd14", "[] w - - -"), "a5c7 a5d8 a5e9 a5f10");
    // On its last rank a pawn sideways only.
    assert_eq!(of("c14", "Pc14 pd14 pc13 pd13 Kg7 kg10", "[] w - - -").split(' ').next(), Some("c14e14"));
    assert_eq!(moves("Pc14 pc13 pd13 Ka5 kg10", "[] w - - -").matches("c14").count(), 1);
}

#[test]
fn section_6_a_series_is_several_plies_of_one_side() {
    let pieces = "Pc5 pc6 pd8 Ka5 kg10";
    assert_eq!(moves(pieces, "[] w - - -"), "c5c7");
    // The jumped piece stays, the side remains, and the string says who jumps and what was jumped.
    let first = after(pieces, "[] w - - -", "c5c7");
    assert_eq!(first, position("Pc7 pc6 pd8 Ka5 kg10", "[] w - - c7:c6 0 1"));
    assert_eq!(moves("Pc7 pc6 pd8 Ka5 kg10", "[] w - - c7:c6"), "c7e9");
    // At the end all leave at once and the turn passes.
    assert_eq!(after(pieces, "[] w - - -", "c5c7 c7e9"), position("Pe9 Ka5 kg10", "[] b - - - 0 1"));
    assert!(after("pc10 Pc9 Pd7 Ka5 kg10", "[] b - - - 5 8", "c10c8 c8e6").ends_with("w - - - 0 9"));
    // A jumped piece blocks and is not jumped again.
    assert_eq!(moves("Rc7 pc6 pa7 Ka5 kg10", "[] w - - c7:a7"), "c7c5");
    assert_eq!(moves("Rc7 pc6 pb7 pe7 Ka5 kg10", "[] w - - c7:b7c6"), "c7f7 c7g7");
    // A square may be used again, and the one where the series began is empty.
    assert_eq!(moves("Pd5 pd6 pe7 Kg5 kg10 pf6", "[] w - - -"), "d5d7");
    assert!(moves("Pf7 pd6 pe7 pe6 Kg5 kg10", "[] w - - f7:d6e7").starts_with("f7d5"));
}

#[test]
fn section_6_captures_are_obligatory_but_for_kings_and_pawns_in_the_enemy_home() {
    // Then only captures are legal, of whatever piece, the king's included.
    let pieces = "Kd5 pd6 Ra7 pa9 Pc12 pd12 kg10 Bg5";
    assert_eq!(moves(pieces, "[] w - - -"), "a7a10 c12e12 d5d7");
    assert_eq!(legal(&game(""), &position(pieces, "[] w - - -")).len(), 3);
    // Neither the king's capture nor that of a pawn in the enemy home, gate included, binds.
    assert!(moves("Kd5 Pc12 pd12 kg10 Bg5", "[] w - - -").contains("g5f6"));
    assert!(moves("Kd5 Pd11 pd12 kg10 Bg5", "[] w - - -").contains("g5f6"));
    assert!(!moves("Kd5 Pd10 pd11 kg10 Bg5", "[] w - - -").contains("g5f6"));
    // Another piece there is bound.
    assert_eq!(moves("Kd5 Rc12 pd12 kg10 Bg5", "[] w - - -"), "c12e12");
}

#[test]
fn section_6_a_king_that_does_not_capture_moves() {
    let pieces = "Kd4 pd5 Bg5 kg10";
    // Its capture, its steps, its placings.
    let all = legal(&game(""), &position(pieces, "[] w - - -"));
    assert!(all.contains("d4d6") && all.contains("d4c3") && all.contains("d4@a5"), "{all:?}");
    assert!(all.iter().all(|action| action.starts_with("d4")), "{all:?}");
    let any = legal(&game("king_refusal = 'any'"), &position(pieces, "[] w - - -"));
    assert!(any.contains("g5f6") && any.is_superset(&all));
    // The capture of a pawn in the enemy home is a capture with another piece.
    assert!(moves("Kd5 pd6 Pc12 pd12 Bg5 kg10", "[] w - - -").contains("c12e12"));
    assert!(!moves("Kd5 pd6 Pc12 pd12 Bg5 kg10", "[] w - - -").contains("g5f6"));
    // One that can neither step nor be placed leaves only the captures.
    assert_eq!(moves("Ka5 pb5 pb6 pa6 Bg10 pc7 kd14", "[] w - - -"), "a5a7 a5c5");
}

#[test]
fn section_6_a_series_goes_on_but_a_king_or_a_pawn_in_the_enemy_home_may_stop() {
    assert_eq!(moves("Kd7 pd6 pd8 kg10", "[] w - - d7:d6"), "0000 d7d9");
    assert_eq!(after("Kd7 pd6 pd8 kg10", "[] w - - d7:d6", "0000"), position("Kd7 pd8 kg10", "[] b - - - 1 1"));
    assert_eq!(moves("Ka5 Pc12 pd12 pg9 kg10", "[] w - - c12:g9"), "0000 c12e12");
    assert_eq!(moves("Ka5 Pc10 pd10 pg9 kg10", "[] w - - c10:g9"), "c10e10");
    // A pawn that has become a piece there must go on.
    assert_eq!(moves("Ka5 Rc12 pd12 pg9 kg10", "[] w - - c12:g9"), "c12e12");
    // No rule prefers the longer series.
    assert_eq!(moves("Pc5 pc6 pd5 pf6 Ka5 kg10", "[] w - - -"), "c5c7 c5e5");
}

#[test]
fn section_6_a_slide_lands_where_the_capture_goes_on() {
    let pieces = "Ra5 pa7 pc9 Kg5 kg10";
    assert_eq!(moves(pieces, "[] w - - -"), "a5a9");
    assert_eq!(moves("Ra5 pa7 Kg5 kg10", "[] w - - -"), "a5a10 a5a8 a5a9");
    // §3 is asked for the next jump too: here it would end in the home.
    assert_eq!(moves("Bf10 pe9 pd4 Kg5 Pc1 kg10", "[] w - - -"), "f10b6");
    assert_eq!(moves("Bf10 pe9 pd4 Kg5 Pc1 kg10", "[] w c1 - -"), "f10a5 f10b6 f10c7 f10d8");
    assert_eq!(moves("Rd10 pd8 pa6 Kg5 Pd4 kg10", "[] w - - -"), "d10d5 d10d6 d10d7");
    assert_eq!(moves("Rd10 pd8 pb6 Kg5 kg10", "[] w - - -"), "d10d6");
    // A jump over the king ends the series, so that every landing is legal.
    assert_eq!(moves("Ra5 ka7 pc9 Kg5 pg10", "[] w - - -"), "a5a10 a5a8 a5a9");
    // King and pawn have one landing.
    assert_eq!(moves("Pc5 pc6 pd8 Ka5 kg10 pb6", "[] w - - -"), "a5c7 c5a7 c5c7");
}

#[test]
fn section_6_en_passant() {
    // Right after a two-square step the enemy's pawn jumps over the square it passed.
    let pieces = "Pe5 pd7 Ka5 kg10 Pb5";
    let stepped = after(pieces, "[] w - - -", "e5e7");
    assert_eq!(stepped, position("Pe7 pd7 Ka5 kg10 Pb5", "[] b - e6 - 0 1"));
    assert_eq!(moves("Pe7 pd7 Ka5 kg10", "[] b - e6 -"), "d7f5 d7f7");
    // The stepped pawn is captured, on its own square; in a series it is listed there.
    assert_eq!(after("Pe7 pd7 Ka5 kg10", "[] b - e6 -", "d7f5"), position("pf5 Ka5 kg10", "[] w - - - 0 2"));
    let series = after("Pe7 pd7 Pg5 Pf6 Ka5 kg10", "[] b - e6 -", "d7f5");
    assert_eq!(series, position("Pe7 pf5 Pg5 Pf6 Ka5 kg10", "[] b - - f5:e7 0 1"));
    // It binds as any capture, and is the first of a series only.
    assert_eq!(moves("Pe7 pf5 pa10 Ka5 kg10", "[] b - e6 -"), "f5d7");
    assert_eq!(after("Pe5 pa10 Ka5 kg10", "[] w - - -", "e5e7"), position("Pe7 pa10 Ka5 kg10", "[] b - - - 0 1"));
    // Only a pawn captures so, and only where the square beyond is empty.
    assert!(!after("Pe5 bd7 Ka5 kg10", "[] w - - -", "e5e7").contains("e6"));
    assert!(!after("Pe5 pd7 Pf5 Ka5 kg10", "[] w - - -", "e5e7").contains(" e6 "));
    // One ply later it is too late.
    assert!(after("Pe5 pd7 Kg5 kg10 pa8 pa9 Pa7", "[] w - - -", "e5e7 a8a6").contains(" w - - - "));
}

#[test]
fn section_6_what_a_series_leaves_behind() {
    // Pieces of the initial reserve that are jumped stay listed until they leave.
    let pieces = "Bb9 pd11 pd13 kc12 Ka5";
    let first = after(pieces, "[] w d11c12d13 - -", "b9e12");
    assert_eq!(first, position("Be12 pd11 pd13 kc12 Ka5", "[] w d11c12d13 - e12:d11 0 1"));
    let last = after(pieces, "[] w d11c12d13 - -", "b9e12 e12c14");
    assert_eq!(last, position("Bc14 kc12 Ka5", "[] b c12 - - 0 1"));
}

#[test]
fn section_7_pawns_become_pieces_of_the_stock() {
    // One action for each kind in the stock, by a step or a jump.
    assert_eq!(of("c13", "Pc13 Ka5 kg10", "[QRBqb] w - - -"), "c13c14b c13c14q c13c14r c13d13 c13d14b c13d14q c13d14r");
    assert_eq!(of("c12", "Pc12 pc13 Ka5 kg10", "[QQB] w - - -"), "c12c14b c12c14q c12d12 c12d13");
    assert_eq!(of("d2", "pd2 Ka5 kg10 Pe2", "[Qrr] b - - -"), "d2c1r d2c2 d2d1r d2e1r");
    // It must, it leaves the stock, and a jump over the king is no other.
    assert_eq!(after("Pc13 Ka5 kg10", "[QQB] w - - -", "c13c14q"), position("Qc14 Ka5 kg10", "[QB] b - - - 0 1"));
    assert_eq!(moves("Pc12 kc13 Ka5", "[RB] w - - -").split(' ').filter(|a| a.starts_with("c12c14")).count(), 2);
    assert!(after("Pc12 kc13 Ka5", "[RB] w - - -", "c12c14r").starts_with("**R2**"));
    // By a jump it is the new piece at once and goes on as that.
    let pieces = "Pc12 pc13 be14 Ka5 kg10";
    let promoted = after(&format!("{pieces} pd13"), "[RB] w - - -", "c12c14b");
    assert_eq!(promoted, position("Bc14 pc13 pd13 be14 Ka5 kg10", "[R] w - - c14:c13 0 1"));
    assert_eq!(moves("Bc14 pc13 pd13 Ka5 kg10", "[R] w - - c14:c13"), "c14e12");
    // With an empty stock it waits.
    assert_eq!(after("Pc13 Ka5 kg10", "[q] w - - -", "c13c14"), position("Pc14 Ka5 kg10", "[q] b - - - 0 1"));
    // Pieces captured enter the stock at the end of the series, pawns never; waiting pawns become the strongest, files
    // c, d, e in turn.
    let pieces = "Pc14 Pe14 Rd5 rd7 Ka5 kg10";
    assert_eq!(after(pieces, "[] b - - -", "d7d4"), position("Rc14 Pe14 rd4 Ka5 kg10", "[] w - - - 0 2"));
    let gained = after("Pd14 Qc9 qa9 kg10 Kg5", "[] b - - -", "a9e9");
    assert_eq!(gained, position("Qd14 qe9 kg10 Kg5", "[] w - - - 0 2"));
    let two = after("Pc14 Pe14 Qc9 Bd8 qa9 kg10 Kg5", "[] b - - -", "a9e9 e9c7");
    assert_eq!(two, position("Qc14 Be14 qc7 kg10 Kg5", "[] w - - - 0 2"));
    assert!(after("Pc8 rc10 Ka5 kg10", "[] b - - -", "c10c7").contains("[]"));
    assert!(after("Bc8 rc10 Ka5 kg10", "[] b - - -", "c10c7").contains("[B]"));
    // A piece that was a pawn goes to the stock as what it had become.
    assert!(after("Qd14 Ka5 re14 kg10", "[] b - - -", "e14c14").contains("[Q]"));
}

#[test]
fn section_8_games_end() {
    let end = |pieces: &str, state: &str| outcome("", &position(pieces, state));
    // A jump over a king ends the series and wins, and the position without that king is over.
    let taken = after("Ra5 ka7 pc9 Kg5", "[] w - - -", "a5a9");
    assert_eq!(taken, position("Ra9 pc9 Kg5", "[] b - - - 0 1"));
    assert_eq!(end("Ra9 pc9 Kg5", "[] b - - -"), Some(Outcome::win(Side::White, Reason::KingCaptured)));
    assert_eq!(end("Ra9 pc9 kg5", "[] w - - -"), Some(Outcome::win(Side::Black, Reason::KingCaptured)));
    assert_eq!(legal(&game(""), &position("Ra9 pc9 Kg5", "[] b - - -")).len(), 0);
    // Nothing can be captured any more, en passant neither.
    let read = game("").parse_position(&position("Pe7 pd7 kg10", "[] b - e6 -")).unwrap();
    assert_eq!(read.to_string(), position("Pe7 pd7 kg10", "[] b - - - 0 1"));
    // There is no check: a king may be left and moved where it can be jumped.
    assert!(of("d5", "Kd5 rd8 pa10 kg10", "[] w - - -").contains("d5d6"));
    assert_eq!(end("Kd5 rd8 kg10", "[] w - - -"), None);
    // A side without an action loses.
    assert_eq!(
        end("Ka5 pa6 pa7 pb5 pc5 pb6 pc7 kg10", "[] w - - -"),
        Some(Outcome::win(Side::Black, Reason::NoAction))
    );
    // No progress, repetition and the ply limit are options.
    let quiet = |clock: u32, move_number: u32, side: char| {
        outcome("", &position("Kd5 kg10 Pa5", &format!("[] {side} - - - {clock} {move_number}"))).map(|end| end.reason)
    };
    assert_eq!((quiet(99, 1, 'w'), quiet(100, 1, 'w')), (None, Some(Reason::NoProgress)));
    assert_eq!((quiet(0, 384, 'b'), quiet(0, 385, 'w')), (None, Some(Reason::MaxPlies)));
    assert_eq!(outcome("max_plies = 0", &position("Kd5 kg10 Pa5", "[] w - - - 0 9999999")), None);
}

#[test]
fn section_8_progress() {
    let clock = |pieces: &str, state: &str, action: &str| -> u32 {
        after(pieces, &format!("{state} 7 9"), action).split(' ').nth(5).unwrap().parse().unwrap()
    };
    assert_eq!(clock("Kd5 Pa8 kg10", "[] w - - -", "d5d6"), 8);
    assert_eq!(clock("Kd5 Pa8 kg10", "[] w - - -", "a8a9"), 0);
    assert_eq!(clock("Kd5 Pa8 kg10", "[] w - - -", "a8b9"), 0);
    assert_eq!(clock("Kd5 Pa8 kg10", "[] w - - -", "a8b8"), 8);
    assert_eq!(clock("Kd5 Ra8 pa9 kg10", "[] w - - -", "a8a10"), 0);
    assert_eq!(clock("Kd4 Rd3 kg10", "[] w d3 - -", "d3@a5"), 0);
    assert_eq!(clock("Kd4 Rd3 kg10", "[] w d4 - -", "d3@a5"), 8);
    assert_eq!(clock("Kd7 pd6 pd8 kg10", "[] w - - d7:d6", "0000"), 8);
}

#[test]
fn section_8_repetition_counts_the_starts_of_turns() {
    let game = game("");
    let start = position("Kd5 kd10 Ra5 ra10", "[] w - - -");
    let mut position = game.parse_position(&start).unwrap();
    let mut history = History::new(&game, &position);
    for text in "d5e5 d10e10 e5d5 e10d10 d5e5 d10e10 e5d5 e10d10".split(' ') {
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        assert_eq!(history.outcome(&game, &position, &legal), None);
        let action = game.parse_action(&position, text).unwrap();
        game.apply(&mut position, action);
        history.push(&game, &position);
    }
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    assert_eq!(history.outcome(&game, &position, &legal), Some(Outcome::draw(Reason::Repetition)));
    // In the middle of a series nothing is counted.
    let text = self::position("Kd7 pd6 pd8 kg10", "[] w - - d7:d6");
    assert!(!game.counters(&game.parse_position(&text).unwrap()).is_occurrence);
}

#[test]
fn section_10_bad_positions_are_refused_by_field() {
    let good = "Kd4 kd11 Pa5";
    for (pieces, state, field) in [
        ("Pa5 pb6", "[] w - - -", "placement"),
        ("Kd4 Kd5 kd11", "[] w - - -", "placement"),
        ("Xd4 kd11", "[] w - - -", "placement"),
        (good, "[P] w - - -", "stock"),
        (good, "[K] w - - -", "stock"),
        ("Kd4 kd11 Pc14", "[B] w - - -", "stock"),
        ("Kd4 kd11 pc1", "[b] w - - -", "stock"),
        (good, " w - - -", "stock"),
        (good, "[ w - - -", "stock"),
        (good, "[] x - - -", "side"),
        (good, "[] w d3 - -", "reserve"),
        (good, "[] w a5 - -", "reserve"),
        (good, "[] w d4d4 - -", "reserve"),
        (good, "[] w z9 - -", "reserve"),
        ("Kd4 kd11 Pd12", "[] w d12 - -", "reserve"),
        (good, "[] b - a6 -", "ep"),
        (good, "[] b - x -", "ep"),
        ("Kd4 kd11 Pa7 pa9", "[] w - a6 -", "ep"),
        ("Kd4 kd11 Pa7 pa5", "[] b - a6 -", "ep"),
        ("Kd4 kd11 Pa7 pb7", "[] b - a6 b7:a7", "ep"),
        (good, "[] w - - a5", "series"),
        (good, "[] w - - a5:", "series"),
        (good, "[] w - - d11:a5", "series"),
        (good, "[] w - - a5:a6", "series"),
        (good, "[] w - - a5:d4", "series"),
        (good, "[] w - - a5:d11d11", "series"),
        ("Kd4 kd11 Pa5 pe8", "[] w - - a5:e8", "series"),
        (good, "[] w - - - -1 1", "clock"),
        (good, "[] w - - - 0 0", "fullmove"),
        (good, "[] w - - - 0 1 1", "fullmove"),
    ] {
        let text = position(pieces, state);
        let text = if pieces.starts_with('X') { text.replacen('1', "X", 1) } else { text };
        let field_of = game("").parse_position(&text).map(|read| read.to_string());
        assert_eq!(field_of.map_err(|error| error.field), Err(field), "{text}");
    }
    let stock = format!("[{}]", "Q".repeat(300));
    assert_eq!(game("").parse_position(&position(good, &format!("{stock} w - - -"))).unwrap_err().field, "stock");
    assert!(Shatra::game(&"repetition = 1".parse().unwrap()).is_err());
    assert!(Shatra::game(&"king_refusal = 'none'".parse().unwrap()).is_err());
}

#[test]
fn section_3_a_piece_that_leaves_its_home_is_bound_at_its_next_jump() {
    // With c1 still of the reserve the pawn may not come back to d4; as the last one it must, the square it began on
    // being empty.
    let others = after("Ka5 Pc1 Pd4 pd5 pe5 pe6 ka10", "[] w c1d4 - -", "d4d6 d6f6");
    assert_eq!(others, position("Ka5 Pc1 Pf6 pe5 ka10", "[] b c1 - - 0 1"));
    let last = after("Ka5 Pd4 pd5 pe5 pe6 ka10", "[] w d4 - -", "d4d6 d6f6");
    assert_eq!(last, position("Ka5 Pf6 pd5 pe5 pe6 ka10", "[] w - - f6:d5e6 0 1"));
    assert_eq!(moves("Ka5 Pf6 pd5 pe5 pe6 ka10", "[] w - - f6:d5e6"), "f6d4");
    // No jump of another piece ends at home, be it one that goes on from there.
    let through = "Ka8 Pb6 pc5 pe5 Pc1 kg10";
    assert!(!moves(through, "[] w c1 - -").contains("b6d4"));
    assert_eq!(after(through, "[] w - - -", "b6d4 d4f6"), position("Ka8 Pf6 Pc1 kg10", "[] b - - - 0 1"));
}

#[test]
fn section_4_pawns_of_both_sides_step_as_their_rank_says() {
    let flip = |square: &str| format!("{}{}", &square[..1], 15 - square[1..].parse::<u32>().unwrap());
    for (from, targets) in [
        ("c2", "c3"),
        ("c3", ""),
        ("d3", "d4"),
        ("d4", "d5"),
        ("d5", "d6 d7"),
        ("d6", "d7"),
        ("a7", "a8 b8"),
        ("d7", "c8 d8 e8"),
        ("d8", "c8 c9 d9 e8 e9"),
        ("b10", "a10 c10"),
        ("c10", "b10 d10 d11"),
        ("d10", "c10 d11 e10"),
        ("d11", "c12 d12 e12"),
        ("c12", "c13 d12 d13"),
        ("d13", "c13 c14 d14 e13 e14"),
        ("c14", "d14"),
        ("d14", "c14 e14"),
    ] {
        for (pawn, square, side) in [('P', from.to_owned(), 'w'), ('p', flip(from), 'b')] {
            let all = of(&square, &format!("Kg6 {pawn}{square} kg9"), &format!("[] {side} - - -"));
            let found: BTreeSet<String> =
                all.split_whitespace().filter(|a| !a.contains('@')).map(str::to_owned).collect();
            let to = |to: &str| square.clone() + &if pawn == 'P' { to.to_owned() } else { flip(to) };
            assert_eq!(found, targets.split_whitespace().map(to).collect(), "{pawn}{square}");
        }
    }
}

#[test]
fn section_6_en_passant_from_all_sides_but_before_and_behind() {
    let flip = |square: &str| format!("{}{}", &square[..1], 15 - square[1..].parse::<u32>().unwrap());
    for (from, to) in [("c5", "e7"), ("c6", "e6"), ("c7", "e5"), ("e5", "c7"), ("e6", "c6"), ("e7", "c5")] {
        let jump = format!("{from}{to}");
        assert!(
            moves(&format!("Ka5 Pd7 p{from} kg10"), "[] b - d6 -").split(' ').all(|action| action.starts_with(from))
        );
        let captured = after(&format!("Ka5 Pd7 p{from} kg10"), "[] b - d6 -", &jump);
        assert_eq!(captured, position(&format!("Ka5 p{to} kg10"), "[] w - - - 0 2"));
        let (from, to) = (flip(from), flip(to));
        let captured = after(&format!("Kg5 pd8 P{from} ka10"), "[] w - d9 -", &format!("{from}{to}"));
        assert_eq!(captured, position(&format!("Kg5 P{to} ka10"), "[] b - - - 0 1"));
    }
    // The stepped pawn cannot be jumped again, and the series ends where nothing else can.
    let series = after("Ka5 Pd5 Bf6 pc7 kg10", "[] w - - -", "d5d7 c7e5");
    assert_eq!(series, position("Ka5 Pd7 Bf6 pe5 kg10", "[] b - - e5:d7 0 1"));
    assert_eq!(moves("Ka5 Pd7 Bf6 pe5 kg10", "[] b - - e5:d7"), "e5g7");
    assert_eq!(
        after("Ka5 Pd5 Bf6 pc7 kg10", "[] w - - -", "d5d7 c7e5 e5g7"),
        position("Ka5 pg7 kg10", "[B] w - - - 0 2")
    );
}

#[test]
fn section_7_waiting_pawns_get_what_a_series_leaves_them() {
    // Nothing before it ends; what no pawn waits for stays in the stock.
    let first = after("Kg5 Pc14 Pe14 Bd8 Rd6 pd9 ka10", "[] b - - -", "d9d7");
    assert_eq!(first, position("Kg5 Pc14 Pe14 Bd8 Rd6 pd7 ka10", "[] b - - d7:d8 0 1"));
    let both = after("Kg5 Pc14 Pe14 Bd8 Rd6 pd9 ka10", "[] b - - -", "d9d7 d7d5");
    assert_eq!(both, position("Kg5 Rc14 Be14 pd5 ka10", "[] w - - - 0 2"));
    let left = after("Kg5 Pd14 Qd8 Qd6 pd9 ka10", "[] b - - -", "d9d7 d7d5");
    assert_eq!(left, position("Kg5 Qd14 pd5 ka10", "[Q] w - - - 0 2"));
    // A pawn that is jumped itself gets nothing, nor does one of the side that captures; a series that takes the king
    // is a series too.
    let jumped = after("Kg5 Pd14 Rc13 re14 ka10", "[] b - - -", "e14c14 c14c12");
    assert_eq!(jumped, position("Kg5 rc12 ka10", "[R] w - - - 0 2"));
    let winner = after("Kg5 Bd8 pd9 pc1 ka10", "[] b - - -", "d9d7");
    assert_eq!(winner, position("Kg5 pd7 pc1 ka10", "[B] w - - - 0 2"));
    let king = after("Kd6 Pe14 Bd8 pd9 ka10", "[] b - - -", "d9d7 d7d5");
    assert_eq!(king, position("Be14 pd5 ka10", "[] w - - - 0 2"));
}

#[test]
fn section_8_the_last_turn_is_played_to_its_end() {
    let (pieces, state) = ("Ka5 Pd8 Pd6 pd9 kg10", "[] b - - - 0 384");
    assert_eq!(outcome("", &after(pieces, state, "d9d7")), None);
    assert_eq!(outcome("", &after(pieces, state, "d9d7 d7d5")), Some(Outcome::draw(Reason::MaxPlies)));
}

#[test]
fn section_9_the_order_of_a_series_is_part_of_the_position() {
    let game = game("");
    let [one, other] = ["d7:d6e6", "d7:e6d6"].map(|series| {
        let text = position("Kd7 pd6 pe6 pd8 ka10", &format!("[] w - - {series} 0 1"));
        let read = game.parse_position(&text).unwrap();
        assert_eq!(read.to_string(), text);
        read
    });
    assert_ne!(one, other);
    assert_ne!(game.counters(&one).repetition_key, game.counters(&other).repetition_key);
}

#[test]
fn a_board_without_an_empty_square_is_read_and_lost() {
    let square = |rank: u32| {
        let files = match rank {
            5..=10 => "abcdefg",
            4 | 11 => "d",
            _ => "cde",
        };
        files.chars().map(move |file| format!("{file}{rank}"))
    };
    let piece = |square: String| match &*square {
        "d4" => "Kd4".to_owned(),
        "d11" => "kd11".to_owned(),
        _ => format!("{}{square}", if square.len() == 2 { 'Q' } else { 'q' }),
    };
    let pieces: Vec<String> = (1..=14).flat_map(square).map(piece).collect();
    assert_eq!(pieces.len(), 62);
    let text = position(&pieces.join(" "), &format!("[{}{}] w - - -", "Q".repeat(190), "q".repeat(190)));
    assert_eq!(outcome("", &text), Some(Outcome::win(Side::Black, Reason::NoAction)));
}

#[test]
fn pawns_that_wait_together_are_not_mirrored() {
    let game = game("");
    let applies =
        |pieces: &str| game.rules().mirror_applies(&game.parse_position(&position(pieces, "[] w - - -")).unwrap());
    assert!(applies("Kd4 Pc14 pe1 ka10"));
    assert!(!applies("Kd4 Pc14 Pe14 ka10"));
    assert!(!applies("Kd4 pd1 pe1 ka10"));
}

#[test]
fn the_documented_table_is_the_layout() {
    let game = game("");
    let table = layout_table(game.layout());
    let documented = include_str!("../../../src/game/shatra/PLANES.md");
    assert!(documented.ends_with(&format!("\n\n{table}")), "PLANES.md should end with:\n\n{table}");
}
