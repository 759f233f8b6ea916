//! A search with an evaluator: one position at a time, for matches and for people.

use super::{Cache, Search, SearchConfig, SearchResult, Step};
use crate::{
    encode::Rows,
    game::{Encode, Game, History, random::Rng},
    model::{Evaluations, Evaluator, EvaluatorError},
};

/// A [`Search`] with what it needs around it. A caller with many searches at once drives [`Search`] itself and shares
/// the batches.
#[derive(Clone, Debug)]
pub struct Searcher<R: Encode> {
    game: Game<R>,
    config: SearchConfig,
    search: Search<R>,
    cache: Cache<R>,
    rows: Rows,
    evaluations: Evaluations,
}

impl<R: Encode> Searcher<R> {
    /// A searcher that remembers the evaluations of `cache_capacity` positions. Keep to one evaluator for as long as it
    /// lives.
    pub fn new(game: &Game<R>, config: SearchConfig, cache_capacity: usize) -> Self {
        Searcher {
            game: game.clone(),
            config,
            search: Search::new(),
            cache: Cache::new(cache_capacity),
            rows: Rows::new(game.layout()),
            evaluations: Evaluations::default(),
        }
    }

    /// Searches `position`, the last of `history`.
    ///
    /// # Errors
    /// When the evaluator fails.
    ///
    /// # Panics
    /// When the position has no legal action.
    pub fn search(
        &mut self,
        position: &R::Position,
        history: &History,
        evaluator: &mut dyn Evaluator,
        rng: &mut Rng,
    ) -> Result<SearchResult<R::Action>, EvaluatorError> {
        let Searcher { game, config, search, cache, rows, evaluations } = self;
        search.begin(game, config, position, history, rng);
        while search.step(game, cache) == Step::Evaluate {
            rows.clear();
            rows.push(game, search.pending().position, search.pending().repetitions);
            evaluator.evaluate(rows, evaluations)?;
            search.supply_rows(game, cache, evaluations, 0);
        }
        Ok(search.result())
    }

    /// Moves the root along `action`, which either side played, so that the next search can keep what this one found
    /// below.
    pub fn advance(&mut self, action: R::Action) {
        self.search.advance(action);
    }

    /// Forgets the tree, as before another game; the evaluations stay.
    pub fn reset(&mut self) {
        self.search.reset();
    }
}
