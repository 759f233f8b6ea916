//! What pieces are worth.

use super::{Kind, Position, Shatara};
use crate::game::{Material, Side};

impl Material for Shatara {
    /// Pieces in the arena only: those in a zone threaten nothing yet.
    fn material(&self, position: &Position) -> i32 {
        const VALUES: [i32; 5] = [100, 300, 320, 500, 900];
        let balance = |kind| {
            position.pieces().of(Side::White, kind).count() as i32
                - position.pieces().of(Side::Black, kind).count() as i32
        };
        Kind::RESERVE.into_iter().map(|kind| VALUES[kind.index()] * balance(kind)).sum()
    }
}
