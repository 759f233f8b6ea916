//! Self-play of Shatara Arena: the same files on any number of shards.

use std::{fs, sync::atomic::AtomicBool};

use maydan::{
    data,
    game::shatara::Shatara,
    model::Uniform,
    selfplay::{Generation, SelfPlayConfig, Statistics},
};

fn play(shards: usize, slots: usize, cache_positions: usize) -> (Vec<Vec<u8>>, Statistics) {
    let dir = tempfile::tempdir().unwrap();
    let game = Shatara::from_options(&toml::Table::new()).unwrap();
    let mut config =
        SelfPlayConfig { games: 6, games_per_file: 4, shards, slots, cache_positions, ..SelfPlayConfig::default() };
    config.search.simulations = 8;
    config.search.considered_actions = 4;
    config.max_plies = 60;
    let generation =
        Generation { game: &game, config: &config, seed: 1, number: 1, checkpoint: "uniform", run_dir: dir.path() };
    let played =
        generation.run(&|_| Ok(Box::new(Uniform { batch_size: 4 })), &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert!(played.complete);
    let files = data::list_files(dir.path(), 1..2).unwrap();
    (files.iter().map(|path| fs::read(path).unwrap()).collect(), played.statistics)
}

#[test]
fn shards_slots_and_cache_leave_every_byte_alone() {
    let (reference, statistics) = play(1, 6, 1 << 16);
    assert_eq!(reference.len(), 2);
    // Reinforcements and ladder promotions happen in random play, or something is wrong.
    assert!(statistics.action_kinds.iter().filter(|&&count| count > 0).count() >= 4, "{statistics:?}");
    assert!(play(2, 2, 0).0 == reference);
    assert!(play(3, 1, 100).0 == reference);
}
