//! What pieces are worth.

use super::{OmegaAdvanced, Piece, Position};
use crate::game::{Material, Side};

impl Material for OmegaAdvanced {
    /// A fool in hand counts like one on the board.
    fn material(&self, position: &Position) -> i32 {
        let worth = |side: Side| -> i32 {
            let pieces = Piece::ALL.into_iter().map(|piece| piece.worth() * position.of(side, piece).count() as i32);
            pieces.sum::<i32>() + Piece::Fool.worth() * i32::from(position.has_fool_in_hand(side))
        };
        worth(Side::White) - worth(Side::Black)
    }
}
