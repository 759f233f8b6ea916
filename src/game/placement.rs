//! The pieces that a position string shows: its first field is written alike in all games, rows from the top, letters,
//! numbers of empty squares, `*` for holes.

use super::{
    Side,
    text::{Part, parts},
};

/// Pieces by square, `row * columns + column` from White's side; 0 where none stands. Upper case is White.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    pieces: Vec<u8>,
    /// Pieces in the zones, both sides'.
    zones: String,
}

impl Placement {
    /// Reads the placement and the zones of a position on a grid of (rows, columns); `None` when the text does not fill
    /// it.
    pub fn read(position: &str, (rows, columns): (usize, usize)) -> Option<Placement> {
        let field = position.split(' ').next()?;
        let (placement, zones) = match field.split_once('[') {
            Some((placement, zones)) => (placement, zones.strip_suffix(']')?),
            None => (field, ""),
        };
        let mut pieces = vec![0; rows * columns];
        let mut texts = placement.split('/');
        for row in (0..rows).rev() {
            let places = &mut pieces[row * columns..(row + 1) * columns];
            let mut column = 0;
            for part in parts(texts.next()?) {
                match part {
                    Part::Run(digits) => column += digits.parse::<usize>().ok().filter(|&run| run <= columns)?,
                    Part::Place(letter) => {
                        let place = places.get_mut(column)?;
                        if letter.is_ascii_alphabetic() {
                            *place = letter as u8;
                        }
                        column += 1;
                    }
                }
            }
            if column != columns {
                return None;
            }
        }
        texts.next().is_none().then(|| Placement { pieces, zones: zones.to_owned() })
    }

    /// The piece on each square.
    pub fn pieces(&self) -> &[u8] {
        &self.pieces
    }

    /// Pieces of a side's zone by kind, in the order of `kinds`.
    pub fn zone(&self, side: Side, kinds: &str) -> Vec<u32> {
        let count = |kind: char| {
            let letter = if side == Side::White { kind } else { kind.to_ascii_lowercase() };
            self.zones.chars().filter(|&piece| piece == letter).count() as u32
        };
        kinds.chars().map(count).collect()
    }
}

/// Whose piece a letter is.
pub fn side_of(piece: u8) -> Side {
    if piece.is_ascii_uppercase() { Side::White } else { Side::Black }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{registry::IDS, text_game::text_game};

    #[test]
    fn every_start_is_read() {
        let pieces = IDS.iter().map(|id| {
            let rules = text_game(id, &toml::Table::new()).unwrap();
            let board = Placement::read(&rules.start(), rules.grid()).unwrap();
            let count = |side| board.pieces().iter().filter(|&&piece| piece > 0 && side_of(piece) == side).count();
            (*id, count(Side::White), count(Side::Black))
        });
        let expected = [
            ("shatara", 16, 16),
            ("chess", 16, 16),
            ("shatar", 16, 16),
            ("omega", 22, 22),
            ("omega-advanced", 22, 22),
            ("shatra", 17, 17),
        ];
        assert_eq!(pieces.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn squares_and_zones() {
        let board = Placement::read("*10*/12/K5**3k[PPQqn] w -", (3, 12));
        let board = board.unwrap();
        assert_eq!(
            (board.pieces()[0], board.pieces()[11], board.pieces().iter().filter(|&&piece| piece > 0).count()),
            (b'K', b'k', 2)
        );
        assert_eq!((board.zone(Side::White, "PNQ"), board.zone(Side::Black, "PNQ")), (vec![2, 0, 1], vec![0, 1, 1]));
        for bad in ["", "8", "8/8/9", "8/8/8/8", "8/8/7", "8/8/8[P", "8/8/ppppppppp", "8/8/99999999999999999999"] {
            assert_eq!(Placement::read(bad, (3, 8)), None, "{bad}");
        }
    }
}
