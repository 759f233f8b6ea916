//! The six kinds of pieces (§1).

use crate::game::PieceKind;

/// A kind of piece, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The pawn, which captures straight ahead.
    Qayin,
    /// The knight.
    Noyan,
    /// The bishop.
    Teme,
    /// The rook.
    Bers,
    /// The queen.
    Vizier,
    /// The king.
    Khan,
}

impl Kind {
    pub const ALL: [Kind; 6] = [Kind::Qayin, Kind::Noyan, Kind::Teme, Kind::Bers, Kind::Vizier, Kind::Khan];

    /// 0 for the qayin, 5 for the khan.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Upper-case letter, one of `PNBRQK`, those of the pieces of chess in the same places.
    pub const fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K'][self.index()]
    }

    /// The kind with this upper-case letter.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

impl PieceKind for Kind {
    const KINDS: &'static [Kind] = &Kind::ALL;

    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}
