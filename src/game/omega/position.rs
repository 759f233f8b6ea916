//! The state of a game, and how one action changes it.

use std::fmt;

use super::{
    Action, Bitboard, Kind, Pieces, Square, attacks,
    castling::{Castling, Rights},
    safety,
};
use crate::game::{Side, text::MAX_COUNTER, zobrist};

/// Words for a piece of each side and kind on each square.
static PIECES: [[[u64; Square::COUNT]; 8]; 2] = zobrist::pieces();
/// The word for Black to move.
const BLACK: u64 = zobrist::word(5_000);
/// Words for each set of rights to castle.
static RIGHTS: [u64; 16] = zobrist::words(5_100);
/// Words for each square passed over.
static PASSED: [u64; Square::COUNT] = zobrist::words(5_200);

/// A position of Omega Chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Which pieces stand where.
    pieces: Pieces,
    /// Of the squares that the pawn moved last passed over, those on which it can legally be captured.
    passed: Bitboard,
    /// Zobrist key of everything but the counters.
    key: u64,
    /// Plies since progress.
    pub(super) clock: u32,
    /// Number of the move, from 1; goes up after Black's action.
    pub(super) fullmove: u32,
    rights: Rights,
    side: Side,
}

impl Position {
    /// A board without pieces, White to move.
    pub(super) fn empty() -> Self {
        Position {
            pieces: Pieces::EMPTY,
            passed: Bitboard::EMPTY,
            key: RIGHTS[0],
            clock: 0,
            fullmove: 1,
            rights: Rights::default(),
            side: Side::White,
        }
    }

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

    /// Of the squares that the pawn moved last passed over, those on which it can legally be captured (§3, §5).
    #[inline]
    pub fn passed(&self) -> Bitboard {
        self.passed
    }

    #[inline]
    pub(super) fn rights(&self) -> Rights {
        self.rights
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

    /// Plies from the start by the counters.
    #[inline]
    pub fn ply(&self) -> u32 {
        2 * (self.fullmove - 1) + self.side.index() as u32
    }

    /// Zobrist key of everything but the counters.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// The same key, from nothing.
    pub(super) fn fresh_key(&self) -> u64 {
        let mut key = RIGHTS[self.rights.index()] ^ if self.side == Side::Black { BLACK } else { 0 };
        for square in self.pieces.occupied() {
            let (side, kind) = self.pieces.at(square).expect("an occupied square");
            key ^= PIECES[side.index()][kind.index()][square.index()];
        }
        self.passed.into_iter().fold(key, |key, square| key ^ PASSED[square.index()])
    }

    /// Puts a piece on a square or takes it away.
    #[inline]
    pub(super) fn toggle(&mut self, side: Side, kind: Kind, square: Square) {
        self.pieces.toggle(side, kind, square);
        self.key ^= PIECES[side.index()][kind.index()][square.index()];
    }

    /// Gives the turn to `side`.
    #[inline]
    pub(super) fn set_side(&mut self, side: Side) {
        self.key ^= if side == self.side { 0 } else { BLACK };
        self.side = side;
    }

    #[inline]
    pub(super) fn set_rights(&mut self, rights: Rights) {
        if rights == self.rights {
            return;
        }
        self.key ^= RIGHTS[self.rights.index()] ^ RIGHTS[rights.index()];
        self.rights = rights;
    }

    /// Keeps those of `squares`, which the other side's last move passed over, on which the side to move can capture en
    /// passant.
    pub(super) fn set_passed(&mut self, squares: Bitboard) {
        let old = std::mem::take(&mut self.passed);
        let pawns = self.pieces.of(self.side, Kind::Pawn);
        let is_legal = |&square: &Square| safety::en_passant_is_legal(&self.pieces, self.side, pawns, square);
        let legal = squares.into_iter().filter(is_legal).collect();
        self.key = (old ^ legal).into_iter().fold(self.key, |key, square| key ^ PASSED[square.index()]);
        self.passed = legal;
    }

    /// Plays a legal action.
    pub(super) fn apply(&mut self, action: Action) {
        let (side, from, to) = (self.side, action.from(), action.to());
        let kind = self.pieces.kind_on(from);
        let en_passant = kind == Kind::Pawn && self.passed.has(to) && from.column() != to.column();
        let taken = if en_passant { self.pieces.first_ahead(!side, to) } else { to };
        let captures = self.pieces.side(!side).has(taken);
        if captures {
            self.toggle(!side, self.pieces.kind_on(taken), taken);
        }
        self.toggle(side, kind, from);
        self.toggle(side, action.promotion().unwrap_or(kind), to);
        if kind == Kind::King
            && let Some(way) = Castling::of_move(from, to)
            && self.rights.has(way)
        {
            self.toggle(side, Kind::Rook, way.rook);
            self.toggle(side, Kind::Rook, way.rook_to);
        }
        self.set_rights(self.rights.after_touching(from).after_touching(to));
        let progress = captures || kind == Kind::Pawn;
        self.clock = if progress { 0 } else { (self.clock + 1).min(MAX_COUNTER) };
        self.fullmove = (self.fullmove + side.index() as u32).min(MAX_COUNTER);
        self.set_side(!side);
        // A step over other squares is two ranks or three; a capture on the next rank at most one square more than a
        // rank of numbers.
        let steps = kind == Kind::Pawn && from.index().abs_diff(to.index()) >= 20;
        if steps || self.passed.any() {
            self.set_passed(if steps { attacks::between(from, to) } else { Bitboard::EMPTY });
        }
    }
}

/// Debug shows the text of the position, since bitboards tell a person little.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
