//! Files whose pages and footers were changed and whose checksums were computed anew: they look whole, and reading them ends.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{atomic::AtomicBool, mpsc},
    thread,
    time::Duration,
};

use maydan::{
    data::{self, read_columns, read_games, schema},
    game::{
        random::{self, Rng},
        shatara::Shatara,
    },
    model::Uniform,
    selfplay::{Generation, SelfPlayConfig},
};
use rand::Rng as _;

use crate::support::forged;

/// Damaged files that are read.
const FILES: u64 = 200;

/// A file of two short games.
fn played(folder: &Path) -> PathBuf {
    let mut config = SelfPlayConfig { games: 2, shards: 1, max_plies: 20, ..SelfPlayConfig::default() };
    config.search.playouts = 4;
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let generation =
        Generation { game: &game, config: &config, seed: 1, number: 0, checkpoint: "uniform", run_dir: folder };
    generation.run(&|_| Ok(Box::new(Uniform { batch_size: 1 })), &AtomicBool::new(false), &mut |_| {}).unwrap();
    data::chunk_path(&data::generation_dir(folder, 0), 0)
}

/// Changes a few bytes of the pages or of the footer and computes the checksums anew.
fn damage(file: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let footer = forged::footer(&bytes);
    // The seal stands before the footer, and the last eight bytes say where that is.
    let places = [4..footer - 16, footer..bytes.len() - 8];
    for _ in 0..rng.random_range(1..=6) {
        let place = places[usize::from(rng.random_range(0..4) == 0)].clone();
        bytes[rng.random_range(place)] = rng.random();
    }
    forged::seal(&mut bytes);
    bytes
}

/// Reads a file game by game and by column; how many errors that gave.
fn read(path: &Path, rows: usize) -> usize {
    let columns: Vec<&str> = schema::columns().map(|column| column.name).collect();
    let mut errors = 0;
    let mut complain = |error: data::DataError| {
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
        errors += 1;
    };
    match read_games(path, &columns) {
        Err(error) => complain(error),
        Ok((_, games)) => {
            let mut items = 0;
            for game in games {
                items += 1;
                assert!(items <= rows + 1, "more games than rows");
                if let Err(error) = game {
                    complain(error);
                }
            }
        }
    }
    if let Err(error) = read_columns(path, &columns) {
        complain(error);
    }
    errors
}

#[test]
fn reading_ends_whatever_the_pages_say() {
    let folder = tempfile::tempdir().unwrap();
    let file = played(folder.path());
    let (whole, rows) = (fs::read(&file).unwrap(), data::inspect(&file).unwrap().rows as usize);
    let path = folder.path().join("damaged.parquet");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for number in 0..FILES {
            fs::write(&path, damage(&whole, &mut random::stream("resealed", 1, 0, number))).unwrap();
            let _ = sender.send((number, read(&path, rows)));
        }
    });
    let mut damaged = 0;
    for number in 0..FILES {
        let (read, errors) = receiver
            .recv_timeout(Duration::from_secs(120))
            .unwrap_or_else(|error| panic!("file {number}: reading does not end, or panics: {error}"));
        assert_eq!(read, number);
        damaged += usize::from(errors > 0);
    }
    assert!(damaged > FILES as usize / 10, "{damaged} of {FILES} files were found damaged");
}
