//! Floor 0: statistics: estimates from samples, each with its 95% interval. Knows no game.
//!
//! Layout, lowest first:
//!
//! - `interval`: a number with its 95% interval ([`Interval`]).
//! - `bootstrap`: ratios of sums over games ([`Ratio`]).
//! - `propensity`: what a choice changes that was drawn with a known probability ([`Effect`], [`Calibration`]).
//! - `permutation`: the best of some numbers against the best of others, less chance ([`BestContrast`]).
//! - `hazard`: how often something possible is done ([`Hazard`]).
//! - `clustered`: times to an event with a competing one, many of a game, by the bootstrap over games
//!   ([`ClusteredWaits`]).
//! - `censored`: times that may be cut off ([`Times`]).
//! - `abundance`: a sample by how often kinds were seen.
//! - `diversity`: Hill numbers ([`Hill`]).
//! - `between`: the mean of a few samples ([`mean_of_few`]).
//! - `elo`: Elo from scores; the interval of a match from its pairs of games ([`PairCounts`]).
//! - `sprt`: the sequential test of two Elo differences ([`Sprt`]).
//! - `ratings`: many players on one Elo scale ([`Ratings`]).

mod abundance;
mod between;
mod bootstrap;
mod censored;
mod clustered;
mod diversity;
mod elo;
mod hazard;
mod interval;
mod permutation;
mod propensity;
mod ratings;
mod sprt;

pub use between::mean_of_few;
pub use bootstrap::{REPLICATES, Ratio, Weights};
pub use censored::Times;
pub use clustered::{ClusteredStep, ClusteredWaits, Curve, End, half_time};
pub use diversity::Hill;
pub use elo::{PairCounts, elo_of_score, score_of_elo};
pub use hazard::{Hazard, HazardStep};
pub use interval::{Interval, Z_95};
pub use permutation::BestContrast;
pub use propensity::{Calibration, Draw, Drawn, Effect};
pub use ratings::{FitTest, Misfit, Pairing, Ratings};
pub use sprt::{Sprt, SprtError, Verdict};
