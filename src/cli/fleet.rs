//! `maydan fleet`: who plays the games of a run, and how fast.

use std::{
    io::{self, Write},
    process::ExitCode,
    time::Duration,
};

use anyhow::bail;
use clap::Args;

use super::{examples::examples, worker::ServerOptions};
use crate::{
    console::stop_flag,
    fleet::{State, state},
};

/// Show who plays the games of a run, how fast, and what was refused
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan fleet nats://pc0:4222 --key worker.nk",
    "maydan fleet --join /scratch/models/shatara/fleet/join.toml",
]))]
pub(super) struct Arguments {
    #[command(flatten)]
    server: ServerOptions,
}

/// How long the coordinator is listened for, which speaks every two seconds.
const PATIENCE: Duration = Duration::from_secs(8);

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (address, run) = arguments.server.address()?;
    let Some(state) = state(&address, run.as_deref(), PATIENCE, &stop_flag())? else {
        bail!("{}: no coordinator was heard for {} s", address.url, PATIENCE.as_secs());
    };
    write!(io::stdout().lock(), "{}", table(&state))?;
    Ok(ExitCode::SUCCESS)
}

fn table(state: &State) -> String {
    let State { run, generation, games, of_games, evaluations_per_second, workers } = state;
    let mut text = format!(
        "run {run}: generation {generation}, {games} of {of_games} games, {evaluations_per_second:.0} evaluations/s, workers: {}\n",
        workers.len()
    );
    if !workers.is_empty() {
        text += &format!(
            "{:<24} {:>10} {:>14} {:>6} {:>8} {:>16}  {}\n",
            "worker", "plies/s", "evaluations/s", "files", "playing", "signature", "computes"
        );
    }
    for worker in workers {
        let rates = format!("{:>10.0} {:>14.0}", worker.plies_per_second, worker.evaluations_per_second);
        let of = &worker.worker;
        text += &format!(
            "{:<24} {rates} {:>6} {:>8} {:>16}  {}{}\n",
            of.name,
            worker.taken,
            worker.files.len(),
            of.signature,
            of.plan,
            if worker.refused.is_empty() { String::new() } else { format!("; refused: {}", worker.refused) }
        );
    }
    text
}
