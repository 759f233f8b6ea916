//! Settings of self-play.

use std::thread;

use serde::{Deserialize, Serialize};

use super::MaterialConfig;
use crate::{game::FieldError, search::SearchConfig};

/// Settings of self-play: `[selfplay]` of a configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlayConfig {
    /// Games of a generation, at least 1.
    pub games: u64,
    /// Games of a file, at least 1. A killed run plays the games of unfinished files again.
    pub games_per_file: u64,
    /// Threads, each with its own evaluator; 0 for one a core. Changes nothing in the games.
    pub shards: usize,
    /// Games that a shard plays at once, at least 1: more than the evaluator's batch keeps batches full while the last
    /// games end. Changes nothing in the games.
    pub slots: usize,
    /// Evaluations that a shard remembers; 0 for none. Changes nothing in the games.
    pub cache_positions: usize,
    /// Plies after which a game is cut off, at least 1: it counts as a draw, but teaches the value that its last search
    /// expected.
    pub max_plies: u32,
    /// The full search.
    pub search: SearchConfig,
    /// Cheap searches between the full ones.
    pub playout_cap: PlayoutCapConfig,
    /// Random first plies.
    pub opening: OpeningConfig,
    /// How freely the action is drawn.
    pub temperature: TemperatureConfig,
    /// Ends that the rules do not know.
    pub adjudication: AdjudicationConfig,
    /// Generations without a network.
    pub material: MaterialConfig,
}

/// Cheap searches between the full ones (playout cap randomisation, Wu 2019): more games for the value, good targets
/// for the policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayoutCapConfig {
    /// Share of plies that get the full search and teach the policy, above 0 to 1; 1 turns the cap off.
    pub full_share: f32,
    /// Playouts of a cheap search, at least 1.
    #[serde(alias = "cheap_simulations")]
    pub cheap_playouts: u32,
    /// The ply of a game from which on every search is a quick one, so that games come to a result at little cost; 0 for
    /// never.
    pub quick_from_ply: u32,
    /// Playouts of a quick search, at least 1. With 1 and the noise of a Gumbel search the action is drawn from the
    /// network's policy.
    pub quick_playouts: u32,
}

/// First plies drawn from the network's policy without a search, so that games differ. Their rows teach nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpeningConfig {
    /// The fewest such plies of a game.
    pub min_plies: u32,
    /// The most; the number is drawn evenly between the two.
    pub max_plies: u32,
    /// Actions are drawn in proportion to `policy^(1 / temperature)`, 0 (always the likeliest) to 100.
    pub temperature: f32,
}

/// How the action is drawn from the search's policy: in proportion to `policy^(1 / temperature)`; 0 for the search's
/// own choice, which in a Gumbel search is itself drawn by chance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TemperatureConfig {
    /// Temperature of the first plies, 0 to 100.
    pub start: f32,
    /// How many plies those are, the random opening included.
    pub plies: u32,
    /// Temperature afterwards, 0 to 100.
    pub end: f32,
}

/// Ends that the rules do not know, by the values of the searches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdjudicationConfig {
    /// A side resigns when its value was at most minus this, 0 to 1, ...
    pub resign_value: f32,
    /// ... in so many of its turns in a row; 0 for never. A series of captures is one turn.
    pub resign_plies: u32,
    /// A game is a draw when the value was at most this from 0, 0 to 1, ...
    pub draw_value: f32,
    /// ... in so many plies in a row; 0 for never. An untrained network thinks everything a draw.
    pub draw_plies: u32,
    /// ... none of them before this ply.
    pub draw_from_ply: u32,
    /// Share of games played out nevertheless, to count how often these ends are wrong, 0 to 1.
    pub check_share: f32,
}

impl Default for SelfPlayConfig {
    fn default() -> Self {
        SelfPlayConfig {
            games: 256,
            games_per_file: 32,
            shards: 0,
            slots: 64,
            cache_positions: 1 << 16,
            max_plies: 1024,
            search: SearchConfig::default(),
            playout_cap: PlayoutCapConfig::default(),
            opening: OpeningConfig::default(),
            temperature: TemperatureConfig::default(),
            adjudication: AdjudicationConfig::default(),
            material: MaterialConfig::default(),
        }
    }
}

impl Default for PlayoutCapConfig {
    fn default() -> Self {
        PlayoutCapConfig { full_share: 1.0, cheap_playouts: 8, quick_from_ply: 0, quick_playouts: 4 }
    }
}

impl Default for OpeningConfig {
    fn default() -> Self {
        OpeningConfig { min_plies: 0, max_plies: 8, temperature: 1.0 }
    }
}

impl Default for TemperatureConfig {
    fn default() -> Self {
        TemperatureConfig { start: 1.0, plies: 24, end: 0.0 }
    }
}

impl Default for AdjudicationConfig {
    fn default() -> Self {
        AdjudicationConfig {
            resign_value: 0.95,
            resign_plies: 4,
            draw_value: 0.02,
            draw_plies: 0,
            draw_from_ply: 80,
            check_share: 0.1,
        }
    }
}

