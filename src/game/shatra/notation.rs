//! Position strings (§9).

use std::fmt;

use super::{
    Bitboard, Kind, Position, Shatra, Square,
    jumps::Jumper,
    movegen,
    series::Series,
    square::{COLUMNS, ROWS, forward},
};
use crate::game::{
    Notation, PositionError, Side,
    text::{self, Grid, quoted, read_counter, read_rows, read_side},
};

const GRID: Grid = Grid { rows: ROWS, columns: COLUMNS, is_square: |column, row| Square::at(column, row).is_some() };

/// Pieces that a side can have at most, on the board and in its stock.
const MAX_PIECES: u32 = 255;

/// The position string.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write_rows(f, &GRID, |column, row| Square::at(column, row).and_then(|square| letter(self, square)))?;
        write!(f, "[{}{}]", stock_letters(self, Side::White), stock_letters(self, Side::Black))?;
        let reserve = names(self.reserve(Side::White) | self.reserve(Side::Black));
        write!(f, " {} {} ", text::side_letter(self.side_to_move()), or_dash(reserve))?;
        write!(f, "{} ", or_dash(self.passed().map_or(String::new(), |square| square.to_string())))?;
        match self.series() {
            Some(series) => write!(f, "{}:{}", series.jumper(), names(series.jumped()))?,
            None => f.write_str("-")?,
        }
        write!(f, " {} {}", self.clock, self.fullmove)
    }
}

fn names(squares: impl IntoIterator<Item = Square>) -> String {
    squares.into_iter().map(|square| square.to_string()).collect()
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

/// The pieces of a side's stock, strongest first.
pub(super) fn stock_letters(position: &Position, side: Side) -> String {
    let kinds = Kind::STOCK.into_iter().zip(position.stock(side));
    kinds.map(|(kind, pieces)| text::letter(side, kind.letter()).to_string().repeat(pieces.into())).collect()
}

/// The letter of the piece on a square.
pub(super) fn letter(position: &Position, square: Square) -> Option<char> {
    position.pieces().at(square).map(|(side, kind)| text::letter(side, kind.letter()))
}

impl Notation for Shatra {
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        const FIELDS: [&str; 8] = ["placement", "stock", "side", "reserve", "ep", "series", "clock", "fullmove"];
        let mut words = text.split_ascii_whitespace();
        let first = words.next().ok_or_else(|| PositionError::new("placement", "missing"))?;
        let (placement, stock) = match first.split_once('[') {
            None => return Err(PositionError::new("stock", "missing, expected `[...]` after the placement")),
            Some((placement, stock)) => match stock.strip_suffix(']') {
                Some(stock) => (placement, stock),
                None => {
                    return Err(PositionError::new("stock", format!("expected `]` at the end of {}", quoted(first))));
                }
            },
        };
        let mut next = |at: usize| {
            let rest = || format!("missing, expected {}", FIELDS[at..].join(" "));
            words.next().ok_or_else(|| PositionError::new(FIELDS[at], rest()))
        };
        let mut position = Position::empty();
        read_rows(placement, &GRID, |column, row, side, letter| {
            let (Some(square), Some(kind)) = (Square::at(column, row), Kind::from_letter(letter)) else { return false };
            position.toggle(side, kind, square);
            true
        })?;
        read_stock(&mut position, stock)?;
        position.set_side(read_side(next(2)?)?);
        read_reserve(&mut position, next(3)?)?;
        let passed = read_passed(next(4)?)?;
        read_series(&mut position, next(5)?)?;
        position.clock = read_counter("clock", next(6)?, 0)?;
        position.fullmove = read_counter("fullmove", next(7)?, 1)?;
        if let Some(extra) = words.next() {
            return Err(PositionError::new(
                "fullmove",
                format!("expected to be the last field, found {}", quoted(extra)),
            ));
        }
        check_pieces(&position)?;
        if let Some(passed) = passed {
            check_passed(&position, passed)?;
            position.set_passed(Some(passed).filter(|&passed| movegen::en_passant_is_legal(&position, passed)));
        }
        check_series(&position)?;
        Ok(position)
    }
}

fn read_stock(position: &mut Position, text: &str) -> Result<(), PositionError> {
    for letter in text.chars() {
        let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        let kind = Kind::from_letter(letter.to_ascii_uppercase()).and_then(Kind::stock_index);
        let Some(i) = kind else {
            let found = quoted(letter.encode_utf8(&mut [0; 4]));
            return Err(PositionError::new("stock", format!("expected letters of QRBqrb, found {found}")));
        };
        let stock = position.stock(side);
        let pieces = position.pieces().side(side).count() + stock.iter().map(|&pieces| u32::from(pieces)).sum::<u32>();
        if pieces == MAX_PIECES {
            return Err(PositionError::new("stock", format!("more than {MAX_PIECES} pieces of {side}")));
        }
        position.set_stock(side, i, stock[i] + 1);
    }
    Ok(())
}

