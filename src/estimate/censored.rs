//! Times of which some are only known to be longer: the survival curve, its quantiles, the mean up to a limit.

use std::collections::BTreeMap;

use super::{Interval, Z_95};

/// Times to an end, some of them censored: the end came later than they were seen. Memory grows with the number of
/// different times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Times that ended, and that were censored, by time.
    by_time: BTreeMap<u64, [u64; 2]>,
}

/// The curve of Kaplan and Meier from a time on.
#[derive(Clone, Copy, Debug)]
struct Step {
    time: u64,
    survival: f64,
    /// Greenwood's sum `Σ d / (n (n - d))`, the relative variance.
    spread: f64,
}

impl Times {
    /// An end at `time`.
    pub fn end(&mut self, time: u64) {
        self.by_time.entry(time).or_default()[0] += 1;
    }

    /// Last seen at `time`, without an end; it was at risk there.
    pub fn censor(&mut self, time: u64) {
        self.by_time.entry(time).or_default()[1] += 1;
    }

    /// Adds other times.
    pub fn extend(&mut self, other: &Times) {
        for (&time, [ended, censored]) in &other.by_time {
            let here = self.by_time.entry(time).or_default();
            here[0] += ended;
            here[1] += censored;
        }
    }

    /// Number of times.
    pub fn n(&self) -> u64 {
        self.by_time.values().flatten().sum()
    }

    /// The first time at which one was censored, or the longest where none was: up to it every time is known.
    pub fn known_up_to(&self) -> Option<u64> {
        let censored = self.by_time.iter().find(|(_, [_, censored])| *censored > 0);
        censored.or(self.by_time.last_key_value()).map(|(&time, _)| time)
    }

    /// The longest time.
    pub fn longest(&self) -> Option<u64> {
        self.by_time.last_key_value().map(|(&time, _)| time)
    }

    /// The sum of the times, those beyond `limit` as `limit`.
    pub fn sum_up_to(&self, limit: u64) -> u64 {
        self.by_time.iter().map(|(&time, count)| time.min(limit) * count.iter().sum::<u64>()).sum()
    }

    /// Kaplan and Meier's curve (Journal of the American Statistical Association 53, 1958), a step for each time at which
    /// one ended; at one time, ends come before what is censored.
    fn steps(&self) -> Vec<Step> {
        let (mut at_risk, mut survival, mut spread) = (self.n() as f64, 1.0, 0.0);
        let mut steps = Vec::new();
        for (&time, &[ended, censored]) in &self.by_time {
            if ended > 0 {
                let ended = ended as f64;
                survival *= (at_risk - ended) / at_risk;
                spread += ended / (at_risk * (at_risk - ended));
                steps.push(Step { time, survival, spread });
            }
            at_risk -= (ended + censored) as f64;
        }
        steps
    }

    /// The time that `share` of all do not exceed. The interval has the times at which the curve's 95% interval on the
    /// scale of `log(-log S)` holds `1 - share` (Brookmeyer and Crowley, Biometrics 38, 1982). What lies beyond the last
    /// time that is known is infinite. `None` of nothing.
    ///
    /// # Panics
    /// When `share` is not between 0 and 1.
    pub fn quantile(&self, share: f64) -> Option<Interval> {
        assert!(0.0 < share && share < 1.0, "a quantile of {share}");
        // Products that are equal to the level but for rounding reach it.
        let level = 1.0 - share + 1e-12;
        let (mut estimate, mut low, mut high) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        for step in self.steps().iter().rev() {
            let time = step.time as f64;
            let [least, most] = step.bounds();
            for (end, value) in [(&mut estimate, step.survival), (&mut low, least), (&mut high, most)] {
                if value <= level {
                    *end = time;
                }
            }
        }
        Some(Interval { estimate, low, high, n: self.n() }).filter(|interval| interval.n > 0)
    }

    /// The mean of the times, those beyond `limit` taken as `limit`: the area under the curve up to there, with its
    /// large-sample normal interval (Klein and Moeschberger, Survival Analysis, 2nd edition, 2003, section 4.5). Where no
    /// time ended before the limit, the interval ends where as many had ended at once as Wilson's interval allows.
    /// `None` of nothing.
    pub fn restricted_mean(&self, limit: u64) -> Option<Interval> {
        let n = self.n();
        let none = Interval::share(0, n)?;
        let most = limit as f64;
        let (mut area, mut variance, mut end) = (0.0, 0.0, most);
        let steps = self.steps();
        let before: Vec<&Step> = steps.iter().filter(|step| step.time < limit).collect();
        for (at, step) in before.iter().enumerate().rev() {
            area += step.survival * (end - step.time as f64);
            end = step.time as f64;
            let spread = step.spread - at.checked_sub(1).map_or(0.0, |last| before[last].spread);
            // Behind the last end of all there is no area to be uncertain about.
            variance += if area > 0.0 { area * area * spread } else { 0.0 };
        }
        let estimate = area + end;
        if before.is_empty() {
            return Some(Interval { estimate, low: most * (1.0 - none.high), high: most, n });
        }
        let interval = Interval::normal(estimate, variance.sqrt(), n);
        Some(Interval { low: interval.low.max(0.0), high: interval.high.min(most), ..interval })
    }
}

