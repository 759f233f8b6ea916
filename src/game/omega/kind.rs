//! The eight kinds of pieces (§2, §3).

use crate::game::PieceKind;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    Pawn,
    Knight,
    Bishop,
    /// One square orthogonally, or a jump of two in any direction.
    Champion,
    /// One square diagonally, or a jump of one by three.
    Wizard,
    Rook,
    Queen,
    King,
}

impl Kind {
    pub const ALL: [Kind; 8] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Champion, Kind::Wizard, Kind::Rook, Kind::Queen, Kind::King];

    /// What a pawn may become.
    pub const PROMOTIONS: [Kind; 6] =
        [Kind::Queen, Kind::Rook, Kind::Wizard, Kind::Champion, Kind::Bishop, Kind::Knight];

    /// 0 for the pawn, 7 for the king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// In words, as in the names of planes.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "champion", "wizard", "rook", "queen", "king"][self.index()]
    }

    /// Upper-case letter, one of `PNBCWRQK`.
    pub const fn letter(self) -> char {
        ['P', 'N', 'B', 'C', 'W', 'R', 'Q', 'K'][self.index()]
    }

    /// In centipawns; nothing for the king. On a board with more room the pieces of short reach are worth less than the
    /// rook and the queen than they are in chess.
    pub(super) const fn worth(self) -> i32 {
        [100, 270, 350, 370, 370, 550, 1000, 0][self.index()]
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
