//! Curves of waiting times whose interval knows that those of one game belong together.

use super::{Interval, REPLICATES, Waits, Weights, bootstrap::percentiles};

/// Longest time that is counted by itself; what waits longer is last seen there. Bounds memory: a time takes 2.4 KB.
const LONGEST: u32 = 600;

/// Waits of many pieces of a game, counted once for each replicate of the bootstrap over games.
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
    /// Share that met the event by then, by Aalen and Johansen; the 2.5th and 97.5th percentile of the replicates. `n`
    /// counts waits.
    pub incidence: Interval,
}

impl ClusteredStep {
    /// The share that did not meet the event; without competing ends this is the survival of Kaplan and Meier (Journal
    /// of the American Statistical Association 53, 1958).
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
    use super::{super::bootstrap::tests::weights, *};

    /// Pieces of one game share its fate here, so that games count, not pieces: 300 games of one piece or of eight give
    /// the same interval.
    #[test]
    fn pieces_of_one_game_add_nothing_to_what_it_says() {
        let curve = |pieces: usize| {
            let mut waits = ClusteredWaits::default();
            for game in 0..300_u64 {
                let weights = weights(game);
                let end = if game % 3 == 0 { End::Event } else { End::Censored };
                (0..pieces).for_each(|_| waits.add(&weights, 4 + (game % 5) as u32, end));
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
                0 | 1 => (waits.event(time), clustered.add(&weights(game), time, End::Event)),
                2 => (waits.compete(time), clustered.add(&weights(game), time, End::Competing)),
                _ => (waits.censor(time), clustered.add(&weights(game), time, End::Censored)),
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
        waits.add(&weights(0), u32::MAX, End::Event);
        assert_eq!(waits.replicates.len(), LONGEST as usize + 1);
        assert_eq!(waits.steps()[0].events, 0);
    }

    /// Weeks in remission under 6-mercaptopurine; those after `+` were still in it (Freireich and others, Blood 21,
    /// 1963).
    fn freireich() -> ClusteredWaits {
        let mut waits = ClusteredWaits::default();
        let ended = [6, 6, 6, 7, 10, 13, 16, 22, 23].map(|weeks| (weeks, End::Event));
        let lasting = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].map(|weeks| (weeks, End::Censored));
        for (patient, (weeks, end)) in ended.into_iter().chain(lasting).enumerate() {
            waits.add(&weights(patient as u64), weeks, end);
        }
        waits
    }

    /// Survival as printed in textbooks: 0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448.
    #[test]
    fn remission_as_published() {
        let steps = freireich().steps();
        let ends = steps.iter().filter(|step| step.events > 0);
        let ends: Vec<(u32, u64, f64)> = ends.map(|s| (s.time, s.at_risk, s.survival().estimate)).collect();
        let expected = [
            (6, 21, 0.857),
            (7, 17, 0.807),
            (10, 15, 0.753),
            (13, 12, 0.690),
            (16, 11, 0.627),
            (22, 7, 0.538),
            (23, 6, 0.448),
        ];
        assert_eq!(ends.len(), expected.len());
        for (found, expected) in ends.iter().zip(expected) {
            assert_eq!((found.0, found.1), (expected.0, expected.1));
            assert!((found.2 - expected.2).abs() < 5e-4, "{found:?}");
        }
    }

    /// `KaplanMeierFitter().fit(weeks, event_observed).survival_function_` of lifelines 0.30.3.
    #[test]
    fn remission_agrees_with_lifelines() {
        let expected = [
            (6, 0.857142857142857),
            (7, 0.8067226890756299),
            (9, 0.8067226890756299),
            (10, 0.7529411764705878),
            (11, 0.7529411764705878),
            (13, 0.6901960784313722),
            (16, 0.6274509803921566),
            (17, 0.6274509803921566),
            (19, 0.6274509803921566),
            (20, 0.6274509803921566),
            (22, 0.5378151260504199),
            (23, 0.44817927170868327),
            (25, 0.44817927170868327),
            (32, 0.44817927170868327),
            (34, 0.44817927170868327),
            (35, 0.44817927170868327),
        ];
        let steps = freireich().steps();
        assert_eq!(steps.len(), expected.len());
        for (step, (time, survival)) in steps.iter().zip(expected) {
            let found = step.survival();
            assert_eq!((step.time, found.n), (time, 21));
            assert!((found.estimate - survival).abs() < 1e-9, "{time}: {found:?}, expected {survival}");
            assert!(found.low <= found.estimate && found.estimate <= found.high, "{found:?}");
        }
    }
}
