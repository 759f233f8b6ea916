//! Elo from scores, and the 95% interval of a match played in pairs.
//!
//! The logistic model of Elo: a player that is `d` points stronger scores `1 / (1 + 10^(-d/400))` of the points on
//! average.

use serde::{Deserialize, Serialize};

use super::{Interval, Z_95};

/// The Elo difference at which a player expects `score` (share of the points, 0 to 1) against another: infinite at 0
/// and 1.
pub fn elo_of_score(score: f64) -> f64 {
    let elo = 400.0 * (score / (1.0 - score)).log10();
    if elo == 0.0 { 0.0 } else { elo }
}

/// The expected score of a player that is `elo` points stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Results of pairs of games (one opening, colours swapped) by the first player's points in a pair: 0, 1/2, 1, 3/2, 2.
///
/// The two games of a pair share an opening and are not independent; pairs are, so every interval and test here counts
/// pairs ("pentanomial" statistics).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Adds a pair in which the first player won `half_points` half points, 0 to 4.
    ///
    /// # Panics
    /// When there are more than four.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The first player's share of the points, 0 to 1; one half of nothing.
    pub fn score(&self) -> f64 {
        moments(&self.0.map(|count| count as f64)).map_or(0.5, |(mean, _)| mean)
    }

    /// Elo difference of the first player over the second with its 95% interval; `n` counts pairs.
    ///
    /// The difference is that of the raw score. The interval is the normal one of the mean pair score after `z²/2` won
    /// and `z²/2` lost pairs are added (about two each; `z` = 1.96), cut to scores of 0 to 1 and turned into Elo end by
    /// end: the adjusted interval of Agresti and Coull (The American Statistician 52, 1998) with the variance of pairs
    /// in place of the binomial one. The addition fades as 1/n, keeps the interval's width honest when few or all pairs
    /// ended alike (a score of 100% gives a finite lower end and an infinite upper one), and errs on the wide side.
    pub fn estimate(&self) -> Interval {
        let mut counts = self.0.map(|count| count as f64);
        counts[0] += Z_95 * Z_95 / 2.0;
        counts[4] += Z_95 * Z_95 / 2.0;
        let (mean, variance) = moments(&counts).expect("pairs were added");
        let error = Z_95 * (variance / counts.iter().sum::<f64>()).sqrt();
        let elo_at = |score: f64| elo_of_score(score.clamp(0.0, 1.0));
        let estimate = elo_of_score(self.score());
        Interval { estimate, low: elo_at(mean - error), high: elo_at(mean + error), n: self.pairs() }
    }
}

/// Mean and variance of pair scores (0, 1/4, ... 1) with these weights; `None` of nothing.
fn moments(counts: &[f64; 5]) -> Option<(f64, f64)> {
    let total: f64 = counts.iter().sum();
    let scored = || counts.iter().enumerate().map(|(i, &count)| (i as f64 / 4.0, count / total));
    (total > 0.0).then(|| {
        let mean = scored().map(|(score, share)| score * share).sum::<f64>();
        (mean, scored().map(|(score, share)| share * (score - mean).powi(2)).sum())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The usual table of the logistic model.
    #[test]
    fn elo_and_score_are_inverse_and_match_the_published_table() {
        for (elo, score) in
            [(0.0, 0.5), (100.0, 0.640_065), (200.0, 0.759_747), (400.0, 0.909_091), (-100.0, 0.359_935)]
        {
            assert!((score_of_elo(elo) - score).abs() < 1e-6, "{elo}");
            assert!((elo_of_score(score) - elo).abs() < 1e-3, "{score}");
        }
        assert!((elo_of_score(0.75) - 190.848_5).abs() < 1e-4);
        assert_eq!((elo_of_score(1.0), elo_of_score(0.0)), (f64::INFINITY, f64::NEG_INFINITY));
    }

    /// By hand: ten pairs, two of each kind, have mean 1/2 and variance 1/8; with 3.8415 pairs of variance 1/4 added
    /// the variance is 0.15969 and the error 1.96 * sqrt(0.15969 / 13.8415) = 0.21052.
    #[test]
    fn interval_by_hand() {
        let even = PairCounts([2; 5]).estimate();
        assert_eq!((even.estimate, even.n), (0.0, 10));
        assert!((even.high - elo_of_score(0.710_52)).abs() < 0.05, "{even}");
        assert!((even.high + even.low).abs() < 1e-9, "{even}");
    }

    /// With many pairs the addition fades: the interval is the plain normal one, score 0.55, variance 0.05375, 10,000
    /// pairs.
    #[test]
    fn interval_of_many_pairs_is_the_normal_one() {
        let many = PairCounts([500, 1500, 4000, 3500, 500]);
        let (mean, error): (f64, f64) = (0.55, Z_95 * (0.053_75_f64 / 10_000.0).sqrt());
        let estimate = many.estimate();
        assert!((many.score() - mean).abs() < 1e-12);
        assert!((estimate.low - elo_of_score(mean - error)).abs() < 0.2, "{estimate}");
        assert!((estimate.high - elo_of_score(mean + error)).abs() < 0.2, "{estimate}");
    }

    /// Agresti and Coull's interval for 10 of 10 begins at 0.6791 (centre 0.8612, error 0.1821).
    #[test]
    fn interval_of_a_clean_sweep_is_bounded_below() {
        let sweep = PairCounts([0, 0, 0, 0, 10]).estimate();
        assert_eq!((sweep.estimate, sweep.high), (f64::INFINITY, f64::INFINITY));
        assert!((score_of_elo(sweep.low) - 0.679_1).abs() < 1e-4, "{}", score_of_elo(sweep.low));
        let nothing = PairCounts::default().estimate();
        assert!(nothing.estimate == 0.0 && nothing.low < -300.0 && nothing.high > 300.0, "{nothing}");
    }

    #[test]
    fn swapping_the_players_mirrors_the_estimate() {
        let (one, other) = (PairCounts([1, 2, 3, 7, 9]).estimate(), PairCounts([9, 7, 3, 2, 1]).estimate());
        assert!((one.estimate + other.estimate).abs() < 1e-9);
        assert!((one.low + other.high).abs() < 1e-9 && (one.high + other.low).abs() < 1e-9);
    }
}