/// The squares that stand one after the other in a field; none when they do not.
fn read_squares(text: &str) -> Option<Vec<Square>> {
    let mut squares = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        // A rank of two digits takes both: no square ends where another digit follows.
        let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let (square, after) = rest.split_at_checked(1 + digits)?;
        squares.push(square.parse().ok()?);
        rest = after;
    }
    Some(squares)
}

fn read_reserve(position: &mut Position, text: &str) -> Result<(), PositionError> {
    if text == "-" {
        return Ok(());
    }
    let error = |reason: String| Err(PositionError::new("reserve", reason));
    let Some(squares) = read_squares(text) else {
        return error(format!("expected squares, or `-`, found {}", quoted(text)));
    };
    for square in squares {
        let home = [Side::White, Side::Black].into_iter().find(|&side| Bitboard::home(side).has(square));
        if home.is_none_or(|side| !position.pieces().side(side).has(square)) {
            return error(format!("no piece of that home's side stands on {square}"));
        }
        if position.in_reserve(square) {
            return error(format!("{square} is listed twice"));
        }
        position.toggle_reserve(square);
    }
    Ok(())
}

fn read_passed(text: &str) -> Result<Option<Square>, PositionError> {
    match text {
        "-" => Ok(None),
        _ => match text.parse() {
            Ok(square) => Ok(Some(square)),
            Err(reason) => Err(PositionError::new("ep", format!("{reason}, or `-`, found {}", quoted(text)))),
        },
    }
}

/// A piece of the side to move that jumps, and the enemies that it has jumped.
fn read_series(position: &mut Position, text: &str) -> Result<(), PositionError> {
    if text == "-" {
        return Ok(());
    }
    let error = |reason: String| Err(PositionError::new("series", reason));
    let parts = text.split_once(':').map(|(jumper, jumped)| (jumper.parse::<Square>().ok(), read_squares(jumped)));
    let Some((Some(jumper), Some(jumped))) = parts.filter(|(_, jumped)| jumped.as_ref().is_some_and(|j| !j.is_empty()))
    else {
        return error(format!("expected a square, `:` and squares, or `-`, found {}", quoted(text)));
    };
    let side = position.side_to_move();
    if !position.pieces().side(side).has(jumper) {
        return error(format!("no {side} piece stands on {jumper}"));
    }
    let mut series = Series::new(jumper);
    for square in jumped {
        if !position.pieces().side(!side).has(square) {
            return error(format!("no {} piece stands on {square}", !side));
        }
        if series.jumped_set().has(square) {
            return error(format!("{square} is listed twice"));
        }
        series = series.after_jump(square, jumper);
    }
    position.set_series(Some(series));
    Ok(())
}

/// At most one king a side and one at least on the board, and no shatra that waits for what its stock has (§10).
fn check_pieces(position: &Position) -> Result<(), PositionError> {
    for side in [Side::White, Side::Black] {
        let kings = position.pieces().of(side, Kind::Biy).count();
        if kings > 1 {
            return Err(PositionError::new("placement", format!("expected one {side} king, found {kings}")));
        }
        let waiting = position.waiting(side);
        if waiting.any() && position.stock(side) != [0; 3] {
            let reason = format!("the {side} pawn on {} would have become one of these pieces", waiting.first());
            return Err(PositionError::new("stock", reason));
        }
    }
    if position.pieces().kind(Kind::Biy).is_empty() {
        return Err(PositionError::new("placement", "expected a king, found none"));
    }
    Ok(())
}

/// A series whose piece cannot jump on would have ended by itself (§6).
fn check_series(position: &Position) -> Result<(), PositionError> {
    let Some(jumper) = position.series().map(Series::jumper) else { return Ok(()) };
    let (side, kind) = position.pieces().at(jumper).expect("a piece of a series");
    if Jumper::new(position, side, kind, jumper).can_jump() {
        return Ok(());
    }
    Err(PositionError::new("series", format!("the piece on {jumper} cannot jump on, and its series would have ended")))
}

/// A shatra can just have passed a square if it stands beyond, the square and the one before are empty, and that one is
/// on the first rank of its half.
fn check_passed(position: &Position, passed: Square) -> Result<(), PositionError> {
    let pieces = position.pieces();
    if position.series().is_some() {
        return Err(PositionError::new("ep", format!("expected `-` during a series, found `{passed}`")));
    }
    let stepper = !position.side_to_move();
    let row = if stepper == Side::White { 5 } else { 8 };
    let near = |rows: i32| passed.step((0, rows * forward(stepper)));
    let stepped = passed.row() == row
        && near(1).is_some_and(|square| pieces.of(stepper, Kind::Shatra).has(square))
        && near(-1).is_some_and(|square| !pieces.occupied().has(square))
        && !pieces.occupied().has(passed);
    if stepped {
        return Ok(());
    }
    Err(PositionError::new("ep", format!("no {stepper} pawn can just have passed {passed}")))
}
