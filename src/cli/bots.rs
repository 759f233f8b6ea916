//! Parses the names of bots, for commands that offer bots to others.

use std::{
    convert::Infallible,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

use anyhow::Context;
use clap::Args;

use super::{
    options::OtherRules,
    players::{Sample, word},
};
use crate::{
    export::{Alternatives, Bundle, find_network, is_bundle, read_network},
    game::{
        Game, Playable,
        registry::{self, GameVisitor},
    },
    model::{
        Backend, Checkpoint, MakeEvaluator, Metadata, Precision, Uniform,
        backend::{self, BackendConfig},
    },
    pipeline::metrics::read_rating,
};

/// Where and how the networks of bots compute.
#[derive(Debug, Args)]
pub(super) struct BotCompute {
    /// Where networks compute: `cpu`, `cuda` or `cuda:N`
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Numbers that they compute in: `f32`, `bf16`, `int8` (on processors), or `auto` for the fastest here
    #[arg(long, default_value = "auto", value_parser = word::<Precision>)]
    precision: Precision,
    /// How libtorch runs them: `eager`, `fused` (on a processor), or `auto` for the faster here
    #[arg(long, default_value = "auto", value_parser = word::<Backend>)]
    backend: Backend,
    #[command(flatten)]
    other_rules: OtherRules,
}

/// How a user names a bot.
#[derive(Clone, Debug)]
pub(super) enum BotName {
    /// `uniform:GAME`: every move alike, every position a draw.
    Uniform(String),
    /// A bundle, a checkpoint or a run.
    Network(PathBuf),
}

impl FromStr for BotName {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.strip_prefix("uniform:") {
            Some(game) => BotName::Uniform(game.to_owned()),
            None => BotName::Network(PathBuf::from(text)),
        })
    }
}

/// A bot that was found.
pub(super) struct FoundBot {
    /// What it is called among others.
    pub(super) name: String,
    pub(super) network: Arc<MakeEvaluator>,
    /// Playouts before a move that its maker suggests.
    pub(super) playouts: u32,
    /// How strong its maker found it.
    pub(super) elo: Option<f64>,
}

/// What to do with a bot, once the type of its game is known.
pub(super) trait BotVisitor {
    type Output;

    fn visit<R: Playable>(self, game: Game<R>, bot: FoundBot) -> Self::Output;
}

impl BotName {
    /// Gives the bot to `visitor`, with its game under the options that it was trained on, those of `overrides` laid
    /// over them.
    ///
    /// # Errors
    /// When there is no such bot, or it does not play by such rules.
    pub(super) fn find<V: BotVisitor>(
        &self,
        compute: &BotCompute,
        overrides: &toml::Table,
        visitor: V,
    ) -> anyhow::Result<V::Output> {
        match self {
            BotName::Uniform(game) => {
                let bot =
                    FoundBot { name: "uniform".to_owned(), network: Uniform::make(), playouts: PLAYOUTS, elo: None };
                registry::with_game(game, overrides, Found { bot, network: None, visitor })?
            }
            BotName::Network(path) => {
                let Rated { checkpoint, playouts, elo } = read(path)?;
                let metadata = checkpoint.metadata().clone();
                let sample = registry::with_game(&metadata.ruleset.game, &metadata.ruleset.options, Sample)?;
                let config = BackendConfig {
                    device: &compute.device,
                    precision: compute.precision,
                    backend: compute.backend,
                    sample: Some(sample),
                    ..BackendConfig::default()
                };
                let network = backend::open(Arc::new(checkpoint), config)?;
                let network: Arc<MakeEvaluator> = Arc::new(move |batch_size| network.evaluator(batch_size));
                let mut options = metadata.ruleset.options.clone();
                options.extend(overrides.clone());
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let bot = FoundBot { name, network, playouts, elo };
                let game = metadata.ruleset.game.clone();
                let network = Some((path.display().to_string(), metadata, &compute.other_rules));
                registry::with_game(&game, &options, Found { bot, network, visitor })?
            }
        }
    }
}

/// Playouts before a move where no maker suggests a number.
const PLAYOUTS: u32 = 200;

/// A network with what its maker says of it.
struct Rated {
    checkpoint: Checkpoint,
    playouts: u32,
    elo: Option<f64>,
}

/// What a bot can be beside a network.
const BOTS: Alternatives<'_> = Alternatives { noun: "bot", expected: "`uniform:GAME`, ", words: &[] };

/// The network that a user named.
fn read(named: &Path) -> anyhow::Result<Rated> {
    let path = find_network(named, BOTS)?;
    if is_bundle(&path) {
        let bundle = Bundle::read(&path)?;
        let (playouts, rating) = (bundle.manifest().play.playouts, bundle.manifest().rating.as_ref());
        let elo = rating.map(|rating| rating.elo);
        return Ok(Rated { checkpoint: bundle.into_checkpoint(), playouts, elo });
    }
    let checkpoint = read_network(&path, BOTS)?;
    let rated = read_rating(&path).with_context(|| path.display().to_string())?;
    Ok(Rated { checkpoint, playouts: PLAYOUTS, elo: rated.and_then(|player| player.elo) })
}

/// Holds a network against the rules before its visitor gets it.
struct Found<'a, V> {
    bot: FoundBot,
    /// What it is called, what it was trained on, and where that may differ.
    network: Option<(String, Metadata, &'a OtherRules)>,
    visitor: V,
}

impl<V: BotVisitor> GameVisitor for Found<'_, V> {
    type Output = anyhow::Result<V::Output>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        if let Some((name, metadata, other_rules)) = &self.network {
            other_rules.check(name, metadata, &game)?;
        }
        Ok(self.visitor.visit(game, self.bot))
    }
}
