//! Position strings (§6): writing them, and reading them with every refusal of §8.

use std::fmt;

use super::{
    Kind, Pieces, Position, Preset, Shatara, check, keys,
    options::MAX_ZONE,
    position::{Castling, Wing},
};
use crate::{
    board::{Bitboard, Square},
    game::{
        Notation, PositionError, Side,
        text::{self, Grid, quoted, read_counter, read_rows, read_side},
    },
};

/// The letter of a piece: upper case for White, lower case for Black.
pub(super) fn letter(side: Side, kind: Kind) -> char {
    text::letter(side, kind.letter())
}

/// The position string.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write_rows(f, &Grid::EIGHT_BY_EIGHT, |file, rank| {
            self.pieces().at(Square::at(file, rank)).map(|(side, kind)| letter(side, kind))
        })?;
        f.write_str("[")?;
        for side in [Side::White, Side::Black] {
            for kind in Kind::RESERVE {
                for _ in 0..self.zone(side, kind) {
                    write!(f, "{}", letter(side, kind))?;
                }
            }
        }
        write!(f, "] {} ", text::side_letter(self.side))?;
        if self.castling.is_empty() {
            f.write_str("-")?;
        }
        for (side, wing, right) in Castling::ALL {
            if self.castling.has(side, wing) {
                write!(f, "{right}")?;
            }
        }
        match self.en_passant {
            Some(square) => write!(f, " {square} ")?,
            None => f.write_str(" - ")?,
        }
        if self.moved.is_empty() {
            f.write_str("-")?;
        }
        for square in self.moved {
            write!(f, "{square}")?;
        }
        write!(f, " {} {}", self.clock, self.fullmove)
    }
}

/// Names of the fields, in their order in the string.
const FIELDS: [&str; 8] = ["placement", "zones", "side", "castling", "ep", "moved", "clock", "fullmove"];

impl Notation for Shatara {
    /// The `chess` preset reads plain six-field FEN as well.
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let mut words = text.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        let is_fen = self.preset == Preset::Chess && !first.contains('[');
        let (placement, zones) = match first.split_once('[') {
            Some((placement, zones)) => match zones.strip_suffix(']') {
                Some(zones) => (placement, zones),
                None => {
                    return Err(PositionError::new("zones", format!("expected `]` at the end of {}", quoted(first))));
                }
            },
            None if is_fen => (first, ""),
            None if first.is_empty() => return Err(PositionError::new("placement", "missing")),
            None => return Err(PositionError::new("zones", "missing, expected `[...]` after the placement")),
        };
        let mut next = |field| match field {
            "moved" if is_fen => Ok("-"),
            _ => words
                .next()
                .ok_or_else(|| PositionError::new(field, format!("missing, expected {}", FIELDS[2..].join(" ")))),
        };

        let mut position = Position {
            pieces: Pieces::EMPTY,
            moved: Bitboard::EMPTY,
            key: 0,
            clock: 0,
            fullmove: 1,
            zones: [[0; 5]; 2],
            castling: Castling(0),
            en_passant: None,
            side: Side::White,
        };
        read_placement(&mut position, placement)?;
        position.zones = read_zones(zones)?;
        position.side = read_side(next("side")?)?;
        position.castling = read_castling(next("castling")?)?;
        let passed = read_square(next("ep")?)?;
        position.moved = read_moved(next("moved")?)?;
        position.clock = read_counter("clock", next("clock")?, 0)?;
        position.fullmove = read_counter("fullmove", next("fullmove")?, 1)?;
        if let Some(extra) = words.next() {
            return Err(PositionError::new(
                "fullmove",
                format!("expected to be the last field, found {}", quoted(extra)),
            ));
        }

        check_pieces(&position)?;
        check_castling(&position)?;
        check_moved(&position)?;
        if let Some(passed) = passed {
            check_passed(&position, passed)?;
            position.en_passant =
                Some(passed).filter(|&passed| check::en_passant_is_legal(&position, position.side, passed));
        }
        if !self.options.ladder {
            position.moved = Bitboard::EMPTY;
        }
        position.key = keys::fresh(&position);
        Ok(position)
    }
}

fn piece_of(letter: char) -> Option<(Side, Kind)> {
    let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
    Kind::from_letter(letter.to_ascii_uppercase()).map(|kind| (side, kind))
}

fn read_placement(position: &mut Position, text: &str) -> Result<(), PositionError> {
    read_rows(text, &Grid::EIGHT_BY_EIGHT, |file, rank, side, letter| {
        let Some(kind) = Kind::from_letter(letter) else { return false };
        position.pieces.toggle(side, kind, Square::at(file, rank));
        true
    })
}

