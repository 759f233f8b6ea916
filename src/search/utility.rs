//! What an outcome is worth to the side to move, where actions are chosen: win less loss, and what a configuration adds.

use super::{
    SearchConfig,
    tree::{Edge, Node},
};
use crate::game::Side;

/// Values from -1 to 1 that are no nearer to a result than this say too little of who wins for plies to count.
const DECIDED: f32 = 0.5;

/// A node's actions, and how the side to move there values what may come of them.
#[derive(Debug)]
pub(super) struct Choices<'a, P, A> {
    pub node: &'a Node<P>,
    /// One a legal action, in the order of the rules.
    pub edges: &'a [Edge<A>],
    pub utility: Utility,
}

impl<P, A> Choices<'_, P, A> {
    /// The utility of the action at a place; `None` while nothing is known of it.
    pub fn of(&self, edge: &Edge<A>) -> Option<f32> {
        let value = self.utility.of_edge(edge)?;
        Some(value + self.utility.of_length(edge, self.node.raw_moves_left))
    }

    /// The utility of an action of which nothing is known (v_mix of Danihelka et al. 2022, appendix D): the
    /// evaluator's value mixed with the prior-weighted q of the visited actions, of those that `keep` lets through.
    pub fn mixed(&self, keep: impl Fn(&Edge<A>) -> bool) -> f32 {
        let (mut visits, mut prior_sum, mut weighted) = (0, 0.0, 0.0);
        for edge in self.edges.iter().filter(|edge| keep(edge)) {
            visits += edge.visits;
            if let Some(q) = self.utility.of_edge(edge) {
                let prior = edge.prior.max(f32::MIN_POSITIVE);
                prior_sum += prior;
                weighted += prior * q;
            }
        }
        let raw = self.utility.of_node(self.node);
        if prior_sum == 0.0 {
            return raw;
        }
        let visits = visits as f32;
        (raw + visits * (weighted / prior_sum)) / (visits + 1.0)
    }
}

/// Utilities of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Utility {
    /// What a draw is worth.
    draw: f32,
    /// What the length of a decided game is worth.
    moves_left: f32,
}

impl Utility {
    /// Those of `side` in a search for the side `root`.
    pub fn new(config: &SearchConfig, side: Side, root: Side) -> Self {
        let contempt = if side == root { config.contempt } else { -config.contempt };
        Utility { draw: config.draw_score - contempt, moves_left: config.moves_left }
    }

    /// v(s) by the evaluator.
    pub fn of_node<P>(&self, node: &Node<P>) -> f32 {
        node.raw_value() + self.draw * node.raw_wdl.draw
    }

    /// The sum over an edge's playouts.
    pub fn sum<A>(&self, edge: &Edge<A>) -> f32 {
        edge.value_sum + self.draw * edge.draw_sum
    }

    /// Q(s, a), whatever the length; `None` while nothing is known.
    fn of_edge<A>(&self, edge: &Edge<A>) -> Option<f32> {
        if let Some(wdl) = edge.proof.wdl() {
            return Some(wdl.value() + self.draw * wdl.draw);
        }
        (edge.visits > 0).then(|| self.sum(edge) / edge.visits as f32)
    }

    /// What an action gains by ending a won game sooner, or a lost one later, than the evaluator expects at the node:
    /// nothing up to a value of [`DECIDED`], then more and more up to `moves_left` for half, or twice, the plies.
    fn of_length<A>(&self, edge: &Edge<A>, expected: f32) -> f32 {
        if self.moves_left == 0.0 || edge.visits == 0 {
            return 0.0;
        }
        let visits = edge.visits as f32;
        let value = edge.value_sum / visits;
        let certain = ((value.abs() - DECIDED) / (1.0 - DECIDED)).max(0.0);
        let doublings = (edge.plies_sum / visits).max(1.0).log2() - expected.max(1.0).log2();
        -value.signum() * self.moves_left * certain * doublings.clamp(-1.0, 1.0)
    }
}
