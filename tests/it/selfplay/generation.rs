//! A generation of the toy game: the same files however it is played, stopped and gone on with.

use crate::support::toy;

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread::{JoinHandle, spawn},
};

use arrow_array::{
    cast::AsArray,
    types::{Float32Type, UInt32Type},
};
use maydan::{
    data,
    encode::Rows,
    game::Reason,
    model::{Background, Evaluations, Evaluator, EvaluatorError, Uniform},
    selfplay::{Generation, Played, SelfPlayConfig, SelfPlayError, Statistics},
};
use toy::TicTacToe;

/// An opinion on every position, made up from the row's bits.
struct Opinionated {
    batch_size: usize,
}

impl Evaluator for Opinionated {
    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        assert!((1..=self.batch_size).contains(&rows.len()));
        *out = Evaluations::default();
        let actions = rows.layout().actions();
        let logits = out.logits.in_order(actions);
        for row in 0..rows.len() {
            let mut state =
                rows.bits(row).iter().fold(1u64, |state, &bits| (state ^ bits).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 40) as f32 / (1u64 << 24) as f32
            };
            logits.extend((0..actions).map(|_| 2.0 * next()));
            let [win, draw, loss] = [next(), next(), next()];
            let sum = win + draw + loss;
            out.wdl.push([win / sum, draw / sum, loss / sum].into());
            out.moves_left.push(9.0 * next());
        }
        Ok(())
    }
}

fn config() -> SelfPlayConfig {
    let mut config = SelfPlayConfig { games: 23, games_per_file: 5, shards: 1, slots: 4, ..SelfPlayConfig::default() };
    config.search.playouts = 12;
    config.search.considered_actions = 4;
    config.playout_cap.full_share = 0.7;
    config.playout_cap.cheap_playouts = 3;
    config.opening.max_plies = 3;
    config.adjudication.resign_value = 0.2;
    config.adjudication.resign_plies = 1;
    config.adjudication.check_share = 0.5;
    config
}

fn play(run_dir: &Path, config: &SelfPlayConfig, batch_size: usize) -> Result<Played, SelfPlayError> {
    let game = TicTacToe::game();
    let generation = Generation { game: &game, config, seed: 7, number: 3, checkpoint: "gen-000002", run_dir };
    generation.run(&|_| Ok(Box::new(Opinionated { batch_size })), &AtomicBool::new(false), &mut |_| {})
}

/// Every file of generation 3, by name.
fn files(run_dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(data::generation_dir(run_dir, 3)).unwrap();
    entries.map(|e| e.unwrap()).map(|e| (e.file_name().into_string().unwrap(), fs::read(e.path()).unwrap())).collect()
}

#[test]
fn shards_slots_batches_and_cache_leave_every_byte_alone() {
    let reference = tempfile::tempdir().unwrap();
    let played = play(reference.path(), &config(), 4).unwrap();
    assert!(played.complete);
    let reference = files(reference.path());
    assert_eq!(
        reference.keys().collect::<Vec<_>>(),
        ["0000.parquet", "0001.parquet", "0002.parquet", "0003.parquet", "0004.parquet"]
    );
    for (shards, slots, batch_size, cache_positions) in [(2, 3, 2, 1 << 16), (3, 1, 8, 64), (1, 23, 7, 0)] {
        let dir = tempfile::tempdir().unwrap();
        play(dir.path(), &SelfPlayConfig { shards, slots, cache_positions, ..config() }, batch_size).unwrap();
        assert!(files(dir.path()) == reference, "{shards} shards, {slots} slots, batches of {batch_size}");
    }
}

/// Answers on a thread of its own, as a GPU would.
struct Elsewhere {
    answers: Option<JoinHandle<Evaluations>>,
}

impl Evaluator for Elsewhere {
    fn batch_size(&self) -> usize {
        4
    }

    fn evaluate(&mut self, _: &Rows, _: &mut Evaluations) -> Result<(), EvaluatorError> {
        unreachable!("a shard lets an evaluator work in the background when it can")
    }

    fn background(&mut self) -> Option<&mut dyn Background> {
        Some(self)
    }
}

