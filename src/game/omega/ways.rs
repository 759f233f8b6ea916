//! Ways of pieces as action planes, seen by the side to move. North is towards the enemy.

use super::{Kind, Square};
use crate::game::{
    PlaneInfo,
    ways::{DIRECTION_NAMES, DIRECTIONS},
};

/// Squares that a piece can go along one line at most: along a rank or file, along a diagonal with both of its corners.
const REACH: [usize; 2] = [9, 11];
/// The knight's jumps clockwise, then the wizard's.
const LEAPS: [(i32, i32); 16] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
    (1, 3),
    (3, 1),
    (3, -1),
    (1, -3),
    (-1, -3),
    (-3, -1),
    (-3, 1),
    (-1, 3),
];
const LEAP_NAMES: [&str; 16] = [
    "leap_nne",
    "leap_ene",
    "leap_ese",
    "leap_sse",
    "leap_ssw",
    "leap_wsw",
    "leap_wnw",
    "leap_nnw",
    "leap_nnne",
    "leap_eene",
    "leap_eese",
    "leap_ssse",
    "leap_sssw",
    "leap_wwsw",
    "leap_wwnw",
    "leap_nnnw",
];

/// Planes of moves along lines; the leaps come after them.
const LEAP: usize = 4 * (REACH[0] + REACH[1]);
/// Planes of moves that are no promotions.
pub(super) const MOVES: usize = LEAP + LEAPS.len();
/// The direction of a pawn that promotes, by columns to the east plus 1.
const PROMOTION_NAMES: [&str; 3] = ["nw", "n", "ne"];

/// The first plane of a direction.
const fn first_of(direction: usize) -> usize {
    direction / 2 * (REACH[0] + REACH[1]) + direction % 2 * REACH[0]
}

/// The planes in words.
pub(super) fn planes() -> Vec<PlaneInfo> {
    let mut planes = moves();
    planes.extend(Kind::PROMOTIONS.into_iter().flat_map(|kind| promotions(kind.name())));
    planes
}

/// The planes of moves that are no promotions.
pub(super) fn moves() -> Vec<PlaneInfo> {
    let mut planes = Vec::new();
    for (i, (short, direction)) in DIRECTION_NAMES.into_iter().enumerate() {
        let reach = REACH[i % 2];
        let meaning = format!("move or jump of 1 to {reach} squares to the {direction}");
        planes.extend((1..=reach).map(|distance| PlaneInfo::new(format!("{short}{distance}"), &meaning, "")));
    }
    planes.extend(LEAP_NAMES.iter().enumerate().map(|(i, &name)| {
        let meaning = if i < 8 { "knight's jump" } else { "wizard's jump of one by three" };
        PlaneInfo::new(name, meaning, "")
    }));
    planes
}

/// The planes of a pawn that becomes the piece of this name.
pub(super) fn promotions(name: &str) -> [PlaneInfo; 3] {
    let meaning = format!("pawn's move to the far rank, becoming a {name}");
    PROMOTION_NAMES.map(|way| PlaneInfo::new(format!("{name}_{way}"), &meaning, ""))
}

/// The plane of a move. Both squares are seen by the side to move.
pub(super) fn plane(from: Square, to: Square, promotion: Option<Kind>) -> usize {
    match promotion {
        Some(kind) => {
            let number = Kind::PROMOTIONS.iter().position(|&other| other == kind);
            MOVES + 3 * number.expect("a pawn becomes one of these") + promotion_way(from, to)
        }
        None => of_move(from, to),
    }
}

/// The plane of a move that is no promotion, among those of [`moves`].
pub(super) fn of_move(from: Square, to: Square) -> usize {
    let (east, north) = way(from, to);
    if let Some(leap) = LEAPS.iter().position(|&way| way == (east, north)) {
        return LEAP + leap;
    }
    let direction = DIRECTIONS.iter().position(|&way| way == (east.signum(), north.signum())).expect("a piece moves");
    first_of(direction) + east.abs().max(north.abs()) as usize - 1
}

/// Which of the three planes of a promotion a move is.
pub(super) fn promotion_way(from: Square, to: Square) -> usize {
    (way(from, to).0 + 1) as usize
}

/// Squares to the east and to the north.
pub(super) fn way(from: Square, to: Square) -> (i32, i32) {
    (to.column() as i32 - from.column() as i32, to.row() as i32 - from.row() as i32)
}

/// The plane of the move mirrored left to right.
pub(super) fn mirror(plane: usize) -> usize {
    if plane < LEAP {
        let direction = (0..8).rev().find(|&direction| first_of(direction) <= plane).expect("direction 0 begins at 0");
        first_of((8 - direction) % 8) + plane - first_of(direction)
    } else if plane < MOVES {
        let leap = plane - LEAP;
        LEAP + leap / 8 * 8 + 7 - leap % 8
    } else {
        let way = (plane - MOVES) % 3;
        plane - way + 2 - way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plane_numbers_are_the_names() {
        let at = |name: &str| name.parse::<Square>().unwrap();
        let planes = planes();
        for (from, to, name) in [
            ("w1", "w3", "ne11"),
            ("a0", "a9", "n9"),
            ("d4", "b6", "nw2"),
            ("d4", "e1", "leap_ssse"),
            ("d4", "e2", "leap_sse"),
            ("w2", "h0", "leap_wwnw"),
        ] {
            assert_eq!(planes[plane(at(from), at(to), None)].name, name);
        }
        assert_eq!(planes.len(), MOVES + 3 * Kind::PROMOTIONS.len());
        assert_eq!(planes[plane(at("e8"), at("d9"), Some(Kind::Champion))].name, "champion_nw");
        let number = |name: &str| planes.iter().position(|plane| plane.name == name).unwrap();
        for (one, other) in [
            ("nw11", "ne11"),
            ("s4", "s4"),
            ("leap_wwnw", "leap_eene"),
            ("knight_nw", "knight_ne"),
            ("rook_n", "rook_n"),
        ] {
            assert_eq!((mirror(number(one)), mirror(number(other))), (number(other), number(one)));
        }
        assert_eq!(planes.len(), MOVES + 18);
    }
}
