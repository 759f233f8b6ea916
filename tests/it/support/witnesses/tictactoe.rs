//! What the suite must know of tic-tac-toe.

use std::collections::BTreeMap;

use crate::support::suite::witness::{Symmetry, Witness};

pub const WITNESS: Witness = Witness {
    successors,
    mirror: Symmetry {
        position: |text| {
            let (board, side) = text.split_once(' ').unwrap();
            let rows: Vec<String> = (0..3).map(|row| board[3 * row..3 * row + 3].chars().rev().collect()).collect();
            format!("{} {side}", rows.concat())
        },
        action: |text| {
            let square: usize = text.parse().unwrap();
            (square / 3 * 3 + 2 - square % 3).to_string()
        },
    },
    swap: Symmetry {
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
    },
    colours: &["black"],
    options: &[],
    seeds: &["xx.oo.... w", "xox.o.x.. b", "xoxoxo... w"],
};

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn successors(_: &toml::Table, text: &str) -> BTreeMap<String, String> {
    let (board, side) = text.split_once(' ').unwrap();
    let marks: Vec<char> = board.chars().collect();
    let lost = LINES.iter().any(|line| line.iter().all(|&i| marks[i] == if side == "w" { 'o' } else { 'x' }));
    let free = (0..9).filter(|&i| marks[i] == '.' && !lost);
    free.map(|i| {
        let mut next = marks.clone();
        next[i] = if side == "w" { 'x' } else { 'o' };
        let next: String = next.into_iter().collect();
        (i.to_string(), format!("{next} {}", if side == "w" { "b" } else { "w" }))
    })
    .collect()
}
