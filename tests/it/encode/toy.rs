//! Encodings as text, on tic-tac-toe: small enough to be seen through, and with a board whose planes do not fill a
//! word.

use crate::support::toy;

use maydan::encode::{Rows, draw_row, layout_table};
use toy::TicTacToe;

#[test]
fn a_row_is_drawn_with_its_near_side_below() {
    let game = TicTacToe::game();
    let mut rows = Rows::new(game.layout());
    rows.push(&game, &game.parse_position("xx.o..... b").unwrap(), 0);
    rows.push(&game, &game.start(), 0);
    assert_eq!(draw_row(&rows, 0), "own     enemy\n. . .   . . .\n1 . .   . . .\n. . .   1 1 .\n\nblack = 1\n");
    assert_eq!(draw_row(&rows, 1), "empty: own, enemy\nzero: black\n");
}

#[test]
fn a_layout_is_a_table() {
    let expected = "\
Version 1. Input `[3, 3, 3]`, 2 planes of bits and 1 scalars, each spread over the squares of the board:

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
    assert_eq!(layout_table(TicTacToe::game().layout()), expected);
}
