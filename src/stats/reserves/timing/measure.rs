//! Waits of sides for their first, second, third use, and how often a first use was possible and came.

use std::collections::BTreeMap;

use crate::{
    estimate::{Hazard, Interval, Waits},
    stats::reserves::observed::{ALL, Measure, Observed, SIDES, Scope},
};

/// Uses that are counted separately: the first three.
pub const USES: usize = 3;

/// Waits and hazards.
#[derive(Default)]
pub struct Timing {
    /// By group, kind, k - 1.
    waits: BTreeMap<(usize, u8, usize), Waits>,
    /// By group, kind.
    hazards: BTreeMap<(usize, u8), Hazard>,
}

/// How many sides used the reserve, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Sides of games.
    pub sides: u64,
    pub used: u64,
    /// Cumulative incidence at the end.
    pub incidence: Option<Interval>,
    /// The first ply by which half of them have used it.
    pub half_by_ply: Option<u64>,
}

impl Timing {
    /// Waits by group, kind, k - 1, of the kinds that anybody used.
    pub fn summaries(&self) -> impl Iterator<Item = ((usize, u8, usize), Summary)> {
        self.waits.iter().filter(|(key, _)| self.came(key.1)).map(|(&key, waits)| (key, summary(waits)))
    }

    /// The waits of a group for use number `k + 1` of a kind.
    pub fn waits(&self, group: usize, kind: u8, k: usize) -> Option<&Waits> {
        self.waits.get(&(group, kind, k))
    }

    /// The hazard of a group's first use of a kind: decisions with it legal and unused, by ply.
    pub fn hazard(&self, group: usize, kind: u8) -> Option<Vec<(u32, Interval)>> {
        Some(self.hazards.get(&(group, kind))?.steps().collect())
    }

    /// Whether anybody used it at all.
    pub fn came(&self, kind: u8) -> bool {
        let events = |waits: &Waits| waits.incidence().iter().any(|step| step.events > 0);
        self.waits.get(&(ALL, kind, 0)).is_some_and(events)
    }
}

fn summary(waits: &Waits) -> Summary {
    let steps = waits.incidence();
    Summary {
        sides: waits.n(),
        used: steps.iter().map(|step| step.events).sum(),
        incidence: steps.last().map(|step| step.incidence),
        half_by_ply: steps.iter().find(|step| step.incidence.estimate >= 0.5).map(|step| u64::from(step.ply)),
    }
}

/// Plies in groups of ten, each at its middle, with Wilson's interval of the group.
pub fn smoothed(steps: &[(u32, Interval)]) -> Vec<(f64, Interval)> {
    const PLIES: u32 = 10;
    let mut groups: BTreeMap<u32, (f64, u64)> = BTreeMap::new();
    for (ply, share) in steps {
        let group = groups.entry(ply / PLIES).or_default();
        group.0 += share.estimate * share.n as f64;
        group.1 += share.n;
    }
    let middle = |group: u32| f64::from(group * PLIES) + f64::from(PLIES - 1) / 2.0;
    let share = |(came, n): (f64, u64)| Interval::share(came.round() as u64, n);
    groups.into_iter().filter_map(|(group, counts)| Some((middle(group), share(counts)?))).collect()
}

impl Measure for Timing {
    fn add(&mut self, observed: &Observed<'_>, scope: &Scope) {
        let game = observed.game;
        for side in SIDES {
            for kind in scope.kinds.iter() {
                let plies: Vec<u32> = observed.events_of(side, kind).map(|event| event.ply as u32).collect();
                for &group in observed.groups {
                    for k in 0..USES {
                        let waits = self.waits.entry((group, kind, k)).or_default();
                        match plies.get(k) {
                            Some(&ply) => waits.event(ply),
                            None if game.was_ended() => waits.compete(game.plies() as u32),
                            None => waits.censor(game.plies() as u32),
                        }
                    }
                }
                let first = plies.first().map_or(game.plies(), |&ply| ply as usize + 1);
                for ply in (0..first).filter(|&ply| game.side(ply) == side) {
                    if !game.legal_kinds(ply).contains(&kind) {
                        continue;
                    }
                    for &group in observed.groups {
                        let hazard = self.hazards.entry((group, kind)).or_default();
                        if plies.first() == Some(&(ply as u32)) {
                            hazard.event(ply as u32)
                        } else {
                            hazard.pass(ply as u32)
                        }
                    }
                }
            }
        }
    }
}
