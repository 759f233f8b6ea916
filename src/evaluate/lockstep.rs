//! Many searches side by side on one batcher, so that their evaluations fill batches.

use super::Batcher;
use crate::{
    game::{Encode, Game, History, random::Rng},
    model::EvaluatorError,
    search::{Search, SearchConfig, Step, leaves_after},
};

/// A search to run.
pub struct Job<R: Encode> {
    pub config: SearchConfig,
    pub position: R::Position,
    /// Ends with `position`, which has a legal action.
    pub history: History,
    pub rng: Rng,
}

/// Runs all searches and gives what `finish` makes of each, in the order of the jobs. Where the batcher allows one leaf
/// a search, a result depends on its job and the evaluator alone.
///
/// # Errors
/// When the evaluator fails.
pub fn run_searches<R: Encode, T>(
    game: &Game<R>,
    batcher: &mut Batcher<R>,
    jobs: Vec<Job<R>>,
    finish: impl Fn(&Search<R>) -> T,
) -> Result<Vec<T>, EvaluatorError> {
    let mut results: Vec<Option<T>> = jobs.iter().map(|_| None).collect();
    let width = (batcher.batch_size() / batcher.leaves()).clamp(1, jobs.len().max(1));
    let mut jobs = jobs.into_iter().enumerate();
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
                let leaves = leaves_after(search.playouts(), batcher.leaves());
                match search.gather(game, &mut batcher.cache, leaves) {
                    Step::Evaluate => {
                        waiting.push((place, batcher.rows.len()));
                        for leaf in search.waiting() {
                            batcher.rows.push(game, leaf.position, leaf.repetitions);
                        }
                        break;
                    }
                    Step::Done => results[job.take().expect("a search with a job")] = Some(finish(search)),
                }
            }
        }
        if waiting.is_empty() {
            return Ok(results.into_iter().map(|result| result.expect("every job is run")).collect());
        }
        batcher.evaluate()?;
        for (place, first) in waiting {
            searches[place].1.supply_rows(game, &mut batcher.cache, &batcher.evaluations, first);
        }
    }
}
