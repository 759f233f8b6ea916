//! Batches the evaluations of one contender's players on one thread.

use crate::{
    encode::Rows,
    game::{Encode, Game},
    model::{Evaluations, Evaluator, EvaluatorError},
    search::Cache,
};

/// Evaluations that a batcher remembers, in positions: some games' worth, in some 20 MB.
const REMEMBERED: usize = 1 << 16;

/// What the players of one contender share on one thread: the evaluator, the batch under way, and what the evaluator
/// said before.
pub struct Batcher<R: Encode> {
    evaluator: Option<Box<dyn Evaluator>>,
    /// Positions that wait for the next evaluation.
    pub rows: Rows,
    /// Rows that one player may add at once: one where many games fill a batch, since a search that waits for several
    /// positions knows less of each when it chooses the next.
    leaves: usize,
    /// Answers to `rows` of the last evaluation, row by row.
    pub evaluations: Evaluations,
    pub cache: Cache<R>,
}

impl<R: Encode> Batcher<R> {
    /// A batcher with an evaluator, or for a player that needs none.
    pub fn new(game: &Game<R>, evaluator: Option<Box<dyn Evaluator>>) -> Self {
        let capacity = if evaluator.is_some() { REMEMBERED } else { 0 };
        Batcher {
            evaluator,
            rows: Rows::new(game.layout()),
            leaves: 1,
            evaluations: Evaluations::default(),
            cache: Cache::new(capacity),
        }
    }

    /// The same for players that add up to so many rows at once. With more than one nothing is remembered: how a search
    /// goes on depends then on which answers it must wait for, and games should not depend on one another.
    pub fn with_leaves(self, leaves: usize) -> Self {
        let cache = if leaves > 1 { Cache::new(0) } else { self.cache };
        Batcher { leaves, cache, ..self }
    }

    /// Rows that one player may add at once.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    /// The most rows that may wait here.
    pub fn batch_size(&self) -> usize {
        self.evaluator.as_ref().map_or(0, |evaluator| evaluator.batch_size())
    }

    /// Whether another player may add its rows.
    pub fn has_room(&self) -> bool {
        self.evaluator.is_none() || self.rows.len() + self.leaves <= self.batch_size()
    }

    /// Evaluates the rows that wait, if any.
    ///
    /// # Errors
    /// When the evaluator fails.
    ///
    /// # Panics
    /// When rows wait at a batcher without an evaluator.
    pub fn evaluate(&mut self) -> Result<(), EvaluatorError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let evaluator = self.evaluator.as_mut().expect("only a player with an evaluator adds rows");
        evaluator.evaluate(&self.rows, &mut self.evaluations)
    }
}
