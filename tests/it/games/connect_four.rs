//! Connect Four passes the suite of every game, and counts what can be counted by hand.

use std::collections::BTreeMap;

use crate::support::{connect_four, suite, witnesses};

use connect_four::game::ConnectFour;
use maydan::game::perft::perft;
use suite::{attacks, encoding, games, matches, rules, search};
use witnesses::witness;

macro_rules! test_connect_four {
    ($($name:ident => $check:path,)+) => {
        $(
            #[test]
            fn $name() {
                $check(&ConnectFour::game(), witness("connect-four"));
            }
        )+
    };
}

suite::checks!(test_connect_four);

/// Sequences of legal actions by their number, and the positions that they lead to: as Tromp has counted them (for the
/// positions, OEIS A212693). No column is full before ply 6 and no game is over before ply 7, so that the first counts
/// are powers of 7; of the 7^7 sequences of seven columns, seven name one column throughout.
#[test]
fn connect_four_perft() {
    const SEQUENCES: [u64; 9] = [1, 7, 49, 343, 2401, 16807, 117649, 7_u64.pow(7) - 7, 5673234];
    const POSITIONS: [usize; 8] = [1, 7, 49, 238, 1120, 4263, 16422, 54859];
    let game = ConnectFour::game();
    let counts: Vec<u64> = (0..=8).map(|depth| perft(&game, &game.start(), depth)).collect();
    assert_eq!(counts, SEQUENCES);

    // The witness: each position once, with the number of sequences that lead to it.
    let mut sequences = BTreeMap::from([(game.start().to_string(), 1)]);
    for (ply, expected) in POSITIONS.into_iter().enumerate() {
        assert_eq!((sequences.len(), sequences.values().sum()), (expected, SEQUENCES[ply]), "after {ply} plies");
        let mut longer = BTreeMap::new();
        for (text, count) in sequences {
            for next in (witness("connect-four").successors)(&game.ruleset().options, &text).into_values() {
                *longer.entry(next).or_insert(0) += count;
            }
        }
        sequences = longer;
    }
    assert_eq!(sequences.values().sum::<u64>(), SEQUENCES[8]);
}

#[test]
fn a_position_that_cannot_be_is_refused() {
    let game = ConnectFour::game();
    let error = |text: &str| game.parse_position(text).unwrap_err().to_string();
    for (text, part) in [
        ("", "side"),
        ("......./......./......./......./......./....... x", "`w` or `b`"),
        ("......./......./......./......./....... w", "expected 6 rows, found 5"),
        ("......./......./......./......./......./...... w", "row 1: expected 7 squares"),
        ("......./......./......./......./......./...X... w", "row 1: expected `x`, `o` and `.`, found 'X'"),
        ("......./......./......./......./...x.../....... b", "nothing below"),
        ("......./......./......./......./ooo..../xxxx... w", "four in a row"),
    ] {
        assert!(error(text).contains(part), "{text}: {}", error(text));
    }
}

#[test]
fn four_in_a_row_end_the_game_and_a_full_board_draws() {
    let game = ConnectFour::game();
    let outcome = |text: &str| {
        let board = game.parse_position(text).unwrap();
        let mut legal = Vec::new();
        game.legal_actions(&board, &mut legal);
        game.outcome(&board, &legal, 0).map(|outcome| outcome.to_string())
    };
    assert_eq!(outcome("......./......./......./......./ooo..../xxxx... b").unwrap(), "white checkmate");
    assert_eq!(outcome("......./......./......./......./ooo..../xxx...x b"), None);
    // Three at the right edge and one at the left of the next row.
    assert_eq!(outcome("......./......./......./......./x....../ooo.xxx b"), None);
    assert_eq!(outcome("ooxxoox/xxooxxo/ooxxoox/xxooxxo/ooxxoox/xxooxxo w").unwrap(), "draw stalemate");
}
