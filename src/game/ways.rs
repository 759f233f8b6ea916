//! Ways of pieces as action planes, seen by the side to move: directions on any board, the queen's and the knight's
//! moves on an 8x8 board. North is towards the enemy.

use super::PlaneInfo;
use crate::board::Square;

/// Planes 0 to 55: 1 to 7 squares in each of the queen's directions, clockwise from the north. 56 to 63: the knight's
/// moves, clockwise.
pub(super) const COUNT: usize = LEAP + 8;

/// The first of the knight's planes.
const LEAP: usize = 7 * DIRECTIONS.len();

/// (files to the east, ranks to the north)
pub(super) const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// Their names, short and long.
pub(super) const DIRECTION_NAMES: [(&str, &str); 8] = [
    ("n", "north"),
    ("ne", "north-east"),
    ("e", "east"),
    ("se", "south-east"),
    ("s", "south"),
    ("sw", "south-west"),
    ("w", "west"),
    ("nw", "north-west"),
];
const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const LEAP_NAMES: [&str; 8] = ["nne", "ene", "ese", "sse", "ssw", "wsw", "wnw", "nnw"];

/// The plane of a way, `[ranks to the north + 7][files to the east + 7]`.
const PLANE_OF_WAY: [[u8; 15]; 15] = {
    let mut planes = [[u8::MAX; 15]; 15];
    let mut i = 0;
    while i < 8 {
        let (east, north) = DIRECTIONS[i];
        let mut distance = 1;
        while distance <= 7 {
            let (row, column) = (distance * north + 7, distance * east + 7);
            planes[row as usize][column as usize] = (7 * i) as u8 + distance as u8 - 1;
            distance += 1;
        }
        let (east, north) = LEAPS[i];
        planes[(north + 7) as usize][(east + 7) as usize] = (LEAP + i) as u8;
        i += 1;
    }
    planes
};

/// The planes in words, `[COUNT]`.
pub(super) fn planes() -> Vec<PlaneInfo> {
    let mut planes = Vec::new();
    for (short, direction) in DIRECTION_NAMES {
        let meaning = format!("move of 1 to 7 squares to the {direction}");
        planes.extend((1..=7).map(|distance| PlaneInfo::new(format!("{short}{distance}"), &meaning, "")));
    }
    planes.extend(LEAP_NAMES.map(|name| PlaneInfo::new(format!("leap_{name}"), "knight's move", "")));
    planes
}

/// The plane of a move. Both squares are seen by the side to move.
#[inline]
pub(super) fn plane(from: Square, to: Square) -> usize {
    PLANE_OF_WAY[to.rank() + 7 - from.rank()][to.file() + 7 - from.file()].into()
}

/// The plane of the move mirrored left to right.
pub(super) fn mirror(plane: usize) -> usize {
    if plane < LEAP { (8 - plane / 7) % 8 * 7 + plane % 7 } else { LEAP + 7 - (plane - LEAP) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plane_numbers_are_the_names() {
        let name = |from: &str, to: &str| planes()[plane(from.parse().unwrap(), to.parse().unwrap())].name.clone();
        assert_eq!(name("d4", "a7"), "nw3");
        assert_eq!(name("d4", "e2"), "leap_sse");
        assert_eq!(planes().len(), COUNT);
        for (one, other) in [("nw3", "ne3"), ("leap_sse", "leap_ssw"), ("s1", "s1")] {
            let at = |name| planes().iter().position(|plane| plane.name == name).unwrap();
            assert_eq!((mirror(at(one)), mirror(at(other))), (at(other), at(one)));
        }
    }
}
