//! Streams of random numbers: ChaCha with 8 rounds, keyed by what the numbers are for, never by a clock or a thread.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// The generator used everywhere.
pub type Rng = ChaCha8Rng;

/// The stream for game `game` of generation `generation` of a run with `seed`. `purpose` keeps uses apart
/// (`"selfplay"`, `"train"`, `"match"`, ...).
pub fn stream(purpose: &str, seed: u64, generation: u64, game: u64) -> Rng {
    let mut digest = Sha256::new();
    digest.update(seed.to_le_bytes());
    digest.update(generation.to_le_bytes());
    digest.update(game.to_le_bytes());
    digest.update(purpose.as_bytes());
    Rng::from_seed(digest.finalize().into())
}
