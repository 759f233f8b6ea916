//! What a choice changes, where it was drawn by chance with a known probability.

use super::{Interval, Ratio, Weights, Z_95};

/// A yes-or-no choice that was drawn with a known probability (the propensity), and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draw {
    /// Probability of yes when it was drawn, in (0, 1).
    pub propensity: f64,
    /// What was drawn.
    pub chosen: bool,
    /// What came of it.
    pub outcome: f64,
    /// What was expected before the draw; any number that does not depend on it. The nearer to the outcome, the
    /// narrower the interval.
    pub expected: f64,
}

/// The effect of a choice on an outcome: the mean of the outcome after yes less after no.
///
/// The estimate is `Σ (a - p)(y - m) / Σ p (1 - p)` with choice a, propensity p, outcome y and expectation m (Robins,
/// Mark and Newey, Biometrics 48, 1992). Since a was drawn with probability p whatever else was known, a - p has mean 0
/// given everything before the draw: nothing that leads to both choice and outcome can enter. It is the mean effect over
/// the draws with weights p (1 - p), the overlap weights of Li, Morgan and Zaslavsky (Journal of the American
/// Statistical Association 113, 2018). Draws of one game may depend on each other; the interval is a bootstrap over
/// games.
#[derive(Clone, Debug, Default)]
pub struct Effect(Ratio);

impl Effect {
    /// Adds the draws of one game.
    pub fn add(&mut self, weights: &Weights, draws: impl IntoIterator<Item = Draw>) {
        let mut sums = [0.0; 2];
        for Draw { propensity, chosen, outcome, expected } in draws {
            sums[0] += (f64::from(u8::from(chosen)) - propensity) * (outcome - expected);
            sums[1] += propensity * (1.0 - propensity);
        }
        self.0.add(weights, sums[0], sums[1]);
    }

    /// The effect, in units of the outcome; `n` counts games. `None` of no draw.
    pub fn interval(&self) -> Option<Interval> {
        self.0.interval()
    }
}

/// How often a choice was made, against how often its probabilities say: by probability, and in all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calibration([Drawn; BINS]);

/// Draws of similar probability.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drawn {
    pub draws: u64,
    pub chosen: u64,
    /// Sum of the probabilities: the choices expected.
    pub expected: f64,
    /// Sum of p (1 - p): the variance of their number.
    pub variance: f64,
}

const BINS: usize = 9;
/// Where the bins of probability end.
const ENDS: [f64; BINS] = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0];

impl Calibration {
    /// Counts a draw of probability `propensity`.
    pub fn add(&mut self, propensity: f64, chosen: bool) {
        let bin = ENDS.iter().position(|end| propensity < *end).unwrap_or(BINS - 1);
        let drawn = &mut self.0[bin];
        drawn.draws += 1;
        drawn.chosen += u64::from(chosen);
        drawn.expected += propensity;
        drawn.variance += propensity * (1.0 - propensity);
    }

    /// The bins that have draws, each with its range of probabilities.
    pub fn bins(&self) -> impl Iterator<Item = ([f64; 2], Drawn)> {
        let starts = [0.0].into_iter().chain(ENDS);
        starts.zip(ENDS).zip(self.0).filter(|(_, drawn)| drawn.draws > 0).map(|((a, b), drawn)| ([a, b], drawn))
    }

    /// All bins together.
    pub fn total(&self) -> Drawn {
        self.0.iter().fold(Drawn::default(), |sum, drawn| Drawn {
            draws: sum.draws + drawn.draws,
            chosen: sum.chosen + drawn.chosen,
            expected: sum.expected + drawn.expected,
            variance: sum.variance + drawn.variance,
        })
    }
}

impl Drawn {
    /// Share of the draws that were yes, with Wilson's interval.
    pub fn share(&self) -> Option<Interval> {
        Interval::share(self.chosen, self.draws)
    }

    /// Mean probability of yes.
    pub fn mean(&self) -> Option<f64> {
        (self.draws > 0).then(|| self.expected / self.draws as f64)
    }

    /// Choices made less choices expected, in standard deviations: a standard normal number where the probabilities are
    /// those of the draws. Draws of one game may depend on each other, their surprises do not.
    pub fn surprise(&self) -> Option<f64> {
        (self.variance > 0.0).then(|| (self.chosen as f64 - self.expected) / self.variance.sqrt())
    }