impl Background for Elsewhere {
    fn start(&mut self, rows: &Rows) -> Result<(), EvaluatorError> {
        assert!(self.answers.is_none(), "one batch at a time");
        let rows = rows.clone();
        self.answers = Some(spawn(move || {
            let mut out = Evaluations::default();
            Opinionated { batch_size: 4 }.evaluate(&rows, &mut out).unwrap();
            out
        }));
        Ok(())
    }

    fn finish(&mut self, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        *out = self.answers.take().expect("a batch under way").join().unwrap();
        Ok(())
    }
}

#[test]
fn an_evaluator_in_the_background_leaves_every_byte_alone() {
    let (here, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    play(here.path(), &config(), 4).unwrap();
    for slots in [1, 3, 9] {
        let (game, config) = (TicTacToe::game(), SelfPlayConfig { slots, ..config() });
        let run_dir = elsewhere.path();
        let generation =
            Generation { game: &game, config: &config, seed: 7, number: 3, checkpoint: "gen-000002", run_dir };
        let played =
            generation.run(&|_| Ok(Box::new(Elsewhere { answers: None })), &AtomicBool::new(false), &mut |_| {});
        assert!(played.unwrap().complete);
        assert!(files(here.path()) == files(elsewhere.path()), "{slots} slots");
        fs::remove_dir_all(data::generation_dir(run_dir, 3)).unwrap();
    }
}

#[test]
fn the_seed_makes_other_games() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    play(a.path(), &config(), 4).unwrap();
    let (game, config) = (TicTacToe::game(), config());
    let other =
        Generation { game: &game, config: &config, seed: 8, number: 3, checkpoint: "gen-000002", run_dir: b.path() };
    other.run(&|_| Ok(Box::new(Opinionated { batch_size: 4 })), &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_ne!(files(a.path())["0000.parquet"], files(b.path())["0000.parquet"]);
}

#[test]
fn what_is_missing_is_played_again_the_same() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), &config(), 4).unwrap();
    let before = files(dir.path());
    let folder = data::generation_dir(dir.path(), 3);
    fs::remove_file(folder.join("0001.parquet")).unwrap();
    fs::write(folder.join("0003.parquet"), &before["0003.parquet"][..900]).unwrap();
    let played = play(dir.path(), &config(), 4).unwrap();
    assert_eq!((played.complete, played.resumed_games, played.statistics.games), (true, 13, 10));
    assert!(files(dir.path()) == before);
}

#[test]
fn a_stopped_generation_goes_on() {
    let reference = tempfile::tempdir().unwrap();
    play(reference.path(), &config(), 4).unwrap();

    let dir = tempfile::tempdir().unwrap();
    let (game, config, stop) = (TicTacToe::game(), config(), AtomicBool::new(false));
    let generation =
        Generation { game: &game, config: &config, seed: 7, number: 3, checkpoint: "gen-000002", run_dir: dir.path() };
    /// Sets the word itself, so that the stop comes after the same work on any machine.
    struct Stopping(u32, &'static AtomicBool);
    impl Evaluator for Stopping {
        fn batch_size(&self) -> usize {
            4
        }
        fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
            self.0 += 1;
            self.1.store(self.0 == 80, Ordering::Relaxed);
            Opinionated { batch_size: 4 }.evaluate(rows, out)
        }
    }
    static WORD: AtomicBool = AtomicBool::new(false);
    let played = generation.run(&|_| Ok(Box::new(Stopping(0, &WORD))), &WORD, &mut |_| {}).unwrap();
    assert!(!played.complete);
    let done = files(dir.path()).len();
    assert!((1..5).contains(&done), "{done} files");
    let rest = generation.run(&|_| Ok(Box::new(Opinionated { batch_size: 4 })), &stop, &mut |_| {}).unwrap();
    assert!(rest.complete && rest.resumed_games == 5 * done as u64);
    assert!(files(dir.path()) == files(reference.path()));
}

