//! Runs against each other: a run is one sample of what training gives, and its own intervals do not say how much another
//! seed would differ.
//!
//! Layout, lowest first:
//!
//! - `quantity`: one number of every run, with its intervals inside of a run and between runs ([`Quantity`]).
//! - `measure`: counts over the games of a run.
//! - `page`: tables and sections.

mod measure;
mod page;
mod quantity;

use std::sync::Arc;

pub use quantity::{Between, OfRun, Quantity};

use self::measure::{Counts, Ratios};
use super::{GameColumns, Runs};
use crate::game::TextGame;

/// The comparison of some runs, under way.
pub struct Compare {
    rules: Arc<dyn TextGame>,
    runs: Vec<Arc<str>>,
    ratios: Ratios,
    counts: Vec<Counts>,
    bands: usize,
}

impl Compare {
    /// Counts over no games yet; trends are over so many bands of generations, at least 1.
    pub fn new(runs: &Runs, bands: usize) -> Self {
        let rules = runs.rules().clone();
        let ratios = Ratios::of(rules.as_ref());
        let counts = runs.names().iter().map(|_| Counts::new(&ratios)).collect();
        Compare { rules, runs: runs.names().to_vec(), ratios, counts, bands }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameColumns) {
        let run = self.runs.iter().position(|run| *run == game.run).unwrap_or_default();
        self.counts[run].add(game, &self.ratios, run);
    }

    /// Number of games so far.
    pub fn games(&self) -> u64 {
        self.counts.iter().map(Counts::games).sum()
    }

    /// Every number of every run.
    pub fn quantities(&self) -> Vec<Quantity> {
        measure::quantities(&self.counts, &self.ratios, self.rules.words())
    }
}
