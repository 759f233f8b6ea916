//! Position strings (§6): writing them, and reading them with every refusal of §8.

use std::fmt;

use super::{
    Kind, Position,
    position::Castling,
};
use crate::{board::Square, game::Side};

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
