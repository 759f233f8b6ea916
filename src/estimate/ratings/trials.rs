//! How many independent games the pairs of a match are worth.

use crate::estimate::PairCounts;

/// Variance of a pair's score as a multiple of `score * (1 - score)`, the variance of pairs that are won or lost whole:
/// 1/2 for independent games without draws, less with draws and with openings that favour one colour.
///
/// It is one number where both players score alike and another where one of them wins nearly all, with a straight line
/// in `4 * score * (1 - score)` between. Both are estimated from all matches at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Worth {
    even: f64,
    uneven: f64,
}

/// Pairs that are added at either end of the line, so that a few matches that ended alike do not pass for certain.
const PRIOR_PAIRS: f64 = 2.0;
/// Lost points that are all draws have half the variance of lost games, so that the ratio is 1/4.
const LEAST_UNEVEN: f64 = 0.25;
/// The ratio of independent games without draws.
const INDEPENDENT: f64 = 0.5;

impl Worth {
    /// Least squares on the matches' variances within themselves, each weighed by its pairs and its `score * (1 -
    /// score)`.
    pub(super) fn of<'a>(matches: impl Iterator<Item = &'a PairCounts>) -> Self {
        // Weighted sums of the products of (1 - t), t and the ratio, for ratio = uneven * (1 - t) + even * t.
        let (mut uu, mut ue, mut ee, mut ur, mut er) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let mut add = |t: f64, ratio: f64, weight: f64| {
            uu += weight * (1.0 - t) * (1.0 - t);
            ue += weight * (1.0 - t) * t;
            ee += weight * t * t;
            ur += weight * (1.0 - t) * ratio;
            er += weight * t * ratio;
        };
        add(1.0, 1.0, PRIOR_PAIRS / 4.0);
        add(0.0, INDEPENDENT, PRIOR_PAIRS / 4.0);
        for pairs in matches.filter(|pairs| pairs.pairs() > 1) {
            let (n, score, variance) = (pairs.pairs() as f64, pairs.score(), pairs.variance());
            let unbiased = variance * n / (n - 1.0);
            let whole = (score * (1.0 - score) + unbiased / n).min(0.25);
            if whole > 0.0 {
                add(4.0 * whole, unbiased / whole, n * whole);
            }
        }
        let determinant = uu * ee - ue * ue;
        let uneven = ((ur * ee - er * ue) / determinant).clamp(LEAST_UNEVEN, INDEPENDENT);
        // The best for that other end.
        let even = ((er - ue * uneven) / ee).clamp(f64::EPSILON, 1.0);
        Worth { even, uneven }
    }

    /// Independent games without draws that tell as much of a difference as these pairs do.
    pub(super) fn trials(&self, pairs: &PairCounts) -> f64 {
        let score = pairs.score();
        let t = 4.0 * score * (1.0 - score);
        pairs.pairs() as f64 / (self.uneven + (self.even - self.uneven) * t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of independent decided games are worth their games: 1 1/2 0 with 1/4, 1/2, 1/4, and 81 18 1.
    #[test]
    fn independent_games_are_worth_themselves() {
        let matches = [PairCounts([250_000, 0, 500_000, 0, 250_000]), PairCounts([10_000, 0, 180_000, 0, 810_000])];
        let worth = Worth::of(matches.iter());
        for pairs in matches {
            assert!((worth.trials(&pairs) / 2e6 - 1.0).abs() < 1e-3, "{worth:?}");
        }
    }

    /// Every pair of an even match even, and lost points that are draws.
    #[test]
    fn the_two_ends_are_told_apart() {
        let worth = Worth::of([PairCounts([0, 1000, 8000, 1000, 0]), PairCounts([0, 0, 0, 40, 9960])].iter());
        assert!((worth.even - 0.05).abs() < 0.01 && (worth.uneven - 0.25).abs() < 0.03, "{worth:?}");
    }

    #[test]
    fn nothing_and_a_few_equal_pairs_are_no_certainty() {
        assert_eq!(Worth::of([].iter()), Worth { even: 1.0, uneven: INDEPENDENT });
        let worth = Worth::of([PairCounts([0, 0, 3, 0, 0])].iter());
        assert!(worth.even > 0.3, "{worth:?}");
    }
}
