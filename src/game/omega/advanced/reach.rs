//! Where pieces go that omega does not know: fools, and templar knights.

use super::{Bitboard, Kind, Options, Pieces, Square};
use crate::game::{
    Side,
    omega::{
        attacks::{self, Table},
        movegen::CORNERS,
    },
};

/// The templar knight's jumps clockwise, in (columns, rows).
pub(super) const JUMPS: [(i32, i32); 8] = [(2, 3), (3, 2), (3, -2), (2, -3), (-2, -3), (-3, -2), (-3, 2), (-2, 3)];
static TEMPLARS: Table = attacks::jumps(&JUMPS);

/// Squares to which a piece of `side` may go that is neither pawn nor fool, the king's safety aside.
#[inline]
pub(super) fn piece(options: &Options, kind: Kind, from: Square, pieces: &Pieces, side: Side) -> Bitboard {
    let targets = attacks::reach(kind, from, pieces.occupied()) & !pieces.side(side);
    match kind {
        Kind::Knight if options.templar => targets | TEMPLARS[from.index()] & !pieces.occupied(),
        _ => targets,
    }
}

/// Squares to which a fool of `side` may go that is of some kind now, or of none, the king's safety aside (§3).
pub(super) fn fool(options: &Options, kind: Option<Kind>, from: Square, pieces: &Pieces, side: Side) -> Bitboard {
    let empty = !pieces.occupied();
    let targets = match kind {
        None => Bitboard::EMPTY,
        Some(Kind::Pawn) => {
            // One step at most, and none from a corner, where the grid has no square ahead.
            let step = attacks::pawn_steps(side, from, pieces.occupied()) & attacks::reach(Kind::King, from, empty);
            attacks::pawn(side, from) & pieces.side(!side) | step
        }
        Some(kind) => piece(options, kind, from, pieces, side),
    };
    if CORNERS.has(from) { targets | CORNERS & empty } else { targets }
}

/// Squares orthogonally next to those of `set`.
pub(super) fn beside(set: Bitboard) -> Bitboard {
    let next_to = |square| attacks::reach(Kind::King, square, Bitboard::EMPTY) & attacks::orthogonals(square);
    set.into_iter().fold(Bitboard::EMPTY, |all, square| all | next_to(square))
}
