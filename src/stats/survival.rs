//! How long men live: the Kaplan-Meier estimate of survival over whole ages.

use super::interval::{Interval, Z_95};

/// Lifetimes in plies, counted by age: memory grows with the longest life, not with their number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lifetimes {
    /// What happened at each age, from 0.
    ages: Vec<Age>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Age {
    events: u64,
    censored: u64,
}

/// Survival from an age on, until the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurvivalStep {
    /// Plies.
    pub age: u32,
    /// Lives that reached the age, n(t).
    pub at_risk: u64,
    /// Lives that ended at it, d(t).
    pub events: u64,
    /// Lives that were last seen at it.
    pub censored: u64,
    /// Share that lives beyond the age, S(t); `n` counts all lives.
    pub survival: Interval,
}

/// An age that part of all lives exceeds, with its 95% interval; `None` is beyond what was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgeInterval {
    pub age: Option<u32>,
    pub low: Option<u32>,
    pub high: Option<u32>,
}

impl Lifetimes {
    /// A life that ended at `age`.
    pub fn event(&mut self, age: u32) {
        self.at(age).events += 1;
    }

    /// A life last seen at `age`, as when the game ended. It was at risk at that age: censored after the events of the same age.
    pub fn censor(&mut self, age: u32) {
        self.at(age).censored += 1;
    }

    /// Number of lives.
    pub fn n(&self) -> u64 {
        self.ages.iter().map(|age| age.events + age.censored).sum()
    }

    /// Survival by the product-limit estimate, `S(t) = Π (1 - d/n)` over ages up to t (Kaplan and Meier, Journal of the
    /// American Statistical Association 53, 1958), a step for each age at which a life ended or was lost from sight.
    ///
    /// The interval is the one that Greenwood's variance gives on the scale of `log(-log S)`, which keeps it in [0, 1]:
    /// `S^exp(±z σ / log S)` with `σ² = Σ d / (n (n - d))` (Kalbfleisch and Prentice, The Statistical Analysis of
    /// Failure Time Data, 1980). It has no width where S is 0 or 1.
    pub fn survival(&self) -> Vec<SurvivalStep> {
        let (n, mut at_risk, mut survival, mut variance) = (self.n(), self.n(), 1.0, 0.0);
        let mut steps = Vec::new();
        for (age, &Age { events, censored }) in self.ages.iter().enumerate() {
            if events + censored == 0 {
                continue;
            }
            let (risk, left) = (at_risk as f64, (at_risk - events) as f64);
            survival *= left / risk;
            if left > 0.0 {
                variance += events as f64 / (risk * left);
            }
            let (low, high) = log_log_interval(survival, variance.sqrt() / survival.ln().abs());
            let survival = Interval { estimate: survival, low, high, n };
            steps.push(SurvivalStep { age: age as u32, at_risk, events, censored, survival });
            at_risk -= events + censored;
        }
        steps
    }

    /// The median life: the first age beyond which at most half live; its interval is that of the ages at which half lies
    /// within the interval of survival (Brookmeyer and Crowley, Biometrics 38, 1982).
    pub fn median(&self) -> AgeInterval {
        // A product of fractions that is one half may come out a little above it.
        const HALF: f64 = 0.5 + 1e-12;
        let steps = self.survival();
        let first = |end: fn(&Interval) -> f64| steps.iter().find(|s| end(&s.survival) <= HALF).map(|s| s.age);
        AgeInterval { age: first(|s| s.estimate), low: first(|s| s.low), high: first(|s| s.high) }
    }

    fn at(&mut self, age: u32) -> &mut Age {
        let age = age as usize;
        if self.ages.len() <= age {
            self.ages.resize(age + 1, Age::default());
        }
        &mut self.ages[age]
    }
}

