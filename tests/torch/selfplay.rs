//! Self-play with a network run the fast way: the same games on any number of shards, and when the network works in the
//! background.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc, sync::atomic::AtomicBool};

use maydan::{
    data,
    encode::{self, Rows},
    game::shatara::Shatara,
    model::{
        Architecture, Background, Evaluations, Evaluator, EvaluatorError, LibtorchEvaluator, ModelConfig, Plan, Weights,
    },
    selfplay::{Generation, SelfPlayConfig},
};
use tch::Device;

/// A network on a processor that says it is elsewhere.
struct InTheBackground(LibtorchEvaluator);

impl Evaluator for InTheBackground {
    fn batch_size(&self) -> usize {
        self.0.batch_size()
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        self.0.evaluate(rows, out)
    }

    fn background(&mut self) -> Option<&mut dyn Background> {
        Some(&mut self.0)
    }
}

/// Where an evaluator is.
#[derive(Clone, Copy, Debug)]
enum Place {
    Foreground,
    Background,
}

/// The files of a generation of short games, by name.
fn files(plan: Plan, shards: usize, place: Place) -> BTreeMap<String, Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let model = ModelConfig { blocks: 1, channels: 16, pooling_every: 1, ..ModelConfig::default() };
    let architecture = Architecture::of(model, game.layout()).unwrap();
    let weights = Weights::random(Arc::new(architecture), 1);
    let mut config = SelfPlayConfig { games: 8, games_per_file: 4, shards, slots: 6, ..SelfPlayConfig::default() };
    config.search.playouts = 6;
    config.max_plies = 16;
    let run_dir: &Path = dir.path();
    let generation = Generation { game: &game, config: &config, seed: 5, number: 0, checkpoint: "gen-000000", run_dir };
    let sample = encode::sample(&game);
    let make = |_| -> Result<Box<dyn Evaluator>, EvaluatorError> {
        let evaluator = LibtorchEvaluator::with_sample(&weights, Device::Cpu, plan, 4, &sample)?;
        Ok(match place {
            Place::Foreground => Box::new(evaluator),
            Place::Background => Box::new(InTheBackground(evaluator)),
        })
    };
    assert!(generation.run(&make, &AtomicBool::new(false), &mut |_| {}).unwrap().complete);
    let entries = fs::read_dir(data::generation_dir(run_dir, 0)).unwrap().map(|entry| entry.unwrap());
    entries.map(|e| (e.file_name().into_string().unwrap(), fs::read(e.path()).unwrap())).collect()
}

#[test]
fn every_plan_plays_the_same_games_on_one_shard_and_on_two() {
    for plan in Plan::ALL {
        let alone = files(plan, 1, Place::Foreground);
        assert_eq!(alone.len(), 2);
        assert!(alone == files(plan, 2, Place::Foreground), "{}", plan.name());
    }
}

#[test]
fn the_background_changes_no_game() {
    let plan = Plan::Bf16Fused;
    assert!(files(plan, 1, Place::Foreground) == files(plan, 2, Place::Background));
}
