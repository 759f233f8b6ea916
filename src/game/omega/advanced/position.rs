//! The state of a game, and how one action changes it.

use std::fmt;

use super::{Action, Bitboard, Kind, Options, Piece, Pieces, Square, Suffix, homes, pair::Pair, reach};
use crate::game::{
    Side,
    omega::{attacks, safety},
    text::MAX_COUNTER,
    zobrist,
};

/// Words for a piece of each side on each square.
static PIECES: [[[u64; Square::COUNT]; 9]; 2] = zobrist::pieces();
/// The word for Black to move.
const BLACK: u64 = zobrist::word(5_000);
/// Words for a fool in hand, by side.
static HANDS: [u64; 2] = zobrist::words(5_010);
/// Words for what White's fools are, then for what Black's are.
static FOOLS_ARE: [[u64; 8]; 2] = [zobrist::words(5_020), zobrist::words(5_030)];
/// Words for each square whose piece has never moved.
static UNMOVED: [u64; Square::COUNT] = zobrist::words(5_100);
/// Words for each square passed over.
static PASSED: [u64; Square::COUNT] = zobrist::words(5_300);

/// The last move in which a fool may enter (§2).
pub(super) const LAST_ENTRY: u32 = 20;

/// A position of Omega Chess Advanced.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// All pieces; the fools are of no kind here.
    pieces: Pieces,
    /// Fools of both sides.
    fools: Bitboard,
    /// Squares of the pieces other than pawns that have never moved.
    unmoved: Bitboard,
    /// Of the squares that the pawn moved last passed over, those on which it can legally be captured.
    passed: Bitboard,
    /// Zobrist key of everything but the counters.
    key: u64,
    /// Plies since progress.
    clock: u32,
    /// Number of the move, from 1; goes up after Black's action.
    fullmove: u32,
    /// What each side's fools are: the kind that the other side's last action was.
    fools_are: [Option<Kind>; 2],
    /// Whether each side has a fool in hand that may still enter.
    hands: [bool; 2],
    side: Side,
}

