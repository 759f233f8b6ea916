//! Paired openings: a few random plies, so that players without randomness do not play one game over and over.

use rand::seq::IndexedRandom;

use crate::game::{Game, History, Material, random::stream};

/// Openings that leave one side this much worse off in material, in centipawns, are drawn again.
const UNBALANCED: i32 = 150;
/// How often an opening is drawn again before it is made a ply shorter.
const ATTEMPTS: usize = 100;

/// The actions of opening `pair`: `plies` uniformly random legal actions from the start, the same for the same seed.
///
/// Drawn again while the game is over, or while material differs from the start's by more than 150 centipawns. Where no
/// such opening of that length is found it is shorter.
pub fn opening<R: Material>(game: &Game<R>, plies: u32, seed: u64, pair: u64) -> Vec<R::Action> {
    let mut rng = stream("opening", seed, 0, pair);
    let mut legal = Vec::new();
    for plies in (1..=plies).rev() {
        for _ in 0..ATTEMPTS {
            let mut position = game.start();
            let mut history = History::new(game, &position);
            let mut actions = Vec::new();
            game.legal_actions(&position, &mut legal);
            while actions.len() < plies as usize && history.outcome(game, &position, &legal).is_none() {
                let &action = legal.choose(&mut rng).expect("a game that goes on has legal actions");
                game.apply(&mut position, action);
                history.push(game, &position);
                actions.push(action);
                game.legal_actions(&position, &mut legal);
            }
            let goes_on = history.outcome(game, &position, &legal).is_none();
            let balanced =
                (game.rules().material(&position) - game.rules().material(&game.start())).abs() <= UNBALANCED;
            if actions.len() == plies as usize && goes_on && balanced {
                return actions;
            }
        }
    }
    Vec::new()
}
