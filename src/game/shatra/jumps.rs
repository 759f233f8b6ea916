//! The jumps of one piece (§6): over which enemies, to which squares, and whether a series goes on.

use super::{Bitboard, Kind, Position, Square, lines, square::rank_for};
use crate::game::Side;

/// A piece about to jump, and all of the position that its jumps depend on, which changes as it goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jumper {
    side: Side,
    kind: Kind,
    at: Square,
    /// Pieces of both sides but this one, the jumped included: they stay and block until the series ends.
    occupied: Bitboard,
    /// Enemies not yet jumped.
    targets: Bitboard,
    /// The enemy's king, which ends a series.
    king: Bitboard,
    /// Pieces of its side, itself included, that have not left their initial reserve.
    reserve: Bitboard,
}

/// Jumps over one enemy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    /// The piece that is captured.
    pub over: Square,
    /// Where the jump may end; never empty.
    pub landings: Bitboard,
}

impl Jumper {
    /// The piece on a square, with the pieces jumped already in the capture under way.
    pub fn new(position: &Position, side: Side, kind: Kind, at: Square) -> Self {
        let pieces = position.pieces();
        let jumped = position.series().map_or(Bitboard::EMPTY, |series| series.jumped_set());
        Jumper {
            side,
            kind,
            at,
            occupied: pieces.occupied() & !Bitboard::of(at),
            targets: pieces.side(!side) & !jumped,
            king: pieces.of(!side, Kind::Biy),
            reserve: position.reserve(side),
        }
    }

    /// Calls `sink` with each enemy that can be jumped and the squares where the jump may end. Of those beyond one
    /// enemy, a piece that slides must take one from which the series goes on, if there is one.
    pub fn each(&self, mut sink: impl FnMut(Jump)) {
        for Jump { over, landings } in self.free() {
            let must = if self.slides() && !self.king.has(over) {
                landings.into_iter().filter(|&to| self.after(over, to).can_jump()).collect()
            } else {
                Bitboard::EMPTY
            };
            sink(Jump { over, landings: if must.any() { must } else { landings } });
        }
    }

    /// Whether it can jump at all.
    pub fn can_jump(&self) -> bool {
        self.free().next().is_some()
    }

    /// The square where a shatra would end that captures en passant over `passed`, if it can.
    pub fn en_passant(&self, passed: Square) -> Option<Square> {
        let near = |&&d: &&usize| lines::next(d, self.at).has(passed);
        let &d = self.directions().iter().find(near).filter(|_| self.kind == Kind::Shatra)?;
        let beyond = lines::next(d, passed) & self.landable();
        beyond.any().then(|| beyond.first())
    }

    /// Squares without a piece of its side over which it could jump if an enemy stood there.
    pub fn attack(&self) -> Bitboard {
        let enemies_or_none = self.targets | !self.occupied;
        let along = |d: usize| match self.slides() {
            true => {
                let blocker = lines::nearest(d, self.at, self.occupied).map_or(Bitboard::EMPTY, Bitboard::of);
                lines::open(d, self.at, self.occupied) | blocker
            }
            false => lines::next(d, self.at),
        };
        let ahead =
            self.directions().iter().flat_map(|&d| (along(d) & enemies_or_none).into_iter().map(move |at| (d, at)));
        ahead.filter(|&(d, over)| self.landings(d, over).any()).map(|(_, over)| over).collect()
    }

    /// All jumps, whether or not a series would go on from where they end.
    fn free(&self) -> impl Iterator<Item = Jump> {
        let near = (lines::within_reach(self.kind, self.at) & self.targets).any();
        let directions = if near { self.directions() } else { &[] };
        directions.iter().filter_map(|&d| {
            let over = match self.slides() {
                true => lines::nearest(d, self.at, self.occupied)?,
                false => Some(lines::next(d, self.at)).filter(|square| square.any())?.first(),
            };
            let landings = self.landings(d, over);
            (self.targets.has(over) && landings.any()).then_some(Jump { over, landings })
        })
    }

    /// Where a jump in a direction may end, over a piece that stands on `over`.
    fn landings(&self, d: usize, over: Square) -> Bitboard {
        let beyond = match self.slides() {
            true => lines::open(d, over, self.occupied),
            false => lines::next(d, over),
        };
        beyond & self.landable()
    }

    fn slides(&self) -> bool {
        matches!(self.kind, Kind::Yalkyn | Kind::Tura | Kind::Batyr)
    }

    fn directions(&self) -> &'static [usize] {
        match self.kind {
            Kind::Shatra if rank_for(self.side, self.at) == 13 => lines::sideways(),
            kind => lines::directions(kind),
        }
    }

    /// Empty squares that §3 lets it land on: while its side has an initial reserve, only pieces of that and the king
    /// may land in their home.
    fn landable(&self) -> Bitboard {
        let free = self.reserve.is_empty() || self.reserve.has(self.at) || self.kind == Kind::Biy;
        let barred = if free { Bitboard::EMPTY } else { Bitboard::home(self.side) };
        !self.occupied & !barred
    }

    /// The same piece after a jump.
    fn after(&self, over: Square, to: Square) -> Self {
        let mut reserve = self.reserve & !Bitboard::of(self.at);
        if self.reserve.has(self.at) && Bitboard::home(self.side).has(to) {
            reserve = reserve.with(to);
        }
        Jumper { at: to, targets: self.targets & !Bitboard::of(over), reserve, ..*self }
    }
}
