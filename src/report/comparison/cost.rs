//! What it took to make each network of a run.

use std::collections::BTreeMap;

use crate::report::Record;

/// What a run spent before it had a network. Sums over generations: matches and the time between sessions do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Games of self-play.
    pub games: u64,
    /// Evaluations of self-play.
    pub evaluations: f64,
    /// Seconds of self-play and training.
    pub seconds: f64,
}

/// The cost of each network by its generation, that of generation 0 being nothing.
pub fn costs(record: &Record) -> BTreeMap<u64, Cost> {
    let mut training: BTreeMap<u64, f64> = BTreeMap::new();
    for event in &record.training {
        *training.entry(event.generation).or_default() += event.seconds;
    }
    let mut spent = Cost::default();
    let mut costs = BTreeMap::from([(0, spent)]);
    for (&generation, played) in &record.selfplay {
        spent.games += played.games;
        spent.evaluations += played.evaluations_per_second * played.seconds;
        spent.seconds += played.seconds + training.get(&generation).copied().unwrap_or(0.0);
        costs.insert(generation + 1, spent);
    }
    costs
}
