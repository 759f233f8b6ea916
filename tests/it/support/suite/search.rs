//! The solver against brute force, and what every search keeps.

use maydan::{
    game::{Game, History, Playable, random},
    model::Uniform,
    search::{Mode, SearchConfig, SearchResult, Searcher},
};

use super::{
    walk::{Visit, visits},
    witness::Witness,
};
use crate::support::opinionated::Opinionated;

/// Positions that brute force looks at from one root before it calls the root large.
const SMALL: usize = 2_000;

/// On positions from which few others can be reached, what the solver proves is what brute force finds, for the root
/// and for each of its actions, and the action played keeps it. Such positions are those near a game's end; where the
/// rules have a ply limit, any position becomes one when its counter says that the limit is near.
pub fn the_solver_agrees_with_brute_force<R: Playable>(game: &Game<R>, witness: &Witness) {
    let (mut decided, mut drawn) = (0, 0);
    let visits = visits(game, witness, 3, 120);
    for position in visits.iter().flat_map(|visit| [Some(visit.position), near_the_limit(game, visit)]).flatten() {
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        let mut history = History::new(game, &position);
        if legal.is_empty() || history.outcome(game, &position, &legal).is_some() {
            continue;
        }
        let mut budget = SMALL;
        let Some(values) = values(game, &position, &legal, &mut history, &mut budget) else { continue };
        let truth = *values.iter().max().unwrap();
        // Draws are many and alike.
        if truth == 0 && drawn >= 40 {
            continue;
        }
        let text = position.to_string();
        for mode in [Mode::Gumbel, Mode::Puct] {
            // Every action is considered: no proof comes from one that is not.
            let config = SearchConfig {
                mode,
                playouts: 3 * SMALL as u32,
                considered_actions: SMALL as u32,
                ..SearchConfig::default()
            };
            let mut rng = random::stream("suite-solver", 0, 0, 0);
            let result = Searcher::new(game, config, 0)
                .search(&position, &history, &mut Uniform { batch_size: 1 }, &mut rng)
                .unwrap();
            for (action, &value) in result.actions.iter().zip(&values) {
                assert!(action.proof.value().is_none_or(|proved| proved as i32 == value), "{action:?} in {text}");
            }
            match result.proof.value() {
                Some(proved) => {
                    assert_eq!(proved as i32, truth, "{text} by {mode:?}");
                    assert_eq!(values[result.best], truth, "{text} by {mode:?}: the action played gives it away");
                    decided += usize::from(truth != 0);
                    drawn += usize::from(truth == 0);
                }
                // A draw may stay open, as its proven lines draw the visits.
                None => assert_eq!(truth, 0, "{text} is not solved by {mode:?}"),
            }
        }
    }
    assert!(decided >= 4 && drawn >= 4, "{decided} decided and {drawn} drawn: give the witness seeds near the end");
}

/// The position with so many moves on its counter that the ply limit comes with the next White move's start at the
/// latest.
fn near_the_limit<R: Playable>(game: &Game<R>, visit: &Visit<R>) -> Option<R::Position> {
    let limit = game.adjudication().max_plies;
    let text = visit.position.to_string();
    let (rest, _) = text.rsplit_once(' ')?;
    game.parse_position(&format!("{rest} {}", limit / 2)).ok().filter(|_| limit > 1)
}

/// The value of each legal action for the side to move, by looking at every game; none when there are more positions
/// than `budget`.
fn values<R: Playable>(
    game: &Game<R>,
    position: &R::Position,
    legal: &[R::Action],
    history: &mut History,
    budget: &mut usize,
) -> Option<Vec<i32>> {
    let side = game.side_to_move(position);
    let value = |&action: &R::Action| {
        *budget = budget.checked_sub(1)?;
        let mut next = *position;
        game.apply(&mut next, action);
        history.push(game, &next);
        let mut replies = Vec::new();
        game.legal_actions(&next, &mut replies);
        let value = match history.outcome(game, &next, &replies) {
            Some(outcome) => Some(outcome.value_for(side) as i32),
            None => {
                let best = values(game, &next, &replies, history, budget).map(|values| *values.iter().max().unwrap());
                best.map(|best| if game.side_to_move(&next) == side { best } else { -best })
            }
        };
        history.pop();
        value
    };
    legal.iter().map(value).collect()
}

/// Every search makes as many visits as configured, lists the legal actions in their order, gives a distribution as its
/// target, and finds the same again.
pub fn searches_keep_their_promises<R: Playable>(game: &Game<R>, witness: &Witness) {
    let base = SearchConfig { playouts: 24, considered_actions: 4, solver: false, ..SearchConfig::default() };
    let configs = [
        base,
        SearchConfig { mode: Mode::Puct, ..base },
        SearchConfig { solver: true, rescale_values: true, c_scale: 0.1, ..base },
    ];
    let visits = visits(game, witness, 1, 60);
    for (number, visit) in visits.iter().filter(|visit| !visit.legal.is_empty()).enumerate() {
        let history = History::new(game, &visit.position);
        if history.outcome(game, &visit.position, &visit.legal).is_some() {
            continue;
        }
        for config in configs {
            let search = |cache| {
                let mut rng = random::stream("suite-search", 0, 0, number as u64);
                let mut searcher = Searcher::new(game, config, cache);
                searcher.search(&visit.position, &history, &mut Opinionated::default(), &mut rng).unwrap()
            };
            let result = search(0);
            let free = |result: SearchResult<R::Action>| SearchResult { evaluations: 0, ..result };
            assert_eq!(free(search(1_000)), free(result.clone()), "the cache changes a result");
            let text = visit.position.to_string();
            let what = format!("{config:?} in {text}: {result:?}");
            assert!(result.actions.iter().map(|action| action.action).eq(visit.legal.iter().copied()), "{what}");
            let playouts: u32 = result.actions.iter().map(|action| action.visits).sum();
            assert_eq!(playouts, result.playouts, "{what}");
            assert!(result.playouts == config.playouts || result.proof.is_known(), "{what}");
            // An action that is refuted makes room for another.
            let considered =
                result.actions.iter().filter(|action| action.visits > 0 && !action.proof.is_loss()).count();
            assert!(config.mode == Mode::Puct || considered <= 4, "{what}");
            let sum = |numbers: &mut dyn Iterator<Item = f32>| numbers.sum::<f32>();
            assert!((sum(&mut result.actions.iter().map(|action| action.prior)) - 1.0).abs() < 1e-4, "{what}");
            assert!((sum(&mut result.policy()) - 1.0).abs() < 1e-4, "{what}");
            assert!((sum(&mut result.wdl.to_array().into_iter()) - 1.0).abs() < 1e-4, "{what}");
            assert!(result.actions.iter().all(|action| (-1.0..=1.0).contains(&action.q)), "{what}");
            assert!(result.actions.iter().all(|action| action.policy >= 0.0), "{what}");
            assert!(result.best().visits > 0 || result.proof.is_known(), "{what}");
        }
    }
}
