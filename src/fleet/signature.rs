//! What a machine's arithmetic makes of games that all play: version, processor and broken hardware in one.

use std::sync::{Mutex, atomic::AtomicBool};

use super::messages::Order;
use crate::{
    data::{Manifest, encode_games},
    game::{Game, Playable},
    model::identity,
    selfplay::{
        EvaluatorFactory, MaterialConfig, OpeningConfig, PlayoutCapConfig, SelfPlayConfig, SelfPlayError, Shards,
    },
};

/// Games that are played for it, plies of each, and the most playouts of a search.
const GAMES: u64 = 2;
const PLIES: u32 = 6;
const PLAYOUTS: u32 = 64;

/// Plays the games, and gives the hash of their file.
///
/// # Errors
/// When the evaluator fails.
pub fn signature<R: Playable>(
    game: &Game<R>,
    order: &Order,
    evaluators: &EvaluatorFactory<'_>,
) -> Result<String, SelfPlayError> {
    let mut config = SelfPlayConfig {
        games: GAMES,
        max_plies: order.selfplay.max_plies.min(PLIES),
        opening: OpeningConfig { min_plies: 0, max_plies: 0, ..order.selfplay.opening },
        playout_cap: PlayoutCapConfig { full_share: 1.0, ..order.selfplay.playout_cap },
        slots: 2,
        cache_positions: 0,
        material: MaterialConfig::default(),
        ..order.selfplay.clone()
    };
    config.search.playouts = config.search.playouts.min(PLAYOUTS);
    let shards = Shards { game, config: &config, seed: order.seed, generation: order.generation };
    let mut games = Vec::new();
    shards.play(
        1,
        &Mutex::new(0..GAMES),
        evaluators,
        &AtomicBool::new(false),
        &mut |record, _, _| {
            games.push(record);
            Ok(())
        },
        &mut |_| (),
    )?;
    games.sort_unstable_by_key(|game| game.index);
    let manifest = Manifest::new(game, order.seed, order.generation, &order.checkpoint);
    Ok(identity(&encode_games(&manifest, &games)))
}
