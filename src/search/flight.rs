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

/// A playout that waits for the evaluation of its leaf.
#[derive(Clone, Debug)]
pub(super) struct Flight<R: Rules> {
    /// Node and edge of each choice, from the root down.
    pub path: Vec<(NodeIndex, u32)>,
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
