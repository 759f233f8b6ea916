//! Steps and lines on the grid, which end where it has no square (§1).

use super::{Bitboard, Kind, Square};

/// (columns, rows): those that lead to squares with higher numbers, then their opposites in the same order.
pub(super) const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (-1, 1), (0, -1), (-1, -1), (-1, 0), (1, -1)];
/// Directions below this number lead to higher numbers; the opposite of `d` is `(d + UP) % 8`.
const UP: usize = 4;
/// Along the rank.
const SIDEWAYS: [usize; 2] = [2, 6];

/// The squares of each direction from each square, the nearest alone and all.
static NEXT: [[Bitboard; Square::COUNT]; 8] = rays(1);
static RAYS: [[Bitboard; Square::COUNT]; 8] = rays(usize::MAX);

/// What pieces slide, step or jump along from each square on the empty board.
static NEIGHBOURS: [Bitboard; Square::COUNT] = union(rays(1), [0, 1, 2, 3, 4, 5, 6, 7]);
static DIAGONALS: [Bitboard; Square::COUNT] = union(rays(usize::MAX), [1, 3, 5, 7]);
static ORTHOGONALS: [Bitboard; Square::COUNT] = union(rays(usize::MAX), [0, 2, 4, 6]);

const fn rays(reach: usize) -> [[Bitboard; Square::COUNT]; 8] {
    let mut rays = [[Bitboard::EMPTY; Square::COUNT]; 8];
    let mut d = 0;
    while d < 8 {
        let mut i = 0;
        while i < Square::COUNT {
            let mut at = Square::new(i).step(DIRECTIONS[d]);
            let mut steps = 0;
            while let Some(square) = at
                && steps < reach
            {
                rays[d][i] = rays[d][i].with(square);
                at = square.step(DIRECTIONS[d]);
                steps += 1;
            }
            i += 1;
        }
        d += 1;
    }
    rays
}

const fn union<const N: usize>(
    rays: [[Bitboard; Square::COUNT]; 8],
    directions: [usize; N],
) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < N * Square::COUNT {
        let from = i / N;
        table[from] = Bitboard(table[from].0 | rays[directions[i % N]][from].0);
        i += 1;
    }
    table
}

/// The squares of enemies that a piece may be able to jump over: without one of them it jumps nowhere, which is much
/// cheaper to see than to look in all directions.
#[inline]
pub(super) fn within_reach(kind: Kind, from: Square) -> Bitboard {
    match kind {
        Kind::Yalkyn => DIAGONALS[from.index()],
        Kind::Tura => ORTHOGONALS[from.index()],
        Kind::Batyr => DIAGONALS[from.index()] | ORTHOGONALS[from.index()],
        Kind::Biy | Kind::Shatra => NEIGHBOURS[from.index()],
    }
}

/// The directions in which a piece of a kind slides, steps or jumps; those of a shatra are for its jumps before its
/// last rank.
pub(super) const fn directions(kind: Kind) -> &'static [usize] {
    match kind {
        Kind::Yalkyn => &[1, 3, 5, 7],
        Kind::Tura => &[0, 2, 4, 6],
        Kind::Batyr | Kind::Biy | Kind::Shatra => &[0, 1, 2, 3, 4, 5, 6, 7],
    }
}

/// The directions along the rank.
pub(super) const fn sideways() -> &'static [usize] {
    &SIDEWAYS
}

/// The next square in a direction, as a set of one or none.
#[inline]
pub(super) fn next(d: usize, from: Square) -> Bitboard {
    NEXT[d][from.index()]
}

/// The nearest square of `occupied` in a direction.
#[inline]
pub(super) fn nearest(d: usize, from: Square, occupied: Bitboard) -> Option<Square> {
    let blockers = RAYS[d][from.index()] & occupied;
    match blockers.is_empty() {
        true => None,
        false if d < UP => Some(blockers.first()),
        false => Some(blockers.last()),
    }
}

/// The empty squares in a direction before the first of `occupied`.
#[inline]
pub(super) fn open(d: usize, from: Square, occupied: Bitboard) -> Bitboard {
    let ray = RAYS[d][from.index()];
    match nearest(d, from, occupied) {
        None => ray,
        Some(blocker) => ray & !RAYS[d][blocker.index()] & !Bitboard::of(blocker),
    }
}

/// Squares strictly between two squares of one line; empty for any others.
#[inline]
pub(super) fn between(a: Square, b: Square) -> Bitboard {
    let direction = (0..8).find(|&d| RAYS[d][a.index()].has(b));
    direction.map_or(Bitboard::EMPTY, |d| RAYS[d][a.index()] & RAYS[(d + UP) % 8][b.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(text: &str) -> Bitboard {
        text.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn lines_end_where_the_grid_does() {
        let at = |name: &str| name.parse::<Square>().unwrap();
        let all =
            |d: &[usize], from| d.iter().fold(Bitboard::EMPTY, |all, &d| all | open(d, at(from), Bitboard::EMPTY));
        assert_eq!(all(directions(Kind::Yalkyn), "c3"), squares("d2 e1 d4 e5 f6 g7"));
        assert_eq!(all(directions(Kind::Tura), "c5"), squares("a5 b5 d5 e5 f5 g5 c6 c7 c8 c9 c10"));
        let neighbours = directions(Kind::Biy).iter().fold(Bitboard::EMPTY, |all, &d| all | next(d, at("d4")));
        assert_eq!(neighbours, squares("c3 d3 e3 c5 d5 e5"));
        assert_eq!(open(0, at("d1"), squares("d4 d9")), squares("d2 d3"));
        assert_eq!(nearest(4, at("d12"), squares("d4 d9 c9")), Some(at("d9")));
        assert_eq!(between(at("b5"), at("e2")), Bitboard::EMPTY);
        assert_eq!(between(at("d4"), at("g7")), squares("e5 f6"));
    }
}
