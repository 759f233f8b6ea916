//! Counting the leaves of the tree of legal actions (`perft`), the usual check of a move generator.

use std::hint::black_box;

use super::{Game, Rules};

/// Number of legal action sequences of length `depth`. Adjudicated draws do not stop it.
pub fn perft<R: Rules>(game: &Game<R>, position: &R::Position, depth: u32) -> u64 {
    count(game, position, depth, &mut lists(depth))
}

/// [`perft`] the long way: every action is played, the last ones too. What a search pays for a position, and so a
/// measure of [`Game::apply`].
pub fn walk<R: Rules>(game: &Game<R>, position: &R::Position, depth: u32) -> u64 {
    visit(game, position, depth, &mut lists(depth + 1))
}

/// [`perft`] of each legal action, in the order of the actions. Empty at depth 0.
pub fn divide<R: Rules>(game: &Game<R>, position: &R::Position, depth: u32) -> Vec<(R::Action, u64)> {
    let (mut actions, mut lists) = (Vec::new(), lists(depth));
    if depth > 0 {
        game.legal_actions(position, &mut actions);
    }
    let below = |&action: &R::Action| {
        let mut next = *position;
        game.apply(&mut next, action);
        (action, count(game, &next, depth - 1, &mut lists))
    };
    actions.iter().map(below).collect()
}

/// A list of actions for each ply above the last, so that no node allocates one.
fn lists<A>(depth: u32) -> Vec<Vec<A>> {
    (1..depth).map(|_| Vec::with_capacity(64)).collect()
}

fn count<R: Rules>(game: &Game<R>, position: &R::Position, depth: u32, lists: &mut [Vec<R::Action>]) -> u64 {
    match (depth, lists) {
        (0, _) => 1,
        (1, _) | (_, []) => game.count_legal_actions(position),
        (_, [actions, lists @ ..]) => {
            game.legal_actions(position, actions);
            let mut leaves = 0;
            for &action in actions.iter() {
                let mut next = *position;
                game.apply(&mut next, action);
                leaves += count(game, &next, depth - 1, lists);
            }
            leaves
        }
    }
}

fn visit<R: Rules>(game: &Game<R>, position: &R::Position, depth: u32, lists: &mut [Vec<R::Action>]) -> u64 {
    let (Some((actions, lists)), 1..) = (lists.split_first_mut(), depth) else { return 1 };
    game.legal_actions(position, actions);
    let mut leaves = 0;
    for &action in actions.iter() {
        let mut next = *position;
        game.apply(&mut next, action);
        if depth > 1 {
            leaves += visit(game, &next, depth - 1, lists);
        } else {
            // Nothing reads the last positions: without this the compiler would leave out what led to them.
            black_box(&next);
            leaves += 1;
        }
    }
    leaves
}
