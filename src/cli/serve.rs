//! `maydan serve`: a page to play on, and the games of runs.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use axum::Router;
use clap::Args;

use super::{
    bots::{BotCompute, BotName, BotVisitor, FoundBot},
    examples::examples,
    listening::Listening,
    options::RulesetOptions,
};
use crate::{
    browse::{Shelf, routes},
    disk::{check_name, generation_dir, generations},
    game::{Game, Playable, registry::IDS},
    serve::web::{Bounds, Offer, ServerConfig},
};

/// Let people play with bots and look through the games of runs, on pages in their browser
///
/// The pages are for this machine alone unless `--host` opens them. Of a run, the newest network plays, and the games are
/// at `/games`. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan serve models/shatara.maydan models/omega.maydan",
    "maydan serve shatara-demo --port 8080",
    "maydan serve uniform:chess --host 0.0.0.0",
]))]
pub(super) struct Arguments {
    /// Names of runs, folders of checkpoints, bundles (`*.maydan`), or `uniform:GAME` for a search without a network
    #[arg(required = true)]
    bots: Vec<BotName>,
    /// Folder that holds `models/` and `data/` of runs
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    #[command(flatten)]
    listening: Listening,
    /// Clients at a time, each with a thread that thinks
    #[arg(long, value_name = "N", default_value_t = Bounds::default().sessions as u32, value_parser = clap::value_parser!(u32).range(1..=1000))]
    sessions: u32,
    /// Most playouts of a search
    #[arg(long, alias = "simulations", value_name = "N", default_value_t = Bounds::default().playouts, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    playouts: u32,
    /// Most seconds of a search
    #[arg(long, value_name = "S", default_value_t = Bounds::default().thinking.as_secs(), value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// Most MiB of a client's bot, for tree and evaluations
    #[arg(long, value_name = "MIB", default_value_t = Bounds::default().memory, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
    /// Minutes after which a client who does nothing makes room
    #[arg(long, value_name = "MIN", default_value_t = Bounds::default().idle.as_secs() / 60, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    idle: u64,
    #[command(flatten)]
    compute: BotCompute,
    /// Seed of the moves that are drawn where variety is wanted; another each time without
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    rules: RulesetOptions,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let overrides = arguments.rules.overrides()?;
    let runs: Vec<String> = arguments.bots.iter().filter_map(|bot| run_name(&arguments.root, bot)).collect();
    let bots = arguments.bots.iter().filter_map(|bot| match run_name(&arguments.root, bot) {
        Some(run) => newest(&arguments.root.join("models").join(run)),
        None => Some(bot.clone()),
    });
    let offers = bots.map(|bot| bot.find(&arguments.compute, &overrides, Offering));
    let mut offers = offers.collect::<Result<Vec<Offer>, _>>()?;
    // In the order of the games, the project's own first, whatever their files are called.
    offers.sort_by_key(|offer| IDS.iter().position(|id| *id == offer.game()));
    let home = offers.is_empty().then_some("/games");
    let pages = match runs.as_slice() {
        [] => Router::new(),
        runs => routes(Arc::new(Shelf::new(&arguments.root, runs)?), home)?,
    };
    let bounds = Bounds {
        sessions: arguments.sessions as usize,
        playouts: arguments.playouts,
        thinking: Duration::from_secs(arguments.seconds),
        memory: arguments.memory,
        idle: Duration::from_secs(60 * arguments.idle),
        ..Bounds::default()
    };
    let seed = arguments.seed.unwrap_or_else(rand::random);
    let config = ServerConfig { offers, pages, bounds, names: arguments.listening.names.clone(), seed };
    arguments.listening.serve(config, "play, and use its processor")
}

/// The run that is meant, where what was given is no path and no bot.
fn run_name(root: &Path, bot: &BotName) -> Option<String> {
    let BotName::Network(path) = bot else { return None };
    let name = path.to_str().filter(|name| check_name(name).is_ok() && !path.exists())?;
    ["models", "data"].iter().any(|part| root.join(part).join(name).is_dir()).then(|| name.to_owned())
}

/// The newest network of a run; none where it has none.
fn newest(models: &Path) -> Option<BotName> {
    let generation = *generations(models).ok()?.last()?;
    Some(BotName::Network(generation_dir(models, generation)))
}

/// Puts a bot on offer.
struct Offering;

impl BotVisitor for Offering {
    type Output = Offer;

    fn visit<R: Playable>(self, game: Game<R>, bot: FoundBot) -> Offer {
        let FoundBot { name, network, playouts, elo } = bot;
        let name = name.strip_suffix(".maydan").unwrap_or(&name);
        Offer::new(name, game, network, playouts).rated(elo)
    }
}
