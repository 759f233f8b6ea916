//! Openings: what games choose in their first plies, how that changes from generation to generation, and how it ends.
//!
//! Layout, lowest first:
//!
//! - `record`: what the games say in which one action was chosen ([`Record`]).
//! - `lossy`: counts in bounded memory ([`Lossy`]).
//! - `tally`, `groups`: first moves, results and lengths of groups of games.
//! - `notes`, `tables`, `figures`: what the tables and figures of all questions share.
//! - `tree`, `diversity`, `moves`, `results`, `lengths`, `explore`: one question each: `measure` counts, `page` shows.
//! - `page`: the sections of a page.
//! - `book`: the graph as a file for other programs.

mod book;
mod diversity;
mod explore;
mod figures;
mod groups;
mod lengths;
mod lossy;
mod moves;
mod notes;
mod page;
mod record;
mod results;
mod tables;
mod tally;
mod tree;

use std::{ops::RangeInclusive, sync::Arc};

pub use book::BookFormat;
pub use diversity::Census;
pub use explore::Explore;
pub use lossy::{Counted, Lossy};
pub use record::{Decisions, Mean, Record, Results};
pub use tree::{Edge, Graph};

use self::groups::Groups;
use super::{GameColumns, Runs, StatsError, identity};
use crate::game::Ruleset;

/// Greatest depth of the graph, in plies.
const MAX_DEPTH: usize = 200;

/// How openings are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Plies from the start of a game that are followed, 1 to 200.
    pub depth: usize,
    /// Least number of games for an action of the graph to be reported, at least 1.
    pub min_count: u64,
    /// Bands of generations, at least 1.
    pub bands: usize,
    /// Lengths of openings, in plies, for which the effective number of openings is given.
    pub opening_plies: Vec<usize>,
    /// Positions that are kept, and as many actions, at least 1; above it rare ones are forgotten.
    pub max_positions: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { depth: 8, min_count: 10, bands: 5, opening_plies: vec![2, 4], max_positions: 1_000_000 }
    }
}

impl Options {
    /// # Errors
    /// Names the first option that is out of range.
    pub fn validate(&self) -> Result<(), StatsError> {
        let wrong = |field, expected: &str, found: usize| {
            Err(StatsError::Option { field, expected: expected.to_owned(), found: found.to_string() })
        };
        if !(1..=MAX_DEPTH).contains(&self.depth) {
            return wrong("depth", "1 to 200 plies", self.depth);
        }
        if self.min_count == 0 {
            return wrong("min-count", "at least 1", 0);
        }
        if self.bands == 0 {
            return wrong("bands", "at least 1", 0);
        }
        if let Some(&plies) = self.opening_plies.iter().find(|&&plies| plies == 0) {
            return wrong("opening-plies", "lengths of at least 1", plies);
        }
        if self.max_positions == 0 {
            return wrong("max-positions", "at least 1", 0);
        }
        Ok(())
    }
}

/// The openings of runs: made empty, given every game, then [finished](Openings::finish) and asked.
#[derive(Clone, Debug)]
pub struct Openings {
    options: Options,
    runs: Vec<Arc<str>>,
    generations: RangeInclusive<u64>,
    ruleset: Ruleset,
    /// The position in which games start, without its counters.
    start: String,
    graph: Graph,
    censuses: Vec<Census>,
    groups: Groups,
    first_plies: FirstPlies,
    /// The actions of the graph that are reported; none before the end.
    edges: Vec<Edge>,
}

/// Decisions within the depth of the graph.
#[derive(Clone, Debug, Default)]
struct FirstPlies {
    /// By ply.
    decisions: Vec<Decisions>,
    /// Games that start in another position than the rules'.
    elsewhere: u64,
}

impl Openings {
    /// Counts over no games yet.
    ///
    /// # Errors
    /// When an option is out of range.
    pub fn new(options: Options, runs: &Runs) -> Result<Self, StatsError> {
        options.validate()?;
        let census = |&plies: &usize| Census::new(plies, options.max_positions);
        Ok(Openings {
            runs: runs.names().to_vec(),
            generations: runs.generations(),
            ruleset: runs.rules().ruleset().clone(),
            start: identity(&runs.rules().start()).to_owned(),
            graph: Graph::new(options.depth, options.max_positions),
            censuses: options.opening_plies.iter().map(census).collect(),
            groups: Groups::new(runs, options.bands),
            first_plies: FirstPlies { decisions: vec![Decisions::default(); options.depth], elsewhere: 0 },
            edges: Vec::new(),
            options,
        })
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameColumns) {
        self.graph.add(game);
        self.censuses.iter_mut().for_each(|census| census.add(game));
        self.groups.add(game);
        for (ply, decisions) in self.first_plies.decisions.iter_mut().enumerate().take(game.plies()) {
            *decisions += Decisions::of(game, ply);
        }
        self.first_plies.elsewhere += u64::from(identity(game.position(0)) != self.start);
    }

    /// All games were given.
    pub fn finish(&mut self) {
        self.edges = self.graph.edges(self.options.min_count, &self.start);
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.groups.all.games()
    }

    /// The actions of the graph, the most frequent first.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// By how much a count of the graph may be too small; 0 while everything was kept.
    pub fn missed(&self) -> u64 {
        self.graph.missed()
    }
}
