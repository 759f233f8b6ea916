//! The toy game itself, so that what it is used to test stands on firm ground: it passes the suite of every game.

use crate::support::{suite, toy, witnesses};

use maydan::game::{History, perft::perft};
use suite::{attacks, encoding, games, matches, rules, search};
use toy::TicTacToe;
use witnesses::witness;

macro_rules! test_the_toy {
    ($($name:ident => $check:path,)+) => {
        $(
            #[test]
            fn $name() {
                $check(&TicTacToe::game(), witness("tictactoe"));
            }
        )+
    };
}

suite::checks!(test_the_toy);

#[test]
fn tic_tac_toe_perft() {
    let game = TicTacToe::game();
    let start = game.start();
    let counts: Vec<u64> = (0..=9).map(|depth| perft(&game, &start, depth)).collect();
    // Games of exactly 9 plies: 255,168 games in all, 127,872 of them full boards.
    assert_eq!(counts, [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
}

#[test]
fn a_finished_line_ends_the_game() {
    let game = TicTacToe::game();
    let position = game.parse_position("xxxoo.... b").unwrap();
    let mut legal = vec![0];
    game.legal_actions(&position, &mut legal);
    assert!(legal.is_empty());
    let outcome = History::new(&game, &position).outcome(&game, &position, &legal).unwrap();
    assert_eq!(outcome.to_string(), "white checkmate");
}
