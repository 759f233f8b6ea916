//! Damaged Parquet files of games: every damage is seen, and refused in one line.

#![no_main]

mod damage;

use std::{fs, sync::LazyLock, sync::atomic::AtomicBool};

use libfuzzer_sys::fuzz_target;
use maydan::{
    data,
    game::shatar::Shatar,
    model::Uniform,
    selfplay::{Generation, SelfPlayConfig},
};
use tempfile::TempDir;

/// A folder for the file, and a whole one of two short games.
static PLACE: LazyLock<(TempDir, Vec<u8>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let game = Shatar::game(&toml::Table::new()).expect("the standard rules");
    let mut config = SelfPlayConfig { games: 2, shards: 1, max_plies: 12, ..SelfPlayConfig::default() };
    config.search.playouts = 4;
    let run_dir = folder.path();
    let generation = Generation { game: &game, config: &config, seed: 1, number: 0, checkpoint: "uniform", run_dir };
    let played = generation.run(&|_| Ok(Box::new(Uniform { batch_size: 1 })), &AtomicBool::new(false), &mut |_| {});
    assert!(played.expect("room on the disk").complete);
    let whole = fs::read(data::chunk_path(&data::generation_dir(run_dir, 0), 0)).expect("the file just written");
    (folder, whole)
});

fuzz_target!(|edits: &[u8]| {
    let (folder, whole) = &*PLACE;
    let (path, damaged) = (folder.path().join("damaged.parquet"), damage::damaged(whole, edits));
    fs::write(&path, &damaged).expect("room on the disk");
    let columns: Vec<&str> = data::schema::columns().map(|column| column.name).collect();
    match data::read_columns(&path, &columns) {
        Ok(_) => assert!(damaged == *whole, "damage is read"),
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
});
