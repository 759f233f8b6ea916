//! How many openings there are in effect, and how many a smaller sample would show.

use rand::Rng;

use super::{
    Interval, REPLICATES,
    abundance::{Abundances, Factorials, Population},
};

/// Hill numbers of the population that a sample was drawn from: how many equally common kinds would be as diverse (Hill,
/// Ecology 54, 1973; Jost, Oikos 113, 2006), `(Σ pᵠ)^(1/(1-q))` for order q over the shares p.
///
/// The shares of the sample itself make all three too small, since it misses rare kinds. These estimates allow for that
/// as far as a sample can; where most kinds were seen once, `coverage` is low and orders 0 and 1 are still too small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hill {
    /// Size of the sample.
    pub n: u64,
    /// Kinds seen.
    pub kinds: u64,
    /// Share of the population that the kinds seen have, estimated (Chao and Jost, Ecology 93, 2012).
    pub coverage: f64,
    /// Order 0, the number of kinds: Chao1, which estimates a lower bound of it (Chao, Scandinavian Journal of Statistics
    /// 11, 1984; Biometrics 43, 1987). Kinds may be as rare as they like, so nothing bounds their number from above.
    pub richness: Interval,
    /// Order 1: `exp(-Σ p ln p)`, the exponential of Shannon's entropy, in which each kind counts by its share, by the
    /// estimator of Chao, Wang and Jost (Methods in Ecology and Evolution 4, 2013). The interval is normal on the log
    /// scale, with the standard error of samples from a reconstructed population.
    pub shannon: Interval,
    /// Order 2: `1 / Σ p²`, one by the probability that two games agree, by the unbiased estimator of that probability;
    /// rare kinds hardly count. Infinite where no two did. The interval is the score interval with Simpson's exact
    /// variance (Nature 163, 1949).
    pub simpson: Interval,
    /// Size of the smaller samples to which the next numbers belong, at most `n`.
    pub size: u64,
    /// Orders 0, 1 and 2 that a sample of `size` shows on average: by them samples of different sizes compare (Chao and
    /// others, Ecological Monographs 84, 2014). Intervals are made as that of order 1.
    pub rarefied: [Interval; 3],
}

