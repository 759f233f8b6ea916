//! Survival of pieces, by rank and by origin.

use std::collections::BTreeMap;

use crate::{
    estimate::{ClusteredStep, ClusteredWaits, End, Interval},
    stats::reserves::observed::{ALL, Measure, Observed, Scope},
};

/// Who is followed, and from when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// From an event of that kind on.
    Event(u8),
    /// Ordinary pieces from the start of the game on.
    Start,
    /// Ordinary pieces that stood on the same side at an event, from that event on.
    Beside(u8),
}

/// Lives by group, rank and origin.
#[derive(Default)]
pub struct Standing {
    lives: BTreeMap<(usize, u8, Origin), ClusteredWaits>,
}

/// The survival of some pieces.
#[derive(Clone, Debug)]
pub struct Survival {
    pub pieces: u64,
    pub steps: Vec<ClusteredStep>,
}

impl Survival {
    /// Share alive after 50 plies.
    pub fn after_50(&self) -> Option<Interval> {
        self.steps.iter().take_while(|step| step.time <= 50).last().map(ClusteredStep::survival)
    }

    /// Median age, with the ages at which the ends of the band reach one half; none beyond what was seen.
    pub fn median(&self) -> [Option<u64>; 3] {
        let ends: [fn(&Interval) -> f64; 3] = [|alive| alive.estimate, |alive| alive.low, |alive| alive.high];
        ends.map(|end| half_life(&self.steps, end))
    }
}

impl Standing {
    /// Ranks that events bring about.
    pub fn ranks(&self) -> Vec<u8> {
        let events = self.lives.keys().filter(|key| key.0 == ALL && matches!(key.2, Origin::Event(_)));
        let mut ranks: Vec<u8> = events.map(|key| key.1).collect();
        ranks.dedup();
        ranks
    }

    /// By group, rank and origin, of the groups and ranks to `keep`.
    pub fn survival(&self, keep: impl Fn(usize, u8) -> bool) -> impl Iterator<Item = (usize, u8, Origin, Survival)> {
        let survival = |lives: &ClusteredWaits| Survival { pieces: lives.n(), steps: lives.steps() };
        let kept = self.lives.iter().filter(move |(key, _)| keep(key.0, key.1));
        kept.map(move |(&(group, rank, origin), lives)| (group, rank, origin, survival(lives)))
    }
}

/// The first age at which an end of the interval is one half or less.
fn half_life(steps: &[ClusteredStep], end: fn(&Interval) -> f64) -> Option<u64> {
    steps.iter().find(|step| end(&step.survival()) <= 0.5).map(|step| u64::from(step.time))
}

impl Measure for Standing {
    fn add(&mut self, observed: &Observed<'_>, _: &Scope) {
        let plies = observed.game.plies();
        let mut subjects: Vec<(u8, Origin, u32, bool)> = Vec::new();
        // Ordinary: a piece of the start, for as long as it has its first rank and no event.
        let first_event =
            |piece: usize| observed.events.iter().find(|event| event.piece == piece).map(|event| event.ply + 1);
        let mut ordinary = Vec::new();
        for (index, piece) in observed.lives.pieces.iter().enumerate().filter(|(_, piece)| !piece.entered()) {
            let Some((rank, _, until, next)) = piece.spells(plies).next() else { continue };
            let until = first_event(index).map_or(until, |event| event.min(until));
            let died = next.is_none() && first_event(index).is_none() && piece.captured.is_some();
            subjects.push((rank, Origin::Start, until as u32, died));
            ordinary.push((piece.side, rank, until, died));
        }
        for event in observed.events {
            let since = event.ply + 1;
            let piece = &observed.lives.pieces[event.piece];
            let Some((rank, _, until, next)) = piece.spells(plies).take_while(|spell| spell.1 <= since).last() else {
                continue;
            };
            let died = next.is_none() && piece.captured.is_some();
            subjects.push((rank, Origin::Event(event.kind), (until - since) as u32, died));
            for &(_, _, until, died) in
                ordinary.iter().filter(|&&(side, other, until, _)| (side, other) == (event.side, rank) && until > since)
            {
                subjects.push((rank, Origin::Beside(event.kind), (until - since) as u32, died));
            }
        }
        for (rank, origin, age, died) in subjects {
            for &group in observed.groups {
                let lives = self.lives.entry((group, rank, origin)).or_default();
                lives.add(observed.weights, age, if died { End::Event } else { End::Censored });
            }
        }
    }
}
