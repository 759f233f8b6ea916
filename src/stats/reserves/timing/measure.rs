//! Waits of sides until a use is legal and for their first, second, third use, and how often a first use was possible
//! and came.

use std::collections::BTreeMap;

use crate::{
    estimate::{ClusteredWaits, Curve, End, Hazard, Interval, Ratio, half_time},
    stats::reserves::observed::{ALL, Measure, Observed, SIDES, Scope},
};

/// Uses that are counted separately: the first three.
pub const USES: usize = 3;

/// What a side waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wait {
    /// The first ply at which the use is legal.
    Legal,
    /// The use of this number, from 0.
    Use(usize),
}

/// Waits and hazards.
#[derive(Default)]
pub struct Timing {
    /// By group, kind, what is waited for.
    waits: BTreeMap<(usize, u8, Wait), ClusteredWaits>,
    /// By group, kind.
    hazards: BTreeMap<(usize, u8), FirstUses>,
    /// Plies of the longest game.
    longest: usize,
}

/// First uses of a kind.
#[derive(Default)]
struct FirstUses {
    hazard: Hazard,
    /// Of those that a random choice at the same decisions would have made.
    preference: Ratio,
}

/// How many sides came to what they waited for, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Sides of games.
    pub sides: u64,
    pub came: u64,
    /// Cumulative incidence at the end.
    pub incidence: Option<Interval>,
    /// The first ply by which half of them have, with the ends of its interval.
    pub half_by_ply: [Option<u64>; 3],
}

impl Summary {
    pub fn of(waits: &ClusteredWaits) -> Summary {
        let steps = waits.steps();
        Summary {
            sides: waits.n(),
            came: waits.events(),
            incidence: steps.last().map(|step| step.incidence(Curve::Event)),
            half_by_ply: half_time(&steps, Curve::Event),
        }
    }
}

impl Timing {
    /// The waits of a group, of a kind that anybody used.
    pub fn waits(&self, group: usize, kind: u8, wait: Wait) -> Option<&ClusteredWaits> {
        self.waits.get(&(group, kind, wait)).filter(|_| self.came(kind))
    }

    /// The hazard of a group's first use of a kind: decisions with it legal and unused.
    pub fn hazard(&self, group: usize, kind: u8) -> Option<&Hazard> {
        Some(&self.hazards.get(&(group, kind))?.hazard)
    }

    /// First uses of a kind by as many as a random choice at the same decisions would have made: 1 without preference.
    pub fn preference(&self, group: usize, kind: u8) -> Option<Interval> {
        self.hazards.get(&(group, kind))?.preference.interval()
    }

    /// Whether anybody used it at all.
    pub fn came(&self, kind: u8) -> bool {
        self.waits.get(&(ALL, kind, Wait::Use(0))).is_some_and(|waits| waits.events() > 0)
    }

    /// Plies of the longest game.
    pub fn longest(&self) -> usize {
        self.longest
    }
}

/// How a wait for something that came at `ply` ends in a game of so many plies.
pub fn wait(ply: Option<usize>, plies: usize, was_ended: bool) -> (u32, End) {
    match ply {
        Some(ply) => (ply as u32, End::Event),
        None if was_ended => (plies as u32, End::Competing),
        None => (plies as u32, End::Censored),
    }
}

impl Measure for Timing {
    fn add(&mut self, observed: &Observed<'_>, scope: &Scope) {
        let (game, plies) = (observed.game, observed.game.plies());
        self.longest = self.longest.max(plies);
        let legal: Vec<Vec<u8>> = (0..plies).map(|ply| game.legal_kinds(ply)).collect();
        for kind in scope.kinds.iter() {
            let mut waits: BTreeMap<Wait, Vec<(u32, End)>> = BTreeMap::new();
            let mut possible: Vec<(u32, f64, bool)> = Vec::new();
            for side in SIDES {
                let chance = |ply: usize| {
                    let of_kind = legal[ply].iter().filter(|&&other| other == kind).count();
                    of_kind as f64 / legal[ply].len() as f64
                };
                let possible_at = || (0..plies).filter(|&ply| game.side(ply) == side && legal[ply].contains(&kind));
                let uses: Vec<usize> = observed.events_of(side, kind).map(|event| event.ply).collect();
                let mut add = |what: Wait, ply: Option<usize>| {
                    waits.entry(what).or_default().push(wait(ply, plies, game.was_ended()));
                };
                add(Wait::Legal, possible_at().next());
                (0..USES).for_each(|k| add(Wait::Use(k), uses.get(k).copied()));
                let first = uses.first().copied();
                let until_first = possible_at().take_while(|&ply| first.is_none_or(|first| ply <= first));
                possible.extend(until_first.map(|ply| (ply as u32, chance(ply), first == Some(ply))));
            }
            let expected: f64 = possible.iter().map(|(_, chance, _)| chance).sum();
            let came = possible.iter().filter(|(.., came)| *came).count();
            for &group in observed.groups {
                for (&what, waits) in &waits {
                    self.waits.entry((group, kind, what)).or_default().add(observed.weights, waits);
                }
                let first_uses = self.hazards.entry((group, kind)).or_default();
                for &(ply, chance, came) in &possible {
                    first_uses.hazard.add(ply, chance, came);
                }
                if !possible.is_empty() {
                    first_uses.preference.add(observed.weights, came as f64, expected);
                }
            }
        }
    }
}
