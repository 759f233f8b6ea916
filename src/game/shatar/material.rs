//! What pieces are worth.

use super::{Kind, Position, Shatar};
use crate::{
    board::Bitboard,
    game::{Material, Side},
};

impl Material for Shatar {
    /// A qayin that does not promote is worth less than a pawn of chess, and nothing once it is stuck.
    fn material(&self, position: &Position) -> i32 {
        const VALUES: [i32; 5] = [60, 300, 320, 500, 900];
        let worth = |side: Side| -> i32 {
            let pieces = Kind::ALL[..5].iter().zip(VALUES);
            let all: i32 = pieces.map(|(&kind, value)| value * position.pieces().of(side, kind).count() as i32).sum();
            let last = Bitboard::rank(if side == Side::White { 7 } else { 0 });
            all - VALUES[0] * (position.pieces().of(side, Kind::Qayin) & last).count() as i32
        };
        worth(Side::White) - worth(Side::Black)
    }
}
