//! Counting the leaves of the tree of legal actions (`perft`), the usual check of a move generator.

use super::Game;

/// Number of legal action sequences of length `depth`. Adjudicated draws do not stop it.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.count_legal_actions(position),
        _ => {
            let mut actions = Vec::new();
            game.legal_actions(position, &mut actions);
            actions
                .iter()
                .map(|&action| {
                    let mut next = *position;
                    game.apply(&mut next, action);
                    perft(game, &next, depth - 1)
                })
                .sum()
        }
    }
}

/// [`perft`] of each legal action, in the order of the actions. Empty at depth 0.
pub fn divide<G: Game>(game: &G, position: &G::Position, depth: u32) -> Vec<(G::Action, u64)> {
    let mut actions = Vec::new();
    if depth > 0 {
        game.legal_actions(position, &mut actions);
    }
    actions
        .into_iter()
        .map(|action| {
            let mut next = *position;
            game.apply(&mut next, action);
            (action, perft(game, &next, depth - 1))
        })
        .collect()
}
