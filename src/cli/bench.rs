//! `maydan bench`: the speed of self-play on this machine.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, bail};
use clap::Args;

use super::examples::examples;
use crate::{
    game::{
        Game, Playable,
        registry::{self, GameVisitor},
    },
    model::Checkpoint,
    pipeline::{Bench, Config},
};

/// What is measured where no configuration is given.
const DEFAULT: &str = "game = \"shatara\"\n[run]\nprecision = \"auto\"\nbackend = \"auto\"\n";

/// Measure self-play beside the most that its network allows on this machine
///
/// Prints positions a second of bare forward passes, self-play's evaluations, playouts and games, where the time goes,
/// what low precision costs, and memory. Nothing is kept.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan bench",
    "maydan bench configs/shatara.toml --seconds 5",
    "maydan bench configs/shatara.toml --set model.blocks=6 --shards 1,2 --json",
]))]
pub(super) struct Arguments {
    /// The configuration, a TOML file; Shatara Arena with every default if not given
    config: Option<PathBuf>,
    /// Set a key of the configuration, such as model.blocks=6; may be repeated
    #[arg(long = "set", value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,
    /// Measure this checkpoint's network rather than a random one
    #[arg(long, value_name = "FOLDER")]
    checkpoint: Option<PathBuf>,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Numbers of shards to measure, such as 1,2; one and as many as there are cores if not given
    #[arg(long, value_delimiter = ',')]
    shards: Vec<usize>,
    /// Print one JSON object, at the end, in place of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    if !(0.1..=3600.0).contains(&arguments.seconds) {
        bail!("--seconds: expected 0.1 to 3600, found {}", arguments.seconds);
    }
    if let Some(shards) = arguments.shards.iter().find(|shards| !(1..=4096).contains(*shards)) {
        bail!("--shards: expected 1 to 4096, found {shards}");
    }
    let config = match &arguments.config {
        Some(file) => Config::load(file, &arguments.set)?,
        None => Config::parse(DEFAULT, "default configuration", &arguments.set)?,
    };
    let (game, rules) = (config.game.clone(), config.rules.clone());
    registry::with_game(&game, &rules, Visitor { arguments, config }).context("game")?
}

struct Visitor {
    arguments: Arguments,
    config: Config,
}

impl GameVisitor for Visitor {
    type Output = anyhow::Result<ExitCode>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let Visitor { arguments, config } = self;
        let weights = match &arguments.checkpoint {
            Some(folder) => {
                let checkpoint = Checkpoint::load_for(folder, &game)?;
                let weights = checkpoint.weights().cloned();
                Some(weights.with_context(|| format!("{}: expected a network of ours", folder.display()))?)
            }
            None => None,
        };
        let mut shards = arguments.shards;
        if shards.is_empty() {
            shards = vec![1, std::thread::available_parallelism().map_or(1, |cores| cores.get())];
            shards.dedup();
        }
        let bench = Bench::new(game, &config, weights, arguments.seconds)?;
        if arguments.json {
            let measured = bench.run(&shards, &mut io::sink())?;
            writeln!(io::stdout(), "{}", serde_json::to_string(&measured)?)?;
        } else {
            bench.run(&shards, &mut io::stdout())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
