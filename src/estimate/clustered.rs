//! When something happens that another thing may forestall: cumulative incidence of waits of which one game has many.

use super::{
    Interval, REPLICATES, Weights,
    bootstrap::{has_width, percentiles},
};

/// Longest time that is counted by itself; what waits longer is last seen there. Bounds memory: a time takes 2.4 KB.
const LONGEST: u32 = 600;

/// Waits of sides or pieces, several a game, counted once for each replicate of the bootstrap over games.
#[derive(Clone, Debug, Default)]
pub struct ClusteredWaits {
    /// By time, then end.
    counts: Vec<[u64; 3]>,
    replicates: Vec<[[f32; REPLICATES]; 3]>,
    /// Games by the longest of their waits.
    games: Vec<u64>,
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

/// Which ends a curve counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    Event,
    Competing,
    Either,
}

impl Curve {
    const ALL: [Curve; 3] = [Curve::Event, Curve::Competing, Curve::Either];
}

/// The curves from a time on, until the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredStep {
    pub time: u32,
    /// Waits that reached the time.
    pub at_risk: u64,
    pub events: u64,
    pub competing: u64,
    pub censored: u64,
    /// By [`Curve`].
    curves: [Interval; 3],
}

impl ClusteredStep {
    /// Share of waits that have met the end by then, by Aalen and Johansen (Scandinavian Journal of Statistics 5, 1978),
    /// with the 2.5th and the 97.5th percentile of the replicates; `n` counts waits. Where all replicates agree, as
    /// where nobody or everybody has met it, Wilson's interval for as many trials as games that still have a wait.
    pub fn incidence(&self, curve: Curve) -> Interval {
        self.curves[curve as usize]
    }

    /// Share of waits that have met neither; without competing ends the survival of Kaplan and Meier (Journal of the
    /// American Statistical Association 53, 1958).
    pub fn free(&self) -> Interval {
        let Interval { estimate, low, high, n } = self.incidence(Curve::Either);
        Interval { estimate: 1.0 - estimate, low: 1.0 - high, high: 1.0 - low, n }
    }
}

impl ClusteredWaits {
    /// Adds the waits of a game with these weights: how long each was, and how it ended.
    pub fn add(&mut self, weights: &Weights, waits: &[(u32, End)]) {
        for &(time, end) in waits {
            let (time, end) = if time > LONGEST { (LONGEST, End::Censored) } else { (time, end) };
            let times = self.counts.len().max(time as usize + 1);
            self.counts.resize(times, [0; 3]);
            self.games.resize(times, 0);
            self.replicates.resize(times, [[0.0; REPLICATES]; 3]);
            self.counts[time as usize][end as usize] += 1;
            let counts = &mut self.replicates[time as usize][end as usize];
            counts.iter_mut().zip(weights.counts()).for_each(|(count, weight)| *count += *weight as f32);
        }
        if let Some(longest) = waits.iter().map(|wait| wait.0.min(LONGEST)).max() {
            self.games[longest as usize] += 1;
        }
    }

