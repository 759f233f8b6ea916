//! `maydan engine`: a bot for other programs.

use std::{
    convert::Infallible,
    io::{self, BufReader},
    path::PathBuf,
    process::ExitCode,
    str::FromStr,
};

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::{options::RulesetOptions, players::read_network};
use crate::{
    evaluate::{Contender, match_search},
    game::{
        Encode,
        random::stream,
        registry::{self, GameVisitor},
    },
    model::{Evaluator, Metadata, Uniform},
    serve::{EngineError, ProtocolName, serve},
};

/// Let a frontend (a chess program with a board) play with a bot
///
/// Commands come on standard input, answers go to standard output. Moves and positions are those of `maydan rules`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The folder of a checkpoint, a bundle (`*.maydan`), or `uniform:GAME` for a search without a network
    bot: BotName,
    /// What the frontend speaks, `uci`, `xboard` or `ushi`; else guessed from its first line
    #[arg(long, value_name = "NAME")]
    protocol: Option<ProtocolName>,
    /// Where a network computes: `cpu`, `cuda` or `cuda:N`
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Seed of the moves that are drawn where a temperature is set; another each time without
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    rules: RulesetOptions,
}

/// How a user names a bot.
#[derive(Clone, Debug)]
enum BotName {
    /// `uniform:GAME`: every move alike, every position a draw.
    Uniform(String),
    Checkpoint(PathBuf),
}

impl FromStr for BotName {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.strip_prefix("uniform:") {
            Some(game) => BotName::Uniform(game.to_owned()),
            None => BotName::Checkpoint(PathBuf::from(text)),
        })
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let overrides = arguments.rules.overrides()?;
    let seed = arguments.seed.unwrap_or_else(rand::random);
    match &arguments.bot {
        BotName::Uniform(game) => {
            let evaluator = Box::new(Uniform { batch_size: 1 });
            let engine = Engine { evaluator, name: "uniform", metadata: None, protocol: arguments.protocol, seed };
            registry::with_game(game, &overrides, engine)?
        }
        BotName::Checkpoint(folder) => {
            let checkpoint = read_network(folder)?;
            let metadata = checkpoint.metadata().clone();
            let network =
                Contender::network(checkpoint, &arguments.device, match_search(1)).map_err(anyhow::Error::msg)?;
            let Contender::Network { evaluator, .. } = network else {
                bail!("{}: expected a network", folder.display())
            };
            let mut options = metadata.ruleset.options.clone();
            options.extend(overrides);
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let (game, evaluator) = (metadata.ruleset.game.clone(), evaluator(1)?);
            let engine =
                Engine { evaluator, name: &name, metadata: Some(metadata), protocol: arguments.protocol, seed };
            registry::with_game(&game, &options, engine)?.with_context(|| folder.display().to_string())
        }
    }
}

/// A bot, once its rules are known: an evaluator, and where it came from.
struct Engine<'a> {
    evaluator: Box<dyn Evaluator>,
    name: &'a str,
    /// Of the network, to be held against the rules.
    metadata: Option<Metadata>,
    protocol: Option<ProtocolName>,
    seed: u64,
}

impl GameVisitor for Engine<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn visit<G: Encode>(self, game: G) -> Self::Output {
        if let Some(metadata) = self.metadata {
            if metadata.ruleset != *game.ruleset() {
                bail!("plays {}, the options ask for {}: expected one ruleset", metadata.ruleset, game.ruleset());
            }
            metadata.check_game(&game).map_err(|problem| anyhow!(problem))?;
        }
        let (input, mut out) = (BufReader::new(io::stdin()), io::stdout().lock());
        let rng = stream("engine", self.seed, 0, 0);
        match serve(game, self.evaluator, self.name, self.protocol, rng, input, &mut out) {
            Ok(()) => Ok(ExitCode::SUCCESS),
            // As it came, so that a frontend that is gone is no mistake.
            Err(EngineError::Io(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    }
}
