//! What pieces attack from a square, and the lines between squares. Every way is one of the grid, and ends where the
//! grid has no square (§1).

use super::{Bitboard, Kind, Square};
use crate::game::Side;

/// (columns, rows) of the queen's directions: those that lead to squares with higher numbers, then their opposites in
/// the same order.
const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (-1, 1), (0, -1), (-1, -1), (-1, 0), (1, -1)];
/// Directions below this number lead to higher numbers; the opposite of `d` is `(d + UP) % 8`.
const UP: usize = 4;

const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const CHAMPION: [(i32, i32); 12] =
    [(0, 1), (1, 0), (0, -1), (-1, 0), (0, 2), (2, 2), (2, 0), (2, -2), (0, -2), (-2, -2), (-2, 0), (-2, 2)];
const WIZARD: [(i32, i32); 12] =
    [(1, 1), (1, -1), (-1, -1), (-1, 1), (1, 3), (3, 1), (3, -1), (1, -3), (-1, -3), (-3, -1), (-3, 1), (-1, 3)];

/// Squares by square.
pub(super) type Table = [Bitboard; Square::PLACES];

static KNIGHTS: Table = jumps(&KNIGHT);
static CHAMPIONS: Table = jumps(&CHAMPION);
static WIZARDS: Table = jumps(&WIZARD);
static KINGS: Table = jumps(&DIRECTIONS);
static PAWNS: [Table; 2] = [jumps(&[(-1, 1), (1, 1)]), jumps(&[(-1, -1), (1, -1)])];
static RAYS: [Table; 8] = RAYS_OF_DIRECTIONS;
const RAYS_OF_DIRECTIONS: [Table; 8] = {
    let mut rays = [[Bitboard::EMPTY; Square::PLACES]; 8];
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
/// What a rook and a bishop see on the empty board.
static ORTHOGONALS: Table = lines([0, 2, 4, 6]);
static DIAGONALS: Table = lines([1, 3, 5, 7]);
/// The direction of the line from a square to another, 8 where there is none.
static DIRECTION: [[u8; Square::PLACES]; Square::PLACES] = {
    let mut table = [[8; Square::PLACES]; Square::PLACES];
    let mut i = 0;
    while i < 8 * Square::COUNT {
        let (d, from) = (i % 8, i / 8);
        let mut at = step(Square::new(from), DIRECTIONS[d]);
        while let Some(square) = at {
            table[from][square.index()] = d as u8;
            at = step(square, DIRECTIONS[d]);
        }
        i += 1;
    }
    table
};
/// Squares ahead of a pawn of each side that it may come to with one move.
static STEPS: [Table; 2] = {
    let mut steps = [[Bitboard::EMPTY; Square::PLACES]; 2];
    let mut i = 0;
    while i < 2 * Square::COUNT {
        let (side, from) = (i % 2, Square::new(i / 2));
        let (ahead, start_row) = if side == 0 { ((0, 1), 2) } else { ((0, -1), 9) };
        let (mut left, mut at) = (if from.row() == start_row { 3 } else { 1 }, step(from, ahead));
        while let (Some(square), 1..) = (at, left) {
            steps[side][from.index()] = steps[side][from.index()].with(square);
            at = step(square, ahead);
            left -= 1;
        }
        i += 1;
    }
    steps
};

/// The square a step away, if there is one.
pub(super) const fn step(from: Square, (columns, rows): (i32, i32)) -> Option<Square> {
    let (column, row) = (from.column() as i32 + columns, from.row() as i32 + rows);
    if column < 0 || row < 0 {
        return None;
    }
    Square::at(column as usize, row as usize)
}

/// Squares that jumps of (columns, rows) reach from each square.
pub(super) const fn jumps(ways: &[(i32, i32)]) -> Table {
    let mut table = [Bitboard::EMPTY; Square::PLACES];
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

const fn lines(directions: [usize; 4]) -> Table {
    let mut table = [Bitboard::EMPTY; Square::PLACES];
    let mut i = 0;
    while i < 4 * Square::COUNT {
        let from = i / 4;
        table[from] = Bitboard(table[from].0 | RAYS_OF_DIRECTIONS[directions[i % 4]][from].0);
        i += 1;
    }
    table
}

/// Squares that a pawn of `side` attacks.
#[inline]
pub(super) fn pawn(side: Side, from: Square) -> Bitboard {
    PAWNS[side.index()][from.index()]
}

/// Squares that a pawn of `side` may go to when the squares of `occupied` are taken.
#[inline]
pub(super) fn pawn_steps(side: Side, from: Square, occupied: Bitboard) -> Bitboard {
    let steps = STEPS[side.index()][from.index()];
    let first = match side {
        Side::White => RAYS[0][first(steps & occupied).index()],
        Side::Black => RAYS[UP][last(steps & occupied).index()],
    };
    steps & !first & !occupied
}

/// Squares from which a rook sees `square` on the empty board.
#[inline]
pub(super) fn orthogonals(square: Square) -> Bitboard {
    ORTHOGONALS[square.index()]
}

/// Squares from which a bishop sees `square` on the empty board.
#[inline]
pub(super) fn diagonals(square: Square) -> Bitboard {
    DIAGONALS[square.index()]
}

/// Squares that a piece other than a pawn attacks when the squares of `occupied` are taken; it may go to each of them,
/// own pieces aside.
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

/// Squares that a piece of `side` attacks when the squares of `occupied` are taken.
#[inline]
pub(super) fn attack(side: Side, kind: Kind, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Pawn => pawn(side, from),
        _ => reach(kind, from, occupied),
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
    let blocker = if d < UP { first(ray & occupied) } else { last(ray & occupied) };
    ray ^ RAYS[d][blocker.index()]
}

/// The first piece on a ray that leads to higher numbers. For none it is the highest square, from which no such ray
/// goes on: so there is no need to ask, which no branch predictor could foresee.
#[inline]
fn first(blockers: Bitboard) -> Square {
    (blockers | Bitboard::of(Square::new(Square::COUNT - 1))).first()
}

/// The first piece on a ray that leads to lower numbers, or the lowest square.
#[inline]
fn last(blockers: Bitboard) -> Square {
    (blockers | Bitboard::of(Square::new(0))).last()
}

/// The direction of the line from `a` through `b`, if they are on one and no hole parts them.
#[inline]
fn direction(a: Square, b: Square) -> Option<usize> {
    let d = usize::from(DIRECTION[a.index()][b.index()]);
    (d < 8).then_some(d)
}

/// Squares strictly between two squares of one line; empty for any others.
#[inline]
pub(super) fn between(a: Square, b: Square) -> Bitboard {
    direction(a, b).map_or(Bitboard::EMPTY, |d| RAYS[d][a.index()] & RAYS[(d + UP) % 8][b.index()])
}

/// Squares seen from `from` in the direction of `through`, up to and with the first occupied one; empty where no line
/// runs through both.
#[inline]
pub(super) fn toward(from: Square, through: Square, occupied: Bitboard) -> Bitboard {
    direction(from, through).map_or(Bitboard::EMPTY, |d| slide(d, from, occupied))
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};

    use super::*;

    fn squares(text: &str) -> Bitboard {
        text.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn pieces_reach_what_the_grid_has() {
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

    /// What is seen square by square in some directions, up to and with the first occupied square, at most `reach`
    /// away.
    fn walk(from: Square, directions: &[usize], occupied: Bitboard, reach: usize) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for &d in directions {
            let squares = std::iter::successors(step(from, DIRECTIONS[d]), |&square| {
                if occupied.has(square) { None } else { step(square, DIRECTIONS[d]) }
            });
            seen = squares.take(reach).fold(seen, Bitboard::with);
        }
        seen
    }

    #[test]
    fn sliders_and_pawns_see_what_a_walk_sees() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for from in Square::all() {
            for _ in 0..200 {
                let word = |rng: &mut rand_chacha::ChaCha8Rng| rng.random::<u128>();
                // Thin and dense boards alike, with and without pieces in the corners.
                let thin = Bitboard(word(&mut rng) & word(&mut rng)) & Bitboard::ALL;
                for occupied in [thin, !thin, Bitboard::EMPTY, Bitboard::ALL] {
                    for (kind, directions) in [(Kind::Rook, [0, 2, 4, 6]), (Kind::Bishop, [1, 3, 5, 7])] {
                        assert_eq!(
                            reach(kind, from, occupied),
                            walk(from, &directions, occupied, 12),
                            "{kind:?} {from}"
                        );
                    }
                    for (side, d, start_row) in [(Side::White, 0, 2), (Side::Black, UP, 9)] {
                        let steps = if from.row() == start_row { 3 } else { 1 };
                        let expected = walk(from, &[d], occupied, steps) & !occupied;
                        assert_eq!(pawn_steps(side, from, occupied), expected, "{side} {from}");
                    }
                }
            }
        }
    }
}
