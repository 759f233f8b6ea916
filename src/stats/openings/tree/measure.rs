//! The graph of openings: positions, and the actions chosen there. A position is one, whatever the order of moves that
//! led to it.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    ops::AddAssign,
    sync::Arc,
};

use crate::{
    estimate::Interval,
    stats::{
        GameColumns, identity,
        openings::{
            lossy::{Counted, Lossy},
            record::{Decisions, Record},
        },
    },
};

/// What games choose in their first plies.
#[derive(Clone, Debug)]
pub struct Graph {
    depth: usize,
    positions: Lossy<Arc<str>, Passed>,
    choices: Lossy<(Arc<str>, Box<str>), Choice>,
}

/// What games did in a position.
#[derive(Clone, Copy, Debug, Default)]
struct Passed {
    /// Games through it.
    games: u64,
    /// Each game's first choice of each of the actions that it chose there, which are several where it came back.
    choices: Decisions,
}

impl Counted for Passed {
    fn count(&self) -> u64 {
        self.games
    }
}

impl AddAssign for Passed {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.choices += other.choices;
    }
}

#[derive(Clone, Debug)]
struct Choice {
    record: Record,
    /// The position after the action, the same in every game.
    to: Arc<str>,
}

impl Counted for Choice {
    fn count(&self) -> u64 {
        self.record.games()
    }
}

impl AddAssign for Choice {
    fn add_assign(&mut self, other: Self) {
        self.record += other.record;
    }
}

/// An action in a position.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The position without its counters.
    pub position: Arc<str>,
    pub action: Box<str>,
    /// The position after it, likewise.
    pub to: Arc<str>,
    /// Games through the position, where they are known.
    pub position_games: Option<u64>,
    /// How the choices there were made, each action once a game, where they are known.
    pub position_choices: Option<Decisions>,
    pub record: Record,
    /// Whether a tree of the openings shows what follows at another action that leads to the same position.
    pub is_transposition: bool,
}

impl Edge {
    /// Share of the searched choices in the position.
    pub fn share_of_searched(&self) -> Option<Interval> {
        self.record.decisions.share_of_searched(&self.position_choices?)
    }

    /// Share of the choices there that were drawn from the network's policy without a search.
    pub fn share_of_drawn(&self) -> Option<Interval> {
        self.record.decisions.share_of_drawn(&self.position_choices?)
    }
}

impl Graph {
    /// Follows games for `depth` plies and keeps at most `limit` positions and as many actions.
    pub fn new(depth: usize, limit: usize) -> Self {
        Graph { depth, positions: Lossy::new(limit), choices: Lossy::new(limit) }
    }

    /// Follows a game. It counts once for each position and each action there, however often it comes back.
    pub fn add(&mut self, game: &GameColumns) {
        let mut passed = HashSet::new();
        let mut here = self.position(game, 0);
        for ply in 0..self.depth.min(game.plies()) {
            let to = self.position(game, ply + 1);
            if passed.insert((here.clone(), Some(game.action(ply)))) {
                let games = u64::from(passed.insert((here.clone(), None)));
                let choice = Choice { record: Record::of(game, ply), to: to.clone() };
                self.positions.add(here.clone(), Passed { games, choices: choice.record.decisions });
                self.choices.add((here, game.action(ply).into()), choice);
            }
            here = to;
        }
    }

    /// By how much a count may be too small; 0 while everything was kept.
    pub fn missed(&self) -> u64 {
        self.positions.missed().max(self.choices.missed())
    }

    /// The actions chosen in at least `min_count` games, the most frequent first, then in the order of their strings. A
    /// tree grows from `start`.
    pub fn edges(&self, min_count: u64, start: &str) -> Vec<Edge> {
        let choices = self.choices.iter().filter(|(_, choice)| choice.count() >= min_count);
        let mut edges: Vec<Edge> = choices
            .map(|((position, action), choice)| Edge {
                position: position.clone(),
                action: action.clone(),
                to: choice.to.clone(),
                position_games: self.positions.get(position).map(|passed| passed.games),
                position_choices: self.positions.get(position).map(|passed| passed.choices),
                record: choice.record.clone(),
                is_transposition: false,
            })
            .collect();
        edges.sort_unstable_by(|a, b| {
            let order = b.record.games().cmp(&a.record.games());
            order.then_with(|| a.action.cmp(&b.action)).then_with(|| a.position.cmp(&b.position))
        });
        mark_transpositions(&mut edges, start);
        edges
    }

    /// The position before `ply`, one string for all who name it.
    fn position(&self, game: &GameColumns, ply: usize) -> Arc<str> {
        let identity = identity(game.position(ply));
        self.positions.key(identity).cloned().unwrap_or_else(|| identity.into())
    }
}

/// Of the actions that lead to one position, the one that a walk in breadth from `start` meets first is where a tree
/// goes on. What cannot be reached through `edges` is walked from its own first position.
fn mark_transpositions(edges: &mut [Edge], start: &str) {
    let leaving = by_position(edges);
    let mut led_on = vec![false; edges.len()];
    let mut reached: HashSet<&str> = HashSet::new();
    for root in std::iter::once(start).chain(edges.iter().map(|edge| &*edge.position)) {
        let mut waiting = VecDeque::new();
        if reached.insert(root) {
            waiting.push_back(root);
        }
        while let Some(position) = waiting.pop_front() {
            for &at in leaving.get(position).into_iter().flatten() {
                led_on[at] = reached.insert(&edges[at].to);
                if led_on[at] {
                    waiting.push_back(&edges[at].to);
                }
            }
        }
    }
    for (edge, led_on) in edges.iter_mut().zip(led_on) {
        edge.is_transposition = !led_on;
    }
}

/// Which of `edges` leave each position, in their order.
pub fn by_position(edges: &[Edge]) -> HashMap<&str, Vec<usize>> {
    let mut leaving: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, edge) in edges.iter().enumerate() {
        leaving.entry(&edge.position).or_default().push(at);
    }
    leaving
}
