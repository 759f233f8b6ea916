//! The evaluators of one search: calls of several sizes, on several threads.

use std::sync::Arc;

use super::{Cache, Search, leaves_after};
use crate::{
    encode::Rows,
    game::{Encode, Game, Layout},
    model::{Background as _, Evaluations, Evaluator, EvaluatorError, MakeEvaluator, Worker},
};

/// Rows of the calls that an evaluator is made for, the greatest first. A call is padded to the next of them: a search
/// that has hardly begun should not wait for many positions at once.
const SIZES: [usize; 3] = [16, 4, 1];

/// Runs searches: answers for the positions that a search waits for, and shares them out among evaluators of the same
/// network. What they answer does not depend on how.
pub struct Crew {
    make: Arc<MakeEvaluator>,
    /// The evaluator of the calling thread.
    own: BySize,
    workers: Vec<Worker>,
    /// What each is asked, and its answers, the calling thread's first.
    batches: Vec<(Rows, Evaluations)>,
}

impl Crew {
    /// A crew of one, for rows of `layout`.
    ///
    /// # Errors
    /// When there is no evaluator to be had.
    pub fn new(make: Arc<MakeEvaluator>, layout: &'static Layout) -> Result<Self, EvaluatorError> {
        let own = BySize::new(&make)?;
        Ok(Crew { make, own, workers: Vec::new(), batches: vec![(Rows::new(layout), Evaluations::default())] })
    }

    /// Computes on so many threads from now on, the caller's among them.
    ///
    /// # Errors
    /// When there are no evaluators for them.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EvaluatorError> {
        let threads = threads.max(1);
        self.workers.truncate(threads - 1);
        while self.workers.len() + 1 < threads {
            let make = Arc::clone(&self.make);
            self.workers.push(Worker::new(move || Ok(Box::new(BySize::new(&make)?)))?);
        }
        let layout = self.batches[0].0.layout();
        self.batches.resize_with(threads, || (Rows::new(layout), Evaluations::default()));
        Ok(())
    }

    /// How many positions a search with so many playouts should wait for at once.
    pub fn leaves(&self, playouts: u32) -> usize {
        leaves_after(playouts, SIZES[0] * self.batches.len())
    }

    /// Answers for all positions that `search` waits for, at most as many as [`leaves`](Crew::leaves) says.
    ///
    /// # Errors
    /// When an evaluator fails; the search still waits then.
    pub fn answer<R: Encode>(
        &mut self,
        game: &Game<R>,
        search: &mut Search<R>,
        cache: &mut Cache<R>,
    ) -> Result<(), EvaluatorError> {
        let share = search.waiting().len().div_ceil(self.batches.len()).max(1);
        let mut waiting = search.waiting();
        for (rows, _) in &mut self.batches {
            rows.clear();
            waiting.by_ref().take(share).for_each(|leaf| rows.push(game, leaf.position, leaf.repetitions));
        }
        drop(waiting);
        let (own, others) = self.batches.split_first_mut().expect("a crew of at least one");
        let mut busy: Vec<_> = self.workers.iter_mut().zip(others).filter(|(_, (rows, _))| !rows.is_empty()).collect();
        let mut result = busy.iter_mut().try_for_each(|(worker, (rows, _))| worker.start(rows));
        result = result.and_then(|()| self.own.evaluate(&own.0, &mut own.1));
        // Every answer is fetched, whatever fails: the next batch would get those that are left.
        for (worker, (_, evaluations)) in busy {
            result = worker.finish(evaluations).and(result);
        }
        result?;
        search.supply_from(game, cache, |number| (&self.batches[number / share].1, number % share));
        Ok(())
    }
}

/// One network's evaluators for calls of several sizes, each made when it is first needed.
struct BySize {
    make: Arc<MakeEvaluator>,
    evaluators: [Option<Box<dyn Evaluator>>; SIZES.len()],
}

impl BySize {
    /// Makes the greatest, so that what is wrong with the network shows now.
    fn new(make: &Arc<MakeEvaluator>) -> Result<Self, EvaluatorError> {
        let mut evaluators = [const { None }; SIZES.len()];
        evaluators[0] = Some(make(SIZES[0])?);
        Ok(BySize { make: Arc::clone(make), evaluators })
    }
}

impl Evaluator for BySize {
    fn batch_size(&self) -> usize {
        SIZES[0]
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        let place = SIZES.iter().rposition(|&size| size >= rows.len()).unwrap_or(0);
        let evaluator = match &mut self.evaluators[place] {
            Some(evaluator) => evaluator,
            empty => empty.insert((self.make)(SIZES[place])?),
        };
        evaluator.evaluate(rows, out)
    }
}
