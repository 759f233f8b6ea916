//! Floor 6: the strength of players: matches, baselines, external programs.
//!
//! Layout, lowest first:
//!
//! - `openings`: paired random openings.
//! - `batcher`: the evaluator and the batch that the players of one contender share on one thread.
//! - `player`: the trait [`Player`] and how a user names one.
//! - `baselines`: random, greedy, alpha-beta.
//! - `network`: the search with a network.
//! - `external`: engines with a protocol, as players.
//! - `contender`: a player before its games.
//! - `table`: games in progress on one thread.
//! - `matches`: the match.
//! - `pool`: matches between baselines and frozen networks, kept for all runs of a ruleset.
//! - `lockstep`: many searches side by side.
//! - `improvement`: what a search adds to the policy of its network ([`improvement()`]).
//! - `validation`: networks held against positions that were searched deeply ([`validate`]).

mod baselines;
mod batcher;
mod contender;
mod external;
mod improvement;
mod lockstep;
mod matches;
mod network;
mod openings;
mod player;
mod pool;
mod table;
mod validation;

pub use baselines::{FixedDepth, Random};
pub use batcher::Batcher;
pub use contender::{Contender, NoBaseline};
pub use external::{
    EngineClock, EngineFault, EngineLimits, EngineSpec, EngineSpecError, EngineSpecProblem, External, Speech,
};
pub use improvement::{Improvement, ImprovementConfig, improvement};
pub use lockstep::{Job, run_searches};
pub use matches::{GameRecord, MatchConfig, MatchConfigError, MatchReport, Tally, play_match, play_match_from};
pub use network::{Network, match_search};
pub use openings::opening;
pub use player::{Candidate, Choice, MAX_DEPTH, Player, PlayerSpec, PlayerSpecError, Thought, Turn};
pub use pool::{Meeting, Pool, PoolError, PoolMatch, meetings};
pub use validation::{
    Question, SetConfig, SetError, SetHeader, Validation, ValidationSet, make_set, validate, won_positions,
};
