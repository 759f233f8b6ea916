//! The bootstrap weights of a game, and of a generation.

use crate::{estimate::Weights, game::random::stream};

/// The weights of game `game` of generation `generation`: the same whenever and in whatever order games are read.
pub fn weights_of_game(seed: u64, generation: u64, game: u64) -> Weights {
    Weights::draw(&mut stream("bootstrap", seed, generation, game))
}

/// The seed that keys the random numbers of a game, of run number `run` of several: games of two runs are different games,
/// though they may have the same seed, generation and index.
pub fn seed_among_runs(seed: u64, run: usize) -> u64 {
    seed.wrapping_add((run as u64) << 32)
}

/// The weights of a whole generation of run number `run`, where generations are the units.
pub fn weights_of_generation(seed: u64, run: u64, generation: u64) -> Weights {
    Weights::draw(&mut stream("bootstrap of generations", seed, generation, run))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_belong_to_a_game() {
        assert_eq!(weights_of_game(1, 2, 3), weights_of_game(1, 2, 3));
        assert_ne!(weights_of_game(1, 2, 3), weights_of_game(1, 2, 4));
    }
}
