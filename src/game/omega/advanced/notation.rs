//! Position strings (§8).

use std::fmt;

use super::{Bitboard, Kind, OmegaAdvanced, Piece, Position, Square, homes, movegen};
use crate::game::{
    Notation, PositionError, Side,
    omega::notation::{GRID, are_named, check_kings, check_passed, check_pawns, exposed, read_passed, write_passed},
    text::{self, quoted, read_counter, read_rows, read_side},
};

/// The position string.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write_rows(f, &GRID, |column, row| Square::at(column, row).and_then(|square| letter(self, square)))?;
        f.write_str("[")?;
        for side in [Side::White, Side::Black].into_iter().filter(|&side| self.has_fool_in_hand(side)) {
            write!(f, "{}", text::letter(side, Piece::Fool.letter()))?;
        }
        write!(f, "] {} ", text::side_letter(self.side_to_move()))?;
        homes::in_order().filter(|&home| self.unmoved().has(home)).try_for_each(|home| write!(f, "{home}"))?;
        f.write_str(if self.unmoved().is_empty() { "- " } else { " " })?;
        write_passed(f, self.passed(), self.side_to_move())?;
        let [first, second] = [Side::Black, Side::White].map(|side| self.fools_are(side).map_or('-', Kind::letter));
        write!(f, " {first}{second} {} {}", self.clock(), self.fullmove())
    }
}

/// The letter of the piece on a square.
pub(super) fn letter(position: &Position, square: Square) -> Option<char> {
    position.at(square).map(|(side, piece)| text::letter(side, piece.letter()))
}

impl Notation for OmegaAdvanced {
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        const FIELDS: [&str; 8] = ["placement", "fools", "side", "unmoved", "ep", "last", "clock", "fullmove"];
        let mut words = text.split_ascii_whitespace();
        let mut next = |at: usize| {
            let rest = || format!("missing, expected {}", FIELDS[at..].join(" "));
            words.next().ok_or_else(|| PositionError::new(FIELDS[at], rest()))
        };
        let first = next(0)?;
        let Some((placement, fools)) = first.split_once('[') else {
            return Err(PositionError::new("fools", "missing, expected `[...]` after the placement"));
        };
        let mut position = Position::empty();
        read_rows(placement, &GRID, |column, row, side, letter| {
            let (Some(square), Some(piece)) = (Square::at(column, row), Piece::from_letter(letter)) else {
                return false;
            };
            position.toggle(side, piece, square);
            true
        })?;
        for side in read_fools(fools)? {
            position.toggle_hand(side);
        }
        position.set_side(read_side(next(2)?)?);
        position.set_unmoved(read_unmoved(next(3)?, &position)?);
        let passed = read_passed(next(4)?)?;
        let [made_black, made_white] = read_last(next(5)?)?;
        position.set_fools_are(Side::Black, made_black);
        position.set_fools_are(Side::White, made_white);
        position.set_counters(read_counter("clock", next(6)?, 0)?, read_counter("fullmove", next(7)?, 1)?);
        if let Some(extra) = words.next() {
            return Err(PositionError::new(
                "fullmove",
                format!("expected to be the last field, found {}", quoted(extra)),
            ));
        }
        position.drop_late_fools();
        check_pawns(position.pieces())?;
        check_kings(position.pieces())?;
        let waiting = !position.side_to_move();
        if movegen::in_check(&position, waiting) {
            return Err(exposed(waiting));
        }
        position.set_passed(check_passed(position.pieces(), waiting, &passed)?, &self.options);
        if !are_named(position.passed(), &passed)? {
            position.set_passed(Bitboard::EMPTY, &self.options);
        }
        Ok(position)
    }
}

/// The sides with a fool in hand, from what follows `[`.
fn read_fools(text: &str) -> Result<Vec<Side>, PositionError> {
    match text {
        "Ff]" => Ok(vec![Side::White, Side::Black]),
        "F]" => Ok(vec![Side::White]),
        "f]" => Ok(vec![Side::Black]),
        "]" => Ok(Vec::new()),
        _ => {
            let found = quoted(&format!("[{text}"));
            Err(PositionError::new("fools", format!("expected `[Ff]`, `[F]`, `[f]` or `[]`, found {found}")))
        }
    }
}

/// The squares of the field `unmoved`, each with its piece of the start.
fn read_unmoved(text: &str, position: &Position) -> Result<Bitboard, PositionError> {
    let mut unmoved = Bitboard::EMPTY;
    let error = |reason: String| Err(PositionError::new("unmoved", reason));
    for pair in text.as_bytes().chunks(2).filter(|_| text != "-") {
        let Some(square) = str::from_utf8(pair).ok().and_then(|pair| pair.parse().ok()) else {
            return error(format!("expected squares, or `-`, found {}", quoted(text)));
        };
        let Some((side, kind)) = homes::piece(square) else {
            return error(format!("no piece but a pawn starts on {square}"));
        };
        if !position.of(side, Piece::Plain(kind)).has(square) {
            return error(format!("the {side} {} of the start is not on {square}", kind.name()));
        }
        if unmoved.has(square) {
            return error(format!("{square} stands twice"));
        }
        unmoved = unmoved.with(square);
    }
    Ok(unmoved)
}

/// The kinds that White's last action and Black's were.
fn read_last(text: &str) -> Result<[Option<Kind>; 2], PositionError> {
    let kind = |letter: char| if letter == '-' { Some(None) } else { Kind::from_letter(letter).map(Some) };
    let mut letters = text.chars().map(kind);
    match (letters.next(), letters.next(), letters.next()) {
        (Some(Some(first)), Some(Some(second)), None) => Ok([first, second]),
        _ => {
            let found = quoted(text);
            Err(PositionError::new("last", format!("expected two of PNBRQKCW or `-`, found {found}")))
        }
    }
}