/// The games to come are counted, not listed: this many would take gigabytes.
#[test]
fn the_largest_generation_begins_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let config = SelfPlayConfig { games: 100_000_000, games_per_file: 1, ..config() };
    let (game, stop) = (TicTacToe::game(), AtomicBool::new(false));
    let generation =
        Generation { game: &game, config: &config, seed: 7, number: 3, checkpoint: "gen-000002", run_dir: dir.path() };
    let mut stop_after = |statistics: &Statistics| stop.store(statistics.games >= 3, Ordering::Relaxed);
    let played = generation.run(&|_| Ok(Box::new(Opinionated { batch_size: 4 })), &stop, &mut stop_after).unwrap();
    assert!(!played.complete && played.statistics.games >= 3);
    assert!(files(dir.path()).len() as u64 == played.statistics.games, "a game a file");
}

#[test]
fn games_of_another_checkpoint_are_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), &config(), 4).unwrap();
    let (game, config) = (TicTacToe::game(), config());
    let other =
        Generation { game: &game, config: &config, seed: 7, number: 3, checkpoint: "elsewhere", run_dir: dir.path() };
    let error =
        other.run(&|_| Ok(Box::new(Uniform { batch_size: 1 })), &AtomicBool::new(false), &mut |_| {}).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("0000.parquet") && message.contains("elsewhere") && message.contains("gen-000002"),
        "{message}"
    );
}

#[test]
fn counts_agree_with_the_games() {
    let dir = tempfile::tempdir().unwrap();
    let (game, config) = (TicTacToe::game(), config());
    let generation =
        Generation { game: &game, config: &config, seed: 7, number: 3, checkpoint: "gen-000002", run_dir: dir.path() };
    let mut last = Statistics::default();
    let played = generation
        .run(&|_| Ok(Box::new(Opinionated { batch_size: 4 })), &AtomicBool::new(false), &mut |s| {
            assert!(s.games >= last.games && s.evaluations >= last.evaluations);
            last = s.clone();
        })
        .unwrap();
    let statistics = played.statistics;
    assert_eq!((last.games, last.evaluations), (statistics.games, statistics.evaluations));
    assert_eq!(statistics.games, 23);
    assert_eq!(statistics.results.iter().sum::<u64>(), 23);
    assert_eq!(statistics.reasons.iter().sum::<u64>(), 23);
    assert_eq!(statistics.decisions.iter().sum::<u64>(), statistics.plies);
    assert_eq!(statistics.action_kinds, [statistics.plies]);
    assert_eq!((statistics.plies_decided, statistics.playouts_run), (statistics.plies, statistics.playouts));
    assert!(statistics.batch_fill().unwrap() <= 1.0);
    assert!(statistics.cache_hits > 0 && statistics.cache_misses >= statistics.evaluations);

    let replayed: Vec<_> = data::list_files(dir.path(), 3..4)
        .unwrap()
        .iter()
        .flat_map(|path| data::replay(&game, path).unwrap())
        .collect();
    assert_eq!(replayed.iter().map(|g| g.index).collect::<Vec<_>>(), (0..23).collect::<Vec<_>>());
    assert_eq!(replayed.iter().map(|g| g.actions.len() as u64).sum::<u64>(), statistics.plies);
    let resigned = replayed.iter().filter(|g| g.outcome.reason == Reason::Resignation).count() as u64;
    let place = Reason::ALL.iter().position(|&reason| reason == Reason::Resignation).unwrap();
    assert_eq!(resigned, statistics.reasons[place]);
    assert!(resigned > 0 && statistics.resignations.games > 0, "{statistics:?}");
    assert!(statistics.resignations.wrong <= statistics.resignations.games);

    let told = statistics.mean_policies().unwrap();
    let (mut divergences, mut entropies) = (Vec::new(), Vec::new());
    for path in data::list_files(dir.path(), 3..4).unwrap() {
        for batch in data::read_columns(&path, &["decision", "policy", "policy_kl"]).unwrap().1 {
            let divergence = batch["policy_kl"].as_primitive::<Float32Type>();
            let decisions = batch["decision"].as_string::<i32>();
            for row in (0..batch.num_rows()).filter(|&row| decisions.value(row) == "full") {
                divergences.push(f64::from(divergence.value(row)));
                let target = batch["policy"].as_list::<i32>().value(row);
                let shares = target.as_primitive::<Float32Type>().values().iter().map(|&share| f64::from(share));
                entropies.push(shares.filter(|&share| share > 0.0).map(|share| -share * share.ln()).sum::<f64>());
            }
        }
    }
    let mean = |nats: &[f64]| nats.iter().sum::<f64>() / nats.len() as f64;
    assert_eq!(statistics.full_searches(), divergences.len() as u64);
    assert!((told.divergence - mean(&divergences)).abs() < 1e-6, "{told:?}, {}", mean(&divergences));
    assert!((told.target_entropy - mean(&entropies)).abs() < 1e-6, "{told:?}, {}", mean(&entropies));
    // Priors of at most nine actions, none of them certain.
    assert!(told.prior_entropy > told.target_entropy && told.prior_entropy < 9_f64.ln(), "{told:?}");
}

