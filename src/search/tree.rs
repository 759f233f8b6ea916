//! The tree: nodes and edges in two arenas, numbered in the order in which they came.

use std::ops::Range;

use super::{Evaluation, Proof, SearchConfig, proof};
use crate::game::{Game, Rules, Side, Wdl};

/// A node's place in the arena; the root is 0.
pub type NodeIndex = u32;

/// The root's place.
pub const ROOT: NodeIndex = 0;

/// A position whose evaluation is known. Ends of the game are no nodes: the edge that leads there knows the result.
#[derive(Clone, Copy, Debug)]
pub struct Node<P> {
    pub position: P,
    pub side: Side,
    /// How often the position occurred before, in the game and on the path from the root.
    pub repetitions: u32,
    /// What the evaluator said, from the point of view of `side`.
    pub raw_wdl: Wdl,
    /// Expected plies until the game's end, by the evaluator.
    pub raw_moves_left: f32,
    /// Sum of the squares of that value and of the playouts' through the node.
    pub(super) square_sum: f32,
    first_edge: u32,
    edge_count: u32,
}

impl<P> Node<P> {
    /// v(s): win less loss by the evaluator.
    pub fn raw_value(&self) -> f32 {
        self.raw_wdl.value()
    }
}

/// A legal action s, a. Sums are over the playouts that went through it, from the point of view of the side to move at
/// s, so that the statistics of a node follow from its edges: N(s) = 1 + sum_a N(s, a), and so on.
#[derive(Clone, Copy, Debug)]
pub struct Edge<A> {
    pub action: A,
    /// The evaluator's logit.
    pub logit: f32,
    /// P(s, a), the softmax of the logits.
    pub prior: f32,
    /// N(s, a)
    pub visits: u32,
    /// W(s, a), sum of the playouts' win less loss.
    pub value_sum: f32,
    /// Sum of the playouts' probabilities of a draw.
    pub draw_sum: f32,
    /// Sum of the playouts' plies from s until the game's end.
    pub plies_sum: f32,
    /// What is known for certain.
    pub proof: Proof,
    /// Playouts that went through it and wait for their leaf's evaluation: visits without a value.
    pub(super) in_flight: u32,
    child: u32,
}

const NO_CHILD: u32 = u32::MAX;

impl<A> Edge<A> {
    /// The node below, once it is evaluated.
    pub fn child(&self) -> Option<NodeIndex> {
        (self.child != NO_CHILD).then_some(self.child)
    }

    /// N(s, a) with the playouts under way.
    pub fn tries(&self) -> u32 {
        self.visits + self.in_flight
    }

    /// Q(s, a) = W(s, a) / N(s, a), or the proven value; `None` while nothing is known.
    pub fn q(&self) -> Option<f32> {
        self.proof.value().or_else(|| (self.visits > 0).then(|| self.value_sum / self.visits as f32))
    }

    /// Probability of win, draw and loss by the playouts, or what is proven; `None` while nothing is known.
    pub fn wdl(&self) -> Option<Wdl> {
        self.proof.wdl().or_else(|| {
            let draw = (self.visits > 0).then(|| self.draw_sum / self.visits as f32)?;
            Some(Wdl::from_value(self.q()?, draw))
        })
    }

    /// Whether something is known of the action beyond what the evaluator expects of it.
    pub fn is_explored(&self) -> bool {
        self.visits > 0 || self.proof.is_known()
    }
}

/// Where a playout ended, from the point of view of the side to move there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub side: Side,
    pub value: f32,
    pub draw: f32,
    /// Plies until the game's end.
    pub plies: f32,
    pub proof: Proof,
}

/// Nodes and edges of one search. The memory stays when the tree is cleared, so that a slot that plays game after game
/// stops allocating.
///
/// A node holds its position rather than replaying actions from the root: a playout of depth d would replay d actions,
/// while a position is small beside the node's edges (some 40, of 36 bytes each).
#[derive(Clone, Debug)]
pub struct Tree<R: Rules> {
    nodes: Vec<Node<R::Position>>,
    edges: Vec<Edge<R::Action>>,
}

impl<R: Rules> Tree<R> {
    pub(super) fn new() -> Self {
        Tree { nodes: Vec::new(), edges: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Memory of a node with so many legal actions, in bytes.
    pub fn node_bytes(actions: usize) -> usize {
        size_of::<Node<R::Position>>() + actions * size_of::<Edge<R::Action>>()
    }

    /// Memory that nodes and edges take, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.edges.as_slice())
    }

    /// Whether there is no root yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// # Panics
    /// When there is no such node.
    pub fn node(&self, node: NodeIndex) -> &Node<R::Position> {
        &self.nodes[node as usize]
    }

    /// The edges of a node, in the order of the legal actions.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn edges(&self, node: NodeIndex) -> &[Edge<R::Action>] {
        &self.edges[self.edge_range(node)]
    }

