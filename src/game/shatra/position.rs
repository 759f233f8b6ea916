//! The state of a game.

use std::fmt;

use super::{
    Bitboard, Kind, Square,
    series::Series,
    square::{forward, rank_for},
};
use crate::game::{self, Side, text::MAX_COUNTER, zobrist};

/// Pieces by kind and by side.
pub type Pieces = game::Pieces<Bitboard, Kind, 5>;

/// Words for a piece of each side and kind on each square.
static PIECES: [[[u64; Square::COUNT]; 5]; 2] = zobrist::pieces();
/// The word for Black to move.
const BLACK: u64 = zobrist::word(5_000);
/// Words for each square of the initial reserve.
static RESERVE: [u64; Square::COUNT] = zobrist::words(5_100);
/// Words for each square passed over.
static PASSED: [u64; Square::COUNT] = zobrist::words(5_200);
/// Words for each square of a piece that jumps.
static JUMPER: [u64; Square::COUNT] = zobrist::words(5_300);

/// The word for so many pieces of a kind in a side's stock; none for no piece.
#[inline]
fn stock_word(side: Side, stock_index: usize, pieces: u8) -> u64 {
    let number = (side.index() * Kind::STOCK.len() + stock_index) * 256 + usize::from(pieces);
    if pieces == 0 { 0 } else { zobrist::word(6_000 + number as u64) }
}

/// The word for a piece jumped as the `place`th of a series, from 0.
#[inline]
fn jumped_word(place: usize, square: Square) -> u64 {
    zobrist::word((10_000 + place * Square::COUNT + square.index()) as u64)
}

/// A position of Altai Shatra.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Which pieces stand where.
    pieces: Pieces,
    /// Pieces of both sides that have not left their initial reserve (§3).
    reserve: Bitboard,
    /// Zobrist key of everything but the counters.
    key: u64,
    /// The capture under way.
    series: Option<Series>,
    /// Plies since progress.
    pub(super) clock: u32,
    /// Number of the move, from 1; goes up when Black's turn ends.
    pub(super) fullmove: u32,
    /// The square that the last move's pawn passed over, where an enemy pawn can capture it.
    passed: Option<Square>,
    /// Pieces by place in [`Kind::STOCK`] that a side can get back (§7).
    stock: [[u8; 3]; 2],
    side: Side,
}

