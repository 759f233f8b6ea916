//! One number of every run: its intervals inside of the run, and what runs say of each other.

use std::ops::RangeInclusive;

use crate::{
    estimate::{Interval, Ratio, mean_of_few},
    page::{Kind, Phrase},
    stats::{Bands, weights_of_generation},
};

/// One number of every run.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// In `snake_case`.
    pub name: String,
    pub title: Phrase,
    pub kind: Kind,
    /// In the order of the runs.
    pub runs: Vec<OfRun>,
}

/// The number of one run.
#[derive(Clone, Debug)]
pub struct OfRun {
    /// Seed of the run, and its place among the runs.
    pub seed: u64,
    pub number: u64,
    /// Whether it is a share or a score, in [0, 1].
    pub is_share: bool,
    /// The interval that takes games as independent; both sides of a game are one. None of nothing.
    pub over_games: Option<Interval>,
    /// Numerator and denominator of each generation; the number is the ratio of their sums.
    pub generations: Vec<(u64, [f64; 2])>,
}

/// What runs say together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// The mean of the runs with Student's t interval; of shares, within [0, 1].
    pub mean: Interval,
    /// The standard deviation between runs.
    pub deviation: f64,
    /// The width of that interval by the mean width of the runs' intervals over games; infinite where these have none.
    pub wider: f64,
}

impl OfRun {
    /// The number with its interval by the bootstrap over generations: games of one generation come of one network and are
    /// more alike than those of two.
    pub fn over_generations(&self) -> Option<Interval> {
        let ratio = self.ratio(&(0..=u64::MAX));
        if self.is_share { ratio.share() } else { ratio.interval() }
    }

    /// The number in the last band less that in the first, likewise.
    pub fn change(&self, bands: &Bands) -> Option<Interval> {
        let last = bands.len().checked_sub(1).filter(|&last| last > 0)?;
        let [last, first] = [last, 0].map(|band| self.ratio(&bands.range(band)));
        if self.is_share {
            let (last, first) = (last.share()?, first.share()?);
            if [last, first].iter().any(|share| share.estimate <= 0.0 || share.estimate >= 1.0) {
                return Some(last.minus(&first));
            }
        }
        last.minus(&first)
    }

    /// The number in one band; none where the band has nothing of it.
    pub fn in_band(&self, bands: &Bands, band: usize) -> Option<f64> {
        self.ratio(&bands.range(band)).interval().map(|interval| interval.estimate)
    }

    /// The sums over some generations, with a weight for each generation.
    fn ratio(&self, generations: &RangeInclusive<u64>) -> Ratio {
        let mut ratio = Ratio::default();
        for &(generation, [numerator, denominator]) in &self.generations {
            if generations.contains(&generation) {
                ratio.add(&weights_of_generation(self.seed, self.number, generation), numerator, denominator);
            }
        }
        ratio
    }
}

impl Quantity {
    /// What the runs say together; none where fewer than two have the number, or all have the same.
    pub fn between(&self) -> Option<Between> {
        let known: Vec<Interval> = self.runs.iter().filter_map(|run| run.over_games).collect();
        let numbers: Vec<f64> = known.iter().map(|interval| interval.estimate).collect();
        let (mean, deviation) = mean_of_few(&numbers)?;
        let widths: Vec<f64> =
            known.iter().map(|interval| interval.high - interval.low).filter(|width| width.is_finite()).collect();
        let width = widths.iter().sum::<f64>() / widths.len().max(1) as f64;
        let mean = match self.runs[0].is_share {
            true => Interval { low: mean.low.max(0.0), high: mean.high.min(1.0), ..mean },
            false => mean,
        };
        Some(Between { mean, deviation, wider: (mean.high - mean.low) / width })
    }

    /// The mean over runs of how the number changed from the first band to the last.
    pub fn mean_change(&self, bands: &Bands) -> Option<Interval> {
        let changes: Vec<f64> =
            self.runs.iter().filter_map(|run| run.change(bands)).map(|change| change.estimate).collect();
        mean_of_few(&changes).map(|(mean, _)| mean)
    }

