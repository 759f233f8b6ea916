//! What stands on a square: a piece of one of omega's kinds, or a fool.

use super::Kind;

/// A piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    Plain(Kind),
    Fool,
}

impl Piece {
    /// Every piece, the fool last.
    pub const ALL: [Piece; 9] = {
        let mut all = [Piece::Fool; 9];
        let mut i = 0;
        while i < Kind::ALL.len() {
            all[i] = Piece::Plain(Kind::ALL[i]);
            i += 1;
        }
        all
    };

    /// What a pawn may become (§5).
    pub const PROMOTIONS: [Piece; 7] = {
        let mut all = [Piece::Fool; 7];
        let mut i = 0;
        while i < Kind::PROMOTIONS.len() {
            all[i] = Piece::Plain(Kind::PROMOTIONS[i]);
            i += 1;
        }
        all
    };

    /// Its place in [`Piece::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Piece::Plain(kind) => kind.index(),
            Piece::Fool => 8,
        }
    }

    /// In words, as in the names of planes.
    pub const fn name(self) -> &'static str {
        match self {
            Piece::Plain(kind) => kind.name(),
            Piece::Fool => "fool",
        }
    }

    /// Upper-case letter, one of `PNBCWRQKF`.
    pub const fn letter(self) -> char {
        match self {
            Piece::Plain(kind) => kind.letter(),
            Piece::Fool => 'F',
        }
    }

    /// The piece with this upper-case letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| piece.letter() == letter)
    }

    /// What a pawn that becomes this piece was, for the enemy's fools (§3).
    pub const fn kind_of_promotion(self) -> Kind {
        match self {
            Piece::Plain(kind) => kind,
            Piece::Fool => Kind::Pawn,
        }
    }

    /// In centipawns; nothing for the king. A fool is worth about what the pieces are worth that it can be, the next
    /// one's kind being the enemy's to choose.
    pub(super) const fn worth(self) -> i32 {
        match self {
            Piece::Plain(kind) => kind.worth(),
            Piece::Fool => 300,
        }
    }
}
