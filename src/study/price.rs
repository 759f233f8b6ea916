//! The score and Elo that a restriction costs the restricted side.

use super::tally::Tally;
use crate::{
    estimate::{Interval, PairCounts},
    game::Side,
};

/// The price of a restriction, from its two arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Points of the restricted side in pairs of games with a result: it was White in one and Black in the other.
    pub pairs: PairCounts,
    /// Pairs that are left out, since one of their games was cut off.
    pub cut_off: u64,
    /// Points a game of the restricted side as White and as Black.
    pub sides: [Option<Interval>; 2],
}

impl Price {
    /// Pairs the games of the arm in which White is restricted with those of the arm in which Black is, by their index. A
    /// game that was cut off is no draw: its pair is left out.
    pub fn of(white: &Tally, black: &Tally) -> Price {
        let mut pairs = PairCounts::default();
        for (as_white, as_black) in white.half_points.iter().zip(&black.half_points) {
            if let (&Some(as_white), &Some(as_black)) = (as_white, as_black) {
                pairs.add(usize::from(as_white + (2 - as_black)));
            }
        }
        let cut_off = white.cut_off.union(&black.cut_off).count() as u64;
        Price { pairs, cut_off, sides: [white.score_of(Side::White), black.score_of(Side::Black)] }
    }

    /// Points a game of the restricted side, with the interval of [`PairCounts::score_interval`]; `n` counts pairs.
    pub fn score(&self) -> Interval {
        self.pairs.score_interval()
    }

    /// Elo that the restriction costs: by how much the other side plays better; `n` counts pairs.
    pub fn elo_lost(&self) -> Interval {
        let Interval { estimate, low, high, n } = self.pairs.estimate();
        // Not -0.0, which prints with its sign.
        let negated = |elo: f64| 0.0 - elo;
        Interval { estimate: negated(estimate), low: negated(high), high: negated(low), n }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(half_points: &[Option<u8>]) -> Tally {
        let count = |points| half_points.iter().filter(|other| **other == Some(points)).count() as u64;
        Tally { results: [count(2), count(1), count(0)], half_points: half_points.to_vec(), ..Tally::default() }
    }

    /// White's half points; in the second arm the restricted side is Black, so 2 stands for its loss.
    #[test]
    fn games_are_paired_by_index_and_seen_by_the_restricted_side() {
        let (white, black) = (tally(&[Some(0), Some(1), Some(2), None]), tally(&[Some(2), Some(2), Some(0), Some(0)]));
        let price = Price::of(&white, &black);
        assert_eq!(price.pairs, PairCounts([1, 1, 0, 0, 1]));
        assert_eq!(price.score().n, 3);
        assert!((price.score().estimate - 5.0 / 12.0).abs() < 1e-12);
        let lost = price.elo_lost();
        assert!(lost.low < lost.estimate && lost.estimate < lost.high && lost.estimate > 0.0, "{lost:?}");
        assert_eq!(price.sides.map(|side| side.unwrap().estimate), [0.5, 0.5]);
        assert_eq!(price.cut_off, 0);
    }

    #[test]
    fn a_game_cut_off_is_no_draw() {
        let (mut white, black) = (tally(&[Some(0), None, Some(2)]), tally(&[Some(2), Some(2), Some(0)]));
        white.cut_off.insert(1);
        let price = Price::of(&white, &black);
        assert_eq!((price.pairs, price.cut_off), (PairCounts([1, 0, 0, 0, 1]), 1));
    }

    #[test]
    fn what_costs_nothing_has_no_sign() {
        let even = tally(&[Some(1), Some(1)]);
        assert_eq!(format!("{:+}", Price::of(&even, &even).elo_lost().estimate), "+0");
    }
}
