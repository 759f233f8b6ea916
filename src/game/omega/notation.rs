//! Position strings (§5).

use std::fmt;

use super::{
    Bitboard, Kind, Omega, Pieces, Position, Square,
    attacks::step,
    castling::{Castling, Rights},
    pieces::forward,
    safety::in_check,
    square::SIDE,
};
use crate::game::{
    Notation, PositionError, Side,
    text::{self, Grid, quoted, read_counter, read_rows, read_side},
};

/// The board on its grid.
pub(super) const GRID: Grid =
    Grid { rows: SIDE, columns: SIDE, is_square: |column, row| Square::at(column, row).is_some() };

/// The position string.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write_rows(f, &GRID, |column, row| Square::at(column, row).and_then(|square| letter(self, square)))?;
        write!(f, " {} ", text::side_letter(self.side_to_move()))?;
        for way in Castling::ALL.iter().filter(|way| self.rights().has(way)) {
            write!(f, "{}", way.letter)?;
        }
        write!(f, "{} ", if self.rights().any() { "" } else { "-" })?;
        write_passed(f, self.passed(), self.side_to_move())?;
        write!(f, " {} {}", self.clock, self.fullmove)
    }
}

/// Writes the field `ep` of a position with `side` to move.
pub(super) fn write_passed(f: &mut fmt::Formatter<'_>, passed: Bitboard, side: Side) -> fmt::Result {
    let mut passed: Vec<Square> = passed.into_iter().collect();
    if side == Side::White {
        // Black's pawns come down the board.
        passed.reverse();
    }
    passed.iter().try_for_each(|square| write!(f, "{square}"))?;
    f.write_str(if passed.is_empty() { "-" } else { "" })
}

/// The letter of the piece on a square.
pub(super) fn letter(position: &Position, square: Square) -> Option<char> {
    position.pieces().at(square).map(|(side, kind)| text::letter(side, kind.letter()))
}

impl Notation for Omega {
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        const FIELDS: [&str; 6] = ["placement", "side", "castling", "ep", "clock", "fullmove"];
        let mut words = text.split_ascii_whitespace();
        let mut next = |at: usize| {
            let rest = || format!("missing, expected {}", FIELDS[at..].join(" "));
            words.next().ok_or_else(|| PositionError::new(FIELDS[at], rest()))
        };
        let mut position = Position::empty();
        read_rows(next(0)?, &GRID, |column, row, side, letter| {
            let (Some(square), Some(kind)) = (Square::at(column, row), Kind::from_letter(letter)) else { return false };
            position.toggle(side, kind, square);
            true
        })?;
        position.set_side(read_side(next(1)?)?);
        position.set_rights(read_castling(next(2)?)?);
        let passed = read_passed(next(3)?)?;
        position.clock = read_counter("clock", next(4)?, 0)?;
        position.fullmove = read_counter("fullmove", next(5)?, 1)?;
        if let Some(extra) = words.next() {
            return Err(PositionError::new(
                "fullmove",
                format!("expected to be the last field, found {}", quoted(extra)),
            ));
        }
        check_kings(position.pieces())?;
        let waiting = !position.side_to_move();
        if in_check(position.pieces(), waiting) {
            return Err(exposed(waiting));
        }
        check_castling(&position)?;
        check_passed(position.pieces(), waiting, &passed)?;
        position.set_passed(passed.into_iter().collect());
        Ok(position)
    }
}

fn read_castling(text: &str) -> Result<Rights, PositionError> {
    let mut rights = Rights::default();
    let mut rest = text;
    for way in &Castling::ALL {
        if let Some(after) = rest.strip_prefix(way.letter) {
            rights.add(way);
            rest = after;
        }
    }
    if text == "-" || rest.is_empty() {
        return Ok(rights);
    }
    let found = quoted(text);
    Err(PositionError::new("castling", format!("expected letters of KQkq in that order, or `-`, found {found}")))
}

/// The squares of the field `ep`, at most two, as they stand there.
pub(super) fn read_passed(text: &str) -> Result<Vec<Square>, PositionError> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let pairs = text.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).ok()?.parse().ok());
    match pairs.collect::<Option<Vec<Square>>>() {
        Some(squares) if squares.len() <= 2 => Ok(squares),
        _ => Err(PositionError::new("ep", format!("expected one or two squares, or `-`, found {}", quoted(text)))),
    }
}

/// One king a side.
pub(super) fn check_kings(pieces: &Pieces) -> Result<(), PositionError> {
    for side in [Side::White, Side::Black] {
        let kings = pieces.of(side, Kind::King).count();
        if kings != 1 {
            return Err(PositionError::new("placement", format!("expected one {side} king, found {kings}")));
        }
    }
    Ok(())
}

/// What is wrong where the side that just moved is in check.
pub(super) fn exposed(waiting: Side) -> PositionError {
    PositionError::new("side", format!("{waiting} is in check and not to move"))
}

fn check_castling(position: &Position) -> Result<(), PositionError> {
    for way in &Castling::ALL {
        let &Castling { side, letter, king, rook, .. } = way;
        let home = position.pieces().of(side, Kind::King).has(king) && position.pieces().of(side, Kind::Rook).has(rook);
        if position.rights().has(way) && !home {
            let reason = format!("`{letter}` needs the {side} king on {king} and a {side} rook on {rook}");
            return Err(PositionError::new("castling", reason));
        }
    }
    Ok(())
}

/// A pawn of `stepper`, the side that just moved, can have passed these squares with its last move: it stands beyond,
/// and all behind it is empty back to the square from which it stepped. The nearest to that square comes first.
pub(super) fn check_passed(pieces: &Pieces, stepper: Side, passed: &[Square]) -> Result<(), PositionError> {
    let (Some(&first), Some(&last)) = (passed.first(), passed.last()) else { return Ok(()) };
    let ahead = |square| step(square, (0, forward(stepper)));
    let start_row = if stepper == Side::White { 2 } else { 9 };
    let start = Square::at(first.column(), start_row);
    let way: Vec<Square> = std::iter::successors(start, |&square| ahead(square)).take(4).collect();
    // Up to two squares passed, and then the pawn.
    let pawn = way.iter().position(|&square| pieces.occupied().has(square));
    let stepped = pawn.is_some_and(|pawn| {
        let between = if pawn > 1 { &way[1..pawn] } else { &[] };
        let in_order = passed.len() == 1 || Some(last) == ahead(first);
        let is_pawn = pieces.of(stepper, Kind::Pawn).has(way[pawn]);
        is_pawn && in_order && passed.iter().all(|square| between.contains(square))
    });
    if stepped {
        return Ok(());
    }
    let found: String = passed.iter().map(Square::to_string).collect();
    Err(PositionError::new("ep", format!("no {stepper} pawn can just have passed {}", quoted(&found))))
}
