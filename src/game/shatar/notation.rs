//! Position strings (§4).

use std::fmt;

use super::{Kind, Position, Shatar, movegen};
use crate::{
    board::Square,
    game::{
        Notation, PositionError, Side,
        text::{self, Grid, quoted, read_counter, read_rows, read_side},
    },
};

/// The position string.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write_rows(f, &Grid::EIGHT_BY_EIGHT, |file, rank| letter(self, Square::at(file, rank)))?;
        write!(f, " {} - {} {}", text::side_letter(self.side_to_move()), self.clock, self.fullmove)
    }
}

/// The letter of the piece on a square.
pub(super) fn letter(position: &Position, square: Square) -> Option<char> {
    position.pieces().at(square).map(|(side, kind)| text::letter(side, kind.letter()))
}

impl Notation for Shatar {
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        const FIELDS: [&str; 5] = ["placement", "side", "third", "clock", "fullmove"];
        let mut words = text.split_ascii_whitespace();
        let mut next = |at: usize| {
            let rest = || format!("missing, expected {}", FIELDS[at..].join(" "));
            words.next().ok_or_else(|| PositionError::new(FIELDS[at], rest()))
        };
        let mut position = Position::empty();
        read_rows(next(0)?, &Grid::EIGHT_BY_EIGHT, |file, rank, side, letter| {
            let Some(kind) = Kind::from_letter(letter) else { return false };
            position.toggle(side, kind, Square::at(file, rank));
            true
        })?;
        position.set_side(read_side(next(1)?)?);
        match next(2)? {
            "-" => {}
            other => return Err(PositionError::new("third", format!("expected `-`, found {}", quoted(other)))),
        }
        position.clock = read_counter("clock", next(3)?, 0)?;
        position.fullmove = read_counter("fullmove", next(4)?, 1)?;
        if let Some(extra) = words.next() {
            return Err(PositionError::new(
                "fullmove",
                format!("expected to be the last field, found {}", quoted(extra)),
            ));
        }
        for side in [Side::White, Side::Black] {
            let khans = position.pieces().of(side, Kind::Khan).count();
            if khans != 1 {
                return Err(PositionError::new("placement", format!("expected one {side} khan, found {khans}")));
            }
        }
        let waiting = !position.side_to_move();
        if movegen::in_check(&position, waiting) {
            return Err(PositionError::new("side", format!("{waiting} is in check and not to move")));
        }
        Ok(position)
    }
}
