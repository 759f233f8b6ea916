//! One action: a quiet move, a jump, a placing, or the stop of a series.

use std::fmt;

use super::{Kind, Square};

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// A step or slide (§4).
    Quiet,
    /// One jump of a capture (§6).
    Jump,
    /// A piece taken from a home and put on the field (§5).
    Placing,
    /// The end of a series that could go on (§6).
    Stop,
}

/// Bits 0-5 the square it starts from, 6-11 the square it ends on, 12-13 the kind of action, 14-15 one more than the
/// place in [`Kind::STOCK`] of what a shatra becomes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u16);

impl Action {
    #[inline]
    pub(super) const fn new(kind: ActionKind, from: Square, to: Square) -> Self {
        Action(from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12)
    }

    /// The stop of the piece on a square.
    #[inline]
    pub(super) const fn stop(at: Square) -> Self {
        Action::new(ActionKind::Stop, at, at)
    }

    /// The same move of a shatra that becomes the kind at this place of [`Kind::STOCK`].
    #[inline]
    pub(super) const fn becoming(self, stock_index: usize) -> Self {
        Action(self.0 | (stock_index as u16 + 1) << 14)
    }

    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as usize)
    }

    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as usize)
    }

    #[inline]
    pub const fn kind(self) -> ActionKind {
        match self.0 >> 12 & 3 {
            0 => ActionKind::Quiet,
            1 => ActionKind::Jump,
            2 => ActionKind::Placing,
            _ => ActionKind::Stop,
        }
    }

    /// What a shatra becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Kind> {
        match self.0 >> 14 {
            0 => None,
            number => Some(Kind::STOCK[number as usize - 1]),
        }
    }
}

/// The action's string (§9): `d5d6`, `d13d14q`, `d2@d6`, `0000`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.from(), self.to());
        match self.kind() {
            ActionKind::Stop => f.write_str("0000"),
            ActionKind::Placing => write!(f, "{from}@{to}"),
            ActionKind::Quiet | ActionKind::Jump => {
                write!(f, "{from}{to}")?;
                self.promotion().map_or(Ok(()), |kind| write!(f, "{}", kind.letter().to_ascii_lowercase()))
            }
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