    /// The generations that every run has.
    pub fn common_generations(&self) -> Option<RangeInclusive<u64>> {
        let (mut first, mut last) = (0, u64::MAX);
        for run in &self.runs {
            first = first.max(run.generations.first()?.0);
            last = last.min(run.generations.last()?.0);
        }
        (first <= last).then_some(first..=last)
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rand_distr::StandardNormal;

    use super::*;
    use crate::estimate::Weights;

    /// A number that is 0 on average over all runs; a run, a generation and a game each add a normal number. Gives it with
    /// the runs' own means.
    fn simulated(sample: u64, runs: u64, spread: [f64; 3]) -> (Quantity, Vec<f64>) {
        let mut rng = ChaCha8Rng::seed_from_u64(sample);
        let mut means = Vec::new();
        let runs = (0..runs).map(|number| {
            let mean = spread[0] * rng.sample::<f64, _>(StandardNormal);
            means.push(mean);
            let mut games = Ratio::default();
            let generations = (0..16).map(|generation| {
                let here = mean + spread[1] * rng.sample::<f64, _>(StandardNormal);
                let mut sums = [0.0; 2];
                for _ in 0..8 {
                    let value = here + spread[2] * rng.sample::<f64, _>(StandardNormal);
                    games.add(&Weights::draw(&mut rng), value, 1.0);
                    sums = [sums[0] + value, sums[1] + 1.0];
                }
                (generation, sums)
            });
            let generations = generations.collect();
            OfRun { seed: sample, number, is_share: false, over_games: games.interval(), generations }
        });
        let runs = runs.collect();
        let quantity = Quantity {
            name: "simulated".to_owned(),
            title: Phrase::default(),
            kind: Kind::Number { decimals: 2 },
            runs,
        };
        (quantity, means)
    }

    fn holds(interval: Option<Interval>, truth: f64) -> u32 {
        interval.map_or(0, |interval| u32::from(interval.low <= truth && truth <= interval.high))
    }

    #[test]
    fn intervals_over_runs_hold_what_intervals_over_games_miss() {
        let (mut over_runs, mut over_games, mut own_games, mut own_generations) = (0, 0, 0, 0);
        for sample in 0..200 {
            let (quantity, means) = simulated(sample, 4, [1.0, 0.7, 1.0]);
            over_runs += holds(quantity.between().map(|between| between.mean), 0.0);
            let run = &quantity.runs[0];
            over_games += holds(run.over_games, 0.0);
            own_games += holds(run.over_games, means[0]);
            own_generations += holds(run.over_generations(), means[0]);
        }
        // Of 200 samples 190 are expected, with a standard deviation of 3.
        assert!((180..=199).contains(&over_runs), "{over_runs}");
        assert!(over_games < 60, "{over_games}");
        assert!((172..=199).contains(&own_generations) && own_games < 150, "{own_generations} {own_games}");
    }

    #[test]
    fn without_differences_between_runs_the_widths_say_so() {
        let (quantity, _) = simulated(3, 12, [0.0, 0.0, 1.0]);
        let between = quantity.between().unwrap();
        // Twelve runs make a mean that is √12 times as certain as one run.
        assert!((0.1..0.6).contains(&between.wider), "{between:?}");
        assert_eq!(simulated(3, 1, [1.0, 0.0, 1.0]).0.between(), None);
    }

    #[test]
    fn changes_are_of_the_generations_that_all_runs_have() {
        let mut quantity = simulated(5, 3, [1.0, 0.0, 0.01]).0;
        for run in &mut quantity.runs {
            run.generations.iter_mut().for_each(|(generation, sums)| sums[0] += 2.0 * (*generation as f64) * sums[1]);
        }
        quantity.runs[1].generations.truncate(8);
        let common = quantity.common_generations().unwrap();
        assert_eq!(common, 0..=7);
        let bands = Bands::new(common, 4);
        let change = quantity.mean_change(&bands).unwrap();
        // Generations 6 and 7 less 0 and 1.
        assert!((change.estimate - 12.0).abs() < 0.05 && change.high - change.low < 0.2, "{change:?}");
        assert_eq!(quantity.runs[0].change(&Bands::new(0..=7, 1)), None);
    }
}
