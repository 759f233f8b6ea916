//! The pieces of the start (§2).

use super::{Kind, Square};
use crate::game::Side;

/// Every piece with its square.
pub(super) fn pieces() -> impl Iterator<Item = (Side, Kind, Square)> {
    use Kind::{Bishop, Champion, King, Knight, Pawn, Queen, Rook, Wizard};
    const FIRST_RANK: [Kind; 10] = [Champion, Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook, Champion];
    [(Side::White, 0, 1, 0), (Side::Black, 9, 8, 11)].into_iter().flat_map(|(side, rank, pawns, corners)| {
        let first_rank = FIRST_RANK.into_iter().enumerate().map(move |(file, kind)| (kind, Square::arena(file, rank)));
        let pawns = (0..10).map(move |file| (Pawn, Square::arena(file, pawns)));
        let corners = [0, 11].into_iter().filter_map(move |column| Square::at(column, corners));
        let all = first_rank.chain(pawns).chain(corners.map(|square| (Wizard, square)));
        all.map(move |(kind, square)| (side, kind, square))
    })
}
