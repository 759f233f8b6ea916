//! Runs that differ in their seed alone, as one curve with a band.

use std::collections::{BTreeMap, BTreeSet};

use super::tables::settings_of;
use crate::{
    page::{Phrase, Point},
    report::{
        Record,
        cost::{Cost, costs},
    },
};

/// The key in which the runs of a band differ.
const SEED: &str = "run.seed";

/// What is measured of the networks of a run, by generation; the x of a point means nothing yet.
pub type Values = fn(&Record) -> Vec<(u64, Point)>;

/// What is drawn of one run, or of several seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub name: Phrase,
    /// Runs behind it.
    pub runs: usize,
    /// Generation, what it took, and the value. Of several runs the means, the value with the least and the greatest.
    pub points: Vec<(u64, Cost, Point)>,
}

/// A curve for each run; one for all of those that differ in their seed alone.
pub fn curves(records: &[Record], values: Values) -> Vec<Curve> {
    let curves = sets(records).into_iter().flat_map(|set| match band(&set, values) {
        Some(band) => vec![band],
        None => set.into_iter().map(|record| line(record, values)).collect(),
    });
    curves.collect()
}

/// The runs, those together that differ in their seed alone, in the order of the first of each set.
fn sets(records: &[Record]) -> Vec<Vec<&Record>> {
    struct Set<'a> {
        settings: BTreeMap<String, String>,
        seeds: BTreeSet<String>,
        records: Vec<&'a Record>,
    }
    let mut sets: Vec<Set<'_>> = Vec::new();
    for record in records {
        let mut settings = settings_of(record);
        let seed = settings.remove(SEED);
        // A run that does not say its seed may be any other one again.
        let known = seed.as_ref().and_then(|seed| {
            sets.iter_mut().find(|set| set.settings == settings && !set.seeds.is_empty() && !set.seeds.contains(seed))
        });
        match known {
            Some(set) => {
                set.seeds.extend(seed);
                set.records.push(record);
            }
            None => sets.push(Set { settings, seeds: seed.into_iter().collect(), records: vec![record] }),
        }
    }
    sets.into_iter().map(|set| set.records).collect()
}

fn line(record: &Record, values: Values) -> Curve {
    let costs = costs(record);
    let points = values(record).into_iter();
    Curve {
        name: Phrase::same(&record.name),
        runs: 1,
        points: points.filter_map(|(generation, value)| Some((generation, *costs.get(&generation)?, value))).collect(),
    }
}

/// The mean of several runs and the range of their values, at each generation in which one of them was measured, as far
/// as all of them reach. None of one run, and where there is no such generation.
fn band(set: &[&Record], values: Values) -> Option<Curve> {
    let lines: Vec<Curve> = set.iter().map(|record| line(record, values)).collect();
    let generations: BTreeSet<u64> =
        lines.iter().flat_map(|line| &line.points).map(|&(generation, ..)| generation).collect();
    let costs: Vec<BTreeMap<u64, Cost>> = set.iter().map(|record| costs(record)).collect();
    let point = |generation: u64| {
        let costs = costs.iter().map(|costs| costs.get(&generation).copied()).collect::<Option<Vec<Cost>>>()?;
        let values = lines.iter().map(|line| value_at(line, generation)).collect::<Option<Vec<f64>>>()?;
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Some((generation, Cost::mean(&costs), Point { low: Some(low), high: Some(high), ..Point::new(0.0, mean) }))
    };
    let points: Vec<_> = generations.into_iter().filter_map(point).collect();
    let names: Vec<&str> = set.iter().map(|record| record.name.as_str()).collect();
    let arabic: Vec<String> = names.iter().map(Phrase::ltr).collect();
    (set.len() > 1 && !points.is_empty()).then(|| Curve {
        name: Phrase::new(
            format!("mean of {} seeds: {}", set.len(), names.join(", ")),
            format!("متوسّط البذور ({}): {}", set.len(), arabic.join("، ")),
        ),
        runs: set.len(),
        points,
    })
}

/// The value of a generation, between those in which it was measured on the straight line; none beyond them.
fn value_at(line: &Curve, generation: u64) -> Option<f64> {
    let next = line.points.partition_point(|&(of, ..)| of < generation);
    let &(after, _, Point { y, .. }) = line.points.get(next)?;
    if after == generation {
        return Some(y);
    }
    let &(before, _, Point { y: from, .. }) = line.points.get(next.checked_sub(1)?)?;
    Some(from + (y - from) * (generation - before) as f64 / (after - before) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_measurements_is_a_straight_line_and_beyond_them_nothing() {
        let point = |generation, y| (generation, Cost::default(), Point::new(0.0, y));
        let line = Curve { name: Phrase::default(), runs: 1, points: vec![point(2, 10.0), point(6, 30.0)] };
        let values = [1, 2, 3, 6, 7].map(|generation| value_at(&line, generation));
        assert_eq!(values, [None, Some(10.0), Some(15.0), Some(30.0), None]);
    }
}
