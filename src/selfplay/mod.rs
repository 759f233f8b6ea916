//! Floor 6: self-play in sharded lockstep. A slot plays one game after another and stops whenever it needs an
//! evaluation; a shard is a thread that gathers what its slots need into a batch, evaluates it and hands the answers
//! out; a generation distributes the games to shards and writes them in order. Threads share the plan of games to come
//! and a stop flag, nothing else.
//!
//! Layout, lowest first:
//!
//! - `material`: generations without a network ([`MaterialConfig`]).
//! - `config`: the settings ([`SelfPlayConfig`]).
//! - `plan`: which games are still to be played, and their files.
//! - `adjudicator`: ends that the rules do not know.
//! - `slot`: one game, which stops whenever it needs an evaluation.
//! - `statistics`: statistics of the games of a generation ([`Statistics`]).
//! - `feed`: where threads get their games from ([`Feed`]).
//! - `shard`: one thread's games.
//! - `shards`: all threads of a process ([`Shards`]).
//! - `generation`: all games of a generation, to files ([`Generation`]).
//! - `verify`: whether a file of games is what it says ([`verify`](verify()), [`play_again`]).

mod adjudicator;
mod config;
mod feed;
mod generation;
mod material;
mod plan;
mod shard;
mod shards;
mod slot;
mod statistics;
mod verify;

pub use config::{AdjudicationConfig, OpeningConfig, PlayoutCapConfig, SelfPlayConfig, TemperatureConfig};
pub use feed::{Feed, Next};
pub use generation::{Generation, Played, SelfPlayError, holds};
pub use material::{BY_MATERIAL, MaterialConfig};
pub use plan::Part;
pub use shards::{Collect, EvaluatorFactory, Shards};
pub use slot::PolicyNats;
pub use statistics::{Checks, Statistics};
pub use verify::{TOLERANCE as VERIFY_TOLERANCE, Verified, VerifyError, play_again, verify};
