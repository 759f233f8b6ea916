//! The best of some numbers against the best of others, and what labels put on at random would make of it.

/// The best of the labelled numbers of a sample against the best of its others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestContrast {
    /// The best of the labelled less the best of the others.
    pub real: f64,
    /// The mean of that difference over all ways to put as many labels on the same numbers. It depends on how many
    /// numbers there are of each sort, and is far from 0 where these differ: the best of many is higher by chance.
    pub placebo: f64,
}

impl BestContrast {
    /// Of the labelled numbers and the others; none without one of each.
    ///
    /// `real - placebo` has mean 0 when labels say nothing about numbers (a permutation test: Pitman, Supplement to the
    /// Journal of the Royal Statistical Society 4, 1937). When labelled numbers are higher by a small amount, that
    /// amount is its mean: of equal numbers each is the best of its sort with the same chance, so that a small rise of
    /// any of them leaves the placebo's mean as it is.
    pub fn of(labelled: &[f64], others: &[f64]) -> Option<Self> {
        let best = |numbers: &[f64]| numbers.iter().copied().max_by(f64::total_cmp);
        let real = best(labelled)? - best(others)?;
        let mut falling = [labelled, others].concat();
        falling.sort_by(|a, b| b.total_cmp(a));
        let placebo = expected_best(&falling, labelled.len()) - expected_best(&falling, others.len());
        Some(BestContrast { real, placebo })
    }
}

