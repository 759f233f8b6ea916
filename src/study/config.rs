//! The file of a study. `configs/studies/` has examples that explain every key.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{
    console::{ConfigError, read_config},
    disk::check_name,
    model::{Backend, Precision},
    search::SearchConfig,
    selfplay::{AdjudicationConfig, OpeningConfig, PlayoutCapConfig, SelfPlayConfig, TemperatureConfig},
};

/// Name of the arm that all others are held against: the rules as the file has them.
pub const BASE: &str = "base";

/// The network that is none.
pub const UNIFORM: &str = "uniform";

/// A study: the rules to begin with, how games are played, and what is changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyConfig {
    /// The game's id.
    pub game: String,
    /// Keys every random number.
    #[serde(default = "one")]
    pub seed: u64,
    /// Options of the ruleset that differ from the game's preset, in every arm.
    #[serde(default)]
    pub rules: toml::Table,
    #[serde(default)]
    pub play: PlayConfig,
    /// Other rules, one arm each.
    #[serde(default)]
    pub variant: Vec<VariantConfig>,
    /// What one side may not do, two arms each: once White, once Black.
    #[serde(default)]
    pub restriction: Vec<RestrictionConfig>,
}

/// How the games of all arms are played: `[play]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayConfig {
    /// Games of an arm, and of the two arms of a restriction together.
    pub games: u64,
    /// Games of a file, at least 1. A killed study plays the games of unfinished files again.
    pub games_per_file: u64,
    /// Threads; 0 for one a core. Changes nothing in the games.
    pub shards: usize,
    /// Games that a thread plays at once. Changes nothing in the games.
    pub slots: usize,
    /// Plies after which a game is cut off: it has no result.
    pub max_plies: u32,
    /// Folder of the network that plays both sides, or `uniform` for a search without one.
    pub network: String,
    /// `cpu`, or `cuda` for the first GPU, `cuda:1` for the second.
    pub device: String,
    /// Numbers that the network computes in: `f32` or `bf16`.
    pub precision: Precision,
    /// How it is run: `eager` or `fused`.
    pub backend: Backend,
    /// Rows that one call of the network takes.
    pub batch_size: usize,
    /// Playouts a search, a set of all arms for each; none for one set, with those of `search`.
    pub budgets: Vec<u32>,
    /// The search before each action.
    pub search: SearchConfig,
    /// Random first plies.
    pub opening: OpeningConfig,
    /// How freely the action is drawn.
    pub temperature: TemperatureConfig,
}

/// Other rules: `[[variant]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantConfig {
    pub name: String,
    /// Options laid over `[rules]`.
    #[serde(default)]
    pub rules: toml::Table,
    #[serde(flatten)]
    pub player: PlayerConfig,
}

/// What one side may not do, or must do: `[[restriction]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestrictionConfig {
    pub name: String,
    /// Kinds of action.
    pub kinds: Vec<String>,
    /// Only from this ply of the game on.
    pub from_ply: Option<u32>,
    /// Only before this ply of the game.
    pub before_ply: Option<u32>,
    /// Only where the piece becomes one of these, by its letter.
    pub becomes: Option<String>,
    /// Not forbidden, but demanded from this ply on while the side has not used its reserve.
    pub must_by_ply: Option<u32>,
    #[serde(flatten)]
    pub player: PlayerConfig,
}

/// Who plays an arm, where it is not as in `[play]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerConfig {
    /// Folder of the network, or `uniform`.
    pub network: Option<String>,
    /// A network to train first.
    pub train: Option<TrainingConfig>,
    /// Playouts a search.
    #[serde(alias = "simulations")]
    pub playouts: Option<u32>,
}

/// A network trained under an arm's own rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingConfig {
    /// A configuration of a run; its `[rules]` and `run.generations` are not used.
    pub config: String,
    /// Generations to train.
    pub generations: u64,
}

fn one() -> u64 {
    1
}

