//! Damaged Parquet files of games: every damage is seen, and refused in one line. Where the seal is computed anew, reading
//! ends all the same.

#![no_main]

mod damage;

use std::{
    fs,
    path::Path,
    sync::{Arc, LazyLock, atomic::AtomicBool},
};

use libfuzzer_sys::fuzz_target;
use maydan::{
    data::{self, DataError, Samples, WindowConfig},
    game::{TextGame, shatar::Shatar, text_game::text_game},
    model::Uniform,
    selfplay::{Generation, SelfPlayConfig},
    stats::{GameFormat, Replay, games_of},
};
use tempfile::TempDir;

static RULES: LazyLock<Arc<dyn TextGame>> =
    LazyLock::new(|| text_game("shatar", &toml::Table::new()).expect("the standard rules").into());

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

/// Everything that a run's games are read for; gives what was wrong.
fn read(path: &Path, rules: &Arc<dyn TextGame>) -> Result<(), DataError> {
    let columns: Vec<&str> = data::schema::columns().map(|column| column.name).collect();
    let (info, _) = data::read_columns(path, &columns)?;
    let (game, window) = (Shatar::game(&toml::Table::new()).expect("the standard rules"), WindowConfig::default());
    let trained = Samples::read(path, game.ruleset(), game.layout(), &window, 0.9).map(drop);
    data::check_identity(&info, game.ruleset(), game.layout().version)?;
    for game in games_of("fuzz".into(), info, Arc::clone(rules), true) {
        let game = game?;
        // A position of other rules is an error of its own.
        let _ = Replay::new(&game, rules.as_ref());
        GameFormat::Pgn.text(&game, rules.ruleset());
    }
    trained
}

// Whether the seal is computed anew, then the damage.
fuzz_target!(|input: &[u8]| {
    let Some((&choice, edits)) = input.split_first() else { return };
    let (folder, whole) = &*PLACE;
    let (path, mut damaged) = (folder.path().join("damaged.parquet"), damage::damaged(whole, edits));
    let is_sealed = choice % 2 == 1 && damage::sealed(&mut damaged);
    fs::write(&path, &damaged).expect("room on the disk");
    match read(&path, &RULES) {
        Ok(()) => assert!(is_sealed || damaged == *whole, "damage is read"),
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
});
