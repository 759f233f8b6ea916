//! Many searches side by side on one batcher, so that their evaluations fill batches.

use super::Batcher;
use crate::{
    game::{Encode, Game, History, random::Rng},
    model::EvaluatorError,
    search::{Search, SearchConfig, SearchResult, Step},
};

/// A search to run.
pub struct Job<R: Encode> {
    pub config: SearchConfig,
    pub position: R::Position,
    /// Ends with `position`, which has a legal action.
    pub history: History,
    pub rng: Rng,
}

/// Runs all searches and gives their results in the order of the jobs. A result depends on its job and the evaluator
/// alone.
///
/// # Errors
/// When the evaluator fails.
pub fn run_searches<R: Encode>(
    game: &Game<R>,
    batcher: &mut Batcher<R>,
    jobs: Vec<Job<R>>,
) -> Result<Vec<SearchResult<R::Action>>, EvaluatorError> {
    let mut results: Vec<Option<SearchResult<R::Action>>> = jobs.iter().map(|_| None).collect();
    let mut jobs = jobs.into_iter().enumerate();
    let width = batcher.batch_size().max(1);
    let mut searches: Vec<(Option<usize>, Search<R>)> = (0..width).map(|_| (None, Search::new())).collect();
    loop {
        batcher.rows.clear();
        let mut waiting = Vec::new();
        for (place, (job, search)) in searches.iter_mut().enumerate() {
            loop {
                if job.is_none() {
                    let Some((number, mut next)) = jobs.next() else { break };
                    search.reset();
                    search.begin(game, &next.config, &next.position, &next.history, &mut next.rng);
                    *job = Some(number);
                }
                match search.step(game, &mut batcher.cache) {
                    Step::Evaluate => {
                        let pending = search.pending();
                        batcher.rows.push(game, pending.position, pending.repetitions);
                        waiting.push(place);
                        break;
                    }
                    Step::Done => results[job.take().expect("a search with a job")] = Some(search.result()),
                }
            }
        }
        if waiting.is_empty() {
            return Ok(results.into_iter().map(|result| result.expect("every job is run")).collect());
        }
        batcher.evaluate()?;
        for (row, place) in waiting.into_iter().enumerate() {
            searches[place].1.supply_rows(game, &mut batcher.cache, &batcher.evaluations, row);
        }
    }
}