impl Step {
    /// The 95% interval of the curve.
    fn bounds(&self) -> [f64; 2] {
        if self.survival <= 0.0 || self.survival >= 1.0 {
            return [self.survival; 2];
        }
        let factor = (Z_95 * self.spread.sqrt() / self.survival.ln().abs()).exp();
        [self.survival.powf(factor), self.survival.powf(1.0 / factor)]
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "found {found}, expected {expected}");
    }

    fn toy() -> Times {
        let mut times = Times::default();
        [6, 6, 6, 7, 10, 13, 16, 22, 23].into_iter().for_each(|time| times.end(time));
        [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].into_iter().for_each(|time| times.censor(time));
        times
    }

    /// `KaplanMeierFitter().fit(times, ended)` of lifelines 0.30: `percentile(1 - share)`, `qth_survival_times` of its
    /// `confidence_interval_`, and `restricted_mean_survival_time(fitter, t)`; the variance from its definition.
    #[test]
    fn agrees_with_lifelines() {
        let inf = f64::INFINITY;
        for (share, estimate, low, high) in [(0.2, 10.0, 6.0, 22.0), (0.4, 22.0, 7.0, inf), (0.5, 23.0, 13.0, inf)] {
            let quantile = toy().quantile(share).unwrap();
            assert_eq!((quantile.estimate, quantile.low, quantile.high, quantile.n), (estimate, low, high, 21));
        }
        for (limit, estimate, variance) in
            [(15, 12.916526610644254, 0.5921567656300358_f64), (30, 21.04649859943977, 5.034647197822025)]
        {
            let mean = toy().restricted_mean(limit).unwrap();
            close(mean.estimate, estimate);
            close(mean.low, estimate - Z_95 * variance.sqrt());
        }
    }

    /// Without censoring the restricted mean is a mean of numbers, with its variance.
    #[test]
    fn without_censoring_it_is_a_mean() {
        let mut times = Times::default();
        [2, 4, 4, 6, 9, 20].into_iter().for_each(|time| times.end(time));
        let mean = times.restricted_mean(10).unwrap();
        let numbers = [2.0, 4.0, 4.0, 6.0, 9.0, 10.0];
        let average = numbers.iter().sum::<f64>() / 6.0;
        let variance = numbers.iter().map(|x| (x - average).powi(2)).sum::<f64>() / 36.0;
        close(mean.estimate, average);
        close(mean.low, average - Z_95 * variance.sqrt());
        assert_eq!((times.known_up_to(), times.sum_up_to(10)), (Some(20), 35));
        assert_eq!(times.quantile(0.5).unwrap().estimate, 4.0, "half of them is reached at 4");
    }

    #[test]
    fn what_lies_beyond_the_limit_is_not_known() {
        assert_eq!(Times::default().quantile(0.5), None);
        assert_eq!(Times::default().restricted_mean(5), None);
        let mut times = Times::default();
        (0..10).for_each(|_| times.censor(40));
        let mean = times.restricted_mean(40).unwrap();
        assert!(mean.estimate == 40.0 && mean.high == 40.0 && (20.0..35.0).contains(&mean.low), "{mean:?}");
        assert!(times.quantile(0.5).unwrap().low.is_infinite());
        (0..3).for_each(|_| times.end(7));
        let tenth = times.quantile(0.1).unwrap();
        assert!(tenth.estimate == 7.0 && times.quantile(0.5).unwrap().estimate.is_infinite(), "{tenth:?}");
        assert_eq!(times.known_up_to(), Some(40));
    }

    /// Lengths of 60 games up to 100 plies, all alike, with a limit at 70: the median is 50, the mean up to 70 is 45.15.
    #[test]
    fn intervals_hold_the_truth() {
        let mut held = [0_u32; 2];
        for sample in 0..400 {
            let mut rng = ChaCha8Rng::seed_from_u64(sample);
            let mut times = Times::default();
            for _ in 0..60 {
                match rng.random_range(1..=100) {
                    time if time <= 70 => times.end(time),
                    _ => times.censor(70),
                }
            }
            let (median, mean) = (times.quantile(0.5).unwrap(), times.restricted_mean(70).unwrap());
            held[0] += u32::from(median.low <= 50.0 && 50.0 <= median.high);
            held[1] += u32::from(mean.low <= 45.85 && 45.85 <= mean.high);
        }
        assert!(held.iter().all(|held| (364..=396).contains(held)), "{held:?}");
    }
}
