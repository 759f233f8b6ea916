//! A sample of kinds by how often each was seen, and what it says of the population behind it.

use std::collections::BTreeMap;

use rand::Rng;

use super::{Interval, Z_95};

/// A sample by how often kinds were seen: the number of kinds of each abundance.
#[derive(Clone, Debug, PartialEq)]
pub struct Abundances {
    pub n: u64,
    pub kinds_of: BTreeMap<u64, u64>,
}

impl Abundances {
    pub fn of(counts: impl IntoIterator<Item = u64>) -> Self {
        let mut kinds_of = BTreeMap::new();
        for count in counts.into_iter().filter(|&count| count > 0) {
            *kinds_of.entry(count).or_default() += 1;
        }
        Abundances { n: kinds_of.iter().map(|(count, kinds)| count * kinds).sum(), kinds_of }
    }

    pub fn kinds(&self) -> u64 {
        self.kinds_of.values().sum()
    }

    /// Kinds seen once, and seen twice.
    fn rare(&self) -> [f64; 2] {
        [1, 2].map(|count| self.kinds_of.get(&count).copied().unwrap_or(0) as f64)
    }

    /// The sum over kinds of a term of their abundance.
    fn sum(&self, term: impl Fn(f64) -> f64) -> f64 {
        self.kinds_of.iter().map(|(&count, &kinds)| kinds as f64 * term(count as f64)).sum()
    }

    /// Kinds that were not seen, at least, by Chao1.
    pub fn unseen(&self) -> f64 {
        let ([once, twice], n) = (self.rare(), self.n as f64);
        (n - 1.0) / n * if twice > 0.0 { once * once / (2.0 * twice) } else { once * (once - 1.0) / 2.0 }
    }

    /// `A` of Chao, Wang and Jost: the mean share of the kinds seen once, by the frequencies of frequencies of Good and
    /// Turing; 1 where nothing is left unseen.
    fn share_of_once(&self) -> f64 {
        let ([once, twice], n) = (self.rare(), self.n as f64);
        if twice > 0.0 {
            2.0 * twice / ((n - 1.0) * once + 2.0 * twice)
        } else if once > 0.0 {
            2.0 / ((n - 1.0) * (once - 1.0) + 2.0)
        } else {
            1.0
        }
    }

    /// Share of the population that the unseen kinds have.
    pub fn unseen_share(&self) -> f64 {
        self.rare()[0] / self.n as f64 * (1.0 - self.share_of_once())
    }

    /// Chao1 with the lower limit of its log-normal interval.
    pub fn richness(&self) -> Interval {
        let ([once, twice], n, kinds) = (self.rare(), self.n as f64, self.kinds() as f64);
        let (a, unseen) = ((n - 1.0) / n, self.unseen());
        let estimate = kinds + unseen;
        let variance = if twice > 0.0 {
            let ratio = once / twice;
            twice * (a / 2.0 * ratio.powi(2) + a * a * ratio.powi(3) + a * a / 4.0 * ratio.powi(4))
        } else {
            let whole = a * once * (once - 1.0) / 2.0 + a * a * once * (2.0 * once - 1.0).powi(2) / 4.0;
            whole - a * a * once.powi(4) / (4.0 * estimate)
        };
        let spread = (Z_95 * (variance.max(0.0) / unseen.powi(2)).ln_1p().sqrt()).exp();
        // Kinds are whole: a limit between two numbers is the lower one.
        let low = if unseen > 0.0 { (kinds + unseen / spread).floor() } else { kinds };
        Interval { estimate, low, high: f64::INFINITY, n: self.n }
    }

    /// Shannon's entropy of the population.
    pub fn entropy(&self) -> f64 {
        let n = self.n as f64;
        // Sums of 1/k from each abundance to n - 1, for rising abundances from behind.
        let (mut harmonic, mut next, mut seen) = (0.0, self.n, 0.0);
        for (&count, &kinds) in self.kinds_of.iter().rev() {
            harmonic += (count..next).rev().map(|k| 1.0 / k as f64).sum::<f64>();
            next = count;
            seen += kinds as f64 * count as f64 / n * harmonic;
        }
        let (once, a) = (self.rare()[0], self.share_of_once());
        if once == 0.0 || a >= 1.0 {
            return seen;
        }
        let rest = if n * a < 1.0 {
            let (mut power, mut sum) = (1.0, 0.0);
            for r in 1..self.n {
                power *= 1.0 - a;
                sum += power / r as f64;
            }
            (1.0 - a).powf(1.0 - n) * (-a.ln() - sum)
        } else {
            // The same as the series that is left of the logarithm's, since the difference would vanish in rounding.
            let (mut power, mut sum, mut r) = (1.0, 0.0, n);
            while power > 1e-18 {
                power *= 1.0 - a;
                sum += power / r;
                r += 1.0;
            }
            sum
        };
        seen + once / n * rest
    }