fn read_zones(text: &str) -> Result<[[u8; 5]; 2], PositionError> {
    let mut zones = [[0; 5]; 2];
    let mut sizes = [0; 2];
    for letter in text.chars() {
        let Some((side, kind)) = piece_of(letter).filter(|&(_, kind)| kind != Kind::King) else {
            let found = quoted(letter.encode_utf8(&mut [0; 4]));
            return Err(PositionError::new("zones", format!("expected letters of PNBRQpnbrq, found {found}")));
        };
        sizes[side.index()] += 1;
        if sizes[side.index()] > MAX_ZONE {
            return Err(PositionError::new("zones", format!("more than {MAX_ZONE} pieces of {side}")));
        }
        zones[side.index()][kind.index()] += 1;
    }
    Ok(zones)
}

fn read_castling(text: &str) -> Result<Castling, PositionError> {
    let mut rights = Castling(0);
    let mut rest = text;
    for (side, wing, letter) in Castling::ALL {
        if let Some(after) = rest.strip_prefix(letter) {
            rights.0 |= Castling::right(side, wing).0;
            rest = after;
        }
    }
    if text == "-" || !text.is_empty() && rest.is_empty() {
        return Ok(rights);
    }
    Err(PositionError::new(
        "castling",
        format!("expected letters of KQkq in that order, or `-`, found {}", quoted(text)),
    ))
}

fn read_square(text: &str) -> Result<Option<Square>, PositionError> {
    match text {
        "-" => Ok(None),
        _ => match text.parse() {
            Ok(square) => Ok(Some(square)),
            Err(reason) => Err(PositionError::new("ep", format!("{reason}, or `-`, found {}", quoted(text)))),
        },
    }
}

fn read_moved(text: &str) -> Result<Bitboard, PositionError> {
    let mut moved = Bitboard::EMPTY;
    if text == "-" {
        return Ok(moved);
    }
    for pair in text.as_bytes().chunks(2) {
        let square = str::from_utf8(pair).ok().and_then(|pair| pair.parse::<Square>().ok());
        match square {
            Some(square) if !moved.has(square) => moved |= square.into(),
            Some(square) => return Err(PositionError::new("moved", format!("{square} is listed twice"))),
            None => {
                return Err(PositionError::new("moved", format!("expected squares, or `-`, found {}", quoted(text))));
            }
        }
    }
    Ok(moved)
}

/// One king a side, no pawn on the first or last rank, and the side that just acted not in check.
fn check_pieces(position: &Position) -> Result<(), PositionError> {
    for side in [Side::White, Side::Black] {
        let kings = position.pieces().of(side, Kind::King).count();
        if kings != 1 {
            return Err(PositionError::new("placement", format!("expected one {side} king, found {kings}")));
        }
    }
    let stray = position.pieces().kind(Kind::Pawn) & (Bitboard::rank(0) | Bitboard::rank(7));
    if stray.any() {
        return Err(PositionError::new("placement", format!("a pawn cannot stand on {}", stray.first())));
    }
    if check::in_check(position, !position.side) {
        return Err(PositionError::new("side", format!("{} is in check and not to move", !position.side)));
    }
    Ok(())
}

fn check_castling(position: &Position) -> Result<(), PositionError> {
    for (side, wing, letter) in Castling::ALL {
        let rank = if side == Side::White { 0 } else { 7 };
        let rook = Square::at(if wing == Wing::King { 7 } else { 0 }, rank);
        let king = Square::at(4, rank);
        let home = position.pieces().of(side, Kind::King).has(king) && position.pieces().of(side, Kind::Rook).has(rook);
        if position.castling.has(side, wing) && !home {
            let reason = format!("`{letter}` needs the {side} king on {king} and a {side} rook on {rook}");
            return Err(PositionError::new("castling", reason));
        }
        if position.castling.has(side, wing) && position.moved.has(rook) {
            let reason = format!("`{letter}` needs a {side} rook that has not moved, and {rook} is among the moved");
            return Err(PositionError::new("castling", reason));
        }
    }
    Ok(())
}

fn check_moved(position: &Position) -> Result<(), PositionError> {
    let pieces =
        position.pieces().occupied() & !position.pieces().kind(Kind::King) & !position.pieces().kind(Kind::Queen);
    let stray = position.moved & !pieces;
    if stray.any() {
        let reason = format!("no pawn, knight, bishop or rook stands on {}", stray.first());
        return Err(PositionError::new("moved", reason));
    }
    Ok(())
}

/// A pawn can just have passed a square if it stands beyond and the square and the one before are empty.
fn check_passed(position: &Position, passed: Square) -> Result<(), PositionError> {
    let pieces = position.pieces();
    let (rank, back) = match position.side {
        Side::White => (5, 8),
        Side::Black => (2, -8),
    };
    let stepped = passed.rank() == rank
        && pieces.of(!position.side, Kind::Pawn).has(passed.shift(-back))
        && !pieces.occupied().has(passed)
        && !pieces.occupied().has(passed.shift(back));
    if stepped {
        return Ok(());
    }
    Err(PositionError::new("ep", format!("no {} pawn can just have passed {passed}", !position.side)))
}