    /// Whether the choices agree with their probabilities at the 5% level.
    pub fn agrees(&self) -> bool {
        self.surprise().is_none_or(|surprise| surprise.abs() <= Z_95)
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::{super::bootstrap::tests::weights, *};

    const EFFECT: f64 = 0.06;

    /// Games of up to six draws. A side's advantage leads to the choice and to the result, so that those who choose it
    /// score more even without an effect; each choice adds `effect` to the chance of a win.
    fn simulated(rng: &mut ChaCha8Rng, effect: f64) -> Vec<Draw> {
        let advantage: f64 = rng.random_range(-1.0..1.0);
        let mut chance = 0.5 + 0.25 * advantage;
        let mut draws = Vec::new();
        for _ in 0..rng.random_range(0..=6) {
            let propensity = (0.3 + 0.25 * advantage + rng.random_range(-0.04..0.04)).clamp(0.01, 0.99);
            let chosen = rng.random_bool(propensity);
            let expected = 0.5 + 0.2 * advantage;
            chance += if chosen { effect * (1.0 - propensity) } else { -effect * propensity };
            draws.push(Draw { propensity, chosen, outcome: 0.0, expected });
        }
        let outcome = f64::from(u8::from(rng.random_bool(chance.clamp(0.0, 1.0))));
        draws.iter_mut().for_each(|draw| draw.outcome = outcome);
        draws
    }

    /// Share of `samples` simulated samples of `games` games whose interval holds the effect, the mean estimate, and the
    /// mean of the naive difference of means.
    fn coverage(samples: u64, games: u64, effect: f64) -> (f64, f64, f64) {
        let (mut held, mut sum, mut naive) = (0_u32, 0.0, 0.0);
        for sample in 0..samples {
            let mut rng = ChaCha8Rng::seed_from_u64(sample);
            let mut estimate = Effect::default();
            let mut means = [[0.0; 2]; 2];
            for game in 0..games {
                let draws = simulated(&mut rng, effect);
                for draw in &draws {
                    let mean = &mut means[usize::from(draw.chosen)];
                    *mean = [mean[0] + draw.outcome, mean[1] + 1.0];
                }
                estimate.add(&weights(sample * games + game), draws);
            }
            let found = estimate.interval().unwrap();
            held += u32::from(found.low <= effect && effect <= found.high);
            sum += found.estimate;
            naive += means[1][0] / means[1][1] - means[0][0] / means[0][1];
        }
        let samples = samples as f64;
        (f64::from(held) / samples, sum / samples, naive / samples)
    }

    /// 200 samples of 500 games, with an effect and without one. The naive difference of means is far off both times.
    #[test]
    fn the_interval_holds_the_effect_where_the_naive_difference_fails() {
        for effect in [0.0, EFFECT] {
            let (held, mean, naive) = coverage(200, 500, effect);
            assert!(held > 0.9, "{effect}: {held}");
            assert!((mean - effect).abs() < 0.01, "{effect}: {mean}");
            assert!(naive - effect > 0.05, "{effect}: {naive}");
        }
    }

    #[test]
    #[ignore = "prints the table of docs/controls.md"]
    fn effect_coverage() {
        println!("| games | effect | coverage | mean estimate | naive difference |\n| --- | --- | --- | --- | --- |");
        for games in [200, 1000, 4000] {
            for effect in [0.0, EFFECT] {
                let (held, mean, naive) = coverage(2000, games, effect);
                println!("| {games} | {effect} | {:.1}% | {mean:.4} | {naive:.4} |", 100.0 * held);
            }
        }
    }

    /// Share of `samples` samples whose interval holds the effect 0 of a choice of probability `propensity`, which is
    /// expected so often; one draw a game.
    fn coverage_of_a_rare_choice(samples: u64, propensity: f64, choices: f64) -> f64 {
        let games = (choices / propensity) as u64;
        let held = (0..samples).filter(|&sample| {
            let mut rng = ChaCha8Rng::seed_from_u64(sample);
            let mut estimate = Effect::default();
            for game in 0..games {
                let outcome = f64::from(rng.random_range(0..=2)) / 2.0;
                let draw = Draw { propensity, chosen: rng.random_bool(propensity), outcome, expected: 0.5 };
                estimate.add(&weights(sample * games + game), [draw]);
            }
            estimate.interval().is_some_and(|found| found.low <= 0.0 && found.high >= 0.0)
        });
        held.count() as f64 / samples as f64
    }

    #[test]
    #[ignore = "prints the table of docs/controls.md"]
    fn rare_choice_coverage() {
        println!("| expected choices | probability 0.02 | 0.1 |\n| --- | --- | --- |");
        for choices in [5.0, 12.0, 25.0, 50.0, 100.0] {
            let [rare, less_rare] = [0.02, 0.1].map(|p| 100.0 * coverage_of_a_rare_choice(1000, p, choices));
            println!("| {choices} | {rare:.1}% | {less_rare:.1}% |");
        }
    }

    #[test]
    fn a_choice_that_is_not_too_rare_is_covered() {
        let held = coverage_of_a_rare_choice(200, 0.1, 30.0);
        assert!(held > 0.88, "{held}");
    }

    #[test]
    fn calibration_finds_wrong_probabilities() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut right, mut wrong) = (Calibration::default(), Calibration::default());
        for _ in 0..5000 {
            let propensity: f64 = rng.random_range(0.0..0.6);
            right.add(propensity, rng.random_bool(propensity));
            wrong.add(propensity, rng.random_bool(propensity * 0.9));
        }
        assert!(right.total().agrees() && !wrong.total().agrees(), "{right:?} {wrong:?}");
        let bins: Vec<[f64; 2]> = right.bins().map(|(range, _)| range).collect();
        assert_eq!((bins.len(), bins[0], bins[6]), (7, [0.0, 0.02], [0.5, 0.7]));
        assert_eq!(right.bins().map(|(_, drawn)| drawn.draws).sum::<u64>(), 5000);
    }

    #[test]
    fn one_draw_by_hand() {
        let mut effect = Effect::default();
        effect.add(&weights(0), [Draw { propensity: 0.25, chosen: true, outcome: 1.0, expected: 0.5 }]);
        assert_eq!(effect.0.interval().map(|found| found.estimate), Some(0.75 * 0.5 / (0.25 * 0.75)));
        assert_eq!(Effect::default().interval(), None);
    }
}
