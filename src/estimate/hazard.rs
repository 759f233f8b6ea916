//! How often something possible is done, ply by ply.

use std::collections::BTreeMap;

use super::Interval;

/// How often something possible is done, ply by ply; unlike a [wait](super::ClusteredWaits), a possibility may come and
/// go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hazard {
    /// By ply from 0.
    plies: Vec<Possible>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Possible {
    times: u64,
    events: u64,
    /// Sum of the chances that a random choice has.
    chances: f64,
}

/// The hazard of some plies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HazardStep {
    pub first_ply: u32,
    /// Events by possibilities, `n`, with [Wilson's interval](Interval::share): possibilities of one ply lie in
    /// different games, and those of one side that go unused are independent given the past.
    pub hazard: Interval,
    /// What it would be under a random choice.
    pub chance: f64,
}

impl Hazard {
    /// The event was possible at `ply`, a random choice would bring it with the probability `chance`, and it came or
    /// did not.
    pub fn add(&mut self, ply: u32, chance: f64, came: bool) {
        let ply = ply as usize;
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, Possible::default());
        }
        let possible = &mut self.plies[ply];
        possible.times += 1;
        possible.events += u64::from(came);
        possible.chances += chance;
    }

    /// The hazard in groups of `width` plies, of those in which the event was possible.
    pub fn steps(&self, width: u32) -> Vec<HazardStep> {
        let mut groups: BTreeMap<u32, Possible> = BTreeMap::new();
        for (ply, possible) in self.plies.iter().enumerate() {
            let group = groups.entry(ply as u32 / width * width).or_default();
            group.times += possible.times;
            group.events += possible.events;
            group.chances += possible.chances;
        }
        let steps = groups.into_iter().filter_map(|(first_ply, Possible { times, events, chances })| {
            let hazard = Interval::share(events, times)?;
            Some(HazardStep { first_ply, hazard, chance: chances / times as f64 })
        });
        steps.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hazards_are_shares_of_possibilities() {
        let mut hazard = Hazard::default();
        for (ply, chance, came) in [(2, 0.25, false), (2, 0.5, true), (2, 0.0, false), (5, 1.0, true)] {
            hazard.add(ply, chance, came);
        }
        let step = |first_ply, events, n, chance| {
            let hazard = Interval::share(events, n).unwrap();
            HazardStep { first_ply, hazard, chance }
        };
        assert_eq!(hazard.steps(1), [step(2, 1, 3, 0.25), step(5, 1, 1, 1.0)]);
        assert_eq!(hazard.steps(4), [step(0, 1, 3, 0.25), step(4, 1, 1, 1.0)]);
        assert_eq!(hazard.steps(10), [step(0, 2, 4, 0.4375)]);
    }
}
