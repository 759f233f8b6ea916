//! The sequential test that stops a match once it is clear which of two Elo differences the games support.
//!
//! The generalised sequential probability ratio test on pairs of games: Wald's test (Sequential Tests of Statistical
//! Hypotheses, 1945) whose likelihoods are the largest that any distribution of pair scores with the given mean attains
//! (Van den Bergh, "A practical introduction to the GSPRT" and "Comments on normalized Elo", the mathematics behind
//! Stockfish's fishtest).

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{PairCounts, score_of_elo};

/// Weight given to an outcome that was never seen, so that every likelihood is positive; fishtest's value.
const UNSEEN: f64 = 1e-3;

/// The two hypotheses and how often each may be missed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// H0: the first player is this many Elo stronger (or less).
    pub elo0: f64,
    /// H1: the first player is this many Elo stronger (or more).
    pub elo1: f64,
    /// Probability of accepting H1 where H0 holds.
    pub alpha: f64,
    /// Probability of accepting H0 where H1 holds.
    pub beta: f64,
}

/// What the games so far say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The match goes on.
    Undecided,
    /// The first player is not `elo1` stronger.
    H0,
    /// The first player is more than `elo0` stronger.
    H1,
}

/// A test that cannot be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SprtError {
    #[error("sprt: expected finite elo0 below elo1, found {elo0} and {elo1}")]
    Hypotheses { elo0: f64, elo1: f64 },
    #[error("sprt.{name}: expected a probability above 0 and below 0.5, found {found}")]
    Probability { name: &'static str, found: f64 },
}

impl Sprt {
    /// # Errors
    /// Names the field that is out of range.
    pub fn validate(&self) -> Result<(), SprtError> {
        if !(self.elo0.is_finite() && self.elo1.is_finite() && self.elo0 < self.elo1) {
            return Err(SprtError::Hypotheses { elo0: self.elo0, elo1: self.elo1 });
        }
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Probability { name, found: value });
            }
        }
        Ok(())
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted: `ln(beta / (1 - alpha))` and `ln((1 - beta) /
    /// alpha)`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Log-likelihood ratio of H1 over H0.
    pub fn llr(&self, pairs: &PairCounts) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let (h0, h1) = (likeliest(&counts, score_of_elo(self.elo0)), likeliest(&counts, score_of_elo(self.elo1)));
        (0..5).map(|i| counts[i] * (h1[i] / h0[i]).ln()).sum()
    }

    pub fn verdict(&self, pairs: &PairCounts) -> Verdict {
        let (llr, (lower, upper)) = (self.llr(pairs), self.bounds());
        if llr <= lower {
            Verdict::H0
        } else if llr >= upper {
            Verdict::H1
        } else {
            Verdict::Undecided
        }
    }
}

/// The distribution over pair scores 0, 1/4, ... 1 with mean `mean` under which `counts` are likeliest.
///
/// With shares `p` it is `p[i] / (1 + t (a[i] - mean))`, where `t` solves `sum p[i] (a[i] - mean) / (1 + t (a[i] -
/// mean)) = 0`; that sum falls in `t` and changes sign once between the poles `-1 / (1 - mean)` and `1 / mean`.
fn likeliest(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    let total: f64 = counts.iter().sum();
    let away = |i: usize| i as f64 / 4.0 - mean;
    let slope = |t: f64| (0..5).map(|i| counts[i] * away(i) / (1.0 + t * away(i))).sum::<f64>();
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = (low + high) / 2.0;
    std::array::from_fn(|i| counts[i] / total / (1.0 + t * away(i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = USUAL.bounds();
        assert!((lower + 2.944_439).abs() < 1e-6 && (upper - 2.944_439).abs() < 1e-6);
    }

    #[test]
    fn likeliest_distribution_has_the_mean_and_sums_to_one() {
        for mean in [0.1, 0.5, 0.514, 0.97] {
            let shares = likeliest(&[3.0, 10.0, 40.0, 20.0, 1e-3], mean);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{mean}: {shares:?}");
            let found: f64 = shares.iter().enumerate().map(|(i, share)| share * i as f64 / 4.0).sum();
            assert!((found - mean).abs() < 1e-9, "{mean}: {shares:?}");
        }
    }

    /// With only won and lost pairs the distributions are Bernoulli, and the ratio is known in closed form.
    #[test]
    fn ratio_of_decided_pairs_is_the_binomial_one() {
        let (s0, s1) = (score_of_elo(USUAL.elo0), score_of_elo(USUAL.elo1));
        let by_hand = 600.0 * (s1 / s0).ln() + 500.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        let llr = USUAL.llr(&PairCounts([500, 0, 0, 0, 600]));
        assert!((llr - by_hand).abs() < 0.02, "{llr} {by_hand}");
    }

    /// Close to the hypotheses the ratio is the familiar approximation `n (s1 - s0) (2 mean - s0 - s1) / (2 variance)`.
    #[test]
    fn ratio_is_near_the_normal_approximation() {
        let pairs = PairCounts([300, 1900, 5300, 2150, 350]);
        let (mean, variance) = (0.508_75, 0.041_486);
        let (s0, s1) = (score_of_elo(USUAL.elo0), score_of_elo(USUAL.elo1));
        let normal = 10_000.0 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let llr = USUAL.llr(&pairs);
        assert!((llr - normal).abs() < 0.02 * normal.abs(), "{llr} {normal}");
    }

    #[test]
    fn verdicts() {
        assert_eq!(USUAL.verdict(&PairCounts::default()), Verdict::Undecided);
        assert_eq!(USUAL.verdict(&PairCounts([0, 0, 0, 0, 200])), Verdict::H1);
        assert_eq!(USUAL.verdict(&PairCounts([200, 0, 0, 0, 0])), Verdict::H0);
        assert_eq!(USUAL.verdict(&PairCounts([1, 1, 1, 1, 1])), Verdict::Undecided);
    }

    #[test]
    fn impossible_tests_are_named() {
        assert!(Sprt { elo1: -5.0, ..USUAL }.validate().unwrap_err().to_string().contains("elo0"));
        assert!(Sprt { beta: 0.0, ..USUAL }.validate().unwrap_err().to_string().contains("beta"));
        assert!(Sprt { elo0: f64::NAN, ..USUAL }.validate().is_err());
    }
}
