//! Results of sides at landmarks: those that have used the reserve by then against those that could and have not.

use std::collections::BTreeMap;

use crate::{
    estimate::{Interval, Ratio},
    stats::reserves::{
        observed::{Measure, Observed, SIDES, Scope},
        page::FEW,
    },
};

/// Plies at which sides are compared.
pub const LANDMARKS: [usize; 5] = [20, 40, 60, 80, 120];
/// Where bins of the root value end, the last at 1.
const VALUES: [f64; 5] = [-0.5, -0.15, 0.15, 0.5, f64::INFINITY];
/// Plies from the landmark within which the side must have searched to be in a bin.
const SEARCHED_WITHIN: usize = 4;

/// Group, kind, place in [`LANDMARKS`], bin of the root value (none: all).
pub type Key = (usize, u8, usize, Option<usize>);

/// Results of sides.
#[derive(Default)]
pub struct Score {
    comparisons: BTreeMap<Key, Comparison>,
    /// Games that ended by themselves, and those cut off, which have no result.
    games: [u64; 2],
}

/// Sides that have used the reserve, and sides that could and have not.
#[derive(Default)]
pub struct Comparison {
    used: Points,
    unused: Points,
}

#[derive(Default)]
struct Points {
    sides: u64,
    /// Points a side.
    score: Ratio,
}

impl Comparison {
    /// Sides that have used it, and sides that have not.
    pub fn sides(&self) -> [u64; 2] {
        [self.used.sides, self.unused.sides]
    }

    /// Their points a game. They have no interval of their own: where both sides of a game have used it, the two
    /// always score 1/2 together.
    pub fn scores(&self) -> [Option<f64>; 2] {
        [&self.used, &self.unused].map(|points| Some(points.score.interval()?.estimate))
    }

    /// The first less the second; none with fewer than [`FEW`] sides in one of them.
    pub fn difference(&self) -> Option<Interval> {
        let enough = self.sides().iter().all(|&sides| sides >= FEW);
        enough.then(|| self.used.score.minus(&self.unused.score)).flatten()
    }
}

impl Score {
    /// Games with a result, and games cut off, which are left out.
    pub fn games(&self) -> [u64; 2] {
        self.games
    }

    /// By group, kind, landmark and bin, of the kinds that anybody used.
    pub fn comparisons(&self) -> impl Iterator<Item = (&Key, &Comparison)> {
        self.comparisons.iter().filter(|(key, _)| self.came(key.1))
    }

    /// Whether anybody had used it at a landmark.
    pub fn came(&self, kind: u8) -> bool {
        self.comparisons.iter().any(|(key, comparison)| key.1 == kind && comparison.used.sides > 0)
    }
}

impl Measure for Score {
    fn add(&mut self, observed: &Observed<'_>, scope: &Scope) {
        let game = observed.game;
        self.games[usize::from(!game.was_ended())] += 1;
        if !game.was_ended() {
            return;
        }
        // Points and sides of one game, with the use and without.
        let mut sums: BTreeMap<_, [(f64, u64); 2]> = BTreeMap::new();
        for side in SIDES {
            let own = |from: usize, to: usize| (from..to).filter(move |&ply| game.side(ply) == side);
            for kind in scope.kinds.iter() {
                let first_use = observed.events_of(side, kind).next().map(|event| event.ply);
                let first_legal = own(0, game.plies()).find(|&ply| game.legal_kinds(ply).contains(&kind));
                for (place, landmark) in LANDMARKS.into_iter().enumerate().filter(|&(_, at)| at < game.plies()) {
                    let by_then = |ply: Option<usize>| ply.is_some_and(|ply| ply < landmark);
                    if !by_then(first_legal) && !by_then(first_use) {
                        continue;
                    }
                    let searched = (landmark + SEARCHED_WITHIN).min(game.plies());
                    let value = own(landmark, searched).find_map(|ply| game.root_value(ply));
                    let bin = value.and_then(|value| VALUES.iter().position(|end| value < *end));
                    for bin in [None, bin].into_iter().take(1 + usize::from(bin.is_some())) {
                        let sum = &mut sums.entry((kind, place, bin)).or_default()[usize::from(!by_then(first_use))];
                        *sum = (sum.0 + game.score(side), sum.1 + 1);
                    }
                }
            }
        }
        for ((kind, place, bin), [used, unused]) in sums {
            for &group in observed.groups {
                let comparison = self.comparisons.entry((group, kind, place, bin)).or_default();
                for (points, (score, sides)) in [(&mut comparison.used, used), (&mut comparison.unused, unused)] {
                    points.sides += sides;
                    points.score.add(observed.weights, score, sides as f64);
                }
            }
        }
    }
}
