//! `maydan engine`: a bot for other programs.

use std::{
    io::{self, BufReader},
    process::ExitCode,
};

use clap::Args;

use super::{
    bots::{BotCompute, BotName, BotVisitor, FoundBot},
    examples::examples,
    options::RulesetOptions,
};
use crate::{
    game::{Game, Playable, random::stream},
    serve::{EngineError, ProtocolName, serve},
};

/// Let a frontend (a chess program with a board) play with a bot
///
/// Commands come on standard input, answers go to standard output. Moves and positions are those of `maydan rules`.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan engine models/shatara.maydan",
    "maydan engine models/shatra.maydan --protocol ushi",
]))]
pub(super) struct Arguments {
    /// A bundle (`*.maydan`), a checkpoint or a run by its folder or name, or `uniform:GAME` for a search without a network
    bot: BotName,
    /// Protocol of the frontend: `uci`, `xboard` or `ushi`; else guessed from its first line
    #[arg(long, value_name = "NAME")]
    protocol: Option<ProtocolName>,
    #[command(flatten)]
    compute: BotCompute,
    /// Seed of the moves that are drawn where a temperature is set; another each time without
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    rules: RulesetOptions,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let overrides = arguments.rules.overrides()?;
    let seed = arguments.seed.unwrap_or_else(rand::random);
    arguments.bot.find(&arguments.compute, &overrides, Engine { protocol: arguments.protocol, seed })?
}

struct Engine {
    protocol: Option<ProtocolName>,
    seed: u64,
}

impl BotVisitor for Engine {
    type Output = anyhow::Result<ExitCode>;

    fn visit<R: Playable>(self, game: Game<R>, bot: FoundBot) -> Self::Output {
        let (input, mut out) = (BufReader::new(io::stdin()), io::stdout().lock());
        let rng = stream("engine", self.seed, 0, 0);
        match serve(game, bot.network, &bot.name, self.protocol, rng, input, &mut out) {
            Ok(()) => Ok(ExitCode::SUCCESS),
            // As it came, so that a frontend that is gone is no mistake.
            Err(EngineError::Io(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    }
}
