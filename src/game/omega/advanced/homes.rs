//! The squares of the pieces that can be unmoved: all but the pawns, where they start (§2).

use super::{Bitboard, Kind, Square};
use crate::game::{Side, omega::start};

/// The squares in the order of the position string: the first ranks from a to j, White's first, then w1 to w4.
pub(super) fn in_order() -> impl Iterator<Item = Square> {
    let ranks = [0, 9].into_iter().flat_map(|rank| (0..10).map(move |file| Square::arena(file, rank)));
    let corners = [(0, 0), (11, 0), (11, 11), (0, 11)].into_iter().filter_map(|(column, row)| Square::at(column, row));
    ranks.chain(corners)
}

/// Whose piece starts on a square, and of what kind.
pub(super) fn piece(home: Square) -> Option<(Side, Kind)> {
    let pieces = start::pieces().filter(|&(_, kind, _)| kind != Kind::Pawn);
    pieces.into_iter().find(|&(_, _, square)| square == home).map(|(side, kind, _)| (side, kind))
}

/// Where kings and queens start, which alone of all pieces have no like on the other wing.
pub(super) const ROYAL: Bitboard =
    Bitboard::of(Square::arena(4, 0)).with(Square::arena(5, 0)).with(Square::arena(4, 9)).with(Square::arena(5, 9));