impl SelfPlayConfig {
    /// Checks every field.
    ///
    /// # Errors
    /// `field: expected X, found Y` for the first field that is out of range.
    pub fn validate(&self) -> Result<(), FieldError> {
        count("games", self.games, 1, 100_000_000)?;
        count("games_per_file", self.games_per_file, 1, 1_000_000)?;
        count("shards", self.shards as u64, 0, 4096)?;
        count("slots", self.slots as u64, 1, 1 << 16)?;
        count("cache_positions", self.cache_positions as u64, 0, 1 << 28)?;
        count("max_plies", self.max_plies.into(), 1, 1_000_000)?;
        self.search.validate().map_err(|error| error.within("search"))?;
        number("playout_cap.full_share", self.playout_cap.full_share, f32::MIN_POSITIVE, 1.0)?;
        count("playout_cap.cheap_playouts", self.playout_cap.cheap_playouts.into(), 1, 1_000_000)?;
        count("playout_cap.quick_from_ply", self.playout_cap.quick_from_ply.into(), 0, 1_000_000)?;
        count("playout_cap.quick_playouts", self.playout_cap.quick_playouts.into(), 1, 1_000_000)?;
        count("material.depth", self.material.depth.into(), 1, MaterialConfig::MAX_DEPTH.into())?;
        count("opening.max_plies", self.opening.max_plies.into(), self.opening.min_plies.into(), 1_000_000)?;
        number("opening.temperature", self.opening.temperature, 0.0, 100.0)?;
        number("temperature.start", self.temperature.start, 0.0, 100.0)?;
        number("temperature.end", self.temperature.end, 0.0, 100.0)?;
        number("adjudication.resign_value", self.adjudication.resign_value, 0.0, 1.0)?;
        number("adjudication.draw_value", self.adjudication.draw_value, 0.0, 1.0)?;
        number("adjudication.check_share", self.adjudication.check_share, 0.0, 1.0)
    }

    /// Threads that play: [`shards`](Self::shards), or one a core.
    pub fn threads(&self) -> usize {
        match self.shards {
            0 => thread::available_parallelism().map_or(1, |cores| cores.get()),
            shards => shards,
        }
    }

    /// Files of a whole generation.
    pub fn files(&self) -> u64 {
        self.games.div_ceil(self.games_per_file)
    }

    /// The ply of a game from which on no search is full.
    pub fn full_until(&self) -> u32 {
        match self.playout_cap.quick_from_ply {
            0 => self.max_plies,
            from => from.min(self.max_plies),
        }
    }

    /// The cheap search at a ply: the full one with fewer playouts, and without noise at the root, since it teaches no
    /// policy and is to play well (Wu 2019, "Accelerating Self-Play Learning in Go", section 3.1). A quick one has even
    /// fewer and keeps the noise, with which fewer games repeat themselves.
    pub fn cheap_search(&self, ply: u32) -> SearchConfig {
        let PlayoutCapConfig { cheap_playouts, quick_playouts, .. } = self.playout_cap;
        if ply >= self.full_until() {
            return SearchConfig { playouts: quick_playouts.min(self.search.playouts), ..self.search };
        }
        let playouts = cheap_playouts.min(self.search.playouts);
        SearchConfig { playouts, gumbel_scale: 0.0, dirichlet_fraction: 0.0, ..self.search }
    }

    /// What looks at the network's policy: a search that is over as soon as it can be, without noise.
    pub fn opening_search(&self) -> SearchConfig {
        SearchConfig { playouts: 1, gumbel_scale: 0.0, dirichlet_fraction: 0.0, ..self.search }
    }
}

fn count(field: &str, value: u64, least: u64, most: u64) -> Result<(), FieldError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(FieldError::new(field, format!("{least} to {most}"), value))
    }
}

fn number(field: &str, value: f32, least: f32, most: f32) -> Result<(), FieldError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(FieldError::new(field, format!("{least} to {most}"), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_field_is_named_with_its_table() {
        assert_eq!(SelfPlayConfig::default().validate(), Ok(()));
        let mut config = SelfPlayConfig::default();
        config.opening.min_plies = 9;
        assert_eq!(config.validate().unwrap_err().to_string(), "opening.max_plies: expected 9 to 1000000, found 8");
        let mut config = SelfPlayConfig::default();
        config.search.playouts = 0;
        assert!(config.validate().unwrap_err().to_string().starts_with("search.playouts: expected"));
        let mut config = SelfPlayConfig::default();
        config.playout_cap.full_share = 0.0;
        assert!(config.validate().unwrap_err().to_string().starts_with("playout_cap.full_share: expected"));
    }

    #[test]
    fn a_cheap_search_has_no_noise_and_a_quick_one_has() {
        let mut config = SelfPlayConfig::default();
        let found = |config: &SelfPlayConfig, ply| {
            let SearchConfig { playouts, gumbel_scale, dirichlet_fraction, .. } = config.cheap_search(ply);
            (playouts, gumbel_scale, dirichlet_fraction)
        };
        assert_eq!(found(&config, config.max_plies - 1), (8, 0.0, 0.0));
        config.playout_cap.quick_from_ply = 200;
        let SearchConfig { gumbel_scale, dirichlet_fraction, .. } = config.search;
        assert_eq!(found(&config, 199), (8, 0.0, 0.0));
        assert_eq!(found(&config, 200), (4, gumbel_scale, dirichlet_fraction));
    }

    #[test]
    fn an_unknown_key_is_refused() {
        let error = toml::from_str::<SelfPlayConfig>("[opening]\nplys = 3").unwrap_err();
        assert!(error.message().contains("plys"), "{error}");
    }
}
