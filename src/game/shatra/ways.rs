//! Actions as planes, seen by the side to move. North is towards the enemy.

use super::{Bitboard, Kind, Square, action::ActionKind};
use crate::game::{
    PlaneInfo, Side,
    ways::{DIRECTION_NAMES, DIRECTIONS},
};

/// The first plane of each direction, and the number of planes of all: as many squares as the grid has that way.
const FIRST: [usize; 9] = {
    let mut first = [0; 9];
    let mut d = 0;
    while d < 8 {
        let reach = if DIRECTIONS[d].0 == 0 { 13 } else { 6 };
        first[d + 1] = first[d] + reach;
        d += 1;
    }
    first
};
/// The first plane of promotions: by kind, by step or jump, by direction.
const PROMOTION: usize = FIRST[8];
/// The direction of a pawn that promotes, by columns to the east plus 1.
const PROMOTION_NAMES: [&str; 3] = ["nw", "n", "ne"];
/// The first plane of placings, by the square of a home from which a piece is taken, the own home's first.
const PLACING: usize = PROMOTION + 18;
const STOP: usize = PLACING + 20;

/// The planes in words.
pub(super) fn planes() -> Vec<PlaneInfo> {
    let mut planes = Vec::new();
    for (d, (short, direction)) in DIRECTION_NAMES.into_iter().enumerate() {
        let reach = FIRST[d + 1] - FIRST[d];
        let meaning = format!("move or jump of 1 to {reach} squares to the {direction}");
        planes.extend((1..=reach).map(|distance| PlaneInfo::new(format!("{short}{distance}"), &meaning, "")));
    }
    for name in Kind::STOCK.map(Kind::name) {
        for (distance, what) in [(1, "step"), (2, "jump")] {
            let meaning = format!("a shatra's {what} to the last rank, becoming a {name}");
            planes.extend(PROMOTION_NAMES.map(|way| PlaneInfo::new(format!("{name}_{way}{distance}"), &meaning, "")));
        }
    }
    for (whose, side) in [("own", Side::White), ("enemy", Side::Black)] {
        let meaning =
            format!("the piece on this square of the {whose} home (White's side of the board below) placed here");
        planes
            .extend(Bitboard::home(side).into_iter().map(|from| PlaneInfo::new(format!("from_{from}"), &meaning, "")));
    }
    planes.push(PlaneInfo::new("stop", "the piece here ends its series", ""));
    planes
}

/// The plane of an action and the square of its index. Both squares are seen by the side to move, as if it were White.
pub(super) fn plane(kind: ActionKind, from: Square, to: Square, promotion: Option<Kind>) -> (usize, Square) {
    let east = to.column() as i32 - from.column() as i32;
    let north = to.row() as i32 - from.row() as i32;
    let distance = east.abs().max(north.abs()) as usize;
    match kind {
        ActionKind::Stop => (STOP, from),
        ActionKind::Placing => {
            let homes = Bitboard::home(Side::White).into_iter().chain(Bitboard::home(Side::Black));
            let number = homes.take_while(|&square| square != from).count();
            (PLACING + number, to)
        }
        ActionKind::Quiet | ActionKind::Jump => match promotion.and_then(Kind::stock_index) {
            Some(number) => (PROMOTION + 6 * number + 3 * (distance - 1) + (east.signum() + 1) as usize, from),
            None => {
                let way = (east.signum(), north.signum());
                let d = DIRECTIONS.iter().position(|&direction| direction == way).expect("a piece moves along a line");
                (FIRST[d] + distance - 1, from)
            }
        },
    }
}

/// The plane of the action mirrored left to right.
pub(super) fn mirror(plane: usize) -> usize {
    if plane < PROMOTION {
        let d = (0..8).rev().find(|&d| FIRST[d] <= plane).expect("direction 0 begins at 0");
        FIRST[(8 - d) % 8] + plane - FIRST[d]
    } else if plane < PLACING {
        let way = (plane - PROMOTION) % 3;
        plane - way + 2 - way
    } else if plane < STOP {
        let homes = || Bitboard::home(Side::White).into_iter().chain(Bitboard::home(Side::Black));
        let from = homes().nth(plane - PLACING).expect("twenty squares of homes");
        let mirrored = |square: &Square| (square.column(), square.row()) == (6 - from.column(), from.row());
        PLACING + homes().position(|square| mirrored(&square)).expect("a home is symmetric")
    } else {
        plane
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plane_numbers_are_the_names() {
        let at = |name: &str| name.parse::<Square>().unwrap();
        let planes = planes();
        for (kind, from, to, promotion, name, on) in [
            (ActionKind::Quiet, "d1", "d14", None, "n13", "d1"),
            (ActionKind::Jump, "g10", "d7", None, "sw3", "g10"),
            (ActionKind::Quiet, "c13", "d14", Some(Kind::Tura), "tura_ne1", "c13"),
            (ActionKind::Jump, "c12", "c14", Some(Kind::Batyr), "batyr_n2", "c12"),
            (ActionKind::Placing, "e2", "a5", None, "from_e2", "a5"),
            (ActionKind::Placing, "d11", "a9", None, "from_d11", "a9"),
            (ActionKind::Stop, "d9", "d9", None, "stop", "d9"),
        ] {
            let (plane, square) = plane(kind, at(from), at(to), promotion);
            assert_eq!((planes[plane].name.as_str(), square), (name, at(on)));
        }
        assert_eq!(planes.len(), STOP + 1);
        let number = |name: &str| planes.iter().position(|plane| plane.name == name).unwrap();
        for (one, other) in [
            ("n13", "n13"),
            ("sw3", "se3"),
            ("tura_ne1", "tura_nw1"),
            ("yalkyn_n2", "yalkyn_n2"),
            ("from_e2", "from_c2"),
            ("from_d11", "from_d11"),
            ("stop", "stop"),
        ] {
            assert_eq!((mirror(number(one)), mirror(number(other))), (number(other), number(one)));
        }
        assert_eq!(planes.len(), STOP + 1);
    }
}
