//! What men attack from a square, and the lines between squares. Every way is one of the grid, and ends where the grid has no square (§1).

use super::{Bitboard, Kind, Square};
use crate::game::Side;

/// (columns, rows) of the queen's directions: those that lead to squares with higher numbers, then their opposites in the same order.
const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (-1, 1), (0, -1), (-1, -1), (-1, 0), (1, -1)];
/// Directions below this number lead to higher numbers; the opposite of `d` is `(d + UP) % 8`.
const UP: usize = 4;

const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const CHAMPION: [(i32, i32); 12] =
    [(0, 1), (1, 0), (0, -1), (-1, 0), (0, 2), (2, 2), (2, 0), (2, -2), (0, -2), (-2, -2), (-2, 0), (-2, 2)];
const WIZARD: [(i32, i32); 12] =
    [(1, 1), (1, -1), (-1, -1), (-1, 1), (1, 3), (3, 1), (3, -1), (1, -3), (-1, -3), (-3, -1), (-3, 1), (-1, 3)];

type Table = [Bitboard; Square::COUNT];

static KNIGHTS: Table = jumps(&KNIGHT);
static CHAMPIONS: Table = jumps(&CHAMPION);
static WIZARDS: Table = jumps(&WIZARD);
static KINGS: Table = jumps(&DIRECTIONS);
static PAWNS: [Table; 2] = [jumps(&[(-1, 1), (1, 1)]), jumps(&[(-1, -1), (1, -1)])];
static RAYS: [Table; 8] = {
    let mut rays = [[Bitboard::EMPTY; Square::COUNT]; 8];
    let mut d = 0;
    while d < 8 {
        let mut i = 0;
        while i < Square::COUNT {
            let mut at = step(Square::new(i), DIRECTIONS[d]);
            while let Some(square) = at {
                rays[d][i] = rays[d][i].with(square);
                at = step(square, DIRECTIONS[d]);
            }
            i += 1;
        }
        d += 1;
    }
    rays
};

/// The square a step away, if there is one.
pub(super) const fn step(from: Square, (columns, rows): (i32, i32)) -> Option<Square> {
    let (column, row) = (from.column() as i32 + columns, from.row() as i32 + rows);
    if column < 0 || row < 0 {
        return None;
    }
    Square::at(column as usize, row as usize)
}

const fn jumps(ways: &[(i32, i32)]) -> Table {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let mut way = 0;
        while way < ways.len() {
            if let Some(to) = step(Square::new(i), ways[way]) {
                table[i] = table[i].with(to);
            }
            way += 1;
        }
        i += 1;
    }
    table
}

/// Squares that a pawn of `side` attacks.
#[inline]
pub(super) fn pawn(side: Side, from: Square) -> Bitboard {
    PAWNS[side.index()][from.index()]
}

/// Squares that a man other than a pawn attacks when the squares of `occupied` are taken; it may go to each of them, own men aside.
///
/// Nothing for a pawn, whose ways are its side's.
#[inline]
pub(super) fn reach(kind: Kind, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Pawn => Bitboard::EMPTY,
        Kind::Knight => KNIGHTS[from.index()],
        Kind::Champion => CHAMPIONS[from.index()],
        Kind::Wizard => WIZARDS[from.index()],
        Kind::King => KINGS[from.index()],
        Kind::Bishop => slides([1, 3, 5, 7], from, occupied),
        Kind::Rook => slides([0, 2, 4, 6], from, occupied),
        Kind::Queen => slides([0, 1, 2, 3, 4, 5, 6, 7], from, occupied),
    }
}

/// Squares seen in some directions, up to and with the first occupied one each way.
#[inline]
fn slides<const N: usize>(directions: [usize; N], from: Square, occupied: Bitboard) -> Bitboard {
    directions.into_iter().fold(Bitboard::EMPTY, |all, d| all | slide(d, from, occupied))
}

#[inline]
fn slide(d: usize, from: Square, occupied: Bitboard) -> Bitboard {
    let ray = RAYS[d][from.index()];
    let blockers = ray & occupied;
    if blockers.is_empty() {
        return ray;
    }
    ray ^ RAYS[d][if d < UP { blockers.first() } else { blockers.last() }.index()]
}

/// The direction of the line from `a` through `b`, if they are on one and no hole parts them.
#[inline]
fn direction(a: Square, b: Square) -> Option<usize> {
    (0..8).find(|&d| RAYS[d][a.index()].has(b))
}

/// Squares strictly between two squares of one line; empty for any others.
#[inline]
pub(super) fn between(a: Square, b: Square) -> Bitboard {
    direction(a, b).map_or(Bitboard::EMPTY, |d| RAYS[d][a.index()] & RAYS[(d + UP) % 8][b.index()])
}

/// Squares seen from `from` in the direction of `through`, up to and with the first occupied one; empty where no line runs through both.
#[inline]
pub(super) fn toward(from: Square, through: Square, occupied: Bitboard) -> Bitboard {
    direction(from, through).map_or(Bitboard::EMPTY, |d| slide(d, from, occupied))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(text: &str) -> Bitboard {
        text.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn men_reach_what_the_grid_has() {
        let at = |name: &str| name.parse::<Square>().unwrap();
        assert_eq!(reach(Kind::Wizard, at("w1"), Bitboard::EMPTY), squares("a0 a2 c0"));
        assert_eq!(reach(Kind::Champion, at("w3"), Bitboard::EMPTY), squares("i8"));
        assert_eq!(reach(Kind::King, at("w2"), Bitboard::EMPTY), squares("j0"));
        assert_eq!(reach(Kind::Knight, at("w4"), Bitboard::EMPTY), squares("a8 b9"));
        assert_eq!(reach(Kind::Rook, at("w1"), Bitboard::EMPTY), Bitboard::EMPTY);
        assert_eq!(reach(Kind::Bishop, at("b1"), squares("d3 a2")), squares("a0 w1 c2 d3 a2 c0"));
        assert_eq!(pawn(Side::White, at("j9")), squares("w3"));
        assert_eq!(pawn(Side::Black, at("e5")), squares("d4 f4"));
    }

    #[test]
    fn lines_run_into_the_corners_and_not_past_holes() {
        let at = |name: &str| name.parse::<Square>().unwrap();
        assert_eq!(between(at("w1"), at("d3")), squares("a0 b1 c2"));
        assert_eq!(between(at("d3"), at("w1")), squares("a0 b1 c2"));
        assert_eq!(between(at("w1"), at("w2")), Bitboard::EMPTY);
        assert_eq!(toward(at("b8"), at("d6"), squares("g3")), squares("c7 d6 e5 f4 g3"));
        assert_eq!(toward(at("j0"), at("w2"), squares("w1")), squares("w2"));
        assert_eq!(toward(at("a0"), at("b2"), Bitboard::EMPTY), Bitboard::EMPTY);
    }
}
