//! The generic checks of encodings on tic-tac-toe: small enough to be seen through, and with a board whose planes do not fill a word.

mod suite;
mod toy;

use maydan::{
    encode::{Rows, draw_row, layout_table},
    game::{Encode, Game},
};
use suite::{
    encoding::{self, Symmetry},
    walk::{Visit, random_games},
};
use toy::TicTacToe;

fn visits() -> (TicTacToe, Vec<Visit<TicTacToe>>) {
    let game = TicTacToe::new();
    let visits = random_games(&game, 20, 9);
    (game, visits)
}

#[test]
fn actions_have_their_own_index() {
    let (game, visits) = visits();
    encoding::actions_have_their_own_index(&game, &visits);
}

#[test]
fn a_batch_is_its_rows() {
    let (game, visits) = visits();
    encoding::a_batch_is_its_rows(&game, &visits);
}

#[test]
fn no_two_positions_encode_alike() {
    let (game, visits) = visits();
    let bases: Vec<_> = visits.iter().take(30).map(|visit| visit.position).collect();
    let differing = encoding::no_two_positions_encode_alike(&game, &visits, &bases);
    assert!(differing.iter().all(|&count| count > 0), "{differing:?}");
}

#[test]
fn the_mirror_is_seen() {
    let (game, visits) = visits();
    let mirror = Symmetry {
        position: |text| {
            let (board, side) = text.split_once(' ').unwrap();
            let rows: Vec<String> = (0..3).map(|row| board[3 * row..3 * row + 3].chars().rev().collect()).collect();
            format!("{} {side}", rows.concat())
        },
        action: |text| {
            let square: usize = text.parse().unwrap();
            (square / 3 * 3 + 2 - square % 3).to_string()
        },
    };
    assert_eq!(encoding::the_mirror_is_seen(&game, &visits, &mirror), visits.len());
}

#[test]
fn colours_do_not_matter() {
    let (game, visits) = visits();
    let swap = Symmetry {
        position: |text| {
            let swapped = |mark| match mark {
                'x' => 'o',
                'o' => 'x',
                'w' => 'b',
                'b' => 'w',
                mark => mark,
            };
            text.chars().map(swapped).collect()
        },
        action: str::to_owned,
    };
    encoding::colours_do_not_matter(&game, &visits, &swap, &["black"]);
}

#[test]
fn a_row_is_drawn_with_its_near_side_below() {
    let game = TicTacToe::new();
    let mut rows = Rows::new(game.layout());
    rows.push(&game, &game.parse_position("xx.o..... b").unwrap(), 0);
    rows.push(&game, &game.start(), 0);
    assert_eq!(draw_row(&rows, 0), "own     enemy\n. . .   . . .\n1 . .   . . .\n. . .   1 1 .\n\nblack = 1\n");
    assert_eq!(draw_row(&rows, 1), "empty: own, enemy\nzero: black\n");
}

#[test]
fn a_layout_is_a_table() {
    let expected = "\
Version 1. Input `[3, 3, 3]`, 2 planes of bits and 1 scalars, each spread over a plane:

| plane | name | meaning | 1.0 stands for |
| --- | --- | --- | --- |
| 0 | `own` | own marks | present |
| 1 | `enemy` | enemy marks | present |
| 2 | `black` | Black to move | yes |

Action space `[1, 3, 3]`, 9 indices, `plane * 9 + row * 3 + column`:

| plane | name | meaning |
| --- | --- | --- |
| 0 | `mark` | mark this square |
";
    assert_eq!(layout_table(TicTacToe::new().layout()), expected);
}
