//! The player with a network: a tree search that stops at the positions it wants evaluated.

use super::{Batcher, Candidate, Choice, Player, Thought, Turn};
use crate::{
    game::{Encode, Game, random::Rng},
    search::{Mode, Search, SearchConfig, SearchResult, Step, leaves_after},
};

/// How a network thinks in a match: PUCT without noise, so that it plays its best, with the constants that were chosen by
/// the matches of `docs/learning.md`.
pub fn match_search(playouts: u32) -> SearchConfig {
    SearchConfig {
        mode: Mode::Puct,
        playouts,
        c_puct_init: 1.0,
        c_puct_deviation: 0.4,
        fpu_reduction: 0.0,
        dirichlet_fraction: 0.0,
        gumbel_scale: 0.0,
        moves_left: 0.1,
        ..SearchConfig::default()
    }
}

/// A network on one side of a game; it keeps its tree from turn to turn.
pub struct Network<R: Encode> {
    config: SearchConfig,
    search: Search<R>,
    thinking: bool,
}

impl<R: Encode> Network<R> {
    pub fn new(config: SearchConfig) -> Self {
        Network { config, search: Search::new(), thinking: false }
    }
}

impl<R: Encode> Player<R> for Network<R> {
    fn think(&mut self, turn: &Turn<'_, R>, rng: &mut Rng, batcher: &mut Batcher<R>) -> Thought<R::Action> {
        if !self.thinking {
            self.search.begin(turn.game, &self.config, turn.position, turn.history, rng);
            self.thinking = true;
        }
        let leaves = leaves_after(self.search.playouts(), batcher.leaves());
        match self.search.gather(turn.game, &mut batcher.cache, leaves) {
            Step::Evaluate => {
                for leaf in self.search.waiting() {
                    batcher.rows.push(turn.game, leaf.position, leaf.repetitions);
                }
                Thought::Waiting
            }
            Step::Done => {
                self.thinking = false;
                Thought::Chosen(choice(&self.search.result()))
            }
        }
    }

    fn receive(&mut self, game: &Game<R>, batcher: &mut Batcher<R>, first: usize) {
        self.search.supply_rows(game, &mut batcher.cache, &batcher.evaluations, first);
    }

    fn observe(&mut self, action: R::Action) {
        self.search.advance(action);
    }
}

fn choice<A: Copy>(result: &SearchResult<A>) -> Choice<A> {
    let candidates = result.ranking().into_iter().map(|i| &result.actions[i]);
    let candidates = candidates.map(|a| Candidate { action: a.action, visits: a.visits, prior: a.prior, value: a.q });
    Choice { action: result.best().action, wdl: Some(result.wdl), candidates: candidates.collect() }
}