#[test]
fn a_failing_evaluator_ends_the_generation_with_its_error() {
    struct Broken(AtomicUsize);
    impl Evaluator for Broken {
        fn batch_size(&self) -> usize {
            2
        }
        fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
            if self.0.fetch_add(1, Ordering::Relaxed) == 5 {
                return Err(EvaluatorError::Refused("out of memory".into()));
            }
            Uniform { batch_size: 2 }.evaluate(rows, out)
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let (game, config) = (TicTacToe::game(), SelfPlayConfig { shards: 2, ..config() });
    let generation =
        Generation { game: &game, config: &config, seed: 7, number: 3, checkpoint: "c", run_dir: dir.path() };
    let error = generation
        .run(&|_| Ok(Box::new(Broken(AtomicUsize::new(0)))), &AtomicBool::new(false), &mut |_| {})
        .unwrap_err();
    assert_eq!(error.to_string(), "evaluator: out of memory");
}

#[test]
fn a_strong_search_draws_the_toy() {
    let dir = tempfile::tempdir().unwrap();
    let mut config = SelfPlayConfig { games: 2, ..SelfPlayConfig::default() };
    config.search.playouts = 400;
    config.search.gumbel_scale = 0.0;
    config.opening.max_plies = 0;
    config.temperature.start = 0.0;
    let game = TicTacToe::game();
    let generation =
        Generation { game: &game, config: &config, seed: 1, number: 0, checkpoint: "uniform", run_dir: dir.path() };
    let played =
        generation.run(&|_| Ok(Box::new(Uniform { batch_size: 8 })), &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_eq!(played.statistics.results, [0, 2, 0]);
    assert_eq!(game.ruleset().game, "tictactoe");
}

#[test]
fn from_the_quick_ply_on_every_search_is_quick() {
    let dir = tempfile::tempdir().unwrap();
    let mut config = config();
    config.search.reuse_tree = false;
    config.search.solver = false;
    config.playout_cap.quick_from_ply = 4;
    config.playout_cap.quick_playouts = 2;
    play(dir.path(), &config, 4).unwrap();
    let mut playouts: BTreeMap<(bool, String), u32> = BTreeMap::new();
    for path in data::list_files(dir.path(), 0..4).unwrap() {
        let (_, batches) = data::read_columns(&path, &["ply", "decision", "total_visits"]).unwrap();
        for batch in &batches {
            let plies = batch["ply"].as_primitive::<UInt32Type>();
            let visits = batch["total_visits"].as_primitive::<UInt32Type>();
            for row in 0..batch.num_rows() {
                let decision = batch["decision"].as_string::<i32>().value(row).to_owned();
                let most = playouts.entry((plies.value(row) >= 4, decision)).or_default();
                *most = visits.value(row).max(*most);
            }
        }
    }
    let found = |quick, decision: &str| playouts.get(&(quick, decision.to_owned())).copied();
    assert_eq!((found(false, "full"), found(false, "cheap")), (Some(12), Some(3)));
    assert_eq!((found(true, "full"), found(true, "cheap")), (None, Some(2)));
}
