//! Positions that a network's policy leads to, drawn action by action.

use std::ops::RangeInclusive;

use rand::Rng as _;

use super::super::Batcher;
use crate::{
    game::{
        Encode, Game, History,
        random::{Rng, stream},
    },
    model::EvaluatorError,
    search::{gather_logits, sample},
};

/// After so many games that ended too soon a walk stops wherever it may.
const PATIENCE: u32 = 32;

/// A position to search, with the policy of the network there.
pub struct Root<R: Encode> {
    pub position: R::Position,
    /// Ends with `position`.
    pub history: History,
    pub legal: Vec<R::Action>,
}

/// A game under way to a position.
struct Walk<R: Encode> {
    rng: Rng,
    root: Root<R>,
    target: u32,
    plies: u32,
    restarts: u32,
}

impl<R: Encode> Walk<R> {
    fn new(game: &Game<R>, plies: &RangeInclusive<u32>, seed: u64, number: u64) -> Self {
        let mut rng = stream("improvement.position", seed, 0, number);
        let target = rng.random_range(plies.clone());
        Walk { rng, root: start(game), target, plies: 0, restarts: 0 }
    }

    fn is_there(&self) -> bool {
        self.plies >= self.target && self.root.legal.len() > 1 || self.restarts >= PATIENCE
    }

    /// Plays an action drawn by these logits; where the game ends, begins anew with a nearer target.
    fn play(&mut self, game: &Game<R>, logits: &[f32], plies: &RangeInclusive<u32>) {
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let chosen = sample(logits.iter().map(|logit| (logit - most).exp()), 1.0, &mut self.rng).unwrap_or(0);
        let root = &mut self.root;
        game.apply(&mut root.position, root.legal[chosen]);
        root.history.push(game, &root.position);
        game.legal_actions(&root.position, &mut root.legal);
        self.plies += 1;
        if root.history.outcome(game, &root.position, &root.legal).is_some() {
            self.restarts += 1;
            let shorter = |ply: u32| ply >> (self.restarts / 4).min(31);
            self.target = self.rng.random_range(shorter(*plies.start())..=shorter(*plies.end()));
            (self.root, self.plies) = (start(game), 0);
        }
    }
}

fn start<R: Encode>(game: &Game<R>) -> Root<R> {
    let position = game.start();
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    Root { history: History::new(game, &position), position, legal }
}

/// The positions of these numbers, each a function of the seed, its number and the network: games drawn from the policy,
/// stopped at a ply drawn from `plies` where at least two actions are legal.
///
/// # Errors
/// When the evaluator fails.
pub fn positions<R: Encode>(
    game: &Game<R>,
    batcher: &mut Batcher<R>,
    plies: &RangeInclusive<u32>,
    seed: u64,
    numbers: &[u64],
) -> Result<Vec<Root<R>>, EvaluatorError> {
    let mut walks: Vec<Walk<R>> = numbers.iter().map(|&number| Walk::new(game, plies, seed, number)).collect();
    let mut logits = Vec::new();
    loop {
        let mut under_way: Vec<&mut Walk<R>> =
            walks.iter_mut().filter(|walk| !walk.is_there()).take(batcher.batch_size().max(1)).collect();
        if under_way.is_empty() {
            return Ok(walks.into_iter().map(|walk| walk.root).collect());
        }
        batcher.rows.clear();
        for walk in &under_way {
            let repetitions = walk.root.history.repetitions(game, &walk.root.position);
            batcher.rows.push(game, &walk.root.position, repetitions);
        }
        batcher.evaluate()?;
        for (row, walk) in under_way.iter_mut().enumerate() {
            let (position, legal) = (&walk.root.position, &walk.root.legal);
            gather_logits(game, position, legal, &batcher.evaluations.logits, row, &mut logits);
            walk.play(game, &logits, plies);
        }
    }
}