/// The mean of the greatest of `size` numbers drawn without replacement from `falling`, which is sorted: the number at
/// place j, from 0, is the greatest of `C(n - 1 - j, size - 1)` of all `C(n, size)` draws.
fn expected_best(falling: &[f64], size: usize) -> f64 {
    let n = falling.len();
    let mut share = size as f64 / n as f64;
    let mut mean = 0.0;
    for (j, number) in falling.iter().enumerate().take(n + 1 - size) {
        mean += share * number;
        share *= (n - j - size) as f64 / (n - 1 - j).max(1) as f64;
    }
    mean
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    use super::{super::bootstrap::tests::weights, *};
    use crate::estimate::{Interval, Ratio, Weights};

    /// All subsets of five numbers, one by one.
    #[test]
    fn the_expected_best_is_the_mean_over_all_draws() {
        let falling = [0.9, 0.4, 0.3, -0.2, -0.7];
        for size in 1..=5 {
            let draws = (0_u32..32).filter(|draw| draw.count_ones() == size);
            let best: Vec<f64> = draws.map(|draw| falling[draw.trailing_zeros() as usize]).collect();
            let mean = best.iter().sum::<f64>() / best.len() as f64;
            assert!((expected_best(&falling, size as usize) - mean).abs() < 1e-12, "{size}");
        }
    }

    #[test]
    fn one_against_one_has_no_placebo_and_nothing_no_contrast() {
        let contrast = BestContrast::of(&[0.25], &[0.5]).unwrap();
        assert_eq!((contrast.real, contrast.placebo), (-0.25, 0.0));
        assert_eq!(BestContrast::of(&[], &[0.5]), None);
        assert_eq!(BestContrast::of(&[0.5], &[]), None);
    }

    /// How the simulated player acts.
    #[derive(Clone, Copy, Debug)]
    enum Choice {
        Best,
        Drawn,
        DrawnByTaste,
    }

    /// The estimates of one simulated data set.
    struct Estimates {
        /// Of chosen labelled actions, their value less the best of the others: `delta_q`.
        chosen: Option<Interval>,
        /// The same less its mean over labels, given how often each label would then be chosen.
        chosen_less_placebo: Option<Interval>,
        /// [`BestContrast`], real less placebo.
        contrast: Option<Interval>,
    }

    /// What is true of simulated games.
    #[derive(Clone, Copy, Debug)]
    struct Truth {
        /// Labelled actions are better by this.
        advantage: f64,
        /// Noise of the search's values of labelled actions; that of others is 0.05.
        noise: f64,
        choice: Choice,
    }

    /// Games of ten searched decisions. Each visits 3 to 8 actions, of which a third is labelled; values spread by 0.1
    /// times the game's own factor.
    fn simulate(rng: &mut ChaCha8Rng, games: &[Weights], truth: Truth) -> Estimates {
        let Truth { advantage, noise, choice } = truth;
        let mut ratios = std::array::from_fn::<Ratio, 4, _>(|_| Ratio::default());
        let normal = |rng: &mut ChaCha8Rng| -> f64 { StandardNormal.sample(rng) };
        for weights in games {
            let spread = 0.1 * rng.random_range(0.2..2.0);
            let mut sums = [(0.0, 0.0); 4];
            let mut add = |at: usize, value: f64, weight: f64| {
                sums[at] = (sums[at].0 + value * weight, sums[at].1 + weight);
            };
            for _ in 0..10 {
                let visited = rng.random_range(3..=8);
                let is_labelled: Vec<bool> = (0..visited).map(|_| rng.random_bool(1.0 / 3.0)).collect();
                let values: Vec<f64> = is_labelled
                    .iter()
                    .map(|is_labelled| {
                        let (better, noise) = if *is_labelled { (advantage, noise) } else { (0.0, 0.05) };
                        spread * normal(rng) + better + noise * normal(rng)
                    })
                    .collect();
                let of = |label: bool| -> Vec<f64> {
                    values.iter().zip(&is_labelled).filter(|(_, l)| **l == label).map(|(value, _)| *value).collect()
                };
                let (labelled, others) = (of(true), of(false));
                let Some(contrast) = BestContrast::of(&labelled, &others) else { continue };
                add(2, contrast.real, 1.0);
                add(3, contrast.placebo, 1.0);
                let chosen = match choice {
                    Choice::Best => (0..visited).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap(),
                    Choice::Drawn => rng.random_range(0..visited),
                    Choice::DrawnByTaste => loop {
                        let drawn = rng.random_range(0..visited);
                        if is_labelled[drawn] || rng.random_bool(1.0 / 3.0) {
                            break drawn;
                        }
                    },
                };
                let best_other = others.iter().copied().max_by(f64::total_cmp).unwrap();
                if is_labelled[chosen] {
                    add(0, values[chosen] - best_other, 1.0);
                }
                let mut rest: Vec<f64> = (0..visited).filter(|&i| i != chosen).map(|i| values[i]).collect();
                rest.sort_by(|a, b| b.total_cmp(a));
                let share = labelled.len() as f64 / visited as f64;
                add(1, values[chosen] - expected_best(&rest, others.len()), share);
            }
            for (ratio, (sum, n)) in ratios.iter_mut().zip(sums) {
                ratio.add(weights, sum, n);
            }
        }
        let [chosen, placebo, real, expected] = ratios;
        Estimates {
            chosen: chosen.interval(),
            chosen_less_placebo: chosen.minus(&placebo),
            contrast: real.minus(&expected),
        }
    }

    /// The mean estimate of simulated data sets, and the share of their intervals that hold the truth.
    struct Coverage {
        mean: f64,
        holds: f64,
    }

    fn coverage(sets: u64, games: u64, truth: Truth) -> [Coverage; 3] {
        let mut sums = [(0.0, 0.0); 3];
        for set in 0..sets {
            let mut rng = ChaCha8Rng::seed_from_u64(set);
            let weights: Vec<Weights> = (0..games).map(|game| weights(set * games + game)).collect();
            let Estimates { chosen, chosen_less_placebo, contrast } = simulate(&mut rng, &weights, truth);
            for (sum, interval) in sums.iter_mut().zip([chosen, chosen_less_placebo, contrast]) {
                let interval = interval.unwrap();
                let holds = interval.low <= truth.advantage && truth.advantage <= interval.high;
                *sum = (sum.0 + interval.estimate, sum.1 + f64::from(u8::from(holds)));
            }
        }
        sums.map(|(mean, holds)| Coverage { mean: mean / sets as f64, holds: holds / sets as f64 })
    }

    /// Labels that say nothing: real less placebo holds 0 in about 95% of data sets, whoever chooses and how; the mean
    /// over chosen actions does not.
    #[test]
    fn labels_that_say_nothing_gain_nothing() {
        for choice in [Choice::Best, Choice::Drawn] {
            let [chosen, _, contrast] = coverage(100, 60, Truth { advantage: 0.0, noise: 0.05, choice });
            assert!(contrast.holds >= 0.88, "{choice:?}: {}", contrast.holds);
            assert!(contrast.mean.abs() < 0.002, "{choice:?}: {}", contrast.mean);
            assert!(chosen.holds < 0.1, "{choice:?}: {}", chosen.holds);
        }
    }

    /// The table of docs/controls.md.
    #[test]
    #[ignore = "takes a minute"]
    fn placebo_coverage() {
        for choice in [Choice::Best, Choice::Drawn, Choice::DrawnByTaste] {
            for (advantage, noise) in [(0.0, 0.05), (0.01, 0.05), (0.03, 0.05), (0.1, 0.05), (0.0, 0.07)] {
                let cells = coverage(1000, 100, Truth { advantage, noise, choice });
                let cells = cells.map(|Coverage { mean, holds }| format!("{mean:+.4}, {:.1}%", 100.0 * holds));
                println!("{choice:?}, advantage {advantage}, noise {noise}: {}", cells.join(" | "));
            }
        }
    }
}
