//! Floor 0: statistics: estimates from samples, each with its 95% interval. Knows no game.
//!
//! Layout, lowest first:
//!
//! - `interval`: a number with its 95% interval ([`Interval`]).
//! - `bootstrap`: ratios of sums over games ([`Ratio`]).
//! - `permutation`: the best of some numbers against the best of others, less chance ([`BestContrast`]).
//! - `hazard`: how often something possible is done ([`Hazard`]).
//! - `clustered`: times to an event with a competing one, many of a game, by the bootstrap over games
//!   ([`ClusteredWaits`]).
//! - `diversity`: Hill numbers ([`Hill`]).
//! - `elo`: Elo from scores; the interval of a match from its pairs of games ([`PairCounts`]).
//! - `sprt`: the sequential test of two Elo differences ([`Sprt`]).
//! - `ratings`: many players on one Elo scale ([`ratings()`]).

mod bootstrap;
mod clustered;
mod diversity;
mod elo;
mod hazard;
mod interval;
mod permutation;
mod ratings;
mod sprt;

pub use bootstrap::{REPLICATES, Ratio, Weights};
pub use clustered::{ClusteredStep, ClusteredWaits, Curve, End, half_time};
pub use diversity::Hill;
pub use elo::{PairCounts, elo_of_score, score_of_elo};
pub use hazard::{Hazard, HazardStep};
pub use interval::{Interval, Z_95};
pub use permutation::BestContrast;
pub use ratings::{Pairing, ratings};
pub use sprt::{Sprt, SprtError, Verdict};
