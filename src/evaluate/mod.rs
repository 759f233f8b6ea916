//! Floor 7: how strong a player is: matches, Elo, SPRT, baselines.
//!
//! Layout, lowest first:
//!
//! - `lines`: lines from a person or another program.
//! - `elo`: Elo from scores; the interval of a match from its pairs.
//! - `sprt`: the sequential test.
//! - `ratings`: many players on one scale.
//! - `openings`: paired random openings.
//! - `desk`: the evaluator and the batch that the seats of one player share on one thread.
//! - `player`: the trait [`Player`] and how a user names one.
//! - `baselines`: random, greedy, alpha-beta.
//! - `network`: the search with a network.
//! - `external`: programs that speak a protocol, as players.
//! - `contender`: a player before it is seated.
//! - `table`: games in progress on one thread.
//! - `matches`: the match.

mod baselines;
mod contender;
mod desk;
mod elo;
mod external;
mod lines;
mod matches;
mod network;
mod openings;
mod player;
mod ratings;
mod sprt;
mod table;

pub use baselines::{AlphaBeta, Random};
pub use contender::{Contender, MakeEvaluator, NoBaseline};
pub use desk::Desk;
pub use elo::{EloEstimate, PairCounts, elo_of_score, score_of_elo};
pub use external::{EngineLimits, EngineSpec, EngineSpecError, EngineSpecProblem, External, Speech};
pub use lines::{Line, Lines};
pub use matches::{GameRecord, MatchConfig, MatchConfigError, MatchReport, Tally, play_match};
pub use network::{Network, match_search};
pub use openings::opening;
pub use player::{Candidate, Choice, MAX_DEPTH, Player, PlayerSpec, PlayerSpecError, Thought, Turn};
pub use ratings::{Pairing, Rating, ratings};
pub use sprt::{Sprt, Verdict};
