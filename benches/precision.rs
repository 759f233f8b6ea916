//! Whether training in 16 bits hurts: networks from the same random starts learn from the same batches of a run's games
//! in 32 bits and in 16. More than one start shows how far apart two trainings come to lie anyway.
//!
//! `cargo bench --bench precision -- DATA [GAME [BLOCKSxCHANNELS [STEPS]]]`, where DATA is a run's folder of games,
//! such as `data/shatara`, of the game's preset rules. Losses are means over the starts and over the steps since the
//! line before; the last lines are of games that were held out, start by start, by the weights that play, in 32 bits
//! all of them.

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use maydan::{
    data::{Prefetch, ReplayBuffer, Sampler, SamplerConfig, WindowConfig},
    game::{Game, Playable, registry},
    model::{Architecture, ModelConfig, Precision, Weights},
    train::{LossValues, TrainConfig, Trainer},
};
use tch::Device;

const BATCH_SIZE: usize = 256;
/// Rows that are measured on and not learnt from, about: the newest.
const HELD_OUT: u64 = 16384;
const LINES: u64 = 12;
const PRECISIONS: [(&str, Precision); 2] = [("f32", Precision::F32), ("bf16", Precision::Bf16)];
const STARTS: u64 = 3;
const VALUE_LAMBDA: f32 = 0.98;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let word = |i: usize, default: &str| words.get(i).map_or(default, String::as_str).to_owned();
    let size = word(2, "4x32");
    let size = size.split_once('x').and_then(|(blocks, channels)| Some((blocks.parse().ok()?, channels.parse().ok()?)));
    let (Some(data), Some((blocks, channels)), Ok(steps)) = (words.first(), size, word(3, "600").parse()) else {
        println!("cargo bench --bench precision -- DATA [GAME [BLOCKSxCHANNELS [STEPS]]]");
        return ExitCode::SUCCESS;
    };
    let model = ModelConfig { blocks, channels, ..ModelConfig::default() };
    let comparison = Comparison { data: data.into(), model, steps };
    match registry::with_game(&word(1, "shatara"), &toml::Table::new(), comparison) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => complain(&error.to_string()),
        Err(error) => complain(&error.to_string()),
    }
}

fn complain(error: &str) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(2)
}

struct Comparison {
    data: PathBuf,
    model: ModelConfig,
    steps: u64,
}

impl registry::GameVisitor for Comparison {
    type Output = Result<(), Box<dyn std::error::Error>>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let window = WindowConfig { cheap_rows: false, ..WindowConfig::default() };
        let newest = WindowConfig { minimum_rows: 1, maximum_rows: HELD_OUT, growth: 1.0, exponent: 1.0, ..window };
        let buffer = |window: WindowConfig, last: u64| {
            let mut buffer = ReplayBuffer::new(game.ruleset().clone(), game.layout(), window, VALUE_LAMBDA);
            buffer.refresh(&self.data, last).map(|_| buffer)
        };
        let held_out = buffer(newest, u64::MAX)?;
        let last = held_out.oldest_generation().and_then(|first| first.checked_sub(1));
        let learnt = buffer(window, last.ok_or("expected games of more generations than are held out")?)?;
        let config = SamplerConfig { mirror: false, ..SamplerConfig::default() };
        let measured = Sampler::new(&game, &held_out, config, held_out.rows(), 1, 0).ok_or("no row to measure on")?;
        let measured = measured.batch(0);
        let config = SamplerConfig::default();
        let sampler = Sampler::new(&game, &learnt, config, BATCH_SIZE, 1, 0).ok_or("no row to learn from")?;

        let architecture = Arc::new(Architecture::of(self.model, game.layout())?);
        let config = TrainConfig {
            batch_size: BATCH_SIZE,
            decay_samples: self.steps * BATCH_SIZE as u64,
            value_lambda: VALUE_LAMBDA,
            value_mix: 0.5,
            ..TrainConfig::default()
        };
        let trainer = |precision: Precision, start: u64| {
            let weights = Weights::random(architecture.clone(), start);
            Trainer::new(TrainConfig { precision, ..config.clone() }, &weights, Device::Cpu)
        };
        let mut trainers = Vec::new();
        for (_, precision) in PRECISIONS {
            trainers.push((1..=STARTS).map(|start| trainer(precision, start)).collect::<Result<Vec<_>, _>>()?);
        }

        println!(
            "{} rows to learn from, {} held out; policy (KL) and value losses, nats",
            learnt.rows(),
            measured.len()
        );
        println!("{:>17}{}", "step", PRECISIONS.map(|(name, _)| format!("{name:>24}")).concat());
        let (mut sums, mut count) = ([[0.0; 2]; PRECISIONS.len()], 0.0);
        let batches = Arc::new(sampler).batches(0..self.steps);
        for (step, batch) in (1..=self.steps).zip(Prefetch::new(SamplerConfig::default().prefetch, batches)) {
            for (trainers, [policy, value]) in trainers.iter_mut().zip(&mut sums) {
                for trainer in trainers {
                    let losses = trainer.step(&batch)?.losses;
                    *policy += losses.policy_kl;
                    *value += losses.value;
                    count += 1.0 / PRECISIONS.len() as f64;
                }
            }
            if step * LINES / self.steps > (step - 1) * LINES / self.steps {
                line(&step.to_string(), sums.map(|sums| sums.map(|sum| sum / count)));
                (sums, count) = ([[0.0; 2]; PRECISIONS.len()], 0.0);
            }
        }
        for start in 0..STARTS as usize {
            let mut losses = [[0.0; 2]; PRECISIONS.len()];
            for (trainers, losses) in trainers.iter().zip(&mut losses) {
                let precise = TrainConfig { precision: Precision::F32, ..config.clone() };
                let trainer = Trainer::new(precise, &trainers[start].playing_weights()?, Device::Cpu)?;
                let LossValues { policy_kl, value, .. } = trainer.losses(&trainer.preparation().prepare(&measured)?)?;
                *losses = [policy_kl, value];
            }
            line(&format!("held out, start {}", start + 1), losses);
        }
        Ok(())
    }
}

fn line(title: &str, losses: [[f64; 2]; PRECISIONS.len()]) {
    println!("{title:>17}{}", losses.map(|[policy, value]| format!("{policy:>15.4} {value:>8.4}")).concat());
}
