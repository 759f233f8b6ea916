//! The gain of uses of the reserve (`delta_q`), by the search's values.

use std::collections::BTreeMap;

use crate::{
    estimate::{Interval, Ratio},
    stats::reserves::observed::{ALL, Measure, Observed, Scope},
};

/// Plies of one bin.
pub const PLIES: usize = 20;

/// Gains by group, kind and bin of plies; no bin: all plies.
#[derive(Default)]
pub struct Price {
    gains: BTreeMap<(usize, u8, Option<usize>), Gains>,
}

#[derive(Default)]
struct Gains {
    events: u64,
    mean: Ratio,
}

/// The mean gain of some uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    pub group: usize,
    pub kind: u8,
    /// Ply / [`PLIES`]; none: all plies.
    pub bin: Option<usize>,
    pub events: u64,
    pub mean: Option<Interval>,
}

impl Price {
    /// By group, kind and bin.
    pub fn gains(&self) -> impl Iterator<Item = Gain> {
        self.gains.iter().map(|(&(group, kind, bin), gains)| Gain {
            group,
            kind,
            bin,
            events: gains.events,
            mean: gains.mean.interval(),
        })
    }

    /// Number of uses of a kind that were searched.
    pub fn events(&self, kind: u8) -> u64 {
        self.gains.get(&(ALL, kind, None)).map_or(0, |gains| gains.events)
    }
}

impl Measure for Price {
    fn add(&mut self, observed: &Observed<'_>, _: &Scope) {
        let mut sums: BTreeMap<(u8, Option<usize>), (f64, u64)> = BTreeMap::new();
        for event in observed.events.iter().filter(|event| event.decision == "full") {
            let Some(gain) = event.delta_q() else { continue };
            for bin in [None, Some(event.ply / PLIES)] {
                let sum = sums.entry((event.kind, bin)).or_default();
                *sum = (sum.0 + gain, sum.1 + 1);
            }
        }
        for ((kind, bin), (sum, events)) in sums {
            for &group in observed.groups {
                let gains = self.gains.entry((group, kind, bin)).or_default();
                gains.events += events;
                gains.mean.add(observed.weights, sum, events as f64);
            }
        }
    }
}
