//! Positions of random games, the same on every run.

use maydan::game::{Game, History, Playable, random};
use rand::Rng as _;

use super::witness::Witness;

/// One position of a random game.
#[derive(Clone, Debug)]
pub struct Visit<R: Playable> {
    pub position: R::Position,
    /// How often it occurred before in its game.
    pub repetitions: u32,
    /// Its legal actions; the game goes on while there are any.
    pub legal: Vec<R::Action>,
}

/// All positions of `games` random games from the start, each until it ends or has `plies` plies.
pub fn random_games<R: Playable>(game: &Game<R>, games: u64, plies: usize) -> Vec<Visit<R>> {
    (0..games).flat_map(|number| random_game(game, game.start(), number, plies)).collect()
}

/// The positions of random games from the start, and of as many shorter ones from each of the witness's seeds, the
/// seeds themselves included.
pub fn visits<R: Playable>(game: &Game<R>, witness: &Witness, games: u64, plies: usize) -> Vec<Visit<R>> {
    let mut visits = random_games(game, games, plies);
    for (number, seed) in seeds(game, witness).into_iter().enumerate() {
        let numbers = (0..games).map(|game| 1_000 * (game + 1) + number as u64);
        visits.extend(numbers.flat_map(|number| random_game(game, seed, number, plies / 4)));
    }
    visits
}

/// The witness's seeds that are positions under this ruleset.
pub fn seeds<R: Playable>(game: &Game<R>, witness: &Witness) -> Vec<R::Position> {
    witness.seeds.iter().filter_map(|text| game.parse_position(text).ok()).collect()
}

/// The positions of random game `number`, until it ends or has `plies` plies.
pub fn random_game<R: Playable>(game: &Game<R>, start: R::Position, number: u64, plies: usize) -> Vec<Visit<R>> {
    let mut visits = Vec::new();
    let mut rng = random::stream("suite", 1, 0, number);
    let mut position = start;
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
    visits
}
