//! What a person sees of the game.

use super::{Bitboard, Kind, OmegaAdvanced, Position, Square, notation, pair};
use crate::game::{Mark, Show, Side, SquareInfo, omega::show as omega};

impl Show for OmegaAdvanced {
    const RULES_TEXT: &'static str = include_str!("RULES.md");
    const WORDS: &'static str = include_str!("words.json");

    /// The board with coordinates, White below, the corners beside the ranks, whose turn it is, and what is known of
    /// each side's fools.
    fn draw(&self, position: &Position) -> String {
        let fools = |side| {
            let hand = if position.has_fool_in_hand(side) { "a fool in hand, " } else { "" };
            let kind = position.fools_are(side).map_or("of no kind", Kind::name);
            format!("     {side}: {hand}fools are {kind}\n")
        };
        let board = omega::board(|square| notation::letter(position, square));
        let turn = format!("     {}      {} to move\n", omega::FILES, position.side_to_move());
        format!("{board}{turn}{}{}", fools(Side::White), fools(Side::Black))
    }

    fn square(&self, row: usize, column: usize) -> Option<SquareInfo> {
        Square::at(column, row).map(Square::info)
    }

    /// What fools are, and which pieces have never moved, as long as their side can still castle, guard or bring the
    /// fool on.
    fn marks(&self, position: &Position) -> Vec<(String, Mark)> {
        let mut marks = Vec::new();
        for side in [Side::White, Side::Black] {
            let kind = position.fools_are(side).map(|kind| Mark::Like(kind.letter()));
            marks.extend(
                kind.into_iter().flat_map(|mark| position.fools(side).into_iter().map(move |fool| (fool, mark))),
            );
            let own = position.unmoved() & position.pieces().side(side);
            let pairs = pair::Pair::ALL.iter().filter(|pair| (pair.left() & !own).is_empty());
            let matter = pairs.fold(Bitboard::EMPTY, |all, pair| all | pair.left());
            let unmoved = if position.has_fool_in_hand(side) { own } else { matter };
            marks.extend(unmoved.into_iter().map(|square| (square, Mark::Unmoved)));
        }
        marks.into_iter().map(|(square, mark)| (square.to_string(), mark)).collect()
    }
}
