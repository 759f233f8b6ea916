//! Training: the network learns a solved game, a resumed run is the unbroken one, and batches that do not fit are
//! refused.

use crate::support::{solved, toy};

use std::{fs, sync::Arc};

use maydan::{
    data::{Prefetch, TrainingBatch},
    game::{Game, Ruleset, Wdl, random, shatara::Shatara},
    model::{Architecture, Evaluations, Evaluator, LibtorchEvaluator, ModelConfig, Plan, Precision, Weights, device},
    train::{Decay, OptimiserKind, TrainConfig, TrainError, Trainer},
};
use rand::Rng as _;
use solved::{Solved, batch, solve};
use tch::Device;
use toy::TicTacToe;

fn architecture() -> Arc<Architecture> {
    let config = ModelConfig { blocks: 2, channels: 16, pooling_every: 1, ..ModelConfig::default() };
    Arc::new(Architecture::of(config, TicTacToe::game().layout()).unwrap())
}

fn config() -> TrainConfig {
    TrainConfig {
        batch_size: 64,
        learning_rate: 5e-3,
        warmup_steps: 5,
        decay: Decay::Constant,
        ema_decay: 0.98,
        precision: Precision::F32,
        threads: 1,
        ..TrainConfig::default()
    }
}

fn trainer(config: TrainConfig) -> Trainer {
    Trainer::new(config, &Weights::random(architecture(), 1), Device::Cpu).unwrap()
}

/// Batch `step` of the game's positions, drawn with repeats.
fn draw(game: &Game<TicTacToe>, all: &[Solved], step: u64) -> TrainingBatch {
    let mut random = random::stream("test", 1, step, 0);
    batch(game, (0..64).map(|_| &all[random.random_range(0..all.len())]))
}

#[test]
fn the_network_learns_the_solved_game() {
    learns_the_solved_game(Precision::F32);
}

#[test]
fn the_network_learns_as_well_in_16_bits() {
    learns_the_solved_game(Precision::Bf16);
}

fn learns_the_solved_game(precision: Precision) {
    let game = TicTacToe::game();
    let all = solve(&game);
    assert_eq!(all.len(), 4520);
    let mut trainer = trainer(TrainConfig { precision, decay: Decay::Cosine, decay_samples: 600 * 64, ..config() });
    let first = trainer.step(&draw(&game, &all, 0)).unwrap().losses;
    for step in 1..600 {
        trainer.step(&draw(&game, &all, step)).unwrap();
    }
    let last = trainer.step(&draw(&game, &all, 600)).unwrap().losses;
    assert!(last.total < 0.5 * first.total && last.policy_kl < 0.35 * first.policy_kl, "{first:?} {last:?}");
    assert!(last.value < 0.2 * first.value && last.moves_left < 0.02 * first.moves_left, "{first:?} {last:?}");
    assert_eq!((trainer.steps(), trainer.samples()), (601, 601 * 64));

    let weights = trainer.playing_weights().unwrap();
    let mut evaluator = LibtorchEvaluator::new(&weights, device("cpu").unwrap(), Plan::F32, 512).unwrap();
    let mut out = Evaluations::default();
    let (mut right, mut kept) = (0, 0);
    for part in all.chunks(512) {
        let rows = batch(&game, part);
        evaluator.evaluate(&rows.rows, &mut out).unwrap();
        for (i, solved) in part.iter().enumerate() {
            let [win, draw, loss] = out.wdl[i].to_array();
            let likeliest = if win > draw.max(loss) {
                1
            } else if draw > loss {
                0
            } else {
                -1
            };
            right += usize::from(likeliest == solved.value);
            let legal = &rows.legal[rows.offsets[i]..rows.offsets[i + 1]];
            let logits = out.logits.to_vec(i);
            let chosen = legal.iter().max_by(|a, b| logits[**a as usize].total_cmp(&logits[**b as usize])).unwrap();
            kept += usize::from(solved.best.contains(&(*chosen as u8)));
        }
    }
    assert!(right * 100 > 95 * all.len(), "{right} values of {} right", all.len());
    assert!(kept * 100 > 97 * all.len(), "{kept} choices of {} keep the value", all.len());
}

#[test]
fn threads_share_a_batch_and_agree() {
    let game = TicTacToe::game();
    let all = solve(&game);
    let mut rows = draw(&game, &all, 0);
    rows.policy_mask[..20].fill(0.0);
    let step = |threads: usize| trainer(TrainConfig { threads, ..config() }).step(&rows).unwrap();
    let alone = step(1);
    for threads in [2, 3, 100] {
        let shared = step(threads);
        assert!((shared.losses.total - alone.losses.total).abs() < 1e-5, "{threads}: {shared:?} {alone:?}");
        assert!((shared.losses.policy_kl - alone.losses.policy_kl).abs() < 1e-5, "{threads}: {shared:?} {alone:?}");
        assert!((shared.gradient_norm - alone.gradient_norm).abs() < 1e-4, "{threads}: {shared:?} {alone:?}");
        assert_eq!(shared, step(threads));
    }
}

