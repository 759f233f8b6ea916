//! The value of every action of a position, by a search of the position that it leads to.

use super::{
    super::{
        Batcher,
        lockstep::{Job, run_searches},
        match_search,
    },
    positions::Root,
};
use crate::{
    game::{Encode, Game, random::stream},
    model::EvaluatorError,
    search::Search,
};

/// For each root, Q of every legal action in [-1, 1], for the side to move at the root: exact where the action ends the
/// game, else the value of a search of so many playouts.
///
/// # Errors
/// When the evaluator fails.
pub fn action_values<R: Encode>(
    game: &Game<R>,
    batcher: &mut Batcher<R>,
    roots: &[Root<R>],
    playouts: u32,
) -> Result<Vec<Vec<f32>>, EvaluatorError> {
    let mut values: Vec<Vec<f32>> = roots.iter().map(|root| vec![0.0; root.legal.len()]).collect();
    let (mut jobs, mut places) = (Vec::new(), Vec::new());
    let mut legal = Vec::new();
    for (at, root) in roots.iter().enumerate() {
        let side = game.side_to_move(&root.position);
        for (place, &action) in root.legal.iter().enumerate() {
            let (mut position, mut history) = (root.position, root.history.clone());
            game.apply(&mut position, action);
            history.push(game, &position);
            game.legal_actions(&position, &mut legal);
            if let Some(outcome) = history.outcome(game, &position, &legal) {
                values[at][place] = outcome.value_for(side);
                continue;
            }
            let sign = if game.side_to_move(&position) == side { 1.0 } else { -1.0 };
            places.push((at, place, sign));
            // A search for matches draws nothing.
            let rng = stream("improvement.value", 0, 0, 0);
            jobs.push(Job { config: match_search(playouts), position, history, rng });
        }
    }
    let results = run_searches(game, batcher, jobs, Search::result)?;
    for ((at, place, sign), result) in places.into_iter().zip(results) {
        values[at][place] = sign * result.value();
    }
    Ok(values)
}
