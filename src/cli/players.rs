//! Parses the names of players, and settles the rules that they play by.

use std::{fmt, str::FromStr, time::Duration};

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use serde::de::DeserializeOwned;

use super::options::{OtherRules, RulesetOptions};
use crate::{
    console::typed_value,
    encode::{Rows, sample},
    evaluate::{Contender, EngineClock, EngineLimits, EngineSpec, NoBaseline, PlayerSpec, Speech, match_search},
    export::{Alternatives, read_network},
    game::{
        Game, Playable, Ruleset,
        registry::{self, GameVisitor},
    },
    model::{Backend, Checkpoint, Metadata, Precision, backend::BackendConfig},
    search::{Mode, SearchConfig},
};

/// Where and how networks compute.
#[derive(Debug, Args)]
pub(super) struct ComputeOptions {
    /// Where a network computes: `cpu`, `cuda` or `cuda:N`
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Numbers that a network computes in: `f32`, `bf16`, `int8`, or `auto` for the fastest here
    #[arg(long, default_value = "f32", value_parser = word::<Precision>)]
    precision: Precision,
    /// How libtorch runs a network: `eager`, `fused` (on a processor; faster), or `auto` for the faster here
    #[arg(long, default_value = "eager", value_parser = word::<Backend>)]
    backend: Backend,
}

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
    /// Seconds of another program in UCI for a game, and for each move more: it loses when they are over
    #[arg(long, value_name = "BASE+INCREMENT", conflicts_with = "movetime")]
    clock: Option<EngineClock>,
    #[command(flatten)]
    compute: ComputeOptions,
    /// Id of the game; not needed with a network, which knows its own
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    #[command(flatten)]
    rules: RulesetOptions,
    #[command(flatten)]
    other_rules: OtherRules,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SearchRule {
    /// PUCT without noise
    Puct,
    /// Sequential halving without noise
    Gumbel,
}

/// Positions that a search waits for at once, where no other game fills the batch.
const ALONE: usize = 16;
/// Most positions that a search can be made to wait for.
const MOST_LEAVES: i64 = 1024;

/// What one side's search does differently: `KEY=VALUE,...` with the keys of `[selfplay.search]`, and `leaves`, the
/// positions that it waits for at once.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchChanges {
    keys: toml::Table,
    leaves: Option<usize>,
}

impl FromStr for SearchChanges {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut changes = SearchChanges::default();
        for change in text.split(',') {
            let (key, value) = change.split_once('=').ok_or(format!("expected KEY=VALUE, found `{change}`"))?;
            match (key.trim(), typed_value(value)) {
                ("leaves", toml::Value::Integer(leaves @ 1..=MOST_LEAVES)) => changes.leaves = Some(leaves as usize),
                ("leaves", _) => return Err(format!("leaves: expected 1 to {MOST_LEAVES}, found {value}")),
                (key, value) => drop(changes.keys.insert(key.to_owned(), value)),
            }
        }
        SearchConfig::default().changed(&changes.keys).map(|_| changes)
    }
}

impl SearchChanges {
    /// Settings with these changes.
    ///
    /// # Errors
    /// As [`SearchConfig::changed`].
    pub(super) fn apply(&self, search: SearchConfig) -> Result<SearchConfig, String> {
        search.changed(&self.keys)
    }

    /// How many positions the search waits for at once, where that is said.
    pub(super) fn leaves(&self) -> Option<usize> {
        self.leaves
    }
}

impl fmt::Display for SearchChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leaves = self.leaves.map(|leaves| format!("leaves={leaves}"));
        let changes = self.keys.iter().map(|(key, value)| format!("{key}={value}")).chain(leaves);
        f.write_str(&changes.collect::<Vec<_>>().join(","))
    }
}

/// A value that a configuration writes as one word.
pub(super) fn word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::Value::String(text.to_owned()).try_into().map_err(|error: toml::de::Error| error.message().to_owned())
}

/// What a player can be beside a network.
const PLAYERS: Alternatives<'_> = Alternatives {
    noun: "player",
    expected: "`random`, `greedy`, `alphabeta:DEPTH`, `uci:COMMAND`, `xboard:COMMAND`, ",
    words: &["random", "greedy", "alphabeta:1", "alphabeta:2", "alphabeta:3", "alphabeta:4"],
};

/// A player with what its search does differently from the options of all.
pub(super) type Seat<'a> = (&'a PlayerSpec, &'a SearchChanges);

/// Players with the one ruleset that all of them play by.
pub(super) struct Matched {
    pub(super) ruleset: Ruleset,
    pub(super) contenders: Vec<Contender>,
}

