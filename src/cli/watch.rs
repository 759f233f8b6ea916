//! `maydan watch`: runs as they go on, in a browser.

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use clap::Args;

use super::{examples::examples, listening::Listening};
use crate::{
    browse::{Shelf, routes},
    serve::web::{Bounds, ServerConfig},
};

/// Watch runs as they go on: strength, losses, throughput and games, on a page in a browser
///
/// Reads the files of the runs and nothing else; a run goes on whether it is watched or not. The page is for this machine
/// alone unless `--host` opens it. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan watch shatara-demo",
    "maydan watch shatara-demo shatara-demo-2 --port 8080",
]))]
pub(super) struct Arguments {
    /// Names of runs
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// Folder that holds `models/` and `data/`
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    #[command(flatten)]
    listening: Listening,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { runs, root, listening } = arguments;
    let pages = routes(Arc::new(Shelf::new(&root, &runs)?), Some("/watch"))?;
    let names = listening.names.clone();
    let config = ServerConfig { offers: Vec::new(), pages, bounds: Bounds::default(), names, seed: 0 };
    listening.serve(config, "look at these runs")
}