    /// Number of waits.
    pub fn n(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// Number of waits that met the event.
    pub fn events(&self) -> u64 {
        self.counts.iter().map(|ends| ends[End::Event as usize]).sum()
    }

    /// A step for each time at which a wait ended.
    pub fn steps(&self) -> Vec<ClusteredStep> {
        let (n, sample, replicates) = (self.n(), self.sample(), self.resampled());
        let times: Vec<usize> = (0..self.counts.len()).filter(|&time| self.counts[time] != [0; 3]).collect();
        let curves = Curve::ALL.map(|curve| {
            let at = |time: usize| {
                let estimate = sample[time][curve as usize];
                let values = replicates.iter().map(|replicate| replicate[time][curve as usize]);
                let found = percentiles(estimate, values, n).filter(has_width);
                found.unwrap_or_else(|| Interval::wilson(estimate, self.games_at_risk(time).max(1) as f64, n))
            };
            rising(times.iter().map(|&time| at(time)).collect())
        });
        let steps = times.iter().enumerate().map(|(i, &time)| {
            let [events, competing, censored] = self.counts[time];
            let at_risk = self.counts[time..].iter().flatten().sum();
            let curves = [0, 1, 2].map(|curve: usize| curves[curve][i]);
            ClusteredStep { time: time as u32, at_risk, events, competing, censored, curves }
        });
        steps.collect()
    }

    /// The last step up to `time`; none where no wait reached it.
    pub fn at(&self, time: u32) -> Option<ClusteredStep> {
        self.reaches(time).then(|| self.steps())?.into_iter().take_while(|step| step.time <= time).last()
    }

    /// How much higher a curve is at `time` than that of other waits of the same games, which share their weights. `n`
    /// counts the waits of `self`. None where no wait of one reached it.
    pub fn minus(&self, other: &ClusteredWaits, curve: Curve, time: u32) -> Option<Interval> {
        let value = |waits: &ClusteredWaits, curves: &[[f64; 3]]| {
            curves[(time as usize).min(waits.counts.len() - 1)][curve as usize]
        };
        if !self.reaches(time) || !other.reaches(time) {
            return None;
        }
        let differences = self.resampled().into_iter().zip(other.resampled());
        let differences = differences.map(|(one, two)| value(self, &one) - value(other, &two));
        let estimate = value(self, &self.sample()) - value(other, &other.sample());
        let found = percentiles(estimate, differences, self.n()).filter(has_width);
        let of = |waits: &ClusteredWaits| Some(waits.at(time)?.incidence(curve));
        found.or_else(|| Some(Interval { n: self.n(), ..of(self)?.minus(&of(other)?) }))
    }

    fn reaches(&self, time: u32) -> bool {
        self.counts.len() > time as usize
    }

    fn games_at_risk(&self, time: usize) -> u64 {
        self.games[time..].iter().sum()
    }

    fn sample(&self) -> Vec<[f64; 3]> {
        curves(self.counts.iter().map(|ends| ends.map(|count| count as f64)))
    }

    fn resampled(&self) -> Vec<Vec<[f64; 3]>> {
        let of = |replicate: usize| {
            curves(self.replicates.iter().map(|ends| [0, 1, 2].map(|end| f64::from(ends[end][replicate]))))
        };
        (0..REPLICATES).map(of).collect()
    }
}

/// The curves of some ends at every time, by [`Curve`]; not numbers when there are none.
fn curves(ends: impl Iterator<Item = [f64; 3]> + Clone) -> Vec<[f64; 3]> {
    let mut at_risk: f64 = ends.clone().flatten().sum();
    let start = if at_risk > 0.0 { 0.0 } else { f64::NAN };
    let (mut free, mut incidence) = (1.0, [start; 2]);
    let step = |[events, competing, censored]: [f64; 3]| {
        if at_risk > 0.0 {
            incidence[0] += free * events / at_risk;
            incidence[1] += free * competing / at_risk;
            free *= 1.0 - (events + competing) / at_risk;
        }
        at_risk -= events + competing + censored;
        [incidence[0], incidence[1], start + 1.0 - free]
    };
    ends.map(step).collect()
}

/// Intervals of a curve that never falls: what bounds it from below still does later, what bounds it from above did
/// before.
fn rising(mut intervals: Vec<Interval>) -> Vec<Interval> {
    for i in 1..intervals.len() {
        intervals[i].low = intervals[i].low.max(intervals[i - 1].low);
    }
    for i in (1..intervals.len()).rev() {
        intervals[i - 1].high = intervals[i - 1].high.min(intervals[i].high);
    }
    intervals
}

/// The first time at which a curve is at least one half, and those at which the ends of its band are (Brookmeyer and
/// Crowley, Biometrics 38, 1982): estimate, lower end, upper end; none beyond what was seen.
pub fn half_time(steps: &[ClusteredStep], curve: Curve) -> [Option<u64>; 3] {
    let ends: [fn(&Interval) -> f64; 3] = [|share| share.estimate, |share| share.high, |share| share.low];
    ends.map(|end| steps.iter().find(|step| end(&step.incidence(curve)) >= 0.5).map(|step| u64::from(step.time)))
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, Exp1};

    use super::{super::bootstrap::tests::weights, *};

    fn incidence(step: &ClusteredStep) -> Interval {
        step.incidence(Curve::Event)
    }

