//! The words of a position's Zobrist key: one for each fact that its string states, the counters aside.

use super::{Kind, Position, position::Castling};
use crate::{
    board::Square,
    game::{Side, zobrist},
};

/// Words for a piece of each side and kind on each square.
static PIECES: [[[u64; 64]; 6]; 2] = zobrist::pieces();
static MOVED: [u64; 64] = zobrist::words(1_000);
static EN_PASSANT: [u64; 64] = zobrist::words(2_000);
static CASTLING: [u64; 64] = zobrist::words(3_000);
/// Odd factors, one a kind and side: a zone's word is its factor times the count, which needs no table of counts.
static ZONES: [[u64; 5]; 2] = {
    let mut table = [[0; 5]; 2];
    let mut i = 0;
    while i < 10 {
        table[i / 5][i % 5] = zobrist::word(4_000 + i as u64) | 1;
        i += 1;
    }
    table
};
/// Black to move.
pub(super) const BLACK: u64 = zobrist::word(5_000);

#[inline]
pub(super) fn piece(side: Side, kind: Kind, square: Square) -> u64 {
    PIECES[side.index()][kind.index()][square.index()]
}

#[inline]
pub(super) fn moved(square: Square) -> u64 {
    MOVED[square.index()]
}

#[inline]
pub(super) fn en_passant(square: Square) -> u64 {
    EN_PASSANT[square.index()]
}

#[inline]
pub(super) fn castling(rights: Castling) -> u64 {
    CASTLING[usize::from(rights.0 & 15)]
}

#[inline]
pub(super) fn zone(side: Side, kind: Kind, count: u8) -> u64 {
    ZONES[side.index()][kind.index()].wrapping_mul(count.into())
}

/// The key of a position, from nothing.
pub(super) fn fresh(position: &Position) -> u64 {
    let mut key = castling(position.castling);
    for side in [Side::White, Side::Black] {
        for kind in Kind::ALL {
            for square in position.pieces().of(side, kind) {
                key ^= piece(side, kind, square);
            }
        }
        for kind in Kind::RESERVE {
            key ^= zone(side, kind, position.zone(side, kind));
        }
    }
    for square in position.moved {
        key ^= moved(square);
    }
    if let Some(square) = position.en_passant {
        key ^= en_passant(square);
    }
    if position.side == Side::Black {
        key ^= BLACK;
    }
    key
}
