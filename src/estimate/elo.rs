//! Elo from scores, and the 95% interval of a match played in pairs.
//!
//! The logistic model of Elo: a player that is `d` points stronger scores `1 / (1 + 10^(-d/400))` of the points on
//! average.

use serde::{Deserialize, Serialize};

use super::Interval;

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

    /// Variance of the first player's share of the points in a pair; 0 of nothing.
    pub(super) fn variance(&self) -> f64 {
        moments(&self.0.map(|count| count as f64)).map_or(0.0, |(_, variance)| variance)
    }

    /// The pairs from the second player's point of view.
    pub fn mirrored(mut self) -> PairCounts {
        self.0.reverse();
        self
    }

    /// The first player's share of the points with its interval; `n` counts pairs. Of no pair it is one half, from 0 to 1.
    ///
    /// Wilson's score interval (Journal of the American Statistical Association 22, 1927) for as many trials as the
    /// pairs are worth: `n` divided by the ratio of their variance to that of pairs which are won or lost whole. The
    /// ratio is measured as if two more pairs had it at 1, and is at most 1: a few pairs that ended alike do not pass
    /// for certain. Coverage by simulation is in `docs/controls.md`.
    pub fn score_interval(&self) -> Interval {
        const PRIOR_PAIRS: f64 = 2.0;
        let Some((mean, variance)) = moments(&self.0.map(|count| count as f64)) else {
            return Interval { estimate: 0.5, low: 0.0, high: 1.0, n: 0 };
        };
        let pairs = self.pairs() as f64;
        let whole = mean * (1.0 - mean);
        let unbiased = if self.pairs() > 1 { variance * pairs / (pairs - 1.0) } else { whole };
        let measured = if whole > 0.0 { unbiased / whole } else { 1.0 };
        let ratio = ((measured * pairs + PRIOR_PAIRS) / (pairs + PRIOR_PAIRS)).min(1.0);
        Interval::wilson(mean, pairs / ratio, self.pairs())
    }

    /// Elo difference of the first player over the second with its 95% interval; `n` counts pairs.
    ///
    /// The interval is that of the [score](PairCounts::score_interval), turned into Elo end by end. The ends are finite
    /// but where every point was won, or none: such a match bounds the difference on one side alone. No pair gives 0
    /// without bounds.
    pub fn estimate(&self) -> Interval {
        self.score_interval().map(elo_of_score)
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
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rand_distr::StandardNormal;

    use super::{super::Z_95, *};

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

    /// By hand: ten pairs, two of each kind, have mean 1/2 and unbiased variance 5/36, 5/9 of that of whole pairs; with
    /// two more pairs the ratio is 0.62963, and Wilson's interval of 15.882 trials is 1/2 +- 0.22066.
    #[test]
    fn interval_by_hand() {
        let even = PairCounts([2; 5]);
        let (score, elo) = (even.score_interval(), even.estimate());
        assert_eq!((elo.estimate, elo.n, score.n), (0.0, 10, 10));
        assert!((score.high - 0.720_66).abs() < 1e-5 && (score.low - 0.279_34).abs() < 1e-5, "{score:.5}");
        assert!((elo.high - elo_of_score(score.high)).abs() < 1e-9 && (elo.high + elo.low).abs() < 1e-9, "{elo}");
    }

    /// Pairs that are won or lost whole are trials, and the interval is Wilson's: 81 of 263 in Newcombe's table.
    #[test]
    fn interval_of_whole_pairs_is_wilsons() {
        let score = PairCounts([182, 0, 0, 0, 81]).score_interval();
        assert!((score.low - 0.2553).abs() < 5e-5 && (score.high - 0.3662).abs() < 5e-5, "{score:.4}");
    }

    /// With many pairs the interval is the plain normal one: score 0.55, variance 0.05375, 10,000 pairs.
    #[test]
    fn interval_of_many_pairs_is_the_normal_one() {
        let many = PairCounts([500, 1500, 4000, 3500, 500]);
        let (mean, error): (f64, f64) = (0.55, Z_95 * (0.053_75_f64 / 10_000.0).sqrt());
        let estimate = many.estimate();
        assert!((many.score() - mean).abs() < 1e-12);
        assert!((estimate.low - elo_of_score(mean - error)).abs() < 0.2, "{estimate}");
        assert!((estimate.high - elo_of_score(mean + error)).abs() < 0.2, "{estimate}");
    }

    /// Wilson's interval of 10 of 10 begins at 10 / (10 + z²) = 0.7225.
    #[test]
    fn a_clean_sweep_is_bounded_on_one_side() {
        let sweep = PairCounts([0, 0, 0, 0, 10]).estimate();
        assert_eq!((sweep.estimate, sweep.high), (f64::INFINITY, f64::INFINITY));
        assert!((score_of_elo(sweep.low) - 0.7225).abs() < 1e-4, "{}", score_of_elo(sweep.low));
        assert_eq!(format!("{sweep:+.1}"), "at least +166.2");
        let none = PairCounts([10, 0, 0, 0, 0]).estimate();
        assert_eq!(format!("{none:+.1}"), "at most -166.2");
        let nearly = PairCounts([0, 0, 0, 1, 9]).estimate();
        assert!(nearly.high.is_finite() && nearly.high > nearly.estimate, "{nearly}");
        let nothing = PairCounts::default().estimate();
        assert_eq!((nothing.estimate, nothing.low, nothing.high), (0.0, f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn swapping_the_players_mirrors_the_estimate() {
        let (one, other) = (PairCounts([1, 2, 3, 7, 9]).estimate(), PairCounts([9, 7, 3, 2, 1]).estimate());
        assert!((one.estimate + other.estimate).abs() < 1e-9);
        assert!((one.low + other.high).abs() < 1e-9 && (one.high + other.low).abs() < 1e-9);
    }

    /// Matches between players that are `nats` apart on the logistic scale, from openings that favour White by a normal
    /// number with a standard deviation of `bias`. A game is won with the chance of a player `draws` weaker, and lost
    /// with that of one `draws` stronger; else it is drawn.
    struct Design {
        pairs: u64,
        nats: f64,
        bias: f64,
        draws: f64,
    }

    impl Design {
        fn pair(&self, rng: &mut ChaCha8Rng) -> usize {
            let white = self.bias * rng.sample::<f64, _>(StandardNormal);
            let logistic = |nats: f64| 1.0 / (1.0 + (-nats).exp());
            let mut game = |nats: f64| {
                let luck: f64 = rng.random();
                usize::from(luck < logistic(nats - self.draws)) + usize::from(luck < logistic(nats + self.draws))
            };
            game(self.nats + white) + game(self.nats - white)
        }

        /// How often the interval lies below the true score, holds it, and lies above it.
        fn coverage(&self, matches: usize) -> [f64; 3] {
            let mut rng = ChaCha8Rng::seed_from_u64(self.pairs);
            let sample: usize = (0..100_000).map(|_| self.pair(&mut rng)).sum();
            let truth = sample as f64 / 400_000.0;
            let mut found = [0; 3];
            for _ in 0..matches {
                let mut counts = PairCounts::default();
                (0..self.pairs).for_each(|_| counts.add(self.pair(&mut rng)));
                let score = counts.score_interval();
                found[usize::from(score.high >= truth) + usize::from(score.low > truth)] += 1;
            }
            found.map(|count| f64::from(count) / matches as f64)
        }
    }

    /// The designs of docs/controls.md.
    fn designs() -> impl Iterator<Item = Design> {
        [10, 20, 50, 200].into_iter().flat_map(|pairs| {
            [0.0, 1.0, 2.0, 2.7, 4.0].into_iter().flat_map(move |nats| {
                [(0.0, 0.0), (1.0, 0.0), (1.0, 1.5)].map(|(bias, draws)| Design { pairs, nats, bias, draws })
            })
        })
    }

    #[test]
    fn the_interval_covers_the_true_score() {
        for design in designs().filter(|design| design.pairs <= 20) {
            let [below, covers, above] = design.coverage(1000);
            let Design { pairs, nats, bias, draws } = design;
            // Four standard errors of a coverage of 94% in 1000 matches are 3 points.
            assert!(covers > 0.91, "{pairs} {nats} {bias} {draws}: {below} {covers} {above}");
        }
    }

    /// The table of docs/controls.md: `cargo test --lib match_coverage -- --ignored --nocapture`.
    #[test]
    #[ignore = "prints a table"]
    fn match_coverage() {
        println!(
            "| pairs | nats | bias | draws | too low | covers | too high |\n| --- | --- | --- | --- | --- | --- | --- |"
        );
        for design in designs() {
            let [below, covers, above] = design.coverage(20_000).map(|share| 100.0 * share);
            let Design { pairs, nats, bias, draws } = design;
            println!("| {pairs} | {nats} | {bias} | {draws} | {below:.1} | {covers:.1} | {above:.1} |");
        }
    }
}
