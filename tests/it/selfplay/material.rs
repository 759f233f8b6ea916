//! Generations without a network.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use arrow_array::{
    cast::AsArray,
    types::{Float32Type, UInt32Type},
};
use maydan::{
    data,
    encode::Rows,
    game::{Game, shatara::Shatara},
    model::{Evaluations, Evaluator, EvaluatorError, Uniform},
    selfplay::{BY_MATERIAL, Generation, MaterialConfig, Played, SelfPlayConfig, SelfPlayError, verify},
};

/// Answers nothing.
struct Unasked;

impl Evaluator for Unasked {
    fn batch_size(&self) -> usize {
        4
    }

    fn evaluate(&mut self, _: &Rows, _: &mut Evaluations) -> Result<(), EvaluatorError> {
        Err(EvaluatorError::Refused("asked".to_owned()))
    }
}

fn config() -> SelfPlayConfig {
    let mut config = SelfPlayConfig {
        games: 4,
        games_per_file: 4,
        shards: 2,
        slots: 2,
        max_plies: 40,
        material: MaterialConfig { generations: 2, depth: 1 },
        ..SelfPlayConfig::default()
    };
    config.search.playouts = 6;
    config.search.reuse_tree = false;
    config.search.solver = false;
    config.playout_cap.full_share = 0.5;
    config.playout_cap.cheap_playouts = 3;
    config.opening.max_plies = 4;
    config
}

fn game() -> Game<Shatara> {
    Shatara::game(&toml::Table::new()).unwrap()
}

fn play(folder: &Path, config: &SelfPlayConfig, number: u64) -> Result<Played, SelfPlayError> {
    let game = game();
    let generation = Generation { game: &game, config, seed: 5, number, checkpoint: "random", run_dir: folder };
    generation.run(&|_| Ok(Box::new(Unasked)), &AtomicBool::new(false), &mut |_| {})
}

#[test]
fn the_first_generations_ask_no_network_and_the_next_does() {
    let folder = tempfile::tempdir().unwrap();
    for number in [0, 1] {
        let played = play(folder.path(), &config(), number).unwrap();
        assert!(played.complete);
        assert_eq!((played.statistics.games, played.statistics.evaluations), (4, 0));
    }
    let asked = play(folder.path(), &config(), 2).unwrap_err();
    assert!(asked.to_string().contains("asked"), "{asked}");

    let path = data::chunk_path(&data::generation_dir(folder.path(), 1), 0);
    let columns = ["decision", "policy", "total_visits", "net_win", "net_loss", "root_win", "root_loss"];
    let (info, batches) = data::read_columns(&path, &columns).unwrap();
    assert_eq!(info.manifest.checkpoint, BY_MATERIAL);
    let (mut searched, mut values) = (0, Vec::new());
    for batch in &batches {
        let visits = batch["total_visits"].as_primitive::<UInt32Type>();
        let [wins, losses, root_wins, root_losses] =
            ["net_win", "net_loss", "root_win", "root_loss"].map(|name| batch[name].as_primitive::<Float32Type>());
        for row in 0..batch.num_rows() {
            assert_eq!(visits.value(row), 0);
            values.push(wins.value(row) - losses.value(row));
            if ["full", "cheap"].contains(&batch["decision"].as_string::<i32>().value(row)) {
                let policy = batch["policy"].as_list::<i32>().value(row);
                let policy = policy.as_primitive::<Float32Type>().values();
                assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{policy:?}");
                let found = root_wins.value(row) - root_losses.value(row) - values.last().unwrap();
                searched += i32::from(found > 0.1 && policy.iter().any(|&share| share > 0.5));
            }
        }
    }
    assert!(searched > 0, "no search finds what is worth more than the position, and wants it");
    assert!(values.contains(&0.0) && values.iter().any(|value| value.abs() > 0.1), "{values:?}");
}

#[test]
fn threads_leave_every_byte_alone() {
    let bytes = |shards, slots| {
        let folder = tempfile::tempdir().unwrap();
        play(folder.path(), &SelfPlayConfig { shards, slots, ..config() }, 0).unwrap();
        fs::read(data::chunk_path(&data::generation_dir(folder.path(), 0), 0)).unwrap()
    };
    assert!(bytes(2, 2) == bytes(1, 3));
}

#[test]
fn a_generation_stops_between_games() {
    let (folder, game, config) = (tempfile::tempdir().unwrap(), game(), SelfPlayConfig { games: 64, ..config() });
    let generation =
        Generation { game: &game, config: &config, seed: 5, number: 0, checkpoint: "random", run_dir: folder.path() };
    let stop = AtomicBool::new(false);
    let played = generation
        .run(&|_| Ok(Box::new(Unasked)), &stop, &mut |statistics| {
            stop.store(statistics.games > 0, Ordering::Relaxed);
        })
        .unwrap();
    assert!(!played.complete && played.statistics.games < 64, "{played:?}");
}

#[test]
fn their_files_are_held_against_the_material() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), &config(), 0).unwrap();
    let path = data::chunk_path(&data::generation_dir(folder.path(), 0), 0);
    let found = verify(&game(), &path, BY_MATERIAL, &mut Unasked).unwrap();
    assert!(found.evaluated > 0 && found.is_of_network() && found.largest_error < 1e-6, "{found:?}");
    let named = verify(&game(), &path, "random", &mut Unasked).unwrap_err().to_string();
    assert!(named.contains("expected random, found material"), "{named}");

    // What a network said, under a name that is not its own.
    let (game, mut config) = (game(), config());
    config.material.generations = 0;
    let generation = Generation {
        game: &game,
        config: &config,
        seed: 5,
        number: 7,
        checkpoint: BY_MATERIAL,
        run_dir: folder.path(),
    };
    generation.run(&|_| Ok(Box::new(Uniform { batch_size: 4 })), &AtomicBool::new(false), &mut |_| {}).unwrap();
    let path = data::chunk_path(&data::generation_dir(folder.path(), 7), 0);
    let found = verify(&game, &path, BY_MATERIAL, &mut Unasked).unwrap();
    assert!(!found.is_of_network(), "{found:?}");
}