    /// One by the probability that two individuals agree.
    pub fn simpson(&self) -> Interval {
        let n = self.n as f64;
        if self.n < 2 {
            return Interval { estimate: f64::INFINITY, low: 1.0, high: f64::INFINITY, n: self.n };
        }
        let same = self.sum(|x| x * (x - 1.0)) / (n * (n - 1.0));
        let three =
            if self.n > 2 { self.sum(|x| x * (x - 1.0) * (x - 2.0)) / (n * (n - 1.0) * (n - 2.0)) } else { 0.0 };
        // The variance 4 (n - 2) (Σ p³ - λ²) + 2 λ (1 - λ), by n (n - 1), with Σ p³ - λ² taken to grow as λ² does.
        let excess = if same > 0.0 { (three / (same * same) - 1.0).max(0.0) } else { 0.0 };
        let k = Z_95 * Z_95 / (n * (n - 1.0));
        let (a, b, c) = (1.0 - k * (4.0 * (n - 2.0) * excess - 2.0), same + k, same * same);
        // Not above 0 only in samples that are too small to bound the probability from above.
        let (low, high) = if a > 0.0 {
            let root = (b * b - a * c).max(0.0).sqrt();
            (((b - root) / a).max(0.0), ((b + root) / a).min(1.0))
        } else {
            (c / (2.0 * b), 1.0)
        };
        // Rounding must not close an interval that ends at 0.
        let low = if same == 0.0 { 0.0 } else { low };
        Interval { estimate: 1.0 / same, low: 1.0 / high, high: 1.0 / low, n: self.n }
    }

    /// Orders 0, 1 and 2 of samples of `size` individuals without replacement, on average: `(Σ (k/m)ᵠ f(k))^(1/(1-q))`
    /// with the expected number f(k) of kinds seen k times among m.
    pub fn rarefied(&self, size: u64, factorials: &Factorials) -> [f64; 3] {
        let (n, m) = (self.n, size as f64);
        let (mut seen, mut entropy) = (0.0, 0.0);
        for (&count, &kinds) in &self.kinds_of {
            let kinds = kinds as f64;
            if size + count <= n {
                seen += kinds * -factorials.chance(n, count, size, 0).exp_m1();
            } else {
                seen += kinds;
            }
            for k in (size + count).saturating_sub(n).max(1)..=count.min(size) {
                let share = k as f64 / m;
                entropy -= kinds * share * share.ln() * factorials.chance(n, count, size, k).exp();
            }
        }
        let pairs = (n as f64 * (n as f64 - 1.0)).max(1.0);
        let same = 1.0 / m + (m - 1.0) / m * self.sum(|x| x * (x - 1.0)) / pairs;
        [seen, entropy.exp(), 1.0 / same]
    }
}

/// Logarithms of factorials.
pub struct Factorials(Vec<f64>);

impl Factorials {
    pub fn new(most: u64) -> Self {
        let mut sum = 0.0;
        let logs = (1..=most).map(|k| {
            sum += (k as f64).ln();
            sum
        });
        Factorials(std::iter::once(0.0).chain(logs).collect())
    }

    pub fn choose(&self, n: u64, k: u64) -> f64 {
        let [n, k, rest] = [n, k, n - k].map(|i| self.0[i as usize]);
        n - k - rest
    }

    /// The logarithm of the chance that k of `count` individuals are among m of n.
    fn chance(&self, n: u64, count: u64, m: u64, k: u64) -> f64 {
        self.choose(count, k) + self.choose(n - count, m - k) - self.choose(n, m)
    }
}

/// A population as the sample suggests it (Chao and others, Ecological Monographs 84, 2014, appendix G): the shares of
/// the kinds seen, lowered by what the unseen ones have, and as many of these as Chao1 says, equally common.
pub struct Population {
    /// Sums of the shares of the kinds seen.
    pub sums: Vec<f64>,
    pub unseen: u64,
}

impl Population {
    pub fn of(sample: &Abundances) -> Self {
        let n = sample.n as f64;
        let missed = |x: f64| (1.0 - x / n).powf(n);
        let (unseen, share) = (sample.unseen().ceil(), sample.unseen_share());
        let weight = sample.sum(|x| x / n * missed(x));
        let lowered = if unseen > 0.0 && weight > 0.0 { share / weight } else { 0.0 };
        let mut sums = Vec::with_capacity(sample.kinds() as usize);
        let mut sum = 0.0;
        for (&count, &kinds) in &sample.kinds_of {
            let count = count as f64;
            for _ in 0..kinds {
                sum += (count / n * (1.0 - lowered * missed(count))).max(0.0);
                sums.push(sum);
            }
        }
        Population { sums, unseen: unseen as u64 }
    }

    /// A sample of n.
    pub fn draw(&self, n: u64, rng: &mut impl Rng) -> Abundances {
        let seen = self.sums.len() as u64;
        let total = if self.unseen > 0 { 1.0 } else { self.sums[self.sums.len() - 1] };
        let mut drawn: Vec<u64> = (0..n)
            .map(|_| {
                let at = rng.random::<f64>() * total;
                match self.sums.partition_point(|&sum| sum <= at) as u64 {
                    kind if kind < seen => kind,
                    _ if self.unseen > 0 => seen + rng.random_range(0..self.unseen),
                    _ => seen - 1,
                }
            })
            .collect();
        drawn.sort_unstable();
        Abundances::of(drawn.chunk_by(|a, b| a == b).map(|kind| kind.len() as u64))
    }
}
