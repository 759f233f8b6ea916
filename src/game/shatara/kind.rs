//! The six kinds of pieces and the ladder of ranks (shatara.md §1).

use crate::game::PieceKind;

/// A kind of piece, in the order of the ladder; the king stands outside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Kind {
    pub const ALL: [Kind; 6] = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];

    /// The kinds that a support zone can hold, in the order of its string.
    pub const RESERVE: [Kind; 5] = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

    /// What a pawn may become on the last rank, and what a ladder promotion may give.
    pub const PROMOTIONS: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

    /// 0 for the pawn, 5 for the king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The next rank of the ladder.
    #[inline]
    pub const fn promoted(self) -> Option<Kind> {
        match self {
            Kind::Pawn => Some(Kind::Knight),
            Kind::Knight => Some(Kind::Bishop),
            Kind::Bishop => Some(Kind::Rook),
            Kind::Rook => Some(Kind::Queen),
            Kind::Queen | Kind::King => None,
        }
    }

    /// Upper-case letter, one of `PNBRQK`.
    pub const fn letter(self) -> char {
        match self {
            Kind::Pawn => 'P',
            Kind::Knight => 'N',
            Kind::Bishop => 'B',
            Kind::Rook => 'R',
            Kind::Queen => 'Q',
            Kind::King => 'K',
        }
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
