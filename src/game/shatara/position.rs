//! The state of a game: what a position string says, and nothing of the history.

use std::fmt;

use super::Kind;
use crate::{
    board::{Bitboard, Square},
    game::{self, Side},
};

/// Pieces by kind and by side.
pub type Pieces = game::Pieces<Bitboard, Kind, 6>;

/// A position of Shatara Arena. It holds no rules: what may be done in it is asked of [`Shatara`](super::Shatara).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Which pieces stand where.
    pub(super) pieces: Pieces,
    /// Pawns, knights, bishops and rooks that count as moved (§6). Empty when the ladder is off.
    pub(super) moved: Bitboard,
    /// Zobrist key of everything but the counters.
    pub(super) key: u64,
    /// Plies since progress.
    pub(super) clock: u32,
    /// Number of the move, from 1; goes up after Black's action.
    pub(super) fullmove: u32,
    /// Pieces in each side's zone, P N B R Q.
    pub(super) zones: [[u8; 5]; 2],
    pub(super) castling: Castling,
    /// The square passed over by the last action, when an en passant capture there is legal.
    pub(super) en_passant: Option<Square>,
    pub(super) side: Side,
}

impl Position {
    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Side {
        self.side
    }

    /// Which pieces stand where.
    #[inline]
    pub fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// The king's square.
    #[inline]
    pub fn king(&self, side: Side) -> Square {
        self.pieces.of(side, Kind::King).first()
    }

    /// Number of pieces of `kind`, not the king, in a side's zone.
    ///
    /// # Panics
    /// For the king, which is never in a zone.
    #[inline]
    pub fn zone(&self, side: Side, kind: Kind) -> u8 {
        self.zones[side.index()][kind.index()]
    }

    #[inline]
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The square passed over by the last action, given only when an en passant capture there is legal.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The pawns, knights, bishops and rooks of either side that count as moved (§6).
    #[inline]
    pub fn moved(&self) -> Bitboard {
        self.moved
    }

    /// Plies since progress.
    #[inline]
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// Number of the move, from 1; goes up after Black's action.
    #[inline]
    pub fn fullmove(&self) -> u32 {
        self.fullmove
    }
}

/// Debug shows the text of the position, since bitboards tell a person little.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

/// The side of the board on which a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wing {
    /// Towards the h file.
    King,
    /// Towards the a file.
    Queen,
}

/// Castling rights: which kings and rooks of the start have never moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Castling(pub(super) u8);

impl Castling {
    /// Every right with its letter, in the order of the position string.
    pub const ALL: [(Side, Wing, char); 4] = [
        (Side::White, Wing::King, 'K'),
        (Side::White, Wing::Queen, 'Q'),
        (Side::Black, Wing::King, 'k'),
        (Side::Black, Wing::Queen, 'q'),
    ];

    /// Whether `side` may still castle on `wing`.
    #[inline]
    pub const fn has(self, side: Side, wing: Wing) -> bool {
        self.0 & Castling::right(side, wing).0 != 0
    }

    /// No right is left on either side.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The one right.
    #[inline]
    pub(super) const fn right(side: Side, wing: Wing) -> Castling {
        Castling(1 << (2 * side.index() + wing as usize))
    }

    /// The squares of kings and rooks that can castle: an action elsewhere ends no right.
    pub(super) const SQUARES: Bitboard = {
        let (mut squares, mut i) = (Bitboard::EMPTY, 0);
        while i < 64 {
            if !LOST_AT[i].is_empty() {
                squares = squares.with(Square::new(i));
            }
            i += 1;
        }
        squares
    };

    /// The rights that an action from or to `square` ends: those of the king or rook that belongs there.
    #[inline]
    pub(super) fn lost_at(square: Square) -> Castling {
        LOST_AT[square.index()]
    }
}

static LOST_AT: [Castling; 64] = {
    let mut table = [Castling(0); 64];
    let mut i = 0;
    while i < Castling::ALL.len() {
        let (side, wing, _) = Castling::ALL[i];
        let right = Castling::right(side, wing).0;
        let rank = 7 * side.index();
        table[Square::at(4, rank).index()].0 |= right;
        table[Square::at(if matches!(wing, Wing::King) { 7 } else { 0 }, rank).index()].0 |= right;
        i += 1;
    }
    table
};