    /// Pieces of one game share its fate here, so that games count, not pieces: 300 games of one piece or of eight give
    /// the same interval.
    #[test]
    fn pieces_of_one_game_add_nothing_to_what_it_says() {
        let curve = |pieces: usize| {
            let mut waits = ClusteredWaits::default();
            for game in 0..300_u64 {
                let end = if game % 3 == 0 { End::Event } else { End::Censored };
                waits.add(&weights(game), &vec![(4 + (game % 5) as u32, end); pieces]);
            }
            waits.steps()
        };
        let (one, eight) = (curve(1), curve(8));
        for (one, eight) in one.iter().map(incidence).zip(eight.iter().map(incidence)) {
            assert!((one.estimate - eight.estimate).abs() < 1e-12);
            assert!((one.low - eight.low).abs() < 1e-6);
            assert!((one.high - eight.high).abs() < 1e-6);
            assert!(one.low < one.estimate && one.estimate < one.high);
        }
        assert_eq!((one.len(), eight[0].at_risk, incidence(&eight[0]).n), (5, 2400, 2400));
    }

    #[test]
    fn endless_waits_are_bounded() {
        let mut waits = ClusteredWaits::default();
        waits.add(&weights(0), &[(u32::MAX, End::Event)]);
        assert_eq!(waits.replicates.len(), LONGEST as usize + 1);
        assert_eq!(waits.steps()[0].events, 0);
        assert!(ClusteredWaits::default().steps().is_empty() && ClusteredWaits::default().at(0).is_none());
    }

    /// Nobody and everybody: Wilson's interval of the games that still have a wait, 20 of 20 and 0 of 20.
    #[test]
    fn certainty_has_an_interval() {
        let curve = |end: End| {
            let mut waits = ClusteredWaits::default();
            (0..20).for_each(|game| waits.add(&weights(game), &[(3, end), (5, end)]));
            waits.steps()
        };
        let (none, all) = (curve(End::Competing), curve(End::Event));
        let wilson = |events| Interval::share(events, 20).unwrap();
        for step in &none {
            assert_eq!((incidence(step).estimate, incidence(step).low), (0.0, 0.0));
            assert!((incidence(step).high - wilson(0).high).abs() < 1e-12, "{step:?}");
        }
        let last = incidence(&all[1]);
        assert!((last.estimate - 1.0).abs() < 1e-12 && (last.low - wilson(20).low).abs() < 1e-12, "{last:?}");
        assert_eq!(half_time(&all, Curve::Event), [Some(3), Some(3), Some(5)]);
        assert_eq!(half_time(&none, Curve::Event), [None; 3]);
    }

    #[test]
    fn all_ends_add_up() {
        let mut waits = ClusteredWaits::default();
        for game in 0..50_u64 {
            let end = [End::Event, End::Competing, End::Censored][game as usize % 3];
            waits.add(&weights(game), &[((game % 7) as u32, end), ((game % 5) as u32, End::Event)]);
        }
        for step in waits.steps() {
            let [event, competing] = [Curve::Event, Curve::Competing].map(|curve| step.incidence(curve).estimate);
            assert!((event + competing + step.free().estimate - 1.0).abs() < 1e-12, "{step:?}");
        }
    }

    /// A difference of curves of the same games knows that they are the same.
    #[test]
    fn differences_are_of_replicates() {
        let (mut one, mut two) = (ClusteredWaits::default(), ClusteredWaits::default());
        for game in 0..60_u64 {
            let (weights, end) = (weights(game), if game % 2 == 0 { End::Event } else { End::Censored });
            one.add(&weights, &[(2, end), (9, End::Censored)]);
            two.add(&weights, &[(2, end), (8, End::Censored)]);
        }
        let same = one.minus(&two, Curve::Event, 5).unwrap();
        assert!(same.estimate.abs() < 1e-12 && same.low <= 0.0 && 0.0 <= same.high, "{same:?}");
        assert_eq!(one.minus(&two, Curve::Event, 9), None);
    }