impl Default for PlayConfig {
    fn default() -> Self {
        let SelfPlayConfig { games_per_file, slots, search, opening, temperature, .. } = SelfPlayConfig::default();
        PlayConfig {
            games: 400,
            games_per_file,
            shards: 0,
            slots,
            max_plies: 512,
            network: UNIFORM.to_owned(),
            device: "cpu".to_owned(),
            precision: Precision::F32,
            backend: Backend::Eager,
            batch_size: 32,
            budgets: Vec::new(),
            search,
            opening,
            temperature,
        }
    }
}

impl PlayConfig {
    /// As settings of self-play: full searches alone, and no end but by the rules or at the last ply.
    pub fn selfplay(&self, games: u64, playouts: u32) -> SelfPlayConfig {
        SelfPlayConfig {
            games,
            games_per_file: self.games_per_file,
            shards: self.shards,
            slots: self.slots,
            max_plies: self.max_plies,
            search: SearchConfig { playouts, ..self.search },
            playout_cap: PlayoutCapConfig { full_share: 1.0, ..PlayoutCapConfig::default() },
            opening: self.opening,
            temperature: self.temperature,
            adjudication: AdjudicationConfig {
                resign_plies: 0,
                draw_plies: 0,
                check_share: 0.0,
                ..AdjudicationConfig::default()
            },
            ..SelfPlayConfig::default()
        }
    }
}

impl StudyConfig {
    /// Reads a file and lays `overrides` (`section.key=value`) over it.
    ///
    /// # Errors
    /// Names the file, the key and what was expected.
    pub fn load(path: &Path, overrides: &[String]) -> Result<StudyConfig, ConfigError> {
        let config: StudyConfig = read_config(path, overrides)?;
        let error = |reason| ConfigError::File { file: path.display().to_string(), reason };
        config.validate().map_err(error)?;
        Ok(config)
    }

    /// The resolved study as TOML, every key written.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a study serialises")
    }

    fn validate(&self) -> Result<(), String> {
        let play = &self.play;
        let section = |error| format!("[play] {error}");
        play.selfplay(play.games, play.search.playouts).validate().map_err(section)?;
        if play.batch_size == 0 || play.batch_size > 1 << 16 {
            return Err(format!("[play] batch_size: expected 1 to 65536, found {}", play.batch_size));
        }
        // What is measured anew in each session would make a study that goes on another.
        if play.precision == Precision::Auto {
            return Err("[play] precision: expected `f32`, `bf16` or `int8`, found `auto`".to_owned());
        }
        if play.backend == Backend::Auto {
            return Err("[play] backend: expected `eager` or `fused`, found `auto`".to_owned());
        }
        if let Some(found) = play.budgets.iter().find(|budget| !(1..=1_000_000).contains(*budget)) {
            return Err(format!("[play] budgets: expected 1 to 1000000, found {found}"));
        }
        let variants = self.variant.iter().map(|v| ("variant", &v.name, &v.player));
        let restrictions = self.restriction.iter().map(|r| ("restriction", &r.name, &r.player));
        for (table, name, player) in variants.chain(restrictions) {
            let place = format!("[[{table}]] `{name}`");
            if check_name(name).is_err() {
                let expected = "letters, digits, `-`, `_` and `.`, not beginning with `.`";
                return Err(format!("[[{table}]] name: expected {expected}, found `{name}`"));
            }
            if player.network.is_some() && player.train.is_some() {
                return Err(format!("{place}: expected `network` or `train`, found both"));
            }
            if let Some(found @ (0 | 1_000_001..)) = player.playouts {
                return Err(format!("{place} playouts: expected 1 to 1000000, found {found}"));
            }
            if player.playouts.is_some() && !play.budgets.is_empty() {
                return Err(format!("{place} playouts: expected none beside [play] budgets"));
            }
            if player.train.as_ref().is_some_and(|train| train.generations == 0) {
                return Err(format!("{place} train.generations: expected at least 1, found 0"));
            }
        }
        Ok(())
    }
}
