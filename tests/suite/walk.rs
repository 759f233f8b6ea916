//! Positions of random games, the same on every run.

use maydan::game::{Game, History, random};
use rand::Rng as _;

/// One position of a random game.
#[derive(Clone, Debug)]
pub struct Visit<G: Game> {
    pub position: G::Position,
    /// How often it occurred before in its game.
    pub repetitions: u32,
    /// Its legal actions; the game goes on while there are any.
    pub legal: Vec<G::Action>,
}

/// All positions of `games` random games from the start, each until it ends or has `plies` plies.
pub fn random_games<G: Game>(game: &G, games: u64, plies: usize) -> Vec<Visit<G>> {
    let mut visits = Vec::new();
    for number in 0..games {
        let mut rng = random::stream("suite", 1, 0, number);
        let mut position = game.start();
        let mut history = History::new(game, &position);
        for _ in 0..=plies {
            let mut legal = Vec::new();
            game.legal_actions(&position, &mut legal);
            let over = history.outcome(game, &position, &legal).is_some();
            visits.push(Visit { position, repetitions: history.repetitions(game, &position), legal: legal.clone() });
            if over || legal.is_empty() {
                break;
            }
            game.apply(&mut position, legal[rng.random_range(0..legal.len())]);
            history.push(game, &position);
        }
    }
    visits
}
