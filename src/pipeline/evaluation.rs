//! How a run measures strength as it goes: its section `[evaluate]`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::standings::ANCHOR;
use crate::{
    evaluate::{Contender, PlayerSpec},
    export::is_bundle,
};

/// The opponent that stands for the network measured last.
pub(super) const PREVIOUS: &str = "previous";

/// The bundle that an opponent names; none where it names another player.
pub(super) fn bundle_of(opponent: &str) -> Option<PathBuf> {
    match opponent.parse() {
        Ok(PlayerSpec::Checkpoint(path)) if is_bundle(&path) => Some(path),
        _ => None,
    }
}

/// How the loop measures strength as it goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluateConfig {
    /// Generations between measurements; the last generation is measured always. 0 measures nothing.
    pub every: u64,
    /// Measurements of a run whose length is given, in place of `every`.
    pub times: u64,
    /// Players that the newest network meets: `random`, `greedy`, `alphabeta:DEPTH`, `alphabeta:DEPTH@PERCENT%`, a
    /// bundle (`*.maydan`), or `previous` for the network measured last.
    pub opponents: Vec<String>,
    /// Games against each opponent, half of them with each colour.
    pub games: u64,
    /// Games of each match between the baselines, which are played once for a ruleset; 0: none.
    pub pool_games: u64,
    /// Playouts a move of the network.
    #[serde(alias = "simulations")]
    pub playouts: u32,
    /// Random plies that open each pair of games.
    pub opening_plies: u32,
}

impl Default for EvaluateConfig {
    fn default() -> Self {
        EvaluateConfig {
            every: 4,
            times: 8,
            opponents: vec!["random".into(), "greedy".into(), "previous".into()],
            games: 40,
            pool_games: 200,
            playouts: 64,
            opening_plies: 4,
        }
    }
}

impl EvaluateConfig {
    pub(super) fn validate(&self) -> Result<(), String> {
        if self.games == 0 || self.games % 2 == 1 {
            return Err(format!("games: expected an even number above 0, found {}", self.games));
        }
        if self.pool_games % 2 == 1 || self.pool_games > 100_000 {
            return Err(format!("pool_games: expected an even number up to 100000, found {}", self.pool_games));
        }
        if self.times > 10_000 {
            return Err(format!("times: expected at most 10000, found {}", self.times));
        }
        let is_baseline = |name: &str| name.parse().is_ok_and(|spec: PlayerSpec| Contender::baseline(&spec).is_ok());
        for name in self.opponents.iter().filter(|name| *name != PREVIOUS) {
            if !is_baseline(name) && bundle_of(name).is_none() {
                let expected = "`random`, `greedy`, `alphabeta:DEPTH`, a bundle (`*.maydan`) or `previous`";
                return Err(format!("opponents: expected {expected}, found `{name}`"));
            }
        }
        // The matches of the pool join every baseline to the player whose rating is 0.
        let anchors = |name: &String| name == ANCHOR || is_baseline(name) && self.pool_games > 0;
        if !self.opponents.is_empty() && !self.opponents.iter().any(anchors) {
            let expected = "`random`, or another baseline and pool_games above 0, so that ratings begin somewhere";
            return Err(format!("opponents: expected {expected}, found {}", self.opponents.join(", ")));
        }
        if !(1..=1_000_000).contains(&self.playouts) {
            return Err(format!("playouts: expected 1 to 1000000, found {}", self.playouts));
        }
        if self.opening_plies > 1000 {
            return Err(format!("opening_plies: expected at most 1000, found {}", self.opening_plies));
        }
        Ok(())
    }
}