    /// Mean value over a node's evaluation and its playouts, from the point of view of the side to move there: (v(s) +
    /// sum_a W(s, a)) / N(s).
    pub fn value(&self, node: NodeIndex) -> f32 {
        let (mut value, mut visits) = (self.node(node).raw_value(), 1);
        for edge in self.edges(node) {
            value += edge.value_sum;
            visits += edge.visits;
        }
        value / visits as f32
    }

    /// What the edges prove of a node.
    pub fn proof(&self, node: NodeIndex) -> Proof {
        proof::combine(self.edges(node).iter().map(|edge| edge.proof))
    }

    pub(super) fn edge_mut(&mut self, node: NodeIndex, edge: u32) -> &mut Edge<R::Action> {
        let first = self.nodes[node as usize].first_edge;
        &mut self.edges[(first + edge) as usize]
    }

    /// Adds a node with an edge for each legal action.
    pub(super) fn push(
        &mut self,
        game: &Game<R>,
        position: &R::Position,
        repetitions: u32,
        legal: &[R::Action],
        evaluation: Evaluation<'_>,
    ) -> NodeIndex {
        assert_eq!(legal.len(), evaluation.logits.len(), "one logit a legal action");
        let node = self.nodes.len() as NodeIndex;
        let first_edge = self.edges.len();
        let most = evaluation.logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut total = 0.0;
        for (&action, &logit) in legal.iter().zip(evaluation.logits) {
            let prior = (logit - most).exp();
            total += prior;
            self.edges.push(Edge {
                action,
                logit,
                prior,
                visits: 0,
                value_sum: 0.0,
                draw_sum: 0.0,
                plies_sum: 0.0,
                proof: Proof::Unknown,
                in_flight: 0,
                child: NO_CHILD,
            });
        }
        for edge in &mut self.edges[first_edge..] {
            edge.prior /= total;
        }
        self.nodes.push(Node {
            position: *position,
            side: game.side_to_move(position),
            repetitions,
            raw_wdl: evaluation.wdl,
            raw_moves_left: evaluation.moves_left,
            square_sum: evaluation.wdl.value().powi(2),
            first_edge: first_edge as u32,
            edge_count: legal.len() as u32,
        });
        node
    }

    /// Hangs `child` below an edge.
    pub(super) fn link(&mut self, node: NodeIndex, edge: u32, child: NodeIndex) {
        self.edge_mut(node, edge).child = child;
    }

    /// Adds a playout to every edge of `path` (node and edge, from the root down), turning the value where the side to
    /// move changes. With the solver, proofs climb as far as they hold, and a proven value takes the place of the
    /// playout's.
    pub(super) fn back_up(&mut self, path: &[(NodeIndex, u32)], leaf: Leaf, config: &SearchConfig) {
        let Leaf { mut side, mut value, mut draw, mut plies, mut proof } = leaf;
        for &(node, edge) in path.iter().rev() {
            let at = &mut self.nodes[node as usize];
            at.square_sum += value * value;
            let mover = at.side;
            if mover != side {
                (side, value, proof) = (mover, -value, proof.flipped());
            }
            plies += 1.0;
            let edge = self.edge_mut(node, edge);
            edge.visits += 1;
            edge.value_sum += value;
            edge.draw_sum += draw;
            edge.plies_sum += plies;
            if proof.is_known() {
                edge.proof = proof.one_ply_earlier();
                proof = if config.solver { self.proof(node) } else { Proof::Unknown };
                if let Some(wdl) = proof.wdl() {
                    (value, draw) = (wdl.value(), wdl.draw);
                }
            }
        }
    }

    /// Adds `change` playouts under way to every edge of `path`.
    pub(super) fn mark(&mut self, path: &[(NodeIndex, u32)], change: i32) {
        for &(node, edge) in path {
            let edge = self.edge_mut(node, edge);
            edge.in_flight = edge.in_flight.saturating_add_signed(change);
        }
    }

    /// Copies what hangs below `root` into `into`, breadth first, so that it is the root there.
    pub(super) fn copy_subtree(&self, root: NodeIndex, into: &mut Tree<R>) {
        into.clear();
        into.copy_node(self, root);
        let mut next = 0;
        while next < into.edges.len() {
            if let Some(child) = into.edges[next].child() {
                into.edges[next].child = into.copy_node(self, child);
            }
            next += 1;
        }
    }

    fn copy_node(&mut self, from: &Tree<R>, node: NodeIndex) -> NodeIndex {
        let copy = self.nodes.len() as NodeIndex;
        let first_edge = self.edges.len() as u32;
        self.nodes.push(Node { first_edge, ..*from.node(node) });
        self.edges.extend_from_slice(from.edges(node));
        copy
    }

    fn edge_range(&self, node: NodeIndex) -> Range<usize> {
        let Node { first_edge, edge_count, .. } = self.nodes[node as usize];
        first_edge as usize..(first_edge + edge_count) as usize
    }
}
