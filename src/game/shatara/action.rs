//! One action of one side, in two bytes.

use std::fmt;

use super::Kind;
use crate::board::Square;

/// What sort of action it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// A piece goes from square to square, capturing or not.
    Move,
    /// The king goes two squares towards a rook (§2).
    Castling,
    /// A pawn captures the pawn that just passed (§2).
    EnPassant,
    /// A pawn reaches the last rank and becomes the kind given (§2).
    Promotion(Kind),
    /// A piece becomes the kind given where it stands (§3).
    Ladder(Kind),
    /// A pawn comes from the zone (§4).
    Reinforcement,
}

/// An action: bits 0-5 the square it starts from, 6-11 the square it ends on, 12-15 what it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u16);

impl Action {
    pub(super) const MOVE: u16 = 0;
    pub(super) const CASTLING: u16 = 1;
    pub(super) const EN_PASSANT: u16 = 2;
    pub(super) const REINFORCEMENT: u16 = 3;
    /// Plus the number of the new kind, 1-4.
    pub(super) const PROMOTION: u16 = 3;
    /// Plus the number of the new kind, 1-4.
    pub(super) const LADDER: u16 = 7;

    #[inline]
    pub(super) const fn new(from: Square, to: Square, code: u16) -> Self {
        Action(from.index() as u16 | (to.index() as u16) << 6 | code << 12)
    }

    /// Where the piece stands that acts; for a reinforcement the same as [`to`](Action::to).
    #[inline]
    pub const fn from(self) -> Square {
        Square::new(self.0 as usize)
    }

    /// Where it ends; for a ladder promotion the same as [`from`](Action::from), for castling the king's square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6) as usize)
    }

    #[inline]
    pub const fn kind(self) -> ActionKind {
        match self.0 >> 12 {
            Action::MOVE => ActionKind::Move,
            Action::CASTLING => ActionKind::Castling,
            Action::EN_PASSANT => ActionKind::EnPassant,
            Action::REINFORCEMENT => ActionKind::Reinforcement,
            code if code <= Action::LADDER => ActionKind::Promotion(Kind::PROMOTIONS[(code - 4) as usize & 3]),
            code => ActionKind::Ladder(Kind::PROMOTIONS[(code - 8) as usize & 3]),
        }
    }
}

/// The action's string (§6): `e2e4`, `e7e8q`, `e1g1`, `P@e2`, `f3f3b`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.from(), self.to());
        match self.kind() {
            ActionKind::Reinforcement => write!(f, "P@{to}"),
            ActionKind::Promotion(kind) | ActionKind::Ladder(kind) => {
                write!(f, "{from}{to}{}", kind.letter().to_ascii_lowercase())
            }
            ActionKind::Move | ActionKind::Castling | ActionKind::EnPassant => write!(f, "{from}{to}"),
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