impl Position {
    /// A board without pieces, White to move.
    pub(super) fn empty() -> Self {
        Position {
            pieces: Pieces::EMPTY,
            reserve: Bitboard::EMPTY,
            key: 0,
            series: None,
            clock: 0,
            fullmove: 1,
            passed: None,
            stock: [[0; 3]; 2],
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

    /// Pieces of a side that have not left their initial reserve (§3).
    #[inline]
    pub fn reserve(&self, side: Side) -> Bitboard {
        self.reserve & self.pieces.side(side)
    }

    /// Pieces by place in [`Kind::STOCK`] that a side can get back (§7).
    #[inline]
    pub fn stock(&self, side: Side) -> [u8; 3] {
        self.stock[side.index()]
    }

    /// The square that the last move's pawn passed over, where an enemy pawn can capture it (§6, §9).
    #[inline]
    pub fn passed(&self) -> Option<Square> {
        self.passed
    }

    /// The capture under way (§6).
    #[inline]
    pub fn series(&self) -> Option<&Series> {
        self.series.as_ref()
    }

    /// Plies since progress.
    #[inline]
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// Number of the move, from 1; goes up when Black's turn ends.
    #[inline]
    pub fn fullmove(&self) -> u32 {
        self.fullmove
    }

    /// Plies from the start by the counters, a turn being a ply.
    #[inline]
    pub fn ply(&self) -> u32 {
        2 * (self.fullmove - 1) + self.side.index() as u32
    }

    /// Whether both sides have their king (§8).
    #[inline]
    pub fn has_both_kings(&self) -> bool {
        [Side::White, Side::Black].into_iter().all(|side| self.pieces.of(side, Kind::Biy).any())
    }

    /// Shatras of a side on their last rank, which wait for a piece to become (§7).
    #[inline]
    pub fn waiting(&self, side: Side) -> Bitboard {
        self.pieces.of(side, Kind::Shatra) & Bitboard::last_rank(side)
    }

    /// The piece of the side not to move that passed over `square`: it stands on the next one.
    pub(super) fn stepped(&self, square: Square) -> Square {
        square.step((0, forward(!self.side))).expect("a shatra stands beyond the square that it passed over")
    }

    /// Zobrist key of everything but the counters.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// The same key, from nothing.
    pub(super) fn fresh_key(&self) -> u64 {
        let mut key = if self.side == Side::Black { BLACK } else { 0 };
        for square in self.pieces.occupied() {
            let (side, kind) = self.pieces.at(square).expect("an occupied square");
            key ^= PIECES[side.index()][kind.index()][square.index()];
        }
        key = self.reserve.into_iter().fold(key, |key, square| key ^ RESERVE[square.index()]);
        for side in [Side::White, Side::Black] {
            for (i, &pieces) in self.stock(side).iter().enumerate() {
                key ^= stock_word(side, i, pieces);
            }
        }
        key ^ self.passed.map_or(0, |square| PASSED[square.index()]) ^ series_word(self.series.as_ref())
    }

    /// Puts a piece on a square or takes it away.
    #[inline]
    pub(super) fn toggle(&mut self, side: Side, kind: Kind, square: Square) {
        self.pieces.toggle(side, kind, square);
        self.key ^= PIECES[side.index()][kind.index()][square.index()];
    }

    /// Adds a square to the initial reserve or takes it away.
    #[inline]
    pub(super) fn toggle_reserve(&mut self, square: Square) {
        self.reserve ^= Bitboard::of(square);
        self.key ^= RESERVE[square.index()];
    }

    /// Whether the piece on a square has not left its initial reserve.
    #[inline]
    pub(super) fn in_reserve(&self, square: Square) -> bool {
        self.reserve.has(square)
    }

    pub(super) fn set_stock(&mut self, side: Side, stock_index: usize, pieces: u8) {
        let old = std::mem::replace(&mut self.stock[side.index()][stock_index], pieces);
        self.key ^= stock_word(side, stock_index, old) ^ stock_word(side, stock_index, pieces);
    }

    pub(super) fn set_passed(&mut self, passed: Option<Square>) {
        let old = std::mem::replace(&mut self.passed, passed);
        self.key = [old, passed].into_iter().flatten().fold(self.key, |key, square| key ^ PASSED[square.index()]);
    }

    pub(super) fn set_series(&mut self, series: Option<Series>) {
        let old = std::mem::replace(&mut self.series, series);
        self.key ^= series_word(old.as_ref()) ^ series_word(self.series.as_ref());
    }

    /// Gives the turn to `side`.
    #[inline]
    pub(super) fn set_side(&mut self, side: Side) {
        self.key ^= if side == self.side { 0 } else { BLACK };
        self.side = side;
    }

    /// Counts a ply with progress or without.
    pub(super) fn count(&mut self, progress: Progress) {
        self.clock = match progress {
            Progress::Made => 0,
            Progress::None => (self.clock + 1).min(MAX_COUNTER),
        };
    }

    /// Ends the turn of the side to move.
    pub(super) fn pass_turn(&mut self) {
        self.fullmove = (self.fullmove + self.side.index() as u32).min(MAX_COUNTER);
        self.set_side(!self.side);
    }
}

/// Whether a ply resets the clock (§8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Made,
    None,
}

impl Progress {
    /// A shatra's step to a rank nearer the enemy is progress.
    pub fn of_step(side: Side, from: Square, to: Square) -> Self {
        if rank_for(side, to) > rank_for(side, from) { Progress::Made } else { Progress::None }
    }
}

fn series_word(series: Option<&Series>) -> u64 {
    let Some(series) = series else { return 0 };
    let jumped = series.jumped().enumerate().map(|(place, square)| jumped_word(place, square));
    jumped.fold(JUMPER[series.jumper().index()], |key, word| key ^ word)
}

/// Debug shows the text of the position, since bitboards tell a person little.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
