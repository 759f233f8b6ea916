//! What XBoard must be taught of the game.

use super::{Action, Kind, OmegaAdvanced, Position, Suffix, pair};
use crate::game::XBoard;

impl XBoard for OmegaAdvanced {
    fn variant_setup(&self) -> String {
        include_str!("xboard.txt").to_owned()
    }

    /// From a1 to l12: the 10x10 board begins at b2. Of two pieces that move at once the one is written behind which the
    /// fool comes on; a king that castles goes alone.
    fn grid_string(&self, position: &Position, action: Action) -> String {
        let (from, to) = (action.from(), action.to());
        let (squares, suffix) = match (pair::Pair::of_move(from, to, position.unmoved()), action.suffix()) {
            (Some(pair), Suffix::EntersForRook) => (vec![pair.rook, pair.from, pair.rook_to], Suffix::Enters),
            (Some(pair), suffix) if pair.kind == Kind::Queen => (vec![pair.from, pair.rook, pair.to], suffix),
            (_, suffix) => (vec![from, to], suffix),
        };
        let legs = squares.windows(2).map(|leg| format!("{}{}", leg[0].grid_name(), leg[1].grid_name()));
        legs.collect::<Vec<_>>().join(",") + &suffix.letter().map(String::from).unwrap_or_default()
    }
}
