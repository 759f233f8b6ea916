//! How often each opening was played in each generation, for the effective number of openings.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest, Sha256};

use crate::{
    estimate::Hill,
    game::random::stream,
    stats::{GameColumns, identity},
};

/// The first 16 bytes of SHA-256 over a position: two are never met that agree by chance.
type Fingerprint = [u8; 16];

/// Openings of one length by generation. The opening of a game is the position after so many plies, whatever their
/// order.
#[derive(Clone, Debug)]
pub struct Census {
    plies: usize,
    limit: usize,
    /// None once there were more than `limit`: a part of them has no meaning.
    games: Option<HashMap<(u64, Fingerprint), u64>>,
}

impl Census {
    /// Openings of `plies` plies; gives up when there are more than `limit` different ones.
    pub fn new(plies: usize, limit: usize) -> Self {
        Census { plies, limit, games: Some(HashMap::new()) }
    }

    /// Number of plies of an opening.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// Counts a game, unless it is over when the opening is.
    pub fn add(&mut self, game: &GameColumns) {
        let Some(games) = &mut self.games else { return };
        if game.plies() <= self.plies {
            return;
        }
        let digest = Sha256::digest(identity(game.position(self.plies)).as_bytes());
        let fingerprint = std::array::from_fn(|i| digest[i]);
        *games.entry((game.generation, fingerprint)).or_default() += 1;
        if games.len() > self.limit {
            self.games = None;
        }
    }

    /// Whether there were too many openings to count.
    pub fn gave_up(&self) -> bool {
        self.games.is_none()
    }

    /// Games of the smallest generation: a size at which all of them compare.
    pub fn common_size(&self) -> u64 {
        self.by_generation().map(|(_, counts)| counts.iter().sum()).min().unwrap_or_default()
    }

    /// How diverse the openings of each generation are, by generation, also in samples of `size` games.
    pub fn hill(&self, size: u64) -> Vec<(u64, Hill)> {
        let hill = |(generation, counts): (u64, Vec<u64>)| {
            let mut rng = stream("diversity", self.plies as u64, generation, 0);
            Some((generation, Hill::of(counts, size, &mut rng)?))
        };
        self.by_generation().filter_map(hill).collect()
    }

    /// Games by opening of each generation.
    fn by_generation(&self) -> impl Iterator<Item = (u64, Vec<u64>)> {
        let mut generations: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for (&(generation, _), &games) in self.games.iter().flatten() {
            generations.entry(generation).or_default().push(games);
        }
        generations.into_iter()
    }
}
