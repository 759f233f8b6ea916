//! What a group of games says as a whole: first moves, results, length.

use std::collections::BTreeMap;

use super::record::Results;
use crate::{
    estimate::{Interval, Ratio, Weights},
    game::Side,
    stats::GameColumns,
};

/// Counts over the games of some generations.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// For White.
    pub results: Results,
    /// Likewise by the reason why games ended.
    pub reasons: BTreeMap<String, Results>,
    /// Games by their first action.
    pub first: BTreeMap<Box<str>, u64>,
    /// Games by their first two actions.
    pub second: BTreeMap<(Box<str>, Box<str>), u64>,
    /// Games by their number of plies.
    lengths: BTreeMap<usize, u64>,
    /// Plies a game, over all games and over those that were not cut off.
    pub plies: Ratio,
    pub plies_of_ended: Ratio,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &GameColumns, weights: &Weights) {
        let results = Results::of(game, Side::White);
        self.results += results;
        *self.reasons.entry(game.reason.clone()).or_default() += results;
        *self.first.entry(game.action(0).into()).or_default() += 1;
        if game.plies() > 1 {
            *self.second.entry((game.action(0).into(), game.action(1).into())).or_default() += 1;
        }
        *self.lengths.entry(game.plies()).or_default() += 1;
        self.plies.add(weights, game.plies() as f64, 1.0);
        if game.was_ended() {
            self.plies_of_ended.add(weights, game.plies() as f64, 1.0);
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.results.games()
    }

    /// The length that `share` of all games do not exceed. The interval holds the lengths at which the share of games as short or shorter may be
    /// `share` by Wilson's interval (order statistics; Thompson, Annals of Mathematical Statistics 7, 1936, by the exact one).
    pub fn length(&self, share: f64) -> Option<Interval> {
        let n = self.games();
        let (&longest, _) = self.lengths.last_key_value()?;
        let longest = longest as f64;
        let [mut estimate, mut low, mut high] = [longest; 3];
        let mut shorter = n;
        for (&length, &games) in self.lengths.iter().rev() {
            let up_to = Interval::share(shorter, n)?;
            let length = length as f64;
            for (end, value) in [(&mut estimate, up_to.estimate), (&mut low, up_to.high), (&mut high, up_to.low)] {
                if value >= share {
                    *end = length;
                }
            }
            shorter -= games;
        }
        Some(Interval { estimate, low, high, n })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_lengths_lie_within_their_intervals() {
        let lengths = (1..=99).map(|length| (length, 1)).collect();
        let mut tally = Tally { lengths, ..Tally::default() };
        assert_eq!(tally.length(0.5), None, "no games");
        tally.results.draws = 99;
        let median = tally.length(0.5).unwrap();
        // By the binomial distribution of 99 games the exact interval of the median is 40 to 60.
        assert_eq!((median.estimate, median.low, median.high), (50.0, 40.0, 60.0));
        assert_eq!(tally.length(1.0).unwrap().estimate, 99.0);
    }
}
