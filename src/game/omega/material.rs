//! What pieces are worth.

use super::{Kind, Omega, Position};
use crate::game::{Material, Side};

impl Material for Omega {
    fn material(&self, position: &Position) -> i32 {
        let worth = |side: Side| -> i32 {
            Kind::ALL.into_iter().map(|kind| kind.worth() * position.pieces().of(side, kind).count() as i32).sum()
        };
        worth(Side::White) - worth(Side::Black)
    }
}
