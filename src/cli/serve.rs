//! `maydan serve`: a page to play on.

use std::{
    io::{self, Write as _},
    net::{IpAddr, SocketAddr},
    process::ExitCode,
    time::Duration,
};

use anyhow::Context;
use clap::Args;

use super::{
    bots::{BotCompute, BotName, BotVisitor, FoundBot},
    options::RulesetOptions,
};
use crate::{
    console::on_interrupt,
    game::{Game, Playable},
    serve::web::{Bounds, Offer, Server, ServerConfig},
};

/// Let people play with bots, on a page in their browser
///
/// The page is for this machine alone unless `--host` opens it. Ctrl-C ends it.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Folders of checkpoints, bundles (`*.maydan`), or `uniform:GAME` for a search without a network
    #[arg(required = true)]
    bots: Vec<BotName>,
    /// Where the page is; 0 takes a port that is free
    #[arg(long, default_value_t = 8000)]
    port: u16,
    /// Address of this machine to be reached at, `0.0.0.0` for all of them; everybody who reaches it can play
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// A name that clients may call this machine by, besides addresses and `localhost`; may be repeated
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
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
    let offers = arguments.bots.iter().map(|bot| bot.find(&arguments.compute, &overrides, Offering));
    let bounds = Bounds {
        sessions: arguments.sessions as usize,
        playouts: arguments.playouts,
        thinking: Duration::from_secs(arguments.seconds),
        memory: arguments.memory,
        idle: Duration::from_secs(60 * arguments.idle),
        ..Bounds::default()
    };
    let seed = arguments.seed.unwrap_or_else(rand::random);
    let config = ServerConfig { offers: offers.collect::<Result<_, _>>()?, bounds, names: arguments.names, seed };
    let address = SocketAddr::new(arguments.host, arguments.port);
    let server = Server::bind(address, config).with_context(|| address.to_string())?;
    let stopper = server.stopper();
    on_interrupt(move || stopper.stop()).context("Ctrl-C")?;
    if !arguments.host.is_loopback() {
        tracing::warn!("--host {}: everybody who reaches this machine can play, and use its processor", arguments.host);
    }
    let mut out = io::stdout().lock();
    writeln!(out, "http://{}/", server.address()?)?;
    out.flush()?;
    drop(out);
    server.run();
    Ok(ExitCode::SUCCESS)
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
