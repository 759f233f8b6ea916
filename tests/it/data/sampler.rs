//! Batches from the replay window.

use crate::support::toy;

use std::{collections::BTreeMap, path::Path, sync::Arc, sync::atomic::AtomicBool};

use arrow_array::cast::AsArray;
use maydan::{
    data::{
        FileInfo, Prefetch, ReplayBuffer, Sampler, SamplerConfig, Samples, TrainingBatch, WindowConfig, inspect,
        list_files, read_columns,
    },
    model::Uniform,
    selfplay::{Generation, OpeningConfig, SelfPlayConfig},
};
use toy::TicTacToe;

fn play(run_dir: &Path, number: u64) {
    play_to(run_dir, number, SelfPlayConfig::default().max_plies);
}

fn play_to(run_dir: &Path, number: u64, max_plies: u32) {
    play_with(run_dir, number, SelfPlayConfig { max_plies, ..SelfPlayConfig::default() });
}

/// Games with a share of full searches.
fn play_some(run_dir: &Path, number: u64, full_share: f32) {
    let mut config = SelfPlayConfig::default();
    config.playout_cap.full_share = full_share;
    config.playout_cap.cheap_playouts = 2;
    play_with(run_dir, number, config);
}

fn play_with(run_dir: &Path, number: u64, config: SelfPlayConfig) {
    let game = TicTacToe::game();
    let config = SelfPlayConfig { games: 12, games_per_file: 4, shards: 1, ..config };
    let mut config = SelfPlayConfig { opening: OpeningConfig { max_plies: 0, ..config.opening }, ..config };
    config.search.playouts = 4;
    let generation = Generation { game: &game, config: &config, seed: 5, number, checkpoint: "uniform", run_dir };
    generation.run(&|_| Ok(Box::new(Uniform { batch_size: 8 })), &AtomicBool::new(false), &mut |_| {}).unwrap();
}

/// The lambda of value targets.
const LAMBDA: f32 = 0.95;

fn buffer(run_dir: &Path, generation: u64, window: WindowConfig) -> ReplayBuffer {
    let game = TicTacToe::game();
    let mut buffer = ReplayBuffer::new(game.ruleset().clone(), game.layout(), window, LAMBDA);
    assert!(buffer.refresh(run_dir, generation).unwrap().is_empty());
    buffer
}

fn sampler(buffer: &ReplayBuffer, config: SamplerConfig, batch_size: usize) -> Arc<Sampler> {
    Arc::new(Sampler::new(&TicTacToe::game(), buffer, config, batch_size, 1, 2).unwrap())
}

/// How often each row occurs, distinguished by everything in it.
fn census(batches: impl Iterator<Item = TrainingBatch>, most: usize) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let rows = batches.flat_map(|batch| {
        let rows: Vec<String> = (0..batch.len())
            .map(|i| {
                let policy = batch.offsets[i]..batch.offsets[i + 1];
                let bits = batch.rows.bits(i);
                format!("{bits:?} {:?} {:?} {}", &batch.policy[policy], batch.wdl[i], batch.moves_left[i])
            })
            .collect();
        rows
    });
    for row in rows.take(most) {
        *counts.entry(row).or_default() += 1;
    }
    counts
}

#[test]
fn a_pass_takes_every_row_once() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), 0);
    let buffer = buffer(dir.path(), 0, WindowConfig::default());
    let config = SamplerConfig { mirror: false, ..SamplerConfig::default() };
    let sampler = sampler(&buffer, config, 7);
    let rows = sampler.rows();
    assert_eq!((rows, buffer.files()), (buffer.rows(), 3));
    let one = census((0..100).map(|step| sampler.batch(step)), rows);
    let three = census((0..100).map(|step| sampler.batch(step)), 3 * rows);
    assert_eq!(one.values().sum::<usize>(), rows);
    assert!(three.iter().all(|(row, &count)| count == 3 * one[row]));
    assert!(sampler.batch(0) != sampler.batch(rows as u64), "passes are shuffled apart");
}

/// The plies to a cut-off say nothing of the plies to the end that the rules would give the game.
#[test]
fn only_games_that_the_rules_ended_teach_the_plies_left() {
    let dir = tempfile::tempdir().unwrap();
    play_to(dir.path(), 0, 7);
    let buffer = buffer(dir.path(), 0, WindowConfig::default());
    let sampler = sampler(&buffer, SamplerConfig { mirror: false, ..SamplerConfig::default() }, 1);
    let taught = (0..sampler.rows() as u64).filter(|&step| sampler.batch(step).moves_left_mask == [1.0]).count();
    let (mut by_rules, mut cut_off) = (0, 0);
    for path in list_files(dir.path(), 0..1).unwrap() {
        for batch in read_columns(&path, &["decision", "reason"]).unwrap().1 {
            let (decisions, reasons) = (batch["decision"].as_string::<i32>(), batch["reason"].as_string::<i32>());
            for row in (0..batch.num_rows()).filter(|&row| ["full", "cheap"].contains(&decisions.value(row))) {
                *(if reasons.value(row) == "cut_off" { &mut cut_off } else { &mut by_rules }) += 1;
            }
        }
    }
    assert!(by_rules > 0 && cut_off > 0, "{by_rules} {cut_off}");
    assert_eq!((taught, sampler.rows()), (by_rules, by_rules + cut_off));
}

