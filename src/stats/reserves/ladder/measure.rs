//! Ranks that pieces hold, what rank comes next, and after how many plies.

use std::collections::BTreeMap;

use crate::{
    estimate::{ClusteredWaits, End, Interval, Ratio},
    stats::reserves::observed::{Measure, Observed, Scope},
};

/// Ranks held and left.
#[derive(Default)]
pub struct Ladder {
    /// Times a piece held a rank, by group and rank.
    held: BTreeMap<(usize, u8), Held>,
    /// By group, rank, next rank.
    steps: BTreeMap<(usize, u8, u8), Steps>,
    /// From gaining a rank to the next one, by group and rank.
    waits: BTreeMap<(usize, u8), ClusteredWaits>,
}

#[derive(Default)]
struct Held {
    count: u64,
    /// Times of each game.
    games: Ratio,
}

#[derive(Default)]
struct Steps {
    count: u64,
    /// Steps of each game that has any.
    games: Ratio,
    /// Plies from gaining the rank to the next one.
    wait: Ratio,
}

/// From one rank to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    pub group: usize,
    pub rank: u8,
    pub next: u8,
    /// Times a piece held the rank.
    pub held: u64,
    pub promoted: u64,
    /// Share of these.
    pub share: Option<Interval>,
    /// Plies from gaining the rank to the next one.
    pub wait: Option<Interval>,
}

impl Ladder {
    /// By group, rank, next rank.
    pub fn transitions(&self) -> impl Iterator<Item = Transition> {
        self.steps.iter().map(|(&(group, rank, next), steps)| {
            let held = &self.held[&(group, rank)];
            let (share, wait) = (steps.games.part_of(&held.games), steps.wait.interval());
            Transition { group, rank, next, held: held.count, promoted: steps.count, share, wait }
        })
    }

    /// From gaining a rank to the next one, by group and rank, of the ranks that anybody left so.
    pub fn waits(&self) -> impl Iterator<Item = (usize, u8, &ClusteredWaits)> {
        let left = |group: usize, rank: u8| self.steps.keys().any(|key| (key.0, key.1) == (group, rank));
        self.waits.iter().map(|(&(group, rank), waits)| (group, rank, waits)).filter(move |wait| left(wait.0, wait.1))
    }
}

impl Measure for Ladder {
    fn add(&mut self, observed: &Observed<'_>, _: &Scope) {
        let plies = observed.game.plies();
        let mut sums: BTreeMap<(u8, u8), (f64, f64)> = BTreeMap::new();
        let mut waits: BTreeMap<u8, Vec<(u32, End)>> = BTreeMap::new();
        for piece in &observed.lives.pieces {
            for (rank, since, until, next) in piece.spells(plies) {
                let wait = (until - since) as u32;
                let end = match next {
                    Some(_) => End::Event,
                    None if piece.captured.is_some() => End::Competing,
                    None => End::Censored,
                };
                waits.entry(rank).or_default().push((wait, end));
                if let Some(next) = next {
                    let sum = sums.entry((rank, next)).or_default();
                    *sum = (sum.0 + f64::from(wait), sum.1 + 1.0);
                }
            }
        }
        for (rank, waits) in waits {
            for &group in observed.groups {
                let held = self.held.entry((group, rank)).or_default();
                held.count += waits.len() as u64;
                held.games.add(observed.weights, waits.len() as f64, 1.0);
                self.waits.entry((group, rank)).or_default().add(observed.weights, &waits);
            }
        }
        for ((rank, next), (wait, count)) in sums {
            for &group in observed.groups {
                let steps = self.steps.entry((group, rank, next)).or_default();
                steps.count += count as u64;
                steps.games.add(observed.weights, count, 1.0);
                steps.wait.add(observed.weights, wait, count);
            }
        }
    }
}
