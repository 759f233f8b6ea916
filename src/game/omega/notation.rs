//! Position strings (§5).

use std::fmt;

use super::{
    Bitboard, Kind, Omega, Pieces, Position, Square,
    attacks::step,
    castling::{Castling, Rights},
    movegen::{CORNERS, far_rank},
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
        check_pawns(position.pieces())?;
        check_kings(position.pieces())?;
        let waiting = !position.side_to_move();
        if in_check(position.pieces(), waiting) {
            return Err(exposed(waiting));
        }
        check_castling(&position)?;
        position.set_passed(check_passed(position.pieces(), waiting, &passed)?);
        if !are_named(position.passed(), &passed)? {
            position.set_passed(Bitboard::EMPTY);
        }
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

/// No pawn where none can come.
pub(super) fn check_pawns(pieces: &Pieces) -> Result<(), PositionError> {
    let never = far_rank(Side::White) | far_rank(Side::Black) | CORNERS;
    match (pieces.kind(Kind::Pawn) & never).into_iter().next() {
        None => Ok(()),
        Some(square) => Err(PositionError::new("placement", format!("a pawn on {square}, where none can come"))),
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

/// All squares that a pawn of `stepper`, the side that just moved, passed with its last move, if it can have passed these:
/// it stands beyond, and all behind it is empty back to the square from which it stepped. The nearest to that square
/// comes first.
pub(super) fn check_passed(pieces: &Pieces, stepper: Side, passed: &[Square]) -> Result<Bitboard, PositionError> {
    let (Some(&first), Some(&last)) = (passed.first(), passed.last()) else { return Ok(Bitboard::EMPTY) };
    let ahead = |square| step(square, (0, forward(stepper)));
    let start_row = if stepper == Side::White { 2 } else { 9 };
    let start = Square::at(first.column(), start_row);
    let way: Vec<Square> = std::iter::successors(start, |&square| ahead(square)).take(4).collect();
    // Up to two squares passed, and then the pawn.
    let pawn = way.iter().position(|&square| pieces.occupied().has(square));
    let pawn = pawn.filter(|&pawn| pieces.of(stepper, Kind::Pawn).has(way[pawn]));
    let between = pawn.map_or(&[][..], |pawn| if pawn > 1 { &way[1..pawn] } else { &[] });
    if !passed.iter().all(|square| between.contains(square)) {
        let found = quoted(&names(passed));
        return Err(PositionError::new("ep", format!("no {stepper} pawn can just have passed {found}")));
    }
    if passed.len() > 1 && Some(last) != ahead(first) {
        let (order, found) = (names(between), names(passed));
        return Err(PositionError::new(
            "ep",
            format!("expected the squares as the pawn passed them, `{order}`, found `{found}`"),
        ));
    }
    Ok(between.iter().copied().collect())
}

/// Whether the squares passed on which a capture is legal are those `named`. Those on which none is may be named beside
/// them; where none is legal nothing need be.
///
/// # Errors
/// When only some are named.
pub(super) fn are_named(legal: Bitboard, named: &[Square]) -> Result<bool, PositionError> {
    let found: Bitboard = named.iter().copied().collect();
    if (legal & found).is_empty() {
        return Ok(false);
    }
    match (legal & !found).into_iter().next() {
        None => Ok(true),
        Some(missing) => {
            let found = names(named);
            Err(PositionError::new("ep", format!("expected {missing} too, where a capture is legal, found `{found}`")))
        }
    }
}

fn names(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect()
}
