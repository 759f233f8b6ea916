//! What pieces are worth.

use super::{Man, OmegaAdvanced, Position};
use crate::game::{Material, Side};

impl Material for OmegaAdvanced {
    /// A fool in hand counts like one on the board.
    fn material(&self, position: &Position) -> i32 {
        let worth = |side: Side| -> i32 {
            let men = Man::ALL.into_iter().map(|man| man.worth() * position.men(side, man).count() as i32);
            men.sum::<i32>() + Man::Fool.worth() * i32::from(position.has_fool_in_hand(side))
        };
        worth(Side::White) - worth(Side::Black)
    }
}
