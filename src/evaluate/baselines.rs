//! The players without a network: random, and a fixed-depth search.

use rand::{Rng as _, seq::IndexedRandom};

use super::{Batcher, Choice, Player, Thought, Turn};
use crate::{
    game::{Encode, Material, random::Rng},
    search::AlphaBeta,
};

/// Chooses among the legal actions with equal probability.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl<R: Encode> Player<R> for Random {
    fn think(&mut self, turn: &Turn<'_, R>, rng: &mut Rng, _: &mut Batcher<R>) -> Thought<R::Action> {
        Thought::Chosen(Choice::bare(*turn.legal.choose(rng).expect("a turn has legal actions")))
    }
}

/// The yardstick of this project: [`AlphaBeta`]. Equally good actions are chosen among with equal probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedDepth {
    pub search: AlphaBeta,
    /// Chance of a uniformly random action at each turn, in percent: players between the depths, and between the
    /// shallowest and [`Random`].
    pub random: u32,
}

impl FixedDepth {
    /// `greedy`: the best material after its own action, mate where there is one.
    pub fn greedy() -> Self {
        FixedDepth { search: AlphaBeta { depth: 1, mobility: 0 }, random: 0 }
    }
}

impl<R: Encode + Material> Player<R> for FixedDepth {
    fn think(&mut self, turn: &Turn<'_, R>, rng: &mut Rng, batcher: &mut Batcher<R>) -> Thought<R::Action> {
        if self.random > 0 && rng.random_range(0..100) < self.random {
            return Random.think(turn, rng, batcher);
        }
        let values = self.search.values(turn.game, turn.position, turn.history, turn.legal, 0);
        let best = values.iter().map(|&(_, value)| value).max();
        let equals: Vec<usize> = values.iter().filter(|&&(_, v)| Some(v) == best).map(|&(place, _)| place).collect();
        let chosen = *equals.choose(rng).expect("a turn has legal actions");
        Thought::Chosen(Choice::bare(turn.legal[chosen]))
    }
}
