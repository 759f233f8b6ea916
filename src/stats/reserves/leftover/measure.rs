//! Pieces left in reserve at the end, by the result of the side.

use std::collections::BTreeMap;

use crate::{
    estimate::{Interval, Ratio},
    stats::reserves::observed::{ALL, Measure, Observed, SIDES, Scope},
};

/// How a side fared, in the order of tables.
pub const RESULTS: [&str; 4] = ["win", "draw", "loss", "cut off"];

/// Pieces left, by group, place in [`RESULTS`], and what is counted: 0 all that wait, then the kinds of the zone.
#[derive(Default)]
pub struct Leftover {
    left: BTreeMap<(usize, usize, usize), Ratio>,
    /// Sides by group and result.
    sides: BTreeMap<(usize, usize), u64>,
}

/// Pieces left to the sides of a group that fared alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Left {
    pub group: usize,
    /// Place in [`RESULTS`].
    pub result: usize,
    /// What is counted: 0 all that wait, then the kinds of the zone.
    pub what: usize,
    pub sides: u64,
    /// Pieces a side.
    pub mean: Option<Interval>,
}

impl Leftover {
    /// By group, result and what is counted.
    pub fn left(&self) -> impl Iterator<Item = Left> {
        self.left.iter().map(|(&(group, result, what), left)| {
            let sides = self.sides[&(group, result)];
            Left { group, result, what, sides, mean: left.interval() }
        })
    }

    /// Whether no side had anything left.
    pub fn is_nothing(&self) -> bool {
        self.left().all(|left| left.mean.is_none_or(|mean| mean.estimate == 0.0))
    }

    /// Pieces a side over all generations.
    pub fn mean(&self, result: usize, what: usize) -> Option<Interval> {
        self.left.get(&(ALL, result, what))?.interval()
    }

    /// Sides of all games by result, the results that there are.
    pub fn sides(&self) -> Vec<(usize, u64)> {
        self.sides.iter().filter(|(key, _)| key.0 == ALL).map(|(key, &sides)| (key.1, sides)).collect()
    }
}

impl Measure for Leftover {
    fn add(&mut self, observed: &Observed<'_>, scope: &Scope) {
        let game = observed.game;
        let waiting = scope.rules.reserve(game.position(game.plies())).unwrap_or_default();
        let mut sums: BTreeMap<usize, (f64, Vec<f64>)> = BTreeMap::new();
        for side in SIDES {
            let result = match (game.was_ended(), game.winner) {
                (false, _) => 3,
                (true, None) => 1,
                (true, Some(winner)) => {
                    if winner == side {
                        0
                    } else {
                        2
                    }
                }
            };
            let zone = observed.lives.end.zone(side, &scope.zone_kinds);
            let (sides, pieces) = sums.entry(result).or_insert_with(|| (0.0, vec![0.0; 1 + zone.len()]));
            *sides += 1.0;
            pieces[0] += f64::from(waiting[side.index()]);
            pieces[1..].iter_mut().zip(zone).for_each(|(sum, pieces)| *sum += f64::from(pieces));
        }
        for (result, (sides, pieces)) in sums {
            for &group in observed.groups {
                *self.sides.entry((group, result)).or_default() += sides as u64;
                for (what, &pieces) in pieces.iter().enumerate() {
                    self.left.entry((group, result, what)).or_default().add(observed.weights, pieces, sides);
                }
            }
        }
    }
}
