//! When something happens that another thing may forestall: cumulative incidence, and the hazard at each ply.

use super::{Interval, Z_95};

/// Waiting times in plies for an event that a competing one may forestall (a game that ends without it), counted by
/// ply: memory grows with the longest wait, not with their number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// What happened at each ply, from 0.
    plies: Vec<Ends>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ends {
    events: u64,
    competing: u64,
    censored: u64,
}

/// Cumulative incidence from a ply on, until the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IncidenceStep {
    pub ply: u32,
    /// Waits that reached the ply, n(t).
    pub at_risk: u64,
    /// Waits that ended at it with the event, d(t).
    pub events: u64,
    /// Waits that ended at it with the competing event.
    pub competing: u64,
    /// Waits that were last seen at it.
    pub censored: u64,
    /// Share of waits that met the event by this ply, F(t); `n` counts all waits.
    pub incidence: Interval,
}

impl Waits {
    /// The event came at `ply`.
    pub fn event(&mut self, ply: u32) {
        self.at(ply).events += 1;
    }

    /// The competing event came at `ply`: the event can no longer come.
    pub fn compete(&mut self, ply: u32) {
        self.at(ply).competing += 1;
    }

    /// The wait was last seen at `ply`: the event may have come later. It was at risk at that ply.
    pub fn censor(&mut self, ply: u32) {
        self.at(ply).censored += 1;
    }

    /// Number of waits.
    pub fn n(&self) -> u64 {
        self.plies.iter().map(Ends::total).sum()
    }

    /// Cumulative incidence by Aalen and Johansen (Scandinavian Journal of Statistics 5, 1978): `F(t) = Σ S(t-) d/n`
    /// over plies up to t, where S is the share of waits that met neither event; a step for each ply at which a wait
    /// ended.
    ///
    /// The variance is the delta method's (Collett, Modelling Survival Data in Medical Research, 3rd edition, 2015,
    /// chapter 12), with e events of either kind at a ply:
    /// `V(t) = Σ (F(t) - F)² e/(n (n - e)) + Σ S(t-)² d (n - d)/n³ - 2 Σ (F(t) - F) S(t-) d/n²`,
    /// and the interval is taken on the scale of `log(-log F)`, which keeps it in [0, 1]: `F^exp(±z √V / (F log F))`.
    pub fn incidence(&self) -> Vec<IncidenceStep> {
        let (n, mut at_risk) = (self.n(), self.n());
        let (mut survival, mut incidence) = (1.0, 0.0);
        let mut variance = Variance::default();
        let mut steps = Vec::new();
        for (ply, ends) in self.plies.iter().enumerate() {
            if ends.total() == 0 {
                continue;
            }
            let (risk, own) = (at_risk as f64, ends.events as f64);
            let either = (ends.events + ends.competing) as f64;
            incidence += survival * own / risk;
            if risk > either {
                variance.add_quadratic(either / (risk * (risk - either)), incidence);
            }
            variance.constant += survival * survival * own * (risk - own) / risk.powi(3);
            variance.add_linear(-2.0 * survival * own / (risk * risk), incidence);
            survival *= (risk - either) / risk;

            let error = variance.at(incidence).sqrt() / (incidence * incidence.ln().abs());
            let (low, high) = log_log_interval(incidence, error);
            steps.push(IncidenceStep {
                ply: ply as u32,
                at_risk,
                events: ends.events,
                competing: ends.competing,
                censored: ends.censored,
                incidence: Interval { estimate: incidence, low, high, n },
            });
            at_risk -= ends.total();
        }
        steps
    }

    fn at(&mut self, ply: u32) -> &mut Ends {
        let ply = ply as usize;
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, Ends::default());
        }
        &mut self.plies[ply]
    }
}

impl Ends {
    fn total(&self) -> u64 {
        self.events + self.competing + self.censored
    }
}

/// `Σ a (x - b)² + Σ c (x - b) + constant` as a polynomial in x, so that each ply adds to it once.
#[derive(Clone, Copy, Debug, Default)]
struct Variance {
    square: f64,
    linear: f64,
    constant: f64,
}

impl Variance {
    fn add_quadratic(&mut self, a: f64, b: f64) {
        self.square += a;
        self.add_linear(-2.0 * a * b, 0.0);
        self.constant += a * b * b;
    }

    fn add_linear(&mut self, c: f64, b: f64) {
        self.linear += c;
        self.constant -= c * b;
    }

    /// Not below 0, where rounding may put it.
    fn at(&self, x: f64) -> f64 {
        ((self.square * x + self.linear) * x + self.constant).max(0.0)
    }
}

/// How often something possible is done, ply by ply; unlike a [wait](Waits), a possibility may come and go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hazard {
    /// Times the event was possible and times it came, by ply from 0.
    plies: Vec<(u64, u64)>,
}

impl Hazard {
    /// The event was possible at `ply`, and did not come.
    pub fn pass(&mut self, ply: u32) {
        self.at(ply).0 += 1;
    }

    /// The event was possible at `ply`, and came.
    pub fn event(&mut self, ply: u32) {
        let (possible, events) = self.at(ply);
        *possible += 1;
        *events += 1;
    }