impl Position {
    /// A board without pieces, White to move.
    pub(super) fn empty() -> Self {
        Position {
            pieces: Pieces::EMPTY,
            fools: Bitboard::EMPTY,
            unmoved: Bitboard::EMPTY,
            passed: Bitboard::EMPTY,
            key: 0,
            clock: 0,
            fullmove: 1,
            fools_are: [None; 2],
            hands: [false; 2],
            side: Side::White,
        }
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Side {
        self.side
    }

    /// All pieces, the fools being of no kind.
    #[inline]
    pub fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// Pieces of one side and one sort, the fools being a sort of their own.
    pub fn of(&self, side: Side, piece: Piece) -> Bitboard {
        match piece {
            Piece::Plain(kind) => self.pieces.of(side, kind),
            Piece::Fool => self.fools(side),
        }
    }

    /// Fools of one side.
    #[inline]
    pub fn fools(&self, side: Side) -> Bitboard {
        self.fools & self.pieces.side(side)
    }

    /// What the fools of one side are now (§3).
    #[inline]
    pub fn fools_are(&self, side: Side) -> Option<Kind> {
        self.fools_are[side.index()]
    }

    /// Whether a side has a fool in hand that may still enter (§2).
    #[inline]
    pub fn has_fool_in_hand(&self, side: Side) -> bool {
        self.hands[side.index()]
    }

    /// Squares of the pieces other than pawns that have never moved (§2).
    #[inline]
    pub fn unmoved(&self) -> Bitboard {
        self.unmoved
    }

    /// Of the squares that the pawn moved last passed over, those on which it can legally be captured (§8).
    #[inline]
    pub fn passed(&self) -> Bitboard {
        self.passed
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

    /// The piece on a square.
    pub fn at(&self, square: Square) -> Option<(Side, Piece)> {
        let side = [Side::White, Side::Black].into_iter().find(|&side| self.pieces.side(side).has(square))?;
        Some((side, self.piece_on(square)))
    }

    /// The piece on an occupied square.
    #[inline]
    fn piece_on(&self, square: Square) -> Piece {
        if self.fools.has(square) { Piece::Fool } else { Piece::Plain(self.pieces.kind_on(square)) }
    }

    /// The pieces with one side's fools seen as pieces of a kind, or of none.
    #[inline]
    pub(super) fn seeing_fools(&self, side: Side, kind: Option<Kind>) -> Pieces {
        let mut pieces = self.pieces;
        if let Some(kind) = kind {
            pieces.see_as(self.fools(side), kind);
        }
        pieces
    }

    /// Pieces of the side to move that may move at all (§6).
    #[inline]
    pub(super) fn mobile(&self, options: &Options) -> Bitboard {
        let own = self.pieces.side(self.side);
        let enemy = self.fools(!self.side);
        if !options.fool_immobilises || enemy.is_empty() {
            return own;
        }
        own & !(reach::beside(enemy) & !reach::beside(self.fools(self.side)))
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
            let (side, piece) = self.at(square).expect("an occupied square");
            key ^= PIECES[side.index()][piece.index()][square.index()];
        }
        for side in [Side::White, Side::Black] {
            key ^= fools_word(side, self.fools_are(side));
            key ^= if self.has_fool_in_hand(side) { HANDS[side.index()] } else { 0 };
        }
        key = self.unmoved.into_iter().fold(key, |key, square| key ^ UNMOVED[square.index()]);
        self.passed.into_iter().fold(key, |key, square| key ^ PASSED[square.index()])
    }

    /// Puts a piece on a square or takes it away.
    #[inline]
    pub(super) fn toggle(&mut self, side: Side, piece: Piece, square: Square) {
        match piece {
            Piece::Plain(kind) => self.pieces.toggle(side, kind, square),
            Piece::Fool => {
                self.pieces.toggle_kindless(side, square);
                self.fools ^= Bitboard::of(square);
            }
        }
        self.key ^= PIECES[side.index()][piece.index()][square.index()];
    }

    /// Gives the turn to `side`.
    #[inline]
    pub(super) fn set_side(&mut self, side: Side) {
        self.key ^= if side == self.side { 0 } else { BLACK };
        self.side = side;
    }

    pub(super) fn set_counters(&mut self, clock: u32, fullmove: u32) {
        (self.clock, self.fullmove) = (clock, fullmove);
    }

    /// Says which pieces have never moved.
    #[inline]
    pub(super) fn set_unmoved(&mut self, squares: Bitboard) {
        let changed = self.unmoved ^ squares;
        self.key = changed.into_iter().fold(self.key, |key, square| key ^ UNMOVED[square.index()]);
        self.unmoved = squares;
    }

    /// Says what a side's fools are from now on.
    #[inline]
    pub(super) fn set_fools_are(&mut self, side: Side, kind: Option<Kind>) {
        self.key ^= fools_word(side, self.fools_are(side)) ^ fools_word(side, kind);
        self.fools_are[side.index()] = kind;
    }

    /// Gives a side a fool in hand, or takes it.
    #[inline]
    pub(super) fn toggle_hand(&mut self, side: Side) {
        self.hands[side.index()] ^= true;
        self.key ^= HANDS[side.index()];
    }

    /// Takes the fools in hand that can enter no more (§2).
    pub(super) fn drop_late_fools(&mut self) {
        for side in [Side::White, Side::Black] {
            let may_enter = self.fullmove <= LAST_ENTRY && (self.unmoved & self.pieces.side(side)).any();
            if self.has_fool_in_hand(side) && !may_enter {
                self.toggle_hand(side);
            }
        }
    }

    /// Keeps those of `squares`, which the other side's last move passed over, on which the side to move can capture en
    /// passant.
    pub(super) fn set_passed(&mut self, squares: Bitboard, options: &Options) {
        let old = std::mem::take(&mut self.passed);
        let pieces = self.seeing_fools(!self.side, Some(Kind::Pawn));
        let pawns = self.pieces.of(self.side, Kind::Pawn) & self.mobile(options);
        let is_legal = |&square: &Square| safety::en_passant_is_legal(&pieces, self.side, pawns, square);
        let legal = squares.into_iter().filter(is_legal).collect();
        self.key = (old ^ legal).into_iter().fold(self.key, |key, square| key ^ PASSED[square.index()]);
        self.passed = legal;
    }

    /// Plays a legal action.
    pub(super) fn apply(&mut self, action: Action, options: &Options) {
        let (side, from, to, suffix) = (self.side, action.from(), action.to(), action.suffix());
        let piece = self.piece_on(from);
        let mut kind = match piece {
            Piece::Plain(kind) => Some(kind),
            Piece::Fool => self.fools_are(side),
        };
        let pair = Pair::of_move(from, to, self.unmoved);
        let mut progress = piece == Piece::Plain(Kind::Pawn);
        let mut left = Bitboard::of(from);
        if let Some(pair) = pair {
            self.toggle(side, piece, from);
            self.toggle(side, piece, pair.to);
            self.toggle(side, Piece::Plain(Kind::Rook), pair.rook);
            self.toggle(side, Piece::Plain(Kind::Rook), pair.rook_to);
            left = pair.left();
        } else {
            let en_passant = progress && self.passed.has(to) && from.column() != to.column();
            let taken = if en_passant { self.pieces.first_ahead(!side, to) } else { to };
            if self.pieces.side(!side).has(taken) {
                self.toggle(!side, self.piece_on(taken), taken);
                progress = true;
            }
            self.toggle(side, piece, from);
            let becomes = match suffix {
                Suffix::Becomes(other) => {
                    kind = Some(other.kind_of_promotion());
                    other
                }
                _ => piece,
            };
            self.toggle(side, becomes, to);
        }
        let entry = match suffix {
            Suffix::Enters => Some(from),
            Suffix::EntersForRook => pair.map(|pair| pair.rook),
            _ => None,
        };
        if let Some(square) = entry {
            self.toggle(side, Piece::Fool, square);
            self.toggle_hand(side);
            progress = true;
        }
        self.set_unmoved(self.unmoved & !left.with(to));
        self.set_fools_are(!side, kind);
        self.clock = if progress { 0 } else { (self.clock + 1).min(MAX_COUNTER) };
        self.fullmove = (self.fullmove + side.index() as u32).min(MAX_COUNTER);
        self.set_side(!side);
        self.drop_late_fools();
        // A step over other squares is two ranks or three; a capture on the next rank at most one square more than a
        // rank of numbers.
        let steps = piece == Piece::Plain(Kind::Pawn) && from.index().abs_diff(to.index()) >= 20;
        if steps || self.passed.any() {
            self.set_passed(if steps { attacks::between(from, to) } else { Bitboard::EMPTY }, options);
        }
    }

    /// Whether the rules are the same left to right: neither king nor queen can still castle or guard, or be where the
    /// other stands in the mirror.
    pub(super) fn is_symmetric(&self) -> bool {
        (self.unmoved & homes::ROYAL).is_empty()
    }
}

/// The word for what a side's fools are.
#[inline]
fn fools_word(side: Side, kind: Option<Kind>) -> u64 {
    kind.map_or(0, |kind| FOOLS_ARE[side.index()][kind.index()])
}

/// Debug shows the text of the position, since bitboards tell a person little.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
