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
    /// Positions that wait for the next evaluation, at most one a player.
    pub rows: Rows,
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
            evaluations: Evaluations::default(),
            cache: Cache::new(capacity),
        }
    }

    /// The most rows that may wait here.
    pub fn batch_size(&self) -> usize {
        self.evaluator.as_ref().map_or(0, |evaluator| evaluator.batch_size())
    }

    /// Whether a player may add another row.
    pub fn has_room(&self) -> bool {
        self.evaluator.is_none() || self.rows.len() < self.batch_size()
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
