//! A number with its 95% interval and the size of the sample behind it; shares, scores and differences.

use std::fmt;

/// The standard normal quantile of a two-sided 95% interval.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// An estimate with its 95% interval. Every method says what it counts as `n`. An end is infinite when the sample does
/// not bound it.
///
/// Prints as `5.5 [4.9, 6.3]`; sign and precision of the format hold for all three numbers. An infinite estimate prints
/// its one bound, `at least 4.9`; an estimate without bounds prints alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub estimate: f64,
    pub low: f64,
    pub high: f64,
    pub n: u64,
}

impl Interval {
    /// The share `successes / n` with Wilson's score interval: the shares p with `(successes/n - p)² <= z² p (1 - p) /
    /// n` (Wilson, Journal of the American Statistical Association 22, 1927). `None` of nothing.
    ///
    /// # Panics
    /// When there are more successes than trials.
    pub fn share(successes: u64, n: u64) -> Option<Interval> {
        assert!(successes <= n, "{successes} of {n}");
        (n > 0).then(|| Interval::wilson(successes as f64 / n as f64, n as f64, n))
    }

    /// Wilson's interval of a share in so many trials, which need not be a whole number nor `n`.
    pub(super) fn wilson(estimate: f64, trials: f64, n: u64) -> Interval {
        let z2 = Z_95 * Z_95;
        let centre = (estimate + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
        let half =
            Z_95 * (estimate * (1.0 - estimate) / trials + z2 / (4.0 * trials * trials)).sqrt() / (1.0 + z2 / trials);
        // Rounding must not open an interval that ends at 0 or 1.
        let low = if estimate <= 0.0 { 0.0 } else { centre - half };
        let high = if estimate >= 1.0 { 1.0 } else { centre + half };
        Interval { estimate, low, high, n }
    }

    /// The score of `wins`, `draws` and `losses`, in points a game: 1, 1/2, 0. `None` of nothing.
    ///
    /// A game is a matched pair of yes and no: did it give White its point, did it give Black. Wins and losses are the
    /// discordant pairs, so that `2 * score - 1` is a difference of paired proportions, and the interval is its score
    /// interval (Tango, Statistics in Medicine 17, 1998): the scores s with `(score - s)² <= z² v(s) / n`, where `v(s)`
    /// is the variance of a game's points under the likeliest shares of wins, draws and losses whose score is s.
    /// Without draws `v(s) = s (1 - s)`, and the interval is Wilson's; draws make it narrower.
    pub fn score(wins: u64, draws: u64, losses: u64) -> Option<Interval> {
        let n = wins + draws + losses;
        (n > 0).then(|| {
            let estimate = (wins as f64 + draws as f64 / 2.0) / n as f64;
            let inside = |score: f64| {
                let variance = points_variance([wins, draws, losses].map(|count| count as f64), score);
                (estimate - score).powi(2) <= Z_95 * Z_95 * variance / n as f64
            };
            Interval { estimate, low: edge(estimate, 0.0, inside), high: edge(estimate, 1.0, inside), n }
        })
    }

    /// `self - other` for independent samples: each end's distance is the root of the squared distances of the ends
    /// that pull it there ("MOVER": Zou and Donner, Statistics in Medicine 27, 2008; of two shares it is Newcombe's
    /// hybrid score interval, method 10 in Statistics in Medicine 17, 1998). `n` counts both samples.
    pub fn minus(&self, other: &Interval) -> Interval {
        let estimate = self.estimate - other.estimate;
        Interval {
            estimate,
            low: estimate - (self.estimate - self.low).hypot(other.high - other.estimate),
            high: estimate + (self.high - self.estimate).hypot(other.estimate - other.low),
            n: self.n + other.n,
        }
    }

    /// The mean of independent values with its normal interval.
    pub fn mean(values: &[f64]) -> Interval {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        Interval::normal(mean, (variance / n).sqrt(), values.len() as u64)
    }

    /// The normal interval of an estimate with this standard error.
    pub fn normal(estimate: f64, standard_error: f64, n: u64) -> Interval {
        let half = Z_95 * standard_error;
        Interval { estimate, low: estimate - half, high: estimate + half, n }
    }

    /// The interval of an increasing function of the estimate.
    pub fn map(&self, increasing: impl Fn(f64) -> f64) -> Interval {
        let &Interval { estimate, low, high, n } = self;
        Interval { estimate: increasing(estimate), low: increasing(low), high: increasing(high), n }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.estimate.is_infinite() {
            let (words, bound) = if self.estimate > 0.0 { ("at least ", self.low) } else { ("at most ", self.high) };
            f.write_str(words)?;
            return fmt::Display::fmt(&bound, f);
        }
        fmt::Display::fmt(&self.estimate, f)?;
        if self.low.is_infinite() && self.high.is_infinite() {
            return Ok(());
        }
        f.write_str(" [")?;
        fmt::Display::fmt(&self.low, f)?;
        f.write_str(", ")?;
        fmt::Display::fmt(&self.high, f)?;
        f.write_str("]")
    }
}

/// Variance of a game's points under the likeliest shares of win, draw and loss whose mean score is `score`.
///
/// With `d = 2 * score - 1` and loss share q, the shares are `q + d`, `1 - d - 2q`, `q`; the derivative of their
/// log-likelihood vanishes at the larger root of `2n q² + ((2n - w + l) d - w - l) q - l d (1 - d) = 0`.
fn points_variance([wins, draws, losses]: [f64; 3], score: f64) -> f64 {
    let (n, d) = (wins + draws + losses, 2.0 * score - 1.0);
    let (a, b, c) = (2.0 * n, (2.0 * n - wins + losses) * d - wins - losses, -losses * d * (1.0 - d));
    let loss = ((b * b - 4.0 * a * c).max(0.0).sqrt() - b) / (2.0 * a);
    ((2.0 * loss + d * (1.0 - d)) / 4.0).max(0.0)
}

/// The last point from `from`, which is inside, towards `to` that is still inside, by bisection.
fn edge(from: f64, to: f64, inside: impl Fn(f64) -> bool) -> f64 {
    if inside(to) {
        return to;
    }
    let (mut inner, mut outer) = (from, to);
    loop {
        let middle = f64::midpoint(inner, outer);
        if middle == inner || middle == outer {
            return inner;
        }
        *(if inside(middle) { &mut inner } else { &mut outer }) = middle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Standard deviation 1 of 1, 2, 3: standard error 1/√3.
    #[test]
    fn a_mean_by_hand() {
        let found = Interval::mean(&[1.0, 2.0, 3.0]);
        assert_eq!((found.estimate, found.n), (2.0, 3));
        assert!((found.high - 2.0 - 1.959964 / 3f64.sqrt()).abs() < 1e-6);
    }

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
    }

    /// Newcombe, Statistics in Medicine 17, 1998, table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    #[test]
    fn shares_match_the_published_table() {
        for (successes, n, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let share = Interval::share(successes, n).unwrap();
            close(share.low, low, 5e-5);
            close(share.high, high, 5e-5);
        }
        assert_eq!(Interval::share(0, 0), None);
        assert_eq!(Interval::share(7, 7).unwrap().high, 1.0);
    }

    /// `statsmodels.stats.proportion.proportion_confint(count, n, method="wilson")`, statsmodels 0.15.0.
    #[test]
    fn shares_match_statsmodels() {
        for (successes, n, low, high) in [
            (0, 7, 2.7755575615628914e-17, 0.3543304350666875),
            (3, 10, 0.10779126740630104, 0.6032218525388546),
            (81, 263, 0.2552885198782742, 0.36620957698280004),
            (5000, 9999, 0.4902515579156228, 0.5098484136778605),
        ] {
            let share = Interval::share(successes, n).unwrap();
            close(share.low, low, 1e-12);
            close(share.high, high, 1e-12);
        }
    }

    #[test]
    fn a_score_without_draws_is_a_share() {
        for (wins, losses) in [(0, 1), (1, 0), (3, 7), (50, 50), (0, 20), (999, 1)] {
            let (score, share) =
                (Interval::score(wins, 0, losses).unwrap(), Interval::share(wins, wins + losses).unwrap());
            close(score.low, share.low, 1e-12);
            close(score.high, share.high, 1e-12);
            assert_eq!((score.estimate, score.n), (share.estimate, share.n));
        }
        assert_eq!(Interval::score(0, 0, 0), None);
    }

    /// Airway data of Bentur and others (2009) in Fagerland, Lydersen and Laake, BMC Medical Research Methodology
    /// 14:144, 2014: 1 pair against 7 among 21, Tango's interval of the difference -0.517 to -0.026.
    #[test]
    fn scores_match_the_published_interval_of_a_paired_difference() {
        let score = Interval::score(1, 13, 7).unwrap();
        close(2.0 * score.low - 1.0, -0.517, 5e-4);
        close(2.0 * score.high - 1.0, -0.026, 5e-4);
    }

    #[test]
    fn a_score_mirrors_and_stays_within_its_range() {
        for (wins, draws, losses) in [(5, 3, 2), (0, 10, 0), (1, 30, 0), (0, 0, 4), (400, 5000, 380)] {
            let (one, other) =
                (Interval::score(wins, draws, losses).unwrap(), Interval::score(losses, draws, wins).unwrap());
            close(one.low, 1.0 - other.high, 1e-9);
            close(one.high, 1.0 - other.low, 1e-9);
            assert!(0.0 <= one.low && one.low <= one.estimate && one.estimate <= one.high && one.high <= 1.0);
        }
        assert!(Interval::score(0, 10, 0).unwrap().low < 0.5);
    }

    #[test]
    fn sign_and_precision_hold_for_all_three_numbers() {
        let interval = Interval { estimate: 147.24, low: -3.06, high: f64::INFINITY, n: 9 };
        assert_eq!(format!("{interval:+.1}"), "+147.2 [-3.1, +inf]");
        assert_eq!(format!("{:.0}", Interval::normal(10.0, 1.0, 4)), "10 [8, 12]");
        let unbounded = Interval { estimate: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY, n: 9 };
        assert_eq!(format!("{unbounded:.1}"), "0.0");
    }

    /// Newcombe, Statistics in Medicine 17, 1998 (the second paper), table II, method 10: 56/70 - 48/80, 9/10 - 3/10,
    /// 5/56 - 0/29.
    #[test]
    fn differences_match_the_published_table() {
        for (one, other, low, high) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((5, 56), (0, 29), -0.0381, 0.1926),
        ] {
            let share = |(successes, n)| Interval::share(successes, n).unwrap();
            let difference = share(one).minus(&share(other));
            close(difference.low, low, 5e-5);
            close(difference.high, high, 5e-5);
            assert_eq!(difference.n, one.1 + other.1);
        }
    }
}
