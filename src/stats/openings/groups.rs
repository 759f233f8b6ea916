//! Games in groups of generations: bands for tables, finer ones for figures, and single generations.

use std::collections::BTreeMap;

use super::tally::Tally;
use crate::{
    estimate::Interval,
    stats::{Bands, GameColumns, Runs, seed_among_runs, weights_of_game},
};

/// Most points of a line in a figure.
const STEPS: usize = 24;

/// How games are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The bands asked for, and all generations together.
    Band,
    /// As many bands as a figure has points.
    Step,
    Generation,
}

/// What a group is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    All,
    /// The generations of a band, `12-23`.
    Band(String),
    Generation(u64),
}

/// A group of games.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    pub name: &'a Name,
    /// The middle of its generations.
    pub x: f64,
    pub tally: &'a Tally,
}

/// The tallies of all groups.
#[derive(Clone, Debug)]
pub struct Groups {
    pub all: Tally,
    bands: Banded,
    steps: Banded,
    generations: BTreeMap<u64, (Name, Tally)>,
    /// Names of the runs, which distinguish games of one seed.
    runs: Vec<String>,
}

#[derive(Clone, Debug)]
struct Banded {
    bands: Bands,
    groups: Vec<(Name, Tally)>,
}

impl Banded {
    fn new(bands: Bands) -> Self {
        let groups = (0..bands.len()).map(|band| (Name::Band(bands.name(band)), Tally::default())).collect();
        Banded { bands, groups }
    }

    fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        self.groups.iter().enumerate().map(|(band, (name, tally))| {
            let (first, last) = self.bands.range(band).into_inner();
            Group { name, x: (first as f64 + last as f64) / 2.0, tally }
        })
    }
}

impl Groups {
    pub fn new(runs: &Runs, bands: usize) -> Self {
        Groups {
            all: Tally::default(),
            bands: Banded::new(runs.bands(bands)),
            steps: Banded::new(runs.bands(STEPS)),
            generations: BTreeMap::new(),
            runs: runs.names().iter().map(ToString::to_string).collect(),
        }
    }

    /// Counts a game in each of its groups.
    pub fn add(&mut self, game: &GameColumns) {
        let run = self.runs.iter().position(|run| **run == *game.run).unwrap_or_default();
        let weights = weights_of_game(seed_among_runs(game.seed, run), game.generation, game.index);
        self.all.add(game, &weights);
        for Banded { bands, groups } in [&mut self.bands, &mut self.steps] {
            groups[bands.of(game.generation)].1.add(game, &weights);
        }
        let name = || (Name::Generation(game.generation), Tally::default());
        self.generations.entry(game.generation).or_insert_with(name).1.add(game, &weights);
    }

    /// How much a number of the last band exceeds that of the first, whose games are others; none of one band.
    pub fn change(&self, value: impl Fn(&Group<'_>) -> Option<Interval>) -> Option<Interval> {
        let bands: Vec<Group<'_>> = self.bands.groups().collect();
        let [first, .., last] = bands.as_slice() else { return None };
        Some(value(last)?.minus(&value(first)?))
    }

    /// The groups in the order of their generations; all games before the bands.
    pub fn by(&self, by: By) -> Vec<Group<'_>> {
        let all = Group { name: &Name::All, x: f64::NAN, tally: &self.all };
        match by {
            By::Band => std::iter::once(all).chain(self.bands.groups()).collect(),
            By::Step => self.steps.groups().collect(),
            By::Generation => {
                let groups = self.generations.iter();
                groups.map(|(&x, (name, tally))| Group { name, x: x as f64, tally }).collect()
            }
        }
    }
}
