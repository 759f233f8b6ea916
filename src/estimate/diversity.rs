//! How many openings there are in effect.

use super::Interval;

/// Hill numbers of a sample: how many equally common kinds would be as diverse (Hill, Ecology 54, 1973; Jost, Oikos
/// 113, 2006), `(Σ pᵠ)^(1/(1-q))` for order q over the observed shares p.
///
/// They describe the sample. Rare kinds that it missed are missing here too, so that all three grow with its size, the
/// one of order 0 most: compare samples of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hill {
    /// Order 0: kinds seen.
    pub kinds: u64,
    /// Order 1: `exp(-Σ p ln p)`, the exponential of Shannon's entropy, in which each kind counts by its share.
    ///
    /// The interval is `exp(H ± z √V)` with the entropy's large-sample variance `V = (Σ p ln² p - H²) / n`
    /// (Basharin, Theory of Probability and its Applications 4, 1959).
    pub shannon: Interval,
    /// Order 2: `1 / Σ p²`, one by the probability that two games drawn with replacement agree; rare kinds hardly
    /// count.
    ///
    /// The interval is `exp(ln D ± z √V / λ)` with `λ = Σ p²` and its large-sample variance `V = 4 (Σ p³ - λ²) / n`
    /// (Simpson, Nature 163, 1949).
    pub simpson: Interval,
}

impl Hill {
    /// The numbers of a sample with so many individuals of each kind; `None` of nothing. Large-sample intervals have no
    /// width where all kinds are equally common.
    pub fn of(counts: impl IntoIterator<Item = u64>) -> Option<Hill> {
        // In rising order, so that rounding does not depend on the order of kinds.
        let mut counts: Vec<u64> = counts.into_iter().filter(|&count| count > 0).collect();
        counts.sort_unstable();
        let n: u64 = counts.iter().sum();
        let total = |term: fn(f64) -> f64| counts.iter().map(|&count| term(count as f64 / n as f64)).sum::<f64>();
        (n > 0).then(|| {
            let entropy = -total(|p| p * p.ln());
            let entropy_variance = (total(|p| p * p.ln().powi(2)) - entropy * entropy) / n as f64;
            let same = total(|p| p * p);
            let same_variance = 4.0 * (total(|p| p.powi(3)) - same * same) / n as f64;
            Hill {
                kinds: counts.len() as u64,
                shannon: on_log_scale(entropy, entropy_variance, n),
                simpson: on_log_scale(-same.ln(), same_variance / (same * same), n),
            }
        })
    }
}

/// `exp(log)` with the interval that the variance of `log` gives.
fn on_log_scale(log: f64, variance: f64, n: u64) -> Interval {
    // Rounding may put a variance of 0 below it.
    Interval::normal(log, variance.max(0.0).sqrt(), n).map(f64::exp)
}

#[cfg(test)]
mod tests {
    use super::{super::Z_95, *};

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "found {found}, expected {expected}");
    }

    #[test]
    fn equal_shares_count_as_many_kinds_as_there_are() {
        let hill = Hill::of([25; 4]).unwrap();
        assert_eq!(hill.kinds, 4);
        for number in [hill.shannon, hill.simpson] {
            close(number.estimate, 4.0);
            close(number.low, 4.0);
            assert_eq!(number.n, 100);
        }
        assert_eq!(Hill::of([]), None);
        assert_eq!(Hill::of([0, 0]), None);
        close(Hill::of([9]).unwrap().shannon.estimate, 1.0);
    }

    /// By hand: of shares 1/2, 1/4, 1/4 the entropy is 1.5 ln 2 and Σ p² is 3/8; the variances are (ln 2)² / 4 / n and
    /// 4 (5/32 - 9/64) / n = 1/16 / n.
    #[test]
    fn by_hand() {
        let hill = Hill::of([8, 0, 4, 4]).unwrap();
        assert_eq!(hill.kinds, 3);
        close(hill.shannon.estimate, 8.0_f64.sqrt());
        close(hill.shannon.high, (1.5 * 2.0_f64.ln() + Z_95 * 2.0_f64.ln() / 2.0 / 4.0).exp());
        close(hill.simpson.estimate, 8.0 / 3.0);
        close(hill.simpson.low, 8.0 / 3.0 * (-Z_95 * 0.25 / 4.0 / 0.375_f64).exp());
    }

    /// `numpy.exp(scipy.stats.entropy(counts))` and `1 / ((counts / counts.sum())**2).sum()`.
    #[test]
    fn agrees_with_scipy() {
        let hill = Hill::of([120, 44, 31, 9, 3, 1, 1]).unwrap();
        close(hill.shannon.estimate, 3.2450455863707197);
        close(hill.simpson.estimate, 2.511990338719881);
    }
}
