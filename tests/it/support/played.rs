//! Small runs for tests of what reads them: games of a search without a network.

use std::{path::Path, sync::atomic::AtomicBool};

use maydan::{
    game::{Game, Playable},
    model::Uniform,
    selfplay::{Generation, SelfPlayConfig},
};

/// Plays `games` games of each of `generations` generations into the run's folder, two files a generation.
pub fn play<R: Playable>(game: &Game<R>, run_dir: &Path, generations: u64, games: u64) {
    let mut config =
        SelfPlayConfig { games, games_per_file: games.div_ceil(2), shards: 1, slots: 8, ..SelfPlayConfig::default() };
    config.search.playouts = 6;
    config.search.considered_actions = 4;
    config.playout_cap.full_share = 0.5;
    config.playout_cap.cheap_playouts = 2;
    config.opening.max_plies = 4;
    config.max_plies = 80;
    for number in 0..generations {
        let generation = Generation { game, config: &config, seed: 11, number, checkpoint: "uniform", run_dir };
        let evaluator = |_| -> Result<Box<dyn maydan::model::Evaluator>, _> { Ok(Box::new(Uniform { batch_size: 8 })) };
        let played = generation.run(&evaluator, &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert!(played.complete);
    }
}
