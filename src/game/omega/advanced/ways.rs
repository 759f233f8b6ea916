//! Actions as planes, seen by the side to move. North is towards the enemy.
//!
//! Omega's moves come first, then the moves of fools and templar knights, then promotions. The last planes are of
//! actions that no single piece's way describes, and their index names the square that the action names second: where
//! the rook stands in guarding, and where a piece goes that leaves its place to the fool.

use super::{Action, Piece, Square, Suffix, reach::JUMPS};
use crate::game::{
    PlaneInfo,
    omega::ways::{MOVES, mirror as mirror_move, moves, of_move, promotion_way, promotions, way},
};

/// Names of the templar knight's [jumps](JUMPS).
const JUMP_NAMES: [&str; 8] = [
    "templar_nne",
    "templar_ene",
    "templar_ese",
    "templar_sse",
    "templar_ssw",
    "templar_wsw",
    "templar_wnw",
    "templar_nnw",
];
/// From a corner square to the next ones.
const CORNER_NAMES: [&str; 4] = ["corner_n", "corner_e", "corner_s", "corner_w"];
/// Squares on which a piece stands that can make its first move, as the side to move sees them: files of its first
/// rank, then its corners.
const HOMES: [&str; FILES + 2] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "w1", "w2"];
const FILES: usize = 10;

const CORNER: usize = MOVES + JUMPS.len();
const PROMOTION: usize = CORNER + CORNER_NAMES.len();
const GUARDING: usize = PROMOTION + 3 * Piece::PROMOTIONS.len();
const ENTRY: usize = GUARDING + 1;
const ENTRY_FOR_ROOK: usize = ENTRY + HOMES.len();

/// The planes in words.
pub(super) fn planes() -> Vec<PlaneInfo> {
    let mut planes = moves();
    planes.extend(JUMP_NAMES.map(|name| PlaneInfo::new(name, "templar knight's jump of two by three", "")));
    planes.extend(
        CORNER_NAMES.map(|name| PlaneInfo::new(name, "fool's jump from a corner along an edge to the next", "")),
    );
    planes.extend(Piece::PROMOTIONS.into_iter().flat_map(|piece| promotions(piece.name())));
    planes.push(PlaneInfo::new("guarding", "guarding, at the rook's square", ""));
    planes.extend(HOMES.map(|home| {
        let meaning =
            "action that leaves the own square of this file or corner to the fool, at the square that it names second";
        PlaneInfo::new(format!("enter_{home}"), meaning, "")
    }));
    planes.push(PlaneInfo::new(
        "enter_rook",
        "castling or guarding that leaves the rook's square to the fool, at the square that it names second",
        "",
    ));
    planes
}

/// The plane of an action, and the square at which it is. The squares are seen by the side to move; `is_guarding` tells
/// guarding from a move of the queen.
pub(super) fn plane(action: Action, from: Square, to: Square, is_guarding: impl Fn() -> bool) -> (usize, Square) {
    match action.suffix() {
        Suffix::Becomes(piece) => {
            let number =
                Piece::PROMOTIONS.iter().position(|&other| other == piece).expect("a pawn becomes one of these");
            (PROMOTION + 3 * number + promotion_way(from, to), from)
        }
        Suffix::Enters => (ENTRY + home(from), to),
        Suffix::EntersForRook => (ENTRY_FOR_ROOK, to),
        Suffix::None if is_guarding() => (GUARDING, to),
        Suffix::None => (of_step(from, to), from),
    }
}

/// The plane of a piece's move.
fn of_step(from: Square, to: Square) -> usize {
    let way = way(from, to);
    if let Some(jump) = JUMPS.iter().position(|&other| other == way) {
        return MOVES + jump;
    }
    match way {
        // Along a diagonal, a bishop can go where the fool jumps: that plane is the bishop's.
        (0, 11) => CORNER,
        (11, 0) => CORNER + 1,
        (0, -11) => CORNER + 2,
        (-11, 0) => CORNER + 3,
        _ => of_move(from, to),
    }
}

/// Number of a square among [`HOMES`].
fn home(from: Square) -> usize {
    // w1 and w2 have the lowest numbers, and the first rank comes next.
    (from.index() + FILES) % HOMES.len()
}

/// The plane of the action mirrored left to right.
pub(super) fn mirror(plane: usize) -> usize {
    if plane < MOVES {
        mirror_move(plane)
    } else if plane < CORNER {
        MOVES + CORNER - 1 - plane
    } else if plane < PROMOTION {
        CORNER + (4 - (plane - CORNER)) % 4
    } else if plane < GUARDING {
        let way = (plane - PROMOTION) % 3;
        plane - way + 2 - way
    } else if (ENTRY..ENTRY_FOR_ROOK).contains(&plane) {
        let home = plane - ENTRY;
        ENTRY + if home < FILES { FILES - 1 - home } else { FILES + HOMES.len() - 1 - home }
    } else {
        plane
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plane_numbers_are_the_names() {
        let planes = planes();
        assert_eq!(planes.len(), ENTRY_FOR_ROOK + 1);
        let at = |name: &str| name.parse::<Square>().unwrap();
        for (from, to, suffix, name, square) in [
            ("w1", "w3", Suffix::None, "ne11", "w1"),
            ("w1", "w2", Suffix::None, "corner_e", "w1"),
            ("w3", "w2", Suffix::None, "corner_s", "w3"),
            ("d4", "b1", Suffix::None, "templar_ssw", "d4"),
            ("e8", "d9", Suffix::Becomes(Piece::Fool), "fool_nw", "e8"),
            ("c0", "d2", Suffix::Enters, "enter_c", "d2"),
            ("w2", "j2", Suffix::Enters, "enter_w2", "j2"),
            ("f0", "h0", Suffix::EntersForRook, "enter_rook", "h0"),
        ] {
            let action = Action::new(at(from), at(to), suffix);
            let (plane, found) = plane(action, at(from), at(to), || false);
            assert_eq!((planes[plane].name.as_str(), found), (name, at(square)));
        }
        let number = |name: &str| planes.iter().position(|plane| plane.name == name).unwrap();
        for (one, other) in [
            ("corner_e", "corner_w"),
            ("corner_n", "corner_n"),
            ("templar_wnw", "templar_ene"),
            ("fool_nw", "fool_ne"),
            ("enter_a", "enter_j"),
            ("enter_w1", "enter_w2"),
            ("guarding", "guarding"),
        ] {
            assert_eq!((mirror(number(one)), mirror(number(other))), (number(other), number(one)));
        }
    }
}
