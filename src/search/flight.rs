//! Playouts that wait for an evaluation.

use super::NodeIndex;
use crate::game::Rules;

/// A position whose evaluation a search waits for.
#[derive(Debug)]
pub struct Pending<'a, R: Rules> {
    pub position: &'a R::Position,
    /// How often it occurred before.
    pub repetitions: u32,
    /// Its legal actions; never empty.
    pub legal: &'a [R::Action],
}

/// Node and edge of each choice of a playout, from the root down.
pub(super) type Path = Vec<(NodeIndex, u32)>;

/// A playout that waits for the evaluation of its leaf.
#[derive(Clone, Debug)]
pub(super) struct Flight<R: Rules> {
    pub path: Path,
    /// Position and repetitions of the leaf, once there is one.
    pub leaf: Option<(R::Position, u32)>,
    /// The leaf's legal actions.
    pub legal: Vec<R::Action>,
}

impl<R: Rules> Flight<R> {
    pub fn new() -> Self {
        Flight { path: Vec::new(), leaf: None, legal: Vec::new() }
    }

    /// # Panics
    /// Before there is a leaf.
    pub fn leaf(&self) -> (&R::Position, u32) {
        let (position, repetitions) = self.leaf.as_ref().expect("a playout that has come to a leaf");
        (position, *repetitions)
    }
}

/// Playouts of one search that wait for one batch of evaluations. Threads that share a search have one each
/// ([`Search::gather_into`](super::Search::gather_into)).
#[derive(Clone, Debug)]
pub struct Leaves<R: Rules> {
    /// The first `waiting` wait; the others are memory for more.
    pub(super) flights: Vec<Flight<R>>,
    waiting: usize,
    /// Paths to leaves that were waited for already: they count as playouts under way until those here are over.
    pub(super) collisions: Vec<Path>,
}

impl<R: Rules> Default for Leaves<R> {
    fn default() -> Self {
        Leaves { flights: Vec::new(), waiting: 0, collisions: Vec::new() }
    }
}

impl<R: Rules> Leaves<R> {
    /// How many positions wait.
    pub fn len(&self) -> usize {
        self.waiting
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// The positions that wait, in the order in which they are answered.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Pending<'_, R>> {
        self.flights[..self.waiting].iter().map(|flight| {
            let (position, repetitions) = flight.leaf();
            Pending { position, repetitions, legal: &flight.legal }
        })
    }

    /// Takes in a playout, and gives back memory for another.
    pub(super) fn push(&mut self, flight: &mut Flight<R>) {
        if self.waiting == self.flights.len() {
            self.flights.push(Flight::new());
        }
        std::mem::swap(&mut self.flights[self.waiting], flight);
        self.waiting += 1;
    }

    /// The paths of all that wait, collisions among them.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.flights[..self.waiting].iter().map(|flight| &flight.path).chain(&self.collisions)
    }

    pub(super) fn clear(&mut self) {
        self.waiting = 0;
        self.collisions.clear();
    }
}
