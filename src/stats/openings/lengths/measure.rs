//! Games by their length.

use std::collections::BTreeMap;

use crate::{
    estimate::{Interval, Ratio, Weights},
    stats::GameColumns,
};

/// Lengths of games.
#[derive(Clone, Debug, Default)]
pub struct Lengths {
    games: u64,
    /// Games by their number of plies.
    by_plies: BTreeMap<usize, u64>,
    /// Plies a game, over all games and over those that were not cut off.
    pub plies: Ratio,
    pub plies_of_ended: Ratio,
}

impl Lengths {
    /// Counts a game.
    pub fn add(&mut self, game: &GameColumns, weights: &Weights) {
        self.games += 1;
        *self.by_plies.entry(game.plies()).or_default() += 1;
        self.plies.add(weights, game.plies() as f64, 1.0);
        if game.was_ended() {
            self.plies_of_ended.add(weights, game.plies() as f64, 1.0);
        }
    }

    /// The length that `share` of all games do not exceed. The interval holds the lengths at which the share of games
    /// as short or shorter may be `share` by Wilson's interval (order statistics; Thompson, Annals of Mathematical
    /// Statistics 7, 1936, by the exact one).
    pub fn quantile(&self, share: f64) -> Option<Interval> {
        let n = self.games;
        let (&longest, _) = self.by_plies.last_key_value()?;
        let longest = longest as f64;
        let [mut estimate, mut low, mut high] = [longest; 3];
        let mut shorter = n;
        for (&length, &games) in self.by_plies.iter().rev() {
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
        let by_plies = (1..=99).map(|length| (length, 1)).collect();
        let mut lengths = Lengths { by_plies, ..Lengths::default() };
        assert_eq!(lengths.quantile(0.5), None, "no games");
        lengths.games = 99;
        let median = lengths.quantile(0.5).unwrap();
        // By the binomial distribution of 99 games the exact interval of the median is 40 to 60.
        assert_eq!((median.estimate, median.low, median.high), (50.0, 40.0, 60.0));
        assert_eq!(lengths.quantile(1.0).unwrap().estimate, 99.0);
    }
}