    /// The hazard at each ply at which the event was possible: events by possibilities, `n`, with
    /// [Wilson's interval](Interval::share). Possibilities of one ply lie in different games, so they are independent.
    pub fn steps(&self) -> impl Iterator<Item = (u32, Interval)> {
        self.plies.iter().enumerate().filter_map(|(ply, &(possible, events))| {
            Interval::share(events, possible).map(|hazard| (ply as u32, hazard))
        })
    }

    fn at(&mut self, ply: u32) -> &mut (u64, u64) {
        let ply = ply as usize;
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, (0, 0));
        }
        &mut self.plies[ply]
    }
}

/// The 95% interval of a probability whose `log(-log)` has the standard error `error`.
fn log_log_interval(probability: f64, error: f64) -> (f64, f64) {
    if probability <= 0.0 || probability >= 1.0 {
        return (probability, probability);
    }
    let factor = (Z_95 * error).exp();
    (probability.powf(factor), probability.powf(1.0 / factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times at which no two different ends meet, which lifelines would shift at random.
    fn toy() -> Waits {
        let mut waits = Waits::default();
        [1, 1, 3, 6, 6, 9, 12].into_iter().for_each(|ply| waits.event(ply));
        [2, 2, 4, 10, 10].into_iter().for_each(|ply| waits.compete(ply));
        [1, 2, 5, 7, 10, 14, 15].into_iter().for_each(|ply| waits.censor(ply));
        waits
    }

    /// `AalenJohansenFitter().fit(plies, kinds, event_of_interest=1)` of lifelines 0.30.3: `cumulative_density_`,
    /// and `confidence_interval_` in rising order.
    #[test]
    fn incidence_agrees_with_lifelines() {
        let expected = [
            (1, 0.10526315789473684, 0.017771413108380023, 0.28433699882723334),
            (2, 0.10526315789473684, 0.017771413108380023, 0.28433699882723334),
            (3, 0.16548582995951416, 0.040571995086801656, 0.3643089777028666),
            (4, 0.16548582995951416, 0.040571995086801656, 0.3643089777028666),
            (5, 0.16548582995951416, 0.040571995086801656, 0.3643089777028666),
            (6, 0.2979757085020243, 0.10677187571415024, 0.5192970537114968),
            (7, 0.2979757085020243, 0.10677187571415024, 0.5192970537114968),
            (9, 0.3736842105263158, 0.149960592465791, 0.6000943137384239),
            (10, 0.3736842105263158, 0.149960592465791, 0.6000943137384239),
            (12, 0.4746288798920378, 0.2053776540729702, 0.7040921103740905),
            (14, 0.4746288798920378, 0.2053776540729702, 0.7040921103740905),
            (15, 0.4746288798920378, 0.2053776540729702, 0.7040921103740905),
        ];
        let steps = toy().incidence();
        assert_eq!(steps.len(), expected.len());
        for (step, (ply, incidence, low, high)) in steps.iter().zip(expected) {
            assert_eq!((step.ply, step.incidence.n), (ply, 19));
            for (found, expected) in
                [(step.incidence.estimate, incidence), (step.incidence.low, low), (step.incidence.high, high)]
            {
                assert!((found - expected).abs() < 1e-9, "ply {ply}: {found}, expected {expected}");
            }
        }
    }

    /// Without censoring the incidence is the share that met the event, and its variance the binomial one.
    #[test]
    fn without_censoring_it_is_a_share() {
        let mut waits = Waits::default();
        [0, 2, 2, 5].into_iter().for_each(|ply| waits.event(ply));
        [2, 2, 5, 5, 7, 7].into_iter().for_each(|ply| waits.compete(ply));
        let steps = waits.incidence();
        let shares: Vec<f64> = steps.iter().map(|step| step.incidence.estimate).collect();
        for (found, expected) in shares.iter().zip([0.1, 0.3, 0.4, 0.4]) {
            assert!((found - expected).abs() < 1e-12, "{shares:?}");
        }
        let last = steps.last().unwrap().incidence;
        let error = (0.4_f64 * 0.6 / 10.0).sqrt() / (0.4 * 0.4_f64.ln().abs());
        let (low, high) = log_log_interval(0.4, error);
        assert!((last.low - low).abs() < 1e-12 && (last.high - high).abs() < 1e-12, "{last:?}");
    }

    #[test]
    fn an_event_that_never_comes_has_no_incidence() {
        let mut waits = Waits::default();
        assert!(waits.incidence().is_empty());
        waits.compete(3);
        waits.censor(4);
        assert!(waits.incidence().iter().all(|step| step.incidence.estimate == 0.0 && step.incidence.high == 0.0));
    }

    #[test]
    fn hazards_are_shares_of_possibilities() {
        let mut hazard = Hazard::default();
        hazard.pass(2);
        hazard.event(2);
        hazard.pass(2);
        hazard.event(5);
        let steps: Vec<(u32, Interval)> = hazard.steps().collect();
        assert_eq!(steps, [(2, Interval::share(1, 3).unwrap()), (5, Interval::share(1, 1).unwrap())]);
    }
}
