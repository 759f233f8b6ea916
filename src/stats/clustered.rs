//! Curves of waiting times whose interval knows that those of one game belong together.

use super::{Interval, REPLICATES, Waits, Weights, bootstrap::percentiles};

/// Longest time that is told apart; who waits longer is last seen there. Bounds memory: a time takes 2.4 KB.
const LONGEST: u32 = 600;

/// Waits of many men of a game, counted once for each replicate of the bootstrap over games.
#[derive(Clone, Debug, Default)]
pub struct ClusteredWaits {
    waits: Waits,
    /// By time, then end.
    replicates: Vec<[[f32; REPLICATES]; 3]>,
}

/// How a wait ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With the event.
    Event,
    /// With what forestalls it.
    Competing,
    /// It was last seen then.
    Censored,
}

/// A curve from a time on, until the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredStep {
    pub time: u32,
    /// Waits that reached the time.
    pub at_risk: u64,
    pub events: u64,
    pub competing: u64,
    pub censored: u64,
    /// Share that met the event by then, by Aalen and Johansen; the 2.5th and 97.5th percentile of the replicates. `n` counts waits.
    pub incidence: Interval,
}

impl ClusteredStep {
    /// The share that did not meet the event; without competing ends this is Kaplan and Meier's survival.
    pub fn survival(&self) -> Interval {
        let Interval { estimate, low, high, n } = self.incidence;
        Interval { estimate: 1.0 - estimate, low: 1.0 - high, high: 1.0 - low, n }
    }
}

impl ClusteredWaits {
    /// Adds a wait of a game with these weights.
    pub fn add(&mut self, weights: &Weights, time: u32, end: End) {
        let (time, end) = if time > LONGEST { (LONGEST, End::Censored) } else { (time, end) };
        match end {
            End::Event => self.waits.event(time),
            End::Competing => self.waits.compete(time),
            End::Censored => self.waits.censor(time),
        }
        let times = self.replicates.len().max(time as usize + 1);
        self.replicates.resize(times, [[0.0; REPLICATES]; 3]);
        let counts = &mut self.replicates[time as usize][end as usize];
        counts.iter_mut().zip(weights.counts()).for_each(|(count, weight)| *count += *weight as f32);
    }

    /// Number of waits.
    pub fn n(&self) -> u64 {
        self.waits.n()
    }

    /// A step for each time at which a wait ended.
    pub fn steps(&self) -> Vec<ClusteredStep> {
        let curves: Vec<Vec<f64>> = (0..REPLICATES).map(|replicate| self.curve(replicate)).collect();
        let steps = self.waits.incidence().into_iter().map(|step| {
            let estimate = step.incidence.estimate;
            let values = curves.iter().map(|curve| curve[step.ply as usize]);
            let interval = percentiles(estimate, values, step.incidence.n);
            let incidence = interval.unwrap_or(Interval { low: estimate, high: estimate, ..step.incidence });
            let (events, competing, censored) = (step.events, step.competing, step.censored);
            ClusteredStep { time: step.ply, at_risk: step.at_risk, events, competing, censored, incidence }
        });
        steps.collect()
    }

    /// The cumulative incidence of one replicate at every time; not a number when it drew no game.
    fn curve(&self, replicate: usize) -> Vec<f64> {
        let count = |time: &[[f32; REPLICATES]; 3], end: usize| f64::from(time[end][replicate]);
        let mut at_risk: f64 = self.replicates.iter().map(|time| (0..3).map(|end| count(time, end)).sum::<f64>()).sum();
        let (mut free, mut incidence) = (1.0, if at_risk > 0.0 { 0.0 } else { f64::NAN });
        let mut curve = Vec::with_capacity(self.replicates.len());
        for time in &self.replicates {
            let [events, competing, censored] = [0, 1, 2].map(|end| count(time, end));
            if at_risk > 0.0 {
                incidence += free * events / at_risk;
                free *= 1.0 - (events + competing) / at_risk;
            }
            curve.push(incidence);
            at_risk -= events + competing + censored;
        }
        curve
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Men of one game share its fate here, so that games count, not men: 300 games of one man or of eight give the same interval.
    #[test]
    fn men_of_one_game_add_nothing_to_what_it_says() {
        let curve = |men: usize| {
            let mut waits = ClusteredWaits::default();
            for game in 0..300_u64 {
                let weights = Weights::of_game(5, 0, game);
                let end = if game % 3 == 0 { End::Event } else { End::Censored };
                (0..men).for_each(|_| waits.add(&weights, 4 + (game % 5) as u32, end));
            }
            waits.steps()
        };
        let (one, eight) = (curve(1), curve(8));
        for (one, eight) in one.iter().zip(&eight) {
            assert!((one.incidence.estimate - eight.incidence.estimate).abs() < 1e-12);
            assert!((one.incidence.low - eight.incidence.low).abs() < 1e-6);
            assert!((one.incidence.high - eight.incidence.high).abs() < 1e-6);
            assert!(one.incidence.low < one.incidence.estimate && one.incidence.estimate < one.incidence.high);
        }
        assert_eq!((one.len(), eight[0].at_risk, eight[0].incidence.n), (5, 2400, 2400));
    }

    /// Where waits are independent the bootstrap agrees with the delta method within its own chance.
    #[test]
    fn independent_waits_have_the_interval_of_theory() {
        let (mut clustered, mut waits) = (ClusteredWaits::default(), Waits::default());
        for game in 0..2000_u64 {
            let time = (game * 7 % 23) as u32;
            match game % 4 {
                0 | 1 => (waits.event(time), clustered.add(&Weights::of_game(9, 0, game), time, End::Event)),
                2 => (waits.compete(time), clustered.add(&Weights::of_game(9, 0, game), time, End::Competing)),
                _ => (waits.censor(time), clustered.add(&Weights::of_game(9, 0, game), time, End::Censored)),
            };
        }
        for (clustered, step) in clustered.steps().iter().zip(waits.incidence()) {
            assert_eq!(clustered.incidence.estimate, step.incidence.estimate);
            let ratio =
                (clustered.incidence.high - clustered.incidence.low) / (step.incidence.high - step.incidence.low);
            assert!((0.75..1.3).contains(&ratio), "at {}: {ratio}", step.ply);
        }
    }

    #[test]
    fn endless_waits_are_bounded() {
        let mut waits = ClusteredWaits::default();
        waits.add(&Weights::of_game(1, 0, 0), u32::MAX, End::Event);
        assert_eq!(waits.replicates.len(), LONGEST as usize + 1);
        assert_eq!(waits.steps()[0].events, 0);
    }
}