#[test]
fn sixteen_bits_round_the_gradient_and_no_more() {
    let game = TicTacToe::game();
    let all = solve(&game);
    let rows = draw(&game, &all, 0);
    let step = |precision: Precision| trainer(TrainConfig { precision, ..config() }).step(&rows).unwrap();
    let (precise, rough) = (step(Precision::F32), step(Precision::Bf16));
    assert_ne!(precise, rough);
    assert!((precise.losses.total / rough.losses.total - 1.0).abs() < 0.01, "{precise:?} {rough:?}");
    assert!((precise.gradient_norm / rough.gradient_norm - 1.0).abs() < 0.05, "{precise:?} {rough:?}");

    // A step that 16 bits are too few to add to a weight of 1 arrives all the same, as do those after it.
    let small = TrainConfig { precision: Precision::Bf16, learning_rate: 1e-6, warmup_steps: 0, ..config() };
    let mut trainer = trainer(TrainConfig { ema_decay: 0.0, ..small });
    let mut before = trainer.playing_weights().unwrap();
    for _ in 0..3 {
        trainer.step(&rows).unwrap();
        let after = trainer.playing_weights().unwrap();
        let moved = before.values().iter().zip(after.values()).filter(|(a, b)| a != b).count();
        assert!(moved * 10 > after.values().len() * 8, "{moved} of {} weights moved", after.values().len());
        before = after;
    }
}

#[test]
fn batches_made_ready_ahead_teach_the_same() {
    let game = TicTacToe::game();
    let all = Arc::new(solve(&game));
    for precision in [Precision::F32, Precision::Bf16] {
        let (mut at_once, mut ahead) = (
            trainer(TrainConfig { precision, threads: 2, ..config() }),
            trainer(TrainConfig { precision, threads: 2, ..config() }),
        );
        let mut preparation = ahead.preparation();
        let drawn = all.clone();
        let batches = (0..6).map(move |step| preparation.prepare(&draw(&TicTacToe::game(), &drawn, step)));
        for (step, batch) in Prefetch::new(2, batches).enumerate() {
            let batch = batch.unwrap();
            let weights = ahead.playing_weights().unwrap();
            let before = ahead.losses(&batch).unwrap();
            assert_eq!(weights, ahead.playing_weights().unwrap());
            let losses = ahead.learn(&batch).unwrap();
            assert_eq!((batch.rows(), losses), (64, at_once.step(&draw(&game, &all, step as u64)).unwrap()));
            assert!((before.total - losses.losses.total).abs() < 1e-2, "{before:?} {losses:?}");
        }
        assert_eq!((ahead.playing_weights().unwrap(), ahead.steps()), (at_once.playing_weights().unwrap(), 6));
    }
}

#[test]
fn a_batch_of_another_game_is_refused_before_the_step() {
    let chess = Shatara::chess(&toml::Table::new()).unwrap();
    let batch = TrainingBatch::new(chess.layout());
    let mut preparation = trainer(config()).preparation();
    let steps = [batch].into_iter().map(move |batch| preparation.prepare(&batch));
    let error = Prefetch::new(1, steps).next().unwrap().unwrap_err().to_string();
    assert!(error.contains("expected rows of NetworkShape"), "{error}");
}

#[test]
fn a_resumed_run_is_the_unbroken_one_bit_by_bit() {
    let game = TicTacToe::game();
    let all = solve(&game);
    for (optimiser, precision) in [
        (OptimiserKind::Adamw, Precision::F32),
        (OptimiserKind::Adamw, Precision::Bf16),
        (OptimiserKind::Sgd, Precision::F32),
    ] {
        let config =
            TrainConfig { optimiser, precision, threads: 2, decay: Decay::Cosine, decay_samples: 1000, ..config() };
        let mut unbroken = trainer(config.clone());
        let mut losses = Vec::new();
        for step in 0..10 {
            losses.push(unbroken.step(&draw(&game, &all, step)).unwrap());
        }

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trainer");
        let mut first = trainer(config.clone());
        for step in 0..5 {
            assert_eq!(first.step(&draw(&game, &all, step)).unwrap(), losses[step as usize]);
        }
        first.save(&path, game.ruleset()).unwrap();
        drop(first);
        let mut second = Trainer::load(&path, config, &architecture(), game.ruleset(), Device::Cpu).unwrap();
        for step in 5..10 {
            assert_eq!(second.step(&draw(&game, &all, step)).unwrap(), losses[step as usize]);
        }
        assert_eq!(second.playing_weights().unwrap(), unbroken.playing_weights().unwrap());
        assert_eq!((second.steps(), second.samples()), (unbroken.steps(), unbroken.samples()));
    }
}

