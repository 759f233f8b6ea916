//! Openings: what games choose in their first plies, how that changes from generation to generation, and how it ends.
//!
//! Layout, lowest first:
//!
//! - `record`: what the games say in which one action was chosen ([`Record`]).
//! - `lossy`: counts in bounded memory ([`Lossy`]).
//! - `graph`: positions and the actions chosen there ([`Graph`], [`Edge`]).
//! - `census`: how often each opening was played ([`Census`]).
//! - `tally`, `groups`: first moves, results and lengths of groups of games.
//! - `tree`: the graph for reading.
//! - `tables`, `overview`, `figures`, `page`: results for people.
//! - `explore`: one position ([`Explore`]).

mod census;
mod explore;
mod figures;
mod graph;
mod groups;
mod lossy;
mod overview;
mod page;
mod record;
mod tables;
mod tally;
mod tree;

use std::{ops::RangeInclusive, sync::Arc};

pub use census::Census;
pub use explore::Explore;
pub use graph::{Edge, Graph};
pub use lossy::{Counted, Lossy};
pub use record::{Mean, Record, Results};

use self::{groups::Groups, tree::Tree};
use super::{Game, Runs, StatsError, identity};
use crate::{
    data::DecisionKind,
    game::Ruleset,
    page::{Phrase, Table},
};

/// Greatest depth of the graph, in plies.
const MAX_DEPTH: usize = 200;

/// How openings are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Plies from the start of a game that are followed, 1 to 200.
    pub depth: usize,
    /// Games that an action of the graph needs to be told of, at least 1.
    pub min_count: u64,
    /// Bands of generations, at least 1.
    pub bands: usize,
    /// Lengths of openings, in plies, of which it is told how many there are in effect.
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
    /// The actions of the graph that are told of; none before the end.
    edges: Vec<Edge>,
}

/// Decisions within the depth of the graph.
#[derive(Clone, Copy, Debug, Default)]
struct FirstPlies {
    decisions: u64,
    from_policy: u64,
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
            first_plies: FirstPlies::default(),
            edges: Vec::new(),
            options,
        })
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.graph.add(game);
        self.censuses.iter_mut().for_each(|census| census.add(game));
        self.groups.add(game);
        let plies = self.options.depth.min(game.plies());
        self.first_plies.decisions += plies as u64;
        self.first_plies.from_policy +=
            (0..plies).filter(|&ply| game.decision(ply) == DecisionKind::Opening.name()).count() as u64;
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

    /// The tree as a table of indented lines.
    pub fn tree(&self) -> Table {
        let title = Phrase::new("Tree of openings", "شجرة الافتتاحات");
        self.grow(usize::MAX).table(title, self.graph_note())
    }

    /// At most `lines` actions of the tree.
    fn grow(&self, lines: usize) -> Tree<'_> {
        Tree::grow(&self.start, &self.edges, self.options.min_count, lines)
    }

    /// First moves, the most frequent first.
    fn first_moves(&self) -> Vec<&str> {
        most_frequent(self.groups.all.first.iter()).into_iter().map(AsRef::as_ref).collect()
    }

    /// First and second moves likewise.
    fn second_moves(&self) -> Vec<&(Box<str>, Box<str>)> {
        most_frequent(self.groups.all.second.iter())
    }

    /// Why games ended, likewise.
    fn reasons(&self) -> Vec<&str> {
        let reasons = self.groups.all.reasons.iter().map(|(reason, results)| (reason, results.games()));
        let reasons: Vec<_> = reasons.collect();
        most_frequent(reasons.iter().map(|(reason, games)| (reason, games))).into_iter().map(|r| r.as_str()).collect()
    }
}

/// Keys by their counts, the greatest first, then as they come.
fn most_frequent<'a, K>(counts: impl Iterator<Item = (&'a K, &'a u64)>) -> Vec<&'a K> {
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|(_, games)| std::cmp::Reverse(**games));
    counts.into_iter().map(|(key, _)| key).collect()
}
