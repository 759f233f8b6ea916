//! What it took to make each network of a run, and the axes over which it is drawn.

use std::collections::BTreeMap;

use super::Record;
use crate::page::{Column, Kind, Phrase};

/// What a run spent before it had a network, as the events of its journal say: matches and the time between sessions do
/// not count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Games of self-play.
    pub games: u64,
    /// Evaluations of self-play.
    pub evaluations: f64,
    /// Seconds of self-play and training.
    pub seconds: f64,
}

impl Cost {
    /// The mean of some, games rounded down.
    pub fn mean(costs: &[Cost]) -> Cost {
        let n = costs.len().max(1);
        let mean = |of: fn(&Cost) -> f64| costs.iter().map(of).sum::<f64>() / n as f64;
        Cost {
            games: costs.iter().map(|cost| cost.games).sum::<u64>() / n as u64,
            evaluations: mean(|cost| cost.evaluations),
            seconds: mean(|cost| cost.seconds),
        }
    }
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
        spent.seconds += played.own_seconds() + training.get(&generation).copied().unwrap_or(0.0);
        costs.insert(generation + 1, spent);
    }
    costs
}

/// Whether the journal says how long training took, which older versions did not write.
pub fn tells_time(record: &Record) -> bool {
    record.training.is_empty() || record.training.iter().any(|event| event.seconds > 0.0)
}

/// What networks are drawn over.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The name of its column.
    id: &'static str,
    pub title: Phrase,
    kind: Kind,
    pub place: fn(&Cost) -> f64,
}

impl Axis {
    pub fn games() -> Self {
        Axis {
            id: "games",
            title: Phrase::new("games of self-play", "مباريات اللعب الذاتي"),
            kind: Kind::Number { decimals: 0 },
            place: |cost| cost.games as f64,
        }
    }

    pub fn evaluations() -> Self {
        Axis {
            id: "million_evaluations",
            title: Phrase::new("evaluations of self-play, millions", "تقييمات اللعب الذاتي، بالملايين"),
            kind: Kind::Number { decimals: 3 },
            place: |cost| cost.evaluations / 1e6,
        }
    }

    pub fn minutes() -> Self {
        Axis {
            id: "minutes",
            title: Phrase::new("minutes of self-play and training", "دقائق اللعب الذاتي والتدريب"),
            kind: Kind::Number { decimals: 1 },
            place: |cost| cost.seconds / 60.0,
        }
    }

    pub fn hours() -> Self {
        Axis {
            id: "hours",
            title: Phrase::new("hours of self-play and training", "ساعات اللعب الذاتي والتدريب"),
            kind: Kind::Number { decimals: 2 },
            place: |cost| cost.seconds / 3600.0,
        }
    }

    /// From nothing to the dearest of some networks; none where they took nothing.
    pub fn range<'a>(&self, costs: impl Iterator<Item = &'a Cost>) -> Option<(f64, f64)> {
        let most = costs.map(self.place).fold(0.0, f64::max);
        (most > 0.0).then_some((0.0, most))
    }

    /// The column of places on it.
    pub fn column(&self) -> Column {
        Column::new(self.id, self.title.clone(), self.kind)
    }
}
