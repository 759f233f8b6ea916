//! How evaluations come back to the search that waits for them.

use super::{Cache, Evaluation, Leaves, Pending, Search, cache::gather_logits};
use crate::{
    game::{Encode, Game, Rules, Wdl},
    model::Evaluations,
};

impl<R: Rules> Search<R> {
    /// Answers for all positions that [wait](Search::waiting), in their order, and remembers the answers in `cache`.
    ///
    /// # Panics
    /// When there are fewer answers than positions, or not one logit a legal action.
    pub fn supply<'a>(
        &mut self,
        game: &Game<R>,
        cache: &mut Cache<R>,
        evaluations: impl IntoIterator<Item = Evaluation<'a>>,
    ) {
        let mut evaluations = evaluations.into_iter();
        let mut leaves = std::mem::take(&mut self.leaves);
        self.supply_each(&mut leaves, game, cache, |_, _, logits| {
            let evaluation = evaluations.next().expect("an answer a position");
            logits.extend_from_slice(evaluation.logits);
            (evaluation.wdl, evaluation.moves_left)
        });
        self.leaves = leaves;
    }

    /// Ends all playouts that wait in `leaves`, by what `answer` says of each, given its number, its leaf and room for
    /// its logits.
    fn supply_each(
        &mut self,
        leaves: &mut Leaves<R>,
        game: &Game<R>,
        cache: &mut Cache<R>,
        mut answer: impl FnMut(usize, Pending<'_, R>, &mut Vec<f32>) -> (Wdl, f32),
    ) {
        let waiting = leaves.len();
        self.give_up(leaves);
        let mut logits = std::mem::take(&mut self.logits);
        for (number, flight) in leaves.flights[..waiting].iter().enumerate() {
            let (position, repetitions) = flight.leaf();
            logits.clear();
            let (wdl, moves_left) =
                answer(number, Pending { position, repetitions, legal: &flight.legal }, &mut logits);
            assert_eq!(logits.len(), flight.legal.len(), "one logit a legal action");
            let evaluation = Evaluation { logits: &logits, wdl, moves_left };
            cache.insert(game, position, repetitions, evaluation);
            self.expand(game, flight, evaluation);
        }
        self.logits = logits;
    }
}

impl<R: Encode> Search<R> {
    /// [`supply`](Search::supply) from the rows of a batch that begin at `first`.
    ///
    /// # Panics
    /// When the batch has fewer rows than positions wait.
    pub fn supply_rows(&mut self, game: &Game<R>, cache: &mut Cache<R>, evaluations: &Evaluations, first: usize) {
        let mut leaves = std::mem::take(&mut self.leaves);
        self.supply_rows_to(&mut leaves, game, cache, evaluations, first);
        self.leaves = leaves;
    }

    /// [`supply_rows`](Search::supply_rows) for the positions that wait in `leaves`, which
    /// [`gather_into`](Search::gather_into) filled.
    ///
    /// # Panics
    /// When the batch has fewer rows than positions wait.
    pub fn supply_rows_to(
        &mut self,
        leaves: &mut Leaves<R>,
        game: &Game<R>,
        cache: &mut Cache<R>,
        evaluations: &Evaluations,
        first: usize,
    ) {
        self.supply_each(leaves, game, cache, |number, pending, logits| {
            let row = first + number;
            gather_logits(game, pending.position, pending.legal, &evaluations.logits, row, logits);
            (evaluations.wdl[row], evaluations.moves_left[row])
        });
    }
}