#[test]
fn a_state_that_does_not_fit_is_refused() {
    let game = TicTacToe::game();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trainer");
    trainer(config()).save(&path, game.ruleset()).unwrap();
    let refusal = |config: TrainConfig, ruleset: &Ruleset| {
        Trainer::load(&path, config, &architecture(), ruleset, Device::Cpu)
            .expect_err("a state that does not fit")
            .to_string()
    };
    let other = refusal(config(), &Ruleset::new("chess", &toml::Table::new()));
    assert!(
        other.contains("trainer.toml: ruleset: expected chess (") && other.contains("found tictactoe ("),
        "{other}"
    );
    let sgd = refusal(TrainConfig { optimiser: OptimiserKind::Sgd, ..config() }, game.ruleset());
    assert!(sgd.contains("optimiser: expected Sgd, found Adamw"), "{sgd}");
    let file = path.join("moment2.safetensors");
    let content = fs::read(&file).unwrap();
    fs::write(&file, &content[..100]).unwrap();
    let cut = refusal(config(), game.ruleset());
    assert!(cut.contains("moment2.safetensors: expected a whole safetensors file"), "{cut}");
}

#[test]
fn batches_that_do_not_fit_are_refused_and_change_nothing() {
    let game = TicTacToe::game();
    let all = solve(&game);
    let good = || draw(&game, &all, 0);
    let mut trainer = trainer(config());
    let before = trainer.playing_weights().unwrap();
    type Damage = fn(&mut TrainingBatch);
    let cases: [(Damage, &str); 5] = [
        (|batch| batch.wdl.truncate(3), "wdl: expected 64 entries, found 3"),
        (|batch| batch.legal[0] = 9, "row 0: expected actions below 9, found 9"),
        (|batch| batch.policy.truncate(1), "policy: expected"),
        (|batch| batch.offsets[1] = 1_000_000, "offsets: expected offsets that rise"),
        (|batch| batch.offsets[64] -= 1, "offsets: expected offsets that rise"),
    ];
    for (damage, expected) in cases {
        let mut bad = good();
        damage(&mut bad);
        let error = trainer.step(&bad).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let mut bad = good();
    bad.moves_left[0] = f32::NAN;
    assert!(matches!(trainer.step(&bad), Err(TrainError::Diverged { step: 0 })));
    assert_eq!((trainer.playing_weights().unwrap(), trainer.steps()), (before, 0));
    trainer.step(&good()).unwrap();
}

#[test]
fn only_masked_in_rows_teach_the_policy() {
    let game = TicTacToe::game();
    let all = solve(&game);
    let half = |teach: f32| {
        let mut rows = draw(&game, &all, 0);
        for i in 32..64 {
            rows.policy_mask[i] = teach;
        }
        trainer(config()).step(&rows).unwrap().losses
    };
    let first_half = {
        let mut random = random::stream("test", 1, 0, 0);
        let rows = batch(&game, (0..64).map(|_| &all[random.random_range(0..all.len())]).take(32));
        trainer(config()).step(&rows).unwrap().losses
    };
    let masked = half(0.0);
    assert!((masked.policy - first_half.policy).abs() < 1e-5, "{masked:?} {first_half:?}");
    assert!((half(1.0).policy - masked.policy).abs() > 1e-4);
}

#[test]
fn only_games_that_the_rules_ended_teach_the_plies_left() {
    let game = TicTacToe::game();
    let all = solve(&game);
    let loss = |mask: fn(usize) -> bool, spoilt: bool| {
        let mut rows = draw(&game, &all, 0);
        for i in 0..rows.len() {
            rows.moves_left_mask[i] = f32::from(mask(i));
            if spoilt && !mask(i) {
                rows.moves_left[i] += 100.0;
            }
        }
        trainer(config()).step(&rows).unwrap().losses.moves_left
    };
    let every_third = |i: usize| i.is_multiple_of(3);
    assert_eq!(loss(every_third, true), loss(every_third, false));
    assert!((loss(every_third, false) - loss(|_| true, false)).abs() > 1e-6);
    assert_eq!(loss(|_| false, true), 0.0);
}

#[test]
fn the_value_target_is_mixed_from_result_and_search() {
    let game = TicTacToe::game();
    let all = solve(&game);
    let loss = |value_mix: f64| {
        let mut rows = draw(&game, &all, 0);
        rows.wdl.fill(Wdl::WIN);
        rows.search_wdl.fill(Wdl::LOSS);
        trainer(TrainConfig { value_mix, ..config() }).step(&rows).unwrap().losses.value
    };
    assert!((loss(0.25) - (0.75 * loss(0.0) + 0.25 * loss(1.0))).abs() < 1e-5);
    assert!((loss(0.0) - loss(1.0)).abs() > 1e-3);
}