impl ComputeOptions {
    /// A network as a player whose searches wait for so many leaves.
    ///
    /// # Errors
    /// When its game is unknown, or it cannot be computed so.
    pub(super) fn network(
        &self,
        checkpoint: Checkpoint,
        search: SearchConfig,
        leaves: usize,
    ) -> anyhow::Result<Contender> {
        let ruleset = &checkpoint.metadata().ruleset;
        let backend = BackendConfig {
            device: &self.device,
            precision: self.precision,
            backend: self.backend,
            // Low precision finds out on them how large values get, and what is `auto` is measured on them.
            sample: Some(registry::with_game(&ruleset.game, &ruleset.options, Sample)?),
            ..BackendConfig::default()
        };
        Ok(Contender::network(checkpoint, backend, search, leaves)?)
    }
}

impl PlayerOptions {
    /// Finds the players and their rules. A network brings its own; options given beside it must agree with them.
    ///
    /// # Errors
    /// When a network cannot be read, the game is not given, or two rulesets differ (both are named).
    pub(super) fn resolve(&self, seats: &[Seat<'_>]) -> anyhow::Result<Matched> {
        let search = self.search()?;
        // There is one game against a person, and many between players.
        let usual = if seats.len() == 1 { ALONE } else { 1 };
        let mut networks: Vec<(&PlayerSpec, Metadata)> = Vec::new();
        let mut contenders = Vec::new();
        for &(spec, changes) in seats {
            contenders.push(match Contender::baseline(spec) {
                Ok(baseline) => baseline,
                Err(NoBaseline::Engine(engine)) => {
                    Contender::engine(engine, self.limits(engine)?).with_context(|| spec.to_string())?
                }
                Err(NoBaseline::Checkpoint(path)) => {
                    let checkpoint = read_network(path, PLAYERS)?;
                    let metadata = checkpoint.metadata().clone();
                    let search = changes.apply(search).map_err(|problem| anyhow!("search of {spec}: {problem}"))?;
                    networks.push((spec, metadata));
                    let leaves = changes.leaves().unwrap_or(usual);
                    self.compute.network(checkpoint, search, leaves).with_context(|| spec.to_string())?
                }
            });
        }
        let mut options = networks.first().map(|(_, first)| first.ruleset.options.clone()).unwrap_or_default();
        options.extend(self.rules.overrides()?);
        let game = self.game.as_ref().or(networks.first().map(|(_, first)| &first.ruleset.game));
        let Some(game) = game else { bail!("--game: expected the id of a game, since no player is a network") };
        let other = networks.iter().find(|(_, metadata)| metadata.ruleset.game != *game);
        if let Some((spec, Metadata { ruleset, .. })) = other {
            bail!("expected players of {game}, found {spec}, which plays {}", ruleset.game);
        }
        let agreement = Agreement { networks: &networks, other_rules: &self.other_rules };
        let ruleset = registry::with_game(game, &options, agreement)??;
        Ok(Matched { ruleset, contenders })
    }

    fn limits(&self, engine: &EngineSpec) -> anyhow::Result<EngineLimits> {
        if self.clock.is_some() && engine.speech != Speech::Uci {
            bail!("--clock: expected engines in UCI, found {engine}");
        }
        let unsaid = (self.nodes.is_none() && self.clock.is_none()).then_some(100);
        let time = self.movetime.or(unsaid).map(|millis| Duration::from_millis(millis.into()));
        Ok(EngineLimits { nodes: self.nodes, time, clock: self.clock })
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

/// Positions of a game as they come up.
pub(super) struct Sample;

impl GameVisitor for Sample {
    type Output = Rows;

    fn visit<R: Playable>(self, game: Game<R>) -> Rows {
        sample(&game)
    }
}

/// Checks that every network plays the game, and returns the game's ruleset.
struct Agreement<'a> {
    networks: &'a [(&'a PlayerSpec, Metadata)],
    other_rules: &'a OtherRules,
}

impl GameVisitor for Agreement<'_> {
    type Output = anyhow::Result<Ruleset>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        for (spec, metadata) in self.networks {
            self.other_rules.check(&spec.to_string(), metadata, &game)?;
        }
        Ok(game.ruleset().clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_a_search_as_typed() {
        let changes: SearchChanges = "mode=gumbel, leaves=16,c_scale=1".parse().unwrap();
        assert_eq!(changes.leaves(), Some(16));
        assert_eq!(changes.apply(match_search(7)).unwrap().mode, Mode::Gumbel);
        assert_eq!(changes.to_string().parse::<SearchChanges>().unwrap().to_string(), changes.to_string());
        for (text, part) in [
            ("leaves", "KEY=VALUE"),
            ("leaves=0", "leaves: expected 1 to 1024, found 0"),
            ("leaves=x", "found x"),
            ("playots=1", "playots"),
        ] {
            let error = text.parse::<SearchChanges>().unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
