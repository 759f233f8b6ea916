//! The five kinds of pieces (§2).

use crate::game::PieceKind;

/// A kind of piece, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The pawn.
    Shatra,
    /// The bishop.
    Yalkyn,
    /// The rook.
    Tura,
    /// The queen.
    Batyr,
    /// The king.
    Biy,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Kind::Shatra, Kind::Yalkyn, Kind::Tura, Kind::Batyr, Kind::Biy];

    /// What a stock can hold and a shatra become, in the order of the position string, the strongest first (§7, §9).
    pub const STOCK: [Kind; 3] = [Kind::Batyr, Kind::Tura, Kind::Yalkyn];

    /// 0 for the shatra, 4 for the biy.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Place in [`Kind::STOCK`].
    #[inline]
    pub(super) const fn stock_index(self) -> Option<usize> {
        match self {
            Kind::Batyr => Some(0),
            Kind::Tura => Some(1),
            Kind::Yalkyn => Some(2),
            Kind::Shatra | Kind::Biy => None,
        }
    }

    /// In words, as in the names of planes.
    pub const fn name(self) -> &'static str {
        ["shatra", "yalkyn", "tura", "batyr", "biy"][self.index()]
    }

    /// Upper-case letter, one of `PBRQK`.
    pub const fn letter(self) -> char {
        ['P', 'B', 'R', 'Q', 'K'][self.index()]
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
