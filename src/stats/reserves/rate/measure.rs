//! Uses of the reserve by generation.

use std::collections::BTreeMap;

use crate::{
    estimate::{Interval, Ratio},
    stats::reserves::observed::{Measure, Observed, SIDES, Scope},
};

/// Uses by generation and kind.
#[derive(Default)]
pub struct Rate {
    generations: BTreeMap<(u64, u8), Uses>,
}

/// Uses of one kind in the games of one generation.
#[derive(Default)]
pub struct Uses {
    pub games: u64,
    pub events: u64,
    /// Sides that used it, of two a game.
    sides: Ratio,
    /// Events a game.
    a_game: Ratio,
}

impl Uses {
    /// Events a game.
    pub fn a_game(&self) -> Option<Interval> {
        self.a_game.interval()
    }

    /// Share of sides that used it.
    pub fn sides_share(&self) -> Option<Interval> {
        self.sides.share()
    }
}

impl Rate {
    /// By generation and kind, the kinds that anybody used.
    pub fn uses(&self) -> impl Iterator<Item = (u64, u8, &Uses)> {
        let came = |kind: u8| self.generations.iter().any(|(key, uses)| key.1 == kind && uses.events > 0);
        let uses = self.generations.iter().filter(move |(key, _)| came(key.1));
        uses.map(|(&(generation, kind), uses)| (generation, kind, uses))
    }

    /// Number of games in which `kind` was looked for.
    pub fn games(&self, kind: u8) -> u64 {
        self.generations.iter().filter(|(key, _)| key.1 == kind).map(|(_, uses)| uses.games).sum()
    }
}

impl Measure for Rate {
    fn add(&mut self, observed: &Observed<'_>, scope: &Scope) {
        for kind in scope.kinds.iter() {
            let uses = self.generations.entry((observed.game.generation, kind)).or_default();
            let counts = SIDES.map(|side| observed.events_of(side, kind).count());
            uses.games += 1;
            uses.events += counts.iter().sum::<usize>() as u64;
            let sides = counts.iter().filter(|&&count| count > 0).count();
            uses.sides.add(observed.weights, sides as f64, 2.0);
            uses.a_game.add(observed.weights, counts.iter().sum::<usize>() as f64, 1.0);
        }
    }
}