#[test]
fn batches_come_in_order_and_from_any_step() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), 0);
    let buffer = buffer(dir.path(), 0, WindowConfig::default());
    let sampler = sampler(&buffer, SamplerConfig::default(), 16);
    let ahead: Vec<TrainingBatch> = Prefetch::new(2, sampler.batches(3..9)).collect();
    assert_eq!(ahead.len(), 6);
    for (step, batch) in (3..).zip(&ahead) {
        assert!(*batch == sampler.batch(step) && batch.len() == 16);
    }
    assert!(Prefetch::new(2, sampler.batches(0..u64::MAX)).next().is_some());
}

#[test]
fn mirrors_turn_about_half() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), 0);
    let buffer = buffer(dir.path(), 0, WindowConfig::default());
    let config = SamplerConfig { mirror: false, ..SamplerConfig::default() };
    let plain = sampler(&buffer, config, buffer.rows()).batch(0);
    let turned = sampler(&buffer, SamplerConfig { mirror: true, ..config }, buffer.rows()).batch(0);
    assert_eq!(plain.policy, turned.policy);
    let differ = (0..plain.len()).filter(|&i| plain.rows.bits(i) != turned.rows.bits(i)).count();
    assert!(differ > plain.len() / 5 && differ < plain.len() * 4 / 5, "{differ} of {}", plain.len());
}

#[test]
fn the_window_leaves_old_files_behind() {
    let dir = tempfile::tempdir().unwrap();
    (0..4).for_each(|number| play(dir.path(), number));
    let window = WindowConfig { minimum_rows: 60, maximum_rows: 90, ..WindowConfig::default() };
    let mut buffer = buffer(dir.path(), 0, WindowConfig { minimum_rows: 1000, ..WindowConfig::default() });
    assert_eq!((buffer.files(), buffer.rows_of(1)), (3, 0));
    buffer.refresh(dir.path(), 3).unwrap();
    assert_eq!((buffer.files(), buffer.oldest_generation()), (12, Some(0)));

    let game = TicTacToe::game();
    let mut small = ReplayBuffer::new(game.ruleset().clone(), game.layout(), window, LAMBDA);
    small.refresh(dir.path(), 3).unwrap();
    assert!(small.files() < 6 && small.oldest_generation() >= Some(2), "{} files", small.files());
    assert!(small.rows_of(3) > 0);
}

/// Rows that are trained on are the unit of the window, whichever they are.
#[test]
fn the_window_counts_the_rows_that_are_trained_on() {
    let dir = tempfile::tempdir().unwrap();
    (0..2).for_each(|number| play_some(dir.path(), number, 0.4));
    let paths = list_files(dir.path(), 0..2).unwrap();
    let files: Vec<FileInfo> = paths.iter().map(|path| inspect(path).unwrap()).collect();
    for cheap_rows in [false, true] {
        let all = WindowConfig { cheap_rows, holdout: 0, ..WindowConfig::default() };
        for file in &files {
            let game = TicTacToe::game();
            let samples = Samples::read(&file.path, game.ruleset(), game.layout(), &all, LAMBDA).unwrap();
            assert_eq!(all.rows_of(file), samples.len() as u64);
            assert!(all.rows_of(file) > 0 && (cheap_rows || all.rows_of(file) < file.rows));
        }
        let newest = all.rows_of(&files[files.len() - 1]);
        let one = WindowConfig { minimum_rows: newest, maximum_rows: newest, ..all };
        assert_eq!(buffer(dir.path(), 1, one).files(), 1);
        assert!(buffer(dir.path(), 1, one).is_capped() && !buffer(dir.path(), 1, all).is_capped());
        let two = WindowConfig { minimum_rows: newest, maximum_rows: newest + 1, growth: 1.0, exponent: 1.0, ..all };
        assert_eq!(buffer(dir.path(), 1, two).files(), 2);
    }
}