/// The 95% interval of a probability whose `log(-log)` has the standard error `error`.
pub(super) fn log_log_interval(probability: f64, error: f64) -> (f64, f64) {
    if probability <= 0.0 || probability >= 1.0 {
        return (probability, probability);
    }
    let factor = (Z_95 * error).exp();
    (probability.powf(factor), probability.powf(1.0 / factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weeks in remission under 6-mercaptopurine; those after `+` were still in it (Freireich and others, Blood 21, 1963).
    fn freireich() -> Lifetimes {
        let mut lives = Lifetimes::default();
        [6, 6, 6, 7, 10, 13, 16, 22, 23].into_iter().for_each(|weeks| lives.event(weeks));
        [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].into_iter().for_each(|weeks| lives.censor(weeks));
        lives
    }

    /// Survival as printed in textbooks: 0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448; median 23 weeks.
    #[test]
    fn remission_as_published() {
        let steps = freireich().survival();
        let deaths: Vec<(u32, u64, f64)> =
            steps.iter().filter(|s| s.events > 0).map(|s| (s.age, s.at_risk, s.survival.estimate)).collect();
        let expected = [
            (6, 21, 0.857),
            (7, 17, 0.807),
            (10, 15, 0.753),
            (13, 12, 0.690),
            (16, 11, 0.627),
            (22, 7, 0.538),
            (23, 6, 0.448),
        ];
        assert_eq!(deaths.len(), expected.len());
        for (found, expected) in deaths.iter().zip(expected) {
            assert_eq!((found.0, found.1), (expected.0, expected.1));
            assert!((found.2 - expected.2).abs() < 5e-4, "{found:?}");
        }
        assert_eq!(freireich().median().age, Some(23));
    }

    /// `KaplanMeierFitter().fit(weeks, event_observed)` of lifelines 0.30.3: `survival_function_` and `confidence_interval_`.
    #[test]
    fn remission_agrees_with_lifelines() {
        let expected = [
            (6, 0.857142857142857, 0.6197179552659838, 0.9515517476469969),
            (7, 0.8067226890756299, 0.5631465646222333, 0.9228090192028802),
            (9, 0.8067226890756299, 0.5631465646222333, 0.9228090192028802),
            (10, 0.7529411764705878, 0.5031995107999564, 0.8893618351692651),
            (11, 0.7529411764705878, 0.5031995107999564, 0.8893618351692651),
            (13, 0.6901960784313722, 0.4316102224861839, 0.8490659633494505),
            (16, 0.6274509803921566, 0.36751085598750194, 0.8049121894718411),
            (17, 0.6274509803921566, 0.36751085598750194, 0.8049121894718411),
            (19, 0.6274509803921566, 0.36751085598750194, 0.8049121894718411),
            (20, 0.6274509803921566, 0.36751085598750194, 0.8049121894718411),
            (22, 0.5378151260504199, 0.26777893676713493, 0.7467907176353943),
            (23, 0.44817927170868327, 0.18805200595923233, 0.6801426284952412),
            (25, 0.44817927170868327, 0.18805200595923233, 0.6801426284952412),
            (32, 0.44817927170868327, 0.18805200595923233, 0.6801426284952412),
            (34, 0.44817927170868327, 0.18805200595923233, 0.6801426284952412),
            (35, 0.44817927170868327, 0.18805200595923233, 0.6801426284952412),
        ];
        let steps = freireich().survival();
        assert_eq!(steps.len(), expected.len());
        for (step, (age, survival, low, high)) in steps.iter().zip(expected) {
            assert_eq!((step.age, step.survival.n), (age, 21));
            for (found, expected) in
                [(step.survival.estimate, survival), (step.survival.low, low), (step.survival.high, high)]
            {
                assert!((found - expected).abs() < 1e-9, "age {age}: {found}, expected {expected}");
            }
        }
        // lifelines.utils.median_survival_times of the function and of its interval.
        assert_eq!(freireich().median(), AgeInterval { age: Some(23), low: Some(13), high: None });
    }

    #[test]
    fn survival_ends_at_zero_when_all_are_seen_to_die_and_at_one_when_none_is() {
        let mut lives = Lifetimes::default();
        assert!(lives.survival().is_empty());
        lives.censor(0);
        let alone = lives.survival()[0].survival;
        assert_eq!((alone.estimate, alone.low, alone.high), (1.0, 1.0, 1.0));
        assert_eq!(lives.median(), AgeInterval { age: None, low: None, high: None });
        let mut lives = Lifetimes::default();
        (0..4).for_each(|age| lives.event(age));
        let steps = lives.survival();
        assert_eq!(steps.last().map(|s| (s.survival.estimate, s.at_risk)), Some((0.0, 1)));
        assert_eq!(lives.median().age, Some(1));
    }
}
