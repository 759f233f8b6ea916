//! Games of random actions: positions of all kinds, at no cost.

use rand::Rng as _;

use super::{Game, History, Rules, random::Rng};

/// Plays a game of random actions, at most `most` of them, shows `see` each position that is not an end, with its
/// history, legal actions and which of them comes, and gives the number of plies.
pub fn random_game<R: Rules>(
    game: &Game<R>,
    rng: &mut Rng,
    most: usize,
    mut see: impl FnMut(&R::Position, &History, &[R::Action], usize),
) -> usize {
    let (mut position, mut legal) = (game.start(), Vec::new());
    let mut history = History::new(game, &position);
    game.legal_actions(&position, &mut legal);
    while history.len() <= most && history.outcome(game, &position, &legal).is_none() {
        let drawn = rng.random_range(0..legal.len());
        see(&position, &history, &legal, drawn);
        game.apply(&mut position, legal[drawn]);
        history.push(game, &position);
        game.legal_actions(&position, &mut legal);
    }
    history.len() - 1
}
