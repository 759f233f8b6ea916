//! What the position strings of all games have in common: rows of a board, the side to move, counters, and how a
//! mistake is quoted.

use std::fmt;

use super::{PositionError, Side};

/// Greatest value of a counter: counters stop there, so that every position's string can be read again.
pub(super) const MAX_COUNTER: u32 = 9_999_999;

/// A piece of what the user typed, short and on one line.
pub(super) fn quoted(text: &str) -> String {
    const SHOWN: usize = 24;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    format!("`{}`", shown.escape_debug())
}

/// The letter of a piece: upper case for White, lower case for Black.
pub(super) fn letter(side: Side, upper: char) -> char {
    match side {
        Side::White => upper,
        Side::Black => upper.to_ascii_lowercase(),
    }
}

/// The grid on which a board is written: its size, and which of its places are squares.
pub(super) struct Grid {
    pub rows: usize,
    pub columns: usize,
    /// Whether there is a square at (column, row), both from 0, row 0 the lowest. Elsewhere is a hole, written `*`.
    pub is_square: fn(usize, usize) -> bool,
}

impl Grid {
    /// The board of chess.
    pub(super) const EIGHT_BY_EIGHT: Grid = Grid { rows: 8, columns: 8, is_square: |_, _| true };
}

/// Writes a board from the highest row down: the letter that `piece` gives for (column, row), a number for a run of
/// empty squares.
pub(super) fn write_rows(
    f: &mut fmt::Formatter<'_>,
    grid: &Grid,
    piece: impl Fn(usize, usize) -> Option<char>,
) -> fmt::Result {
    for row in (0..grid.rows).rev() {
        let mut empty = 0;
        for column in 0..grid.columns {
            let hole = (!(grid.is_square)(column, row)).then_some('*');
            let Some(letter) = hole.or_else(|| piece(column, row)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                write!(f, "{empty}")?;
                empty = 0;
            }
            write!(f, "{letter}")?;
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if row > 0 {
            f.write_str("/")?;
        }
    }
    Ok(())
}

/// A part of a row of a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// The digits of a number of empty squares. Digits together are one number: `44` is no way to write 8.
    Run(&'a str),
    /// One place: the letter of a piece, or `*` for a hole.
    Place(char),
}

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Run(digits) => f.write_str(digits),
            Part::Place(letter) => write!(f, "{letter}"),
        }
    }
}

/// The parts of one row of a placement, from the left: the one reader of the form that all games' position strings
/// share.
pub(crate) fn parts(row: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = row;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (part, after) = match digits {
            0 => (Part::Place(first), &rest[first.len_utf8()..]),
            _ => (Part::Run(&rest[..digits]), &rest[digits..]),
        };
        rest = after;
        Some(part)
    })
}

/// Reads what [`write_rows`] writes. `put` gets the column, the row, the side and the upper-case letter of each
/// piece, and says whether there is such a piece.
///
/// # Errors
/// Names the row (from 1, the lowest) and what is wrong with it, as field `placement`.
pub(super) fn read_rows(
    text: &str,
    grid: &Grid,
    mut put: impl FnMut(usize, usize, Side, char) -> bool,
) -> Result<(), PositionError> {
    let error = |reason: String| Err(PositionError::new("placement", reason));
    let Grid { rows, columns, is_square } = *grid;
    let lines: Vec<&str> = text.splitn(rows + 2, '/').collect();
    if lines.len() != rows {
        let found = if lines.len() > rows { "more".to_owned() } else { lines.len().to_string() };
        return error(format!("expected {rows} rows, found {found}"));
    }
    for (row, line) in (0..rows).rev().zip(lines) {
        let name = row + 1;
        let mut column = 0;
        for part in parts(line) {
            let (run, letter) = match part {
                Part::Place(letter) => (1, Some(letter)),
                Part::Run(digits) => match digits.parse() {
                    Ok(run) if !digits.starts_with('0') && (1..=columns).contains(&run) => (run, None),
                    _ => {
                        let found = quoted(digits);
                        return error(format!("row {name}: expected a run of 1 to {columns}, found {found}"));
                    }
                },
            };
            if column + run > columns {
                return error(format!("row {name}: more than {columns} places"));
            }
            if let Some(wrong) = (column..column + run).find(|&column| is_square(column, row) == (letter == Some('*')))
            {
                let expected = if is_square(wrong, row) { "a square" } else { "`*`" };
                let found = quoted(&part.to_string());
                return error(format!("row {name}: expected {expected} at place {}, found {found}", wrong + 1));
            }
            if let Some(letter) = letter.filter(|&letter| letter != '*') {
                let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
                if !put(column, row, side, letter.to_ascii_uppercase()) {
                    return error(format!("row {name}: {} is no piece", quoted(letter.encode_utf8(&mut [0; 4]))));
                }
            }
            column += run;
        }
        if column < columns {
            return error(format!("row {name}: expected {columns} places, found {column}"));
        }
    }
    Ok(())
}

/// The letter of the side to move.
pub(super) fn side_letter(side: Side) -> char {
    if side == Side::White { 'w' } else { 'b' }
}

/// Reads the field `side`.
pub(super) fn read_side(text: &str) -> Result<Side, PositionError> {
    match text {
        "w" => Ok(Side::White),
        "b" => Ok(Side::Black),
        other => Err(PositionError::new("side", format!("expected `w` or `b`, found {}", quoted(other)))),
    }
}

/// Reads a counter of at least `least`.
pub(super) fn read_counter(field: &'static str, text: &str, least: u32) -> Result<u32, PositionError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(count) if digits && (least..=MAX_COUNTER).contains(&count) => Ok(count),
        _ => {
            let found = quoted(text);
            Err(PositionError::new(field, format!("expected a number, {least} to {MAX_COUNTER}, found {found}")))
        }
    }
}
