//! What a tree says to people and to other programs: principal variations, and the order in which actions are worth
//! looking at.

use std::cmp::Reverse;

use super::{
    Proof, SearchResult,
    tree::{Edge, Node, NodeIndex, ROOT, Tree},
};
use crate::game::Rules;

impl<R: Rules> Tree<R> {
    /// The principal variation that begins with the root's action at place `first`, or with the one to expect: each
    /// action with the node that it is of.
    ///
    /// # Panics
    /// When there is no root.
    pub fn principal_variation(
        &self,
        first: Option<usize>,
    ) -> impl Iterator<Item = (&Node<R::Position>, &Edge<R::Action>)> {
        let first = match first {
            Some(first) => self.edges(ROOT).get(first),
            None => self.expected(ROOT),
        };
        let step = |&(_, edge): &(&Node<R::Position>, &Edge<R::Action>)| {
            let child = edge.child()?;
            Some((self.node(child), self.expected(child)?))
        };
        std::iter::successors(first.map(|edge| (self.node(ROOT), edge)), step)
    }

    /// The action to expect at a node, of those that something is known of: see [`ranking`](Tree::ranking). Among
    /// equals the first.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn expected(&self, node: NodeIndex) -> Option<&Edge<R::Action>> {
        self.edges(node).iter().filter(|edge| edge.is_explored()).rev().max_by_key(|edge| rank(edge))
    }

    /// Places of the root's actions: the one at `best` first, then wins, the sooner the better; then by visits; then
    /// losses, the later the better.
    ///
    /// # Panics
    /// When there is no root.
    pub fn ranking(&self, best: usize) -> Vec<usize> {
        let edges = self.edges(ROOT);
        let mut order: Vec<usize> = (0..edges.len()).collect();
        order.sort_by_key(|&i| (i != best, Reverse(rank(&edges[i]))));
        order
    }
}

impl<A: Copy> SearchResult<A> {
    /// Places of the actions: the one to play first, then by visits, then by priors.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.actions.len()).collect();
        order.sort_by(|&a, &b| {
            let (x, y) = (&self.actions[a], &self.actions[b]);
            let rest = || y.visits.cmp(&x.visits).then(y.prior.total_cmp(&x.prior));
            (b == self.best).cmp(&(a == self.best)).then_with(rest)
        });
        order
    }
}

fn rank<A>(edge: &Edge<A>) -> (u8, i64) {
    match edge.proof {
        Proof::Win(plies) => (2, -i64::from(plies)),
        Proof::Unknown | Proof::Draw(_) => (1, i64::from(edge.visits)),
        Proof::Loss(plies) => (0, i64::from(plies)),
    }
}
