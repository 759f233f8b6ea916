//! Parses the names of players, and settles the rules that they play by.

use std::{path::Path, time::Duration};

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};

use super::options::RulesetOptions;
use crate::{
    evaluate::{Contender, EngineLimits, NoBaseline, PlayerSpec, match_search},
    export::{Bundle, is_bundle},
    game::{
        Game, Playable, Ruleset,
        registry::{self, GameVisitor},
    },
    model::{Checkpoint, Metadata},
    search::{Mode, SearchConfig},
};

/// Options of every command that takes players.
#[derive(Debug, Args)]
pub(super) struct PlayerOptions {
    /// Playouts of a network before each move
    #[arg(long, alias = "simulations", default_value_t = 200)]
    pub(super) playouts: u32,
    /// How a network searches
    #[arg(long = "search", value_name = "RULE", default_value = "puct")]
    rule: SearchRule,
    /// Nodes of another program before each move
    #[arg(long, value_name = "N")]
    nodes: Option<u32>,
    /// Milliseconds of another program before each move; 100 where no nodes are given
    #[arg(long, value_name = "MS")]
    movetime: Option<u32>,
    /// Where a network computes: `cpu`, `cuda` or `cuda:N`
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Id of the game; not needed with a network, which knows its own
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    #[command(flatten)]
    rules: RulesetOptions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SearchRule {
    /// PUCT without noise
    Puct,
    /// Sequential halving without noise
    Gumbel,
}

/// Players with the one ruleset that all of them play by.
pub(super) struct Matched {
    pub(super) ruleset: Ruleset,
    pub(super) contenders: Vec<Contender>,
}

impl PlayerOptions {
    /// Finds the players and their rules. A network brings its own; options given beside it must agree with them.
    ///
    /// # Errors
    /// When a network cannot be read, the game is not given, or two rulesets differ (both are named).
    pub(super) fn resolve(&self, specs: &[PlayerSpec]) -> anyhow::Result<Matched> {
        let search = self.search()?;
        let mut networks: Vec<(&PlayerSpec, Metadata)> = Vec::new();
        let mut contenders = Vec::new();
        for spec in specs {
            contenders.push(match Contender::baseline(spec) {
                Ok(baseline) => baseline,
                Err(NoBaseline::Engine(engine)) => Contender::Engine { spec: engine.clone(), limits: self.limits() },
                Err(NoBaseline::Checkpoint(path)) => {
                    let checkpoint = read_network(path)?;
                    networks.push((spec, checkpoint.metadata().clone()));
                    Contender::network(checkpoint, &self.device, search)?
                }
            });
        }
        let mut options = networks.first().map(|(_, first)| first.ruleset.options.clone()).unwrap_or_default();
        options.extend(self.rules.overrides()?);
        let game = self.game.as_ref().or(networks.first().map(|(_, first)| &first.ruleset.game));
        let Some(game) = game else { bail!("--game: expected the id of a game, since no player is a network") };
        let ruleset = registry::with_game(game, &options, Agreement { networks: &networks })??;
        Ok(Matched { ruleset, contenders })
    }

    fn limits(&self) -> EngineLimits {
        let unsaid = self.nodes.is_none().then_some(100);
        let time = self.movetime.or(unsaid).map(|millis| Duration::from_millis(millis.into()));
        EngineLimits { nodes: self.nodes, time }
    }

    fn search(&self) -> anyhow::Result<SearchConfig> {
        let mode = match self.rule {
            SearchRule::Puct => Mode::Puct,
            SearchRule::Gumbel => Mode::Gumbel,
        };
        let search = SearchConfig { mode, ..match_search(self.playouts) };
        search.validate().map_err(|message| anyhow!("--{message}"))?;
        Ok(search)
    }
}

impl Matched {
    /// Gives the game to `visitor`.
    ///
    /// # Errors
    /// When the ruleset is of no known game.
    pub(super) fn with_game<V: GameVisitor>(&self, visitor: V) -> anyhow::Result<V::Output> {
        registry::with_game(&self.ruleset.game, &self.ruleset.options, visitor).context("the players' rules")
    }
}

/// The network in a bundle or in the folder of a checkpoint.
pub(super) fn read_network(path: &Path) -> anyhow::Result<Checkpoint> {
    Ok(if is_bundle(path) { Bundle::read(path)?.into_checkpoint() } else { Checkpoint::load(path)? })
}

/// Checks that every network plays the game, and returns the game's ruleset.
struct Agreement<'a> {
    networks: &'a [(&'a PlayerSpec, Metadata)],
}

impl GameVisitor for Agreement<'_> {
    type Output = anyhow::Result<Ruleset>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        for (spec, metadata) in self.networks {
            if metadata.ruleset != *game.ruleset() {
                bail!(
                    "{spec} plays {}, the other player or options ask for {}: expected one ruleset",
                    metadata.ruleset,
                    game.ruleset()
                );
            }
            metadata.check_game(&game).map_err(|problem| anyhow!("{spec}: {problem}"))?;
        }
        Ok(game.ruleset().clone())
    }
}