impl Hill {
    /// The numbers of a sample with so many individuals of each kind, and of samples of `size` individuals; `None` of
    /// nothing. `rng` draws the samples behind the intervals.
    pub fn of(counts: impl IntoIterator<Item = u64>, size: u64, rng: &mut impl Rng) -> Option<Hill> {
        let sample = Abundances::of(counts);
        let (n, kinds) = (sample.n, sample.kinds());
        if n == 0 {
            return None;
        }
        let size = size.clamp(1, n);
        let factorials = Factorials::new(n);
        let points = |sample: &Abundances| {
            let [zero, one, two] = sample.rarefied(size, &factorials);
            [sample.entropy(), zero.ln(), one.ln(), two.ln()]
        };
        let population = Population::of(&sample);
        let replicates: Vec<[f64; 4]> = (0..REPLICATES).map(|_| points(&population.draw(n, rng))).collect();
        let found = points(&sample);
        let interval = |i: usize| {
            let mean = replicates.iter().map(|r| r[i]).sum::<f64>() / REPLICATES as f64;
            let squares: f64 = replicates.iter().map(|r| (r[i] - mean).powi(2)).sum();
            Interval::normal(found[i], (squares / (REPLICATES - 1) as f64).sqrt(), n).map(f64::exp)
        };
        // A sample shows no more kinds than it has individuals.
        let shown = |i: usize| {
            let interval = interval(i);
            Interval { low: interval.low.max(1.0), high: interval.high.min(size as f64), ..interval }
        };
        Some(Hill {
            n,
            kinds,
            coverage: 1.0 - sample.unseen_share(),
            richness: sample.richness(),
            shannon: interval(0),
            simpson: sample.simpson(),
            size,
            rarefied: [shown(1), shown(2), shown(3)],
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn rng() -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(1)
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "found {found}, expected {expected}");
    }

    fn hill(counts: &[u64], size: u64) -> Hill {
        Hill::of(counts.iter().copied(), size, &mut rng()).unwrap()
    }

    /// The formulas of the papers, evaluated anew with sixty digits (mpmath 1.3): counts, size of the smaller samples;
    /// coverage, Chao1 and its lower limit rounded down, order 1, order 2 and the ends of its interval, found by bisection of its
    /// definition; then orders 0, 1 and 2 of the smaller samples, by exact hypergeometric chances.
    #[test]
    fn agrees_with_the_formulas_of_the_papers() {
        for (counts, size, expected) in EXPECTED {
            let hill = hill(counts, size);
            let simpson = hill.simpson;
            let found = [
                hill.coverage,
                hill.richness.estimate,
                hill.richness.low,
                hill.shannon.estimate,
                simpson.estimate,
                simpson.low,
                simpson.high,
                hill.rarefied[0].estimate,
                hill.rarefied[1].estimate,
                hill.rarefied[2].estimate,
            ];
            found.into_iter().zip(expected).for_each(|(found, expected)| close(found, expected));
        }
    }

    #[rustfmt::skip]
    const EXPECTED: [(&[u64], u64, [f64; 10]); 4] = [
        (&[120, 44, 31, 9, 3, 1, 1], 50, [
            0.9905217589428, 7.995215311005, 7.0, 3.306429569746, 2.530384167637,
            2.169581776491, 2.89231814977, 4.959353230611, 3.094259197927, 2.455235108868,
        ]),
        (&[25, 20, 18, 12, 9, 7, 4, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1], 40, [
            0.93742453794, 26.09309309309, 19.0, 11.18180211634, 7.847043701799,
            6.252394333693, 9.480438693614, 11.82417029647, 8.409646687587, 6.700139929212,
        ]),
        (&[12, 7, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 20, [
            0.6331045003814, 105.6052631579, 49.0, 23.0586378447, 7.247422680412,
            3.486378104021, 11.29548453292, 10.34882283436, 7.500685346303, 5.522388059701,
        ]),
        (&[60, 2, 2, 1], 32, [
            0.985520361991, 4.246153846154, 4.0, 1.463740745645, 1.17381489842,
            1.014111563672, 1.336062906755, 2.984615384615, 1.376025572191, 1.167473514348,
        ]),
    ];

    #[test]
    fn of_nothing_of_one_and_of_all_different() {
        assert_eq!(Hill::of([], 1, &mut rng()), None);
        assert_eq!(Hill::of([0, 0], 1, &mut rng()), None);
        let one = hill(&[1], 9);
        assert_eq!((one.n, one.kinds, one.size), (1, 1, 1));
        assert!(one.simpson.estimate.is_infinite() && one.simpson.low >= 1.0);
        let different = hill(&[1; 30], 10);
        assert!(different.simpson.estimate.is_infinite() && different.simpson.high.is_infinite());
        assert!((20.0..1000.0).contains(&different.simpson.low), "{different:?}");
        close(different.rarefied[0].estimate, 10.0);
        close(different.rarefied[1].estimate, 10.0);
        let same = hill(&[50], 10);
        close(same.shannon.estimate, 1.0);
        close(same.simpson.estimate, 1.0);
        assert!(same.simpson.high > 1.0, "other kinds may be rare: {same:?}");
    }

    /// The sample itself, where the smaller samples are as large.
    #[test]
    fn a_sample_of_its_own_size_is_the_sample() {
        let hill = hill(&[8, 4, 4], 16);
        close(hill.rarefied[0].estimate, 3.0);
        close(hill.rarefied[1].estimate, 8.0_f64.sqrt());
        close(hill.rarefied[2].estimate, 8.0 / 3.0);
    }

    #[test]
    fn the_order_of_kinds_does_not_matter() {
        assert_eq!(hill(&[1, 2, 3, 50], 20), hill(&[50, 3, 1, 2], 20));
    }

    /// Shares of kinds: a name, and what they are.
    fn populations() -> Vec<(&'static str, Vec<f64>)> {
        let normed = |shares: Vec<f64>| {
            let sum: f64 = shares.iter().sum();
            shares.into_iter().map(|share| share / sum).collect::<Vec<f64>>()
        };
        let kinds_of = |counts: &[(u64, usize)]| {
            counts.iter().flat_map(|&(games, kinds)| vec![games as f64; kinds]).collect::<Vec<f64>>()
        };
        let uniform = |kinds: usize| vec![1.0 / kinds as f64; kinds];
        let zipf = |kinds: usize| normed((1..=kinds).map(|k| 1.0 / k as f64).collect());
        vec![
            ("20 equal", uniform(20)),
            ("100 equal", uniform(100)),
            ("1000 equal", uniform(1000)),
            ("geometric, 0.8", normed((0..60).map(|k| 0.8_f64.powi(k)).collect())),
            ("Zipf, 100", zipf(100)),
            ("Zipf, 1000", zipf(1000)),
            ("one half and 500 equal", normed(std::iter::once(500.0).chain([1.0; 500]).collect())),
            ("2 plies of a run", normed(kinds_of(&REAL_2))),
            ("4 plies of a run", normed(kinds_of(&REAL_4))),
        ]
    }

    /// Kinds by the games that chose them: positions after 2 and 4 plies in 2304 games of a run of Shatara Arena.
    #[rustfmt::skip]
    const REAL_2: [(u64, usize); 40] = [
        (1, 75), (2, 74), (3, 43), (4, 24), (5, 28), (6, 20), (7, 9), (8, 14), (9, 8), (10, 3), (11, 3), (13, 4),
        (14, 1), (15, 1), (16, 1), (17, 1), (18, 2), (19, 1), (20, 2), (21, 1), (22, 1), (25, 1), (26, 1), (29, 1),
        (30, 1), (32, 1), (33, 2), (36, 1), (39, 2), (40, 1), (46, 1), (48, 1), (50, 1), (53, 1), (58, 2), (59, 1),
        (64, 1), (66, 1), (71, 1), (99, 1),
    ];
    #[rustfmt::skip]
    const REAL_4: [(u64, usize); 16] = [
        (1, 1459), (2, 146), (3, 44), (4, 27), (5, 10), (6, 2), (7, 4), (8, 3), (9, 5), (10, 3), (12, 1), (13, 2),
        (17, 1), (19, 1), (22, 1), (28, 1),
    ];

    /// How many of `samples` intervals hold the truth: orders 0 (its lower limit), 1 and 2, then those of samples of
    /// `size`.
    fn covered(shares: &[f64], n: u64, size: u64, samples: u64) -> [f64; 6] {
        let entropy: f64 = shares.iter().map(|p| -p * p.ln()).sum();
        let simpson = 1.0 / shares.iter().map(|p| p * p).sum::<f64>();
        let m = size as i32;
        let factorials = Factorials::new(size);
        let (mut seen, mut rare) = (0.0, 0.0);
        for &p in shares {
            seen += 1.0 - (1.0 - p).powi(m);
            for k in 1..=m {
                let chance =
                    factorials.choose(size, k as u64) + f64::from(k) * p.ln() + f64::from(m - k) * (-p).ln_1p();
                let share = f64::from(k) / f64::from(m);
                rare -= share * share.ln() * chance.exp();
            }
        }
        let agree = 1.0 / f64::from(m) + f64::from(m - 1) / f64::from(m) / simpson;
        let mut sum = 0.0;
        let sums = shares.iter().map(|p| {
            sum += p;
            sum
        });
        let population = Population { sums: sums.collect(), unseen: 0 };
        let mut covered = [0.0; 6];
        for sample in 0..samples {
            let mut rng = ChaCha8Rng::seed_from_u64(sample);
            let drawn = population.draw(n, &mut rng);
            let counts = drawn.kinds_of.iter().flat_map(|(&count, &kinds)| (0..kinds).map(move |_| count));
            let hill = Hill::of(counts, size, &mut rng).unwrap();
            let truths = [
                (hill.richness, shares.len() as f64),
                (hill.shannon, entropy.exp()),
                (hill.simpson, simpson),
                (hill.rarefied[0], seen),
                (hill.rarefied[1], rare.exp()),
                (hill.rarefied[2], 1.0 / agree),
            ];
            for (covered, (interval, truth)) in covered.iter_mut().zip(truths) {
                let holds = interval.low <= truth && truth <= interval.high;
                *covered += f64::from(u8::from(holds)) / samples as f64;
            }
        }
        covered
    }

    #[test]
    fn intervals_hold_the_truth() {
        for (name, shares) in populations() {
            // Of 1000 kinds 96 games show too few.
            let n = if shares.len() >= 500 { 256 } else { 96 };
            let covered = covered(&shares, n, 64, 60);
            let has_long_tail = name.contains("1000") || name.ends_with("of a run");
            let least = [0.85, if has_long_tail { 0.6 } else { 0.85 }, 0.85, 0.85, 0.85, 0.85];
            for (found, least) in covered.into_iter().zip(least) {
                assert!(found >= least, "{name}: {covered:?}");
            }
        }
    }

    /// Prints the table of docs/controls.md.
    #[test]
    #[ignore = "takes minutes"]
    fn diversity_coverage() {
        println!(
            "| population | games | order 0, lower limit | order 1 | order 2 | of 64 games: order 0 | order 1 | order 2 |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
        for (name, shares) in populations() {
            for n in [96, 256, 1000] {
                let covered = covered(&shares, n, 64, 500);
                let cells = covered.map(|share| format!("{:.1}", 100.0 * share));
                println!("| {name} | {n} | {} |", cells.join(" | "));
            }
        }
    }
}