    /// Waits of two sides of a game that share its pace: both are exponential with the game's own mean, and a limit at
    /// 40 censors. Gives the shares of intervals of the incidence at 10 that hold the truth, with the sides as one
    /// cluster and as two.
    fn coverage(sets: u64, games: u64) -> [f64; 2] {
        // The mean over paces of the chance of a wait below 11: plies are whole.
        let paces = [4.0, 8.0, 16.0, 32.0, 64.0];
        let truth = paces.iter().map(|mean| 1.0 - (-11.0_f64 / mean).exp()).sum::<f64>() / paces.len() as f64;
        let mut holds = [0.0; 2];
        for set in 0..sets {
            let mut rng = ChaCha8Rng::seed_from_u64(set);
            let mut curves = [ClusteredWaits::default(), ClusteredWaits::default()];
            for game in 0..games {
                let mean = paces[rng.random_range(0..paces.len())];
                let sides = [0, 1].map(|_| {
                    let wait: f64 = Exp1.sample(&mut rng);
                    let ply = (wait * mean) as u32;
                    if ply < 40 { (ply, End::Event) } else { (40, End::Censored) }
                });
                let number = 2 * (set * games + game);
                curves[0].add(&weights(number), &sides);
                curves[1].add(&weights(number), &sides[..1]);
                curves[1].add(&weights(number + 1), &sides[1..]);
            }
            for (holds, curve) in holds.iter_mut().zip(curves) {
                let Interval { low, high, .. } = curve.at(10).unwrap().incidence(Curve::Event);
                *holds += f64::from(u8::from(low <= truth && truth <= high)) / sets as f64;
            }
        }
        holds
    }

    #[test]
    fn two_sides_of_a_game_are_one_cluster() {
        let [one, two] = coverage(120, 100);
        assert!(one >= 0.89 && two < one, "{one} {two}");
    }

    /// The figures of docs/controls.md.
    #[test]
    #[ignore = "takes a minute"]
    fn waits_coverage() {
        for games in [50, 200, 1000] {
            println!("{games} games: {:.1?}", coverage(1000, games).map(|holds| 100.0 * holds));
        }
    }

    /// Times at which no two different ends meet, which lifelines would shift at random.
    fn toy() -> ClusteredWaits {
        let mut waits = ClusteredWaits::default();
        let events = [1, 1, 3, 6, 6, 9, 12].map(|ply| (ply, End::Event));
        let competing = [2, 2, 4, 10, 10].map(|ply| (ply, End::Competing));
        let censored = [1, 2, 5, 7, 10, 14, 15].map(|ply| (ply, End::Censored));
        for (game, &wait) in events.iter().chain(&competing).chain(&censored).enumerate() {
            waits.add(&weights(game as u64), &[wait]);
        }
        waits
    }

    /// `AalenJohansenFitter().fit(plies, kinds, event_of_interest=1).cumulative_density_` of lifelines 0.30.3.
    #[test]
    fn incidence_agrees_with_lifelines() {
        let expected = [
            (1, 0.10526315789473684),
            (2, 0.10526315789473684),
            (3, 0.16548582995951416),
            (4, 0.16548582995951416),
            (5, 0.16548582995951416),
            (6, 0.2979757085020243),
            (7, 0.2979757085020243),
            (9, 0.3736842105263158),
            (10, 0.3736842105263158),
            (12, 0.4746288798920378),
            (14, 0.4746288798920378),
            (15, 0.4746288798920378),
        ];
        let steps = toy().steps();
        assert_eq!(steps.len(), expected.len());
        for (step, (ply, expected)) in steps.iter().zip(expected) {
            let found = incidence(step);
            assert_eq!((step.time, found.n), (ply, 19));
            assert!((found.estimate - expected).abs() < 1e-9, "ply {ply}: {found}, expected {expected}");
            assert!(found.low <= found.estimate && found.estimate <= found.high, "{found:?}");
        }
    }

    /// Weeks in remission under 6-mercaptopurine; those after `+` were still in it (Freireich and others, Blood 21,
    /// 1963).
    fn freireich() -> ClusteredWaits {
        let mut waits = ClusteredWaits::default();
        let ended = [6, 6, 6, 7, 10, 13, 16, 22, 23].map(|weeks| (weeks, End::Event));
        let lasting = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].map(|weeks| (weeks, End::Censored));
        for (patient, (weeks, end)) in ended.into_iter().chain(lasting).enumerate() {
            waits.add(&weights(patient as u64), &[(weeks, end)]);
        }
        waits
    }

    /// Survival as printed in textbooks: 0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448.
    #[test]
    fn remission_as_published() {
        let steps = freireich().steps();
        let ends = steps.iter().filter(|step| step.events > 0);
        let ends: Vec<(u32, u64, f64)> = ends.map(|s| (s.time, s.at_risk, s.free().estimate)).collect();
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
            let found = step.free();
            assert_eq!((step.time, found.n), (time, 21));
            assert!((found.estimate - survival).abs() < 1e-9, "{time}: {found:?}, expected {survival}");
            assert!(found.low <= found.estimate && found.estimate <= found.high, "{found:?}");
        }
    }
}