/// The same files in every session; nothing of them is trained on, and all the others are.
#[test]
fn some_files_are_held_out() {
    let dir = tempfile::tempdir().unwrap();
    (0..8).for_each(|number| play(dir.path(), number));
    let window = WindowConfig { holdout: 3, ..WindowConfig::default() };
    let all = buffer(dir.path(), 7, WindowConfig { holdout: 0, ..window });
    assert!(all.held_out(usize::MAX, 16).is_empty());
    let buffer = buffer(dir.path(), 7, window);
    let paths = list_files(dir.path(), 0..8).unwrap();
    let files: Vec<FileInfo> = paths.iter().map(|path| inspect(path).unwrap()).collect();
    let (out, kept): (Vec<&FileInfo>, Vec<&FileInfo>) = files.iter().partition(|file| window.holds_out(file));
    assert!(!out.is_empty() && out.len() < 16, "{}", out.len());
    assert!(out.iter().all(|file| file.manifest.generation > 0));

    let batches = buffer.held_out(usize::MAX, 16);
    assert!(batches.iter().rev().skip(1).all(|batch| batch.len() == 16));
    let held_out: usize = batches.iter().map(TrainingBatch::len).sum();
    assert_eq!(buffer.rows() + held_out, all.rows());
    assert_eq!(buffer.rows() as u64, kept.iter().map(|file| window.rows_of(file)).sum::<u64>());
    let count = |rows: usize| buffer.held_out(rows, 16).iter().map(TrainingBatch::len).sum::<usize>();
    assert_eq!((count(20), count(0)), (20, 0));

    let plain = SamplerConfig { mirror: false, ..SamplerConfig::default() };
    let trained = sampler(&buffer, plain, buffer.rows()).batch(0);
    let everything = sampler(&all, plain, all.rows()).batch(0);
    let census = |batches: Vec<TrainingBatch>| census(batches.into_iter(), usize::MAX);
    let mut both = census(batches);
    census(vec![trained]).into_iter().for_each(|(row, count)| *both.entry(row).or_default() += count);
    assert_eq!(both, census(vec![everything]));
}

#[test]
fn a_broken_file_is_complained_of_and_left_out() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), 0);
    let path = dir.path().join("gen-000000/0001.parquet");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[200] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let game = TicTacToe::game();
    let mut buffer = ReplayBuffer::new(game.ruleset().clone(), game.layout(), WindowConfig::default(), LAMBDA);
    let complaints = buffer.refresh(dir.path(), 0).unwrap();
    assert_eq!((complaints.len(), buffer.files()), (1, 2));
    assert!(complaints[0].to_string().contains("0001.parquet"), "{}", complaints[0]);
}

#[test]
fn an_empty_window_has_no_sampler() {
    let dir = tempfile::tempdir().unwrap();
    let buffer = buffer(dir.path(), 0, WindowConfig::default());
    assert!(Sampler::new(&TicTacToe::game(), &buffer, SamplerConfig::default(), 8, 1, 2).is_none());
}

#[test]
fn steps_follow_the_new_rows() {
    let config = SamplerConfig { passes: 2.5, ..SamplerConfig::default() };
    assert_eq!([0, 1, 1000].map(|rows| config.steps(rows, 100)), [0, 1, 25]);
}

/// A run keeps its buffer from generation to generation: what it draws is what a new buffer draws, and files that stay
/// are not read again.
#[test]
fn a_kept_buffer_draws_what_a_new_one_draws() {
    let dir = tempfile::tempdir().unwrap();
    let window = WindowConfig { minimum_rows: 60, maximum_rows: 90, ..WindowConfig::default() };
    let game = TicTacToe::game();
    let mut kept = ReplayBuffer::new(game.ruleset().clone(), game.layout(), window, LAMBDA);
    for generation in 0..4 {
        play(dir.path(), generation);
        assert!(kept.refresh(dir.path(), generation).unwrap().is_empty());
        let new = buffer(dir.path(), generation, window);
        assert_eq!(
            (kept.files(), kept.rows(), kept.oldest_generation()),
            (new.files(), new.rows(), new.oldest_generation())
        );
        let batches = [&kept, &new].map(|buffer| {
            let sampler = sampler(buffer, SamplerConfig::default(), 16);
            (0..20).map(|step| sampler.batch(step)).collect::<Vec<_>>()
        });
        assert!(batches[0] == batches[1], "generation {generation}");
    }
    assert!(kept.oldest_generation() > Some(0), "files fell out of the window");

    let before = sampler(&kept, SamplerConfig::default(), 16).batch(0);
    for path in list_files(dir.path(), 0..4).unwrap() {
        std::fs::write(path, "not a file of games").unwrap();
    }
    assert!(kept.refresh(dir.path(), 3).unwrap().is_empty());
    assert!(sampler(&kept, SamplerConfig::default(), 16).batch(0) == before);
    let mut new = ReplayBuffer::new(game.ruleset().clone(), game.layout(), window, LAMBDA);
    assert!(!new.refresh(dir.path(), 3).unwrap().is_empty());
}
