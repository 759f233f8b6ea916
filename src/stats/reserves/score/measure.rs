//! Results of sides by when they first use the reserve and by what the search expected there.

use std::collections::BTreeMap;

use crate::{
    estimate::Interval,
    stats::reserves::observed::{Measure, Observed, SIDES, Scope},
};

/// Plies of one bin of the first use.
pub const PLIES: usize = 20;
/// Where bins of the root value end, the last at 1.
const VALUES: [f64; 5] = [-0.5, -0.15, 0.15, 0.5, f64::INFINITY];

/// Group, kind, bin of the first use (none: never), bin of the root value (none: all).
pub type Key = (usize, u8, Option<usize>, Option<usize>);

/// Results of sides.
#[derive(Default)]
pub struct Score {
    results: BTreeMap<Key, Results>,
    /// Games that ended by themselves, and those cut off, which have no result.
    games: [u64; 2],
}

/// Sides by their result.
#[derive(Clone, Copy, Default)]
pub struct Results {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Results {
    /// Number of sides.
    pub fn sides(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points a game.
    pub fn score(&self) -> Option<Interval> {
        Interval::score(self.wins, self.draws, self.losses)
    }
}

impl Score {
    /// Games with a result, and games cut off, which are left out.
    pub fn games(&self) -> [u64; 2] {
        self.games
    }

    /// Results by group, kind and bins, of the kinds that anybody used.
    pub fn results(&self) -> impl Iterator<Item = (Key, Results)> {
        self.results.iter().filter(|(key, _)| self.came(key.1)).map(|(&key, &results)| (key, results))
    }

    /// Whether anybody used it at all.
    pub fn came(&self, kind: u8) -> bool {
        self.results.keys().any(|key| key.1 == kind && key.2.is_some())
    }
}

impl Measure for Score {
    fn add(&mut self, observed: &Observed<'_>, scope: &Scope) {
        let game = observed.game;
        self.games[usize::from(!game.was_ended())] += 1;
        if !game.was_ended() {
            return;
        }
        for side in SIDES {
            for kind in scope.kinds.iter() {
                let first = observed.events_of(side, kind).next();
                let time = first.map(|event| event.ply / PLIES);
                let value = first.and_then(|event| event.root_value);
                let value = value.map(|value| VALUES.iter().position(|end| value < *end).unwrap_or(VALUES.len() - 1));
                for &group in observed.groups {
                    for bin in [None, value].into_iter().take(1 + usize::from(value.is_some())) {
                        let results = self.results.entry((group, kind, time, bin)).or_default();
                        match game.score(side) {
                            1.0 => results.wins += 1,
                            0.0 => results.losses += 1,
                            _ => results.draws += 1,
                        }
                    }
                }
            }
        }
    }
}
