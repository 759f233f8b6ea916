//! What the suite must know of Connect Four.

use std::collections::BTreeMap;

use crate::support::suite::witness::{Symmetry, Witness};

pub const WITNESS: Witness = Witness {
    successors,
    mirror: Symmetry {
        position: |text| {
            let (board, side) = text.split_once(' ').unwrap();
            let rows: Vec<String> = board.split('/').map(|row| row.chars().rev().collect()).collect();
            format!("{} {side}", rows.join("/"))
        },
        action: |text| (6 - text.parse::<usize>().unwrap()).to_string(),
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
    seeds: &[
        // Four in a row is one stone away along a row, at the right edge, up a column to the top, along each diagonal.
        "......./......./......./......./ooo..../xxx.... w",
        "......./......./......./o....../x.o..../o.o.xxx w",
        "......./x....../x....../x....../o....../o.o.... w",
        "......./......./......./..xo.../.xoo.../xoox..x w",
        "......./......./......./...ox../...oox./x..xoox w",
        // Nearly full.
        ".xox..x/.ooo..o/ooxx..o/xxooxxx/xooxoxx/xxoooxo w",
        "..oo..o/.oxxx.o/xooox.x/ooxxo.x/xxxooxo/xoxxoox w",
        ".oo..x./.xxxox./.oooxo./xoxoxxo/oxxxoxo/xxoooxo w",
        "ooo..o./oxx..ox/oox.xox/xxo.oxx/xxo.oxo/xxoxoxo w",
    ],
};

fn successors(_: &toml::Table, text: &str) -> BTreeMap<String, String> {
    let (board, side) = text.split_once(' ').unwrap();
    let (own, other, next_side) = if side == "w" { ('x', 'o', "b") } else { ('o', 'x', "w") };
    // From the bottom up.
    let rows: Vec<Vec<char>> = board.split('/').rev().map(|row| row.chars().collect()).collect();
    if four_in_a_row(&rows, other) {
        return BTreeMap::new();
    }
    let mut successors = BTreeMap::new();
    for column in 0..7 {
        let Some(row) = (0..6).find(|&row| rows[row][column] == '.') else { continue };
        let mut next = rows.clone();
        next[row][column] = own;
        let lines: Vec<String> = next.iter().rev().map(|row| row.iter().collect()).collect();
        successors.insert(column.to_string(), format!("{} {next_side}", lines.join("/")));
    }
    successors
}

/// Whether `mark` stands on four squares in a row: to the right, upwards, or along a diagonal.
fn four_in_a_row(rows: &[Vec<char>], mark: char) -> bool {
    let is_mark = |row: i32, column: i32| {
        (0..6).contains(&row) && (0..7).contains(&column) && rows[row as usize][column as usize] == mark
    };
    (0..6).any(|row| {
        (0..7).any(|column| {
            let line = |(up, right): (i32, i32)| (0..4).all(|step| is_mark(row + step * up, column + step * right));
            [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(line)
        })
    })
}
