//! The same waits in games of uniformly random actions: what the rules alone bring about.

use std::collections::BTreeMap;

use super::measure::{Wait, wait};
use crate::{
    estimate::{ClusteredWaits, Weights},
    game::{RandomPly, random::stream},
    stats::reserves::observed::{SIDES, Scope},
};

/// Games of random actions.
pub const GAMES: u64 = 1000;

/// Waits of the sides of games of random actions under the same rules.
pub struct RandomPlay {
    /// By kind, what is waited for.
    waits: BTreeMap<(u8, Wait), ClusteredWaits>,
}

impl RandomPlay {
    /// Plays the games, each of at most so many plies, which cut it off.
    pub fn of(scope: &Scope, most: usize) -> RandomPlay {
        let mut waits: BTreeMap<(u8, Wait), ClusteredWaits> = BTreeMap::new();
        for game in 0..GAMES {
            let plies = scope.rules.random_plies(&mut stream("random play", 0, 0, game), most);
            let weights = Weights::draw(&mut stream("random play bootstrap", 0, 0, game));
            for kind in scope.kinds.iter() {
                let first = |side, of: &dyn Fn(&RandomPly) -> bool| {
                    let ply = plies.iter().position(|ply| ply.side == side && of(ply));
                    wait(ply, plies.len(), plies.len() < most)
                };
                let legal = SIDES.map(|side| first(side, &|ply| ply.kinds.contains(&kind)));
                let used = SIDES.map(|side| first(side, &|ply| ply.kinds[ply.drawn] == kind));
                waits.entry((kind, Wait::Legal)).or_default().add(&weights, &legal);
                waits.entry((kind, Wait::Use(0))).or_default().add(&weights, &used);
            }
        }
        RandomPlay { waits }
    }

    /// The waits of a kind, for it to be legal or for its first use.
    pub fn waits(&self, kind: u8, wait: Wait) -> Option<&ClusteredWaits> {
        self.waits.get(&(kind, wait))
    }
}
