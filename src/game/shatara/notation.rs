//! Position strings (§6): writing them, and reading them with every refusal of §8.

use std::fmt;

use super::{
    Kind, Position, Shatara, check, keys,
    position::{Castling, MAX_COUNTER, Wing},
    rules::MAX_ZONE,
};
use crate::{
    board::{Bitboard, Square},
    game::{PositionError, Side},
};

/// The letter of a man: upper case for White, lower case for Black.
pub(super) fn letter(side: Side, kind: Kind) -> char {
    match side {
        Side::White => kind.letter(),
        Side::Black => kind.letter().to_ascii_lowercase(),
    }
}

/// The position string.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let Some((side, kind)) = self.at(Square::at(file, rank)) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write!(f, "{}", letter(side, kind))?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if rank > 0 { "/" } else { "[" })?;
        }
        for side in [Side::White, Side::Black] {
            for kind in Kind::RESERVE {
                for _ in 0..self.zone(side, kind) {
                    write!(f, "{}", letter(side, kind))?;
                }
            }
        }
        write!(f, "] {} ", if self.side == Side::White { 'w' } else { 'b' })?;
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

/// Reads a position string; the `chess` preset reads plain six-field FEN as well.
pub(super) fn parse(game: &Shatara, text: &str) -> Result<Position, PositionError> {
    let mut words = text.split_ascii_whitespace();
    let first = words.next().unwrap_or_default();
    let is_fen = game.ruleset.game == "chess" && !first.contains('[');
    let (placement, zones) = match first.split_once('[') {
        Some((placement, zones)) => match zones.strip_suffix(']') {
            Some(zones) => (placement, zones),
            None => return Err(PositionError::new("zones", format!("expected `]` at the end of {}", quoted(first)))),
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
        kinds: [Bitboard::EMPTY; 6],
        sides: [Bitboard::EMPTY; 2],
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
    position.side = match next("side")? {
        "w" => Side::White,
        "b" => Side::Black,
        other => return Err(PositionError::new("side", format!("expected `w` or `b`, found {}", quoted(other)))),
    };
    position.castling = read_castling(next("castling")?)?;
    let passed = read_square(next("ep")?)?;
    position.moved = read_moved(next("moved")?)?;
    position.clock = read_counter("clock", next("clock")?, 0)?;
    position.fullmove = read_counter("fullmove", next("fullmove")?, 1)?;
    if let Some(extra) = words.next() {
        return Err(PositionError::new("fullmove", format!("expected to be the last field, found {}", quoted(extra))));
    }

    check_men(&position)?;
    check_castling(&position)?;
    check_moved(&position)?;
    if let Some(passed) = passed {
        check_passed(&position, passed)?;
        position.en_passant =
            Some(passed).filter(|&passed| check::en_passant_is_legal(&position, position.side, passed));
    }
    if !game.rules.ladder {
        position.moved = Bitboard::EMPTY;
    }
    position.key = keys::fresh(&position);
    Ok(position)
}

/// A piece of what the user typed, short and on one line.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 24;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    format!("`{}`", shown.escape_debug())
}

fn man_of(letter: char) -> Option<(Side, Kind)> {
    let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
    Kind::from_letter(letter.to_ascii_uppercase()).map(|kind| (side, kind))
}

fn read_placement(position: &mut Position, text: &str) -> Result<(), PositionError> {
    let error = |reason: String| Err(PositionError::new("placement", reason));
    let rows: Vec<&str> = text.splitn(10, '/').collect();
    if rows.len() != 8 {
        let found = if rows.len() > 8 { "more".to_owned() } else { rows.len().to_string() };
        return error(format!("expected 8 rows, found {found}"));
    }
    for (rank, row) in (0..8).rev().zip(rows) {
        let name = rank + 1;
        let mut file = 0;
        let mut rest = row;
        while let Some(letter) = rest.chars().next() {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (run, width) = match digits {
                0 => match man_of(letter) {
                    Some(_) if file == 8 => (1, 1),
                    Some((side, kind)) => {
                        let square = Bitboard::of(Square::at(file, rank));
                        position.kinds[kind.index()] |= square;
                        position.sides[side.index()] |= square;
                        (1, 1)
                    }
                    None => return error(format!("row {name}: {} is no man", quoted(letter.encode_utf8(&mut [0; 4])))),
                },
                // Digits together are one number, as on wider boards: `44` is no way to write 8.
                _ => match rest[..digits].parse() {
                    Ok(run @ 1..=8) if letter != '0' => (run, digits),
                    _ => {
                        return error(format!(
                            "row {name}: expected a run of 1 to 8, found {}",
                            quoted(&rest[..digits])
                        ));
                    }
                },
            };
            file += run;
            if file > 8 {
                return error(format!("row {name}: more than 8 squares"));
            }
            rest = &rest[width..];
        }
        if file < 8 {
            return error(format!("row {name}: expected 8 squares, found {file}"));
        }
    }
    Ok(())
}

fn read_zones(text: &str) -> Result<[[u8; 5]; 2], PositionError> {
    let mut zones = [[0; 5]; 2];
    let mut sizes = [0; 2];
    for letter in text.chars() {
        let Some((side, kind)) = man_of(letter).filter(|&(_, kind)| kind != Kind::King) else {
            let found = quoted(letter.encode_utf8(&mut [0; 4]));
            return Err(PositionError::new("zones", format!("expected letters of PNBRQpnbrq, found {found}")));
        };
        sizes[side.index()] += 1;
        if sizes[side.index()] > MAX_ZONE {
            return Err(PositionError::new("zones", format!("more than {MAX_ZONE} men of {side}")));
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

fn read_counter(field: &'static str, text: &str, least: u32) -> Result<u32, PositionError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(count) if digits && (least..=MAX_COUNTER).contains(&count) => Ok(count),
        _ => Err(PositionError::new(
            field,
            format!("expected a number, {least} to {MAX_COUNTER}, found {}", quoted(text)),
        )),
    }
}

/// One king a side, no pawn on the first or last rank, and the side that just acted not in check.
fn check_men(position: &Position) -> Result<(), PositionError> {
    for side in [Side::White, Side::Black] {
        let kings = position.men(side, Kind::King).count();
        if kings != 1 {
            return Err(PositionError::new("placement", format!("expected one {side} king, found {kings}")));
        }
    }
    let stray = position.kind(Kind::Pawn) & (Bitboard::rank(0) | Bitboard::rank(7));
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
        let home = position.men(side, Kind::King).has(king) && position.men(side, Kind::Rook).has(rook);
        if position.castling.has(side, wing) && !home {
            let reason = format!("`{letter}` needs the {side} king on {king} and a {side} rook on {rook}");
            return Err(PositionError::new("castling", reason));
        }
    }
    Ok(())
}

fn check_moved(position: &Position) -> Result<(), PositionError> {
    let men = position.occupied() & !position.kind(Kind::King) & !position.kind(Kind::Queen);
    let stray = position.moved & !men;
    if stray.any() {
        let reason = format!("no pawn, knight, bishop or rook stands on {}", stray.first());
        return Err(PositionError::new("moved", reason));
    }
    Ok(())
}

/// A pawn can just have passed a square if it stands beyond and the square and the one before are empty.
fn check_passed(position: &Position, passed: Square) -> Result<(), PositionError> {
    let (rank, back) = match position.side {
        Side::White => (5, 8),
        Side::Black => (2, -8),
    };
    let stepped = passed.rank() == rank
        && position.men(!position.side, Kind::Pawn).has(passed.shift(-back))
        && !position.occupied().has(passed)
        && !position.occupied().has(passed.shift(back));
    if stepped {
        return Ok(());
    }
    Err(PositionError::new("ep", format!("no {} pawn can just have passed {passed}", !position.side)))
}
