//! What stands on a square: a man of one of omega's kinds, or a fool.

use super::Kind;

/// A man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Man {
    Plain(Kind),
    Fool,
}

impl Man {
    /// Every man, the fool last.
    pub const ALL: [Man; 9] = {
        let mut all = [Man::Fool; 9];
        let mut i = 0;
        while i < Kind::ALL.len() {
            all[i] = Man::Plain(Kind::ALL[i]);
            i += 1;
        }
        all
    };

    /// What a pawn may become (§5).
    pub const PROMOTIONS: [Man; 7] = {
        let mut all = [Man::Fool; 7];
        let mut i = 0;
        while i < Kind::PROMOTIONS.len() {
            all[i] = Man::Plain(Kind::PROMOTIONS[i]);
            i += 1;
        }
        all
    };

    /// Its place in [`Man::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Man::Plain(kind) => kind.index(),
            Man::Fool => 8,
        }
    }

    /// In words, as in the names of planes.
    pub const fn name(self) -> &'static str {
        match self {
            Man::Plain(kind) => kind.name(),
            Man::Fool => "fool",
        }
    }

    /// Upper-case letter, one of `PNBCWRQKF`.
    pub const fn letter(self) -> char {
        match self {
            Man::Plain(kind) => kind.letter(),
            Man::Fool => 'F',
        }
    }

    /// The man with this upper-case letter.
    pub fn from_letter(letter: char) -> Option<Man> {
        Man::ALL.into_iter().find(|man| man.letter() == letter)
    }

    /// What a pawn that becomes this man was, for the enemy's fools (§3).
    pub const fn kind_of_promotion(self) -> Kind {
        match self {
            Man::Plain(kind) => kind,
            Man::Fool => Kind::Pawn,
        }
    }

    /// In centipawns; nothing for the king. A fool is worth about what the men are worth that it can be, the next one's kind being the enemy's to choose.
    pub(super) const fn worth(self) -> i32 {
        match self {
            Man::Plain(kind) => kind.worth(),
            Man::Fool => 300,
        }
    }
}
