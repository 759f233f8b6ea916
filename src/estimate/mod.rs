//! Floor 0: statistics: estimates from samples, each with its 95% interval. Knows no game.
//!
//! Layout, lowest first:
//!
//! - `interval`: a number with its 95% interval ([`Interval`]).
//! - `bootstrap`: ratios of sums over games ([`Ratio`]).
//! - `propensity`: what a choice changes that was drawn with a known probability ([`Effect`], [`Calibration`]).
//! - `incidence`: times to an event with a competing one ([`Waits`], [`Hazard`]).
//! - `clustered`: the same for many pieces of a game, by the bootstrap over games ([`ClusteredWaits`]).
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
mod incidence;
mod interval;
mod propensity;
mod ratings;
mod sprt;

pub use between::mean_of_few;
pub use bootstrap::{REPLICATES, Ratio, Weights};
pub use censored::Times;
pub use clustered::{ClusteredStep, ClusteredWaits, End};
pub use diversity::Hill;
pub use elo::{PairCounts, elo_of_score, score_of_elo};
pub use incidence::{Hazard, IncidenceStep, Waits};
pub use interval::{Interval, Z_95};
pub use propensity::{Calibration, Draw, Drawn, Effect};
pub use ratings::{FitTest, Misfit, Pairing, Ratings};
pub use sprt::{Sprt, SprtError, Verdict};
