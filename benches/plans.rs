//! Whether low precision changes play: matches of a network against itself, one side computing in 32 bits and the other
//! by another plan.
//!
//! `cargo bench --bench plans -- CHECKPOINT [GAMES [PLAYOUTS]]`. Each opening is played twice, sides swapped, so
//! that two sides that play alike come out even with hardly any room for chance.

use std::{path::Path, process::ExitCode, sync::Arc, sync::atomic::AtomicBool};

use maydan::{
    encode::sample,
    evaluate::{Contender, MatchConfig, match_search, play_match},
    game::{Game, Playable, registry},
    model::{Checkpoint, LibtorchEvaluator, Plan},
};
use tch::Device;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(Ok(default), |word| word.parse());
    let (Some(folder), Ok(games), Ok(playouts)) = (words.first(), number(1, 400), number(2, 64)) else {
        println!("cargo bench --bench plans -- CHECKPOINT [GAMES [PLAYOUTS]]");
        return ExitCode::SUCCESS;
    };
    let matches = |checkpoint: Checkpoint| {
        let ruleset = checkpoint.metadata().ruleset.clone();
        let matches = Matches { checkpoint: Arc::new(checkpoint), games, playouts: playouts as u32 };
        registry::with_game(&ruleset.game, &ruleset.options, matches)
    };
    let complain = |error: &dyn std::fmt::Display| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    };
    match Checkpoint::load(Path::new(folder)).map(matches) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => complain(&error),
        Ok(Err(error)) => complain(&error),
        Err(error) => complain(&error),
    }
}

struct Matches {
    checkpoint: Arc<Checkpoint>,
    games: u64,
    playouts: u32,
}

impl registry::GameVisitor for Matches {
    type Output = Result<(), Box<dyn std::error::Error>>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let sample = Arc::new(sample(&game));
        let contender = |plan| {
            let (checkpoint, sample) = (self.checkpoint.clone(), sample.clone());
            let evaluator = move |batch| {
                let weights = checkpoint.weights().unwrap();
                Ok(Box::new(LibtorchEvaluator::with_sample(weights, Device::Cpu, plan, batch, &sample)?) as _)
            };
            Contender::Network { evaluator: Box::new(evaluator), leaves: 1, search: match_search(self.playouts) }
        };
        let threads = std::thread::available_parallelism()?.get();
        let config = MatchConfig { games: self.games, threads, ..MatchConfig::default() };
        let exact = contender(Plan::F32);
        for plan in Plan::ALL.into_iter().filter(|&plan| plan != Plan::F32) {
            let players = [&contender(plan), &exact];
            let names = [plan.name(), Plan::F32.name()];
            let report = play_match(&game, players, names, &config, &AtomicBool::new(false), |_, _| {})?;
            let total = report.total();
            let estimate = report.estimate();
            println!(
                "{:<12} +{} ={} -{} against f32, pairs {:?}, Elo {estimate}",
                plan.name(),
                total.wins,
                total.draws,
                total.losses,
                report.pairs.0
            );
        }
        Ok(())
    }
}
