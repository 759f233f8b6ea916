//! What coordinator and workers say to each other, as JSON; files of games and of networks travel as they are.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::names::check_worker;
use crate::{
    data::SCHEMA_VERSION,
    game::{Encode, Game, Playable, Ruleset},
    model::{Plan, identity},
    pipeline::{Arithmetic, Games},
    selfplay::{SelfPlayConfig, Statistics},
};

/// Most bytes of a file of games.
pub const LARGEST_FILE: u64 = 1 << 30;

/// How a generation is to be played; all that its games depend on, beside the network's weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    pub ruleset: Ruleset,
    /// Version of the planes, and of the files.
    pub encoding: u32,
    pub schema: u32,
    pub seed: u64,
    pub generation: u64,
    /// Id of the network that plays.
    pub checkpoint: String,
    pub selfplay: SelfPlayConfig,
    pub plan: Plan,
    pub batch_size: usize,
}

impl Order {
    pub fn new<R: Playable>(games: &Games<R>) -> Self {
        Order {
            ruleset: games.game.ruleset().clone(),
            encoding: games.game.layout().version,
            schema: SCHEMA_VERSION,
            seed: games.seed,
            generation: games.number,
            checkpoint: games.checkpoint.metadata().id.clone(),
            selfplay: games.config.clone(),
            plan: games.plan,
            batch_size: games.batch_size,
        }
    }

    /// Who its files say played: the network, or none.
    pub fn player(&self) -> &str {
        self.selfplay.material.player(self.generation, &self.checkpoint)
    }

    /// What names it in items of work and in results.
    pub fn hash(&self) -> String {
        identity(&to_json(self))
    }

    /// Refuses what this program would play otherwise.
    ///
    /// # Errors
    /// `field: expected X, found Y`, where what is expected is this program's.
    pub fn check<R: Encode>(&self, game: &Game<R>) -> Result<(), String> {
        let (ruleset, encoding) = (game.ruleset(), game.layout().version);
        let fields = [
            ("ruleset", ruleset.hash.clone(), self.ruleset.hash.clone()),
            ("encoding", encoding.to_string(), self.encoding.to_string()),
            ("schema", SCHEMA_VERSION.to_string(), self.schema.to_string()),
        ];
        match fields.into_iter().find(|(_, ours, theirs)| ours != theirs) {
            Some((field, ours, theirs)) => Err(format!(
                "{field}: expected {ours}, as this program has it, found {theirs}; both must be of one version"
            )),
            None => self.selfplay.validate().map_err(|problem| format!("selfplay.{problem}")),
        }
    }
}

/// What a worker gets that joins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joining {
    /// An order whose network can be asked for.
    pub order: Order,
    /// What the coordinator's own arithmetic makes of the games that all play.
    pub signature: String,
    pub arithmetic: Arithmetic,
    /// Where files of games and networks go: a store, if not through the server.
    pub store: Option<String>,
    /// Seconds after which work is given to another worker unless plies were played.
    pub lease: u64,
    /// Workers that may fail at a file.
    pub tries: u64,
    /// Whether the run is over.
    pub over: bool,
}

/// A file of games to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    pub generation: u64,
    pub file: u64,
    /// [`Order::hash`] of how.
    pub order: String,
    pub checkpoint: String,
    /// How often it was put among the work.
    pub epoch: u64,
}

/// What goes before a file of games, or stands in its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    pub item: Item,
    pub worker: Introduction,
    /// Which delivery of the item it was, from 1.
    pub delivery: u64,
    /// Whether there is no file, because too many workers came to an end at it.
    pub failed: bool,
    /// Of the worker's games and work since its last file.
    pub statistics: Statistics,
    /// The identity of the file's content, where it is in the store in place of here.
    pub stored: Option<String>,
}

/// Who a worker is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Introduction {
    pub name: String,
    /// Where it computes, and how.
    pub plan: String,
    pub signature: String,
}

impl Introduction {
    /// Whether it can be shown as it is, whoever sent it.
    pub fn is_fit(&self) -> bool {
        let is_line = |text: &str| text.len() <= 200 && !text.chars().any(char::is_control);
        check_worker(&self.name).is_ok() && is_line(&self.plan) && is_line(&self.signature)
    }
}

/// A worker says that it is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    pub worker: Introduction,
    /// Games that it has room for at once.
    pub places: u64,
    /// Generation and number of the files that it plays.
    pub files: Vec<(u64, u64)>,
    pub plies_per_second: f64,
    pub evaluations_per_second: f64,
    /// Whether it leaves.
    pub leaves: bool,
}

/// A worker has begun with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    pub item: Item,
    pub worker: String,
}

/// What the files of a network are, in the order in which they come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkFiles {
    /// Names and lengths.
    pub files: Vec<(String, u64)>,
    /// Messages that they come in; none where they are in the store.
    pub parts: u64,
}

/// What the coordinator says of its fleet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub run: String,
    pub generation: u64,
    pub games: u64,
    pub of_games: u64,
    pub evaluations_per_second: f64,
    pub workers: Vec<WorkerState>,
}

/// What it says of a worker.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerState {
    pub worker: Introduction,
    /// Seconds since it was heard of.
    pub silent: f64,
    /// Generation and number of the files that it plays.
    pub files: Vec<(u64, u64)>,
    pub plies_per_second: f64,
    pub evaluations_per_second: f64,
    /// Files of this generation that were taken from it.
    pub taken: u64,
    /// Why nothing is taken from it; empty where all is well.
    pub refused: String,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "file {} of generation {}", self.file, self.generation)
    }
}

/// The message as it is sent.
pub fn to_json(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages serialise")
}

/// A message that came; none where it is no such.
pub fn from_json<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_a_worker_is_fits_a_line() {
        let of = |name: &str, plan: &str| {
            Introduction { name: name.to_owned(), plan: plan.to_owned(), ..Introduction::default() }.is_fit()
        };
        assert!(of("pc-1_a", "f32 fused on cuda:0 cuda:1"));
        assert!(!of("", "f32") && !of("a.b", "f32") && !of("a\u{1b}[2J", "f32"));
        assert!(!of("a", "f32\n") && !of("a", &"x".repeat(201)) && !of(&"a".repeat(81), "f32"));
    }
}
