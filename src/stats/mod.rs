//! Floor 7: what the games say.
//!
//! Layout, lowest first:
//!
//! - `interval`: a number with its 95% interval ([`Interval`]).
//! - `bootstrap`: intervals of ratios of sums over games ([`Ratio`]).
//! - `survival`: how long men live ([`Lifetimes`]).
//! - `incidence`: when something happens that another thing may forestall ([`Waits`], [`Hazard`]).
//! - `diversity`: how many openings there are in effect ([`Hill`]).

mod bootstrap;
mod diversity;
mod incidence;
mod interval;
mod survival;

pub use bootstrap::{REPLICATES, Ratio, Weights};
pub use diversity::Hill;
pub use incidence::{Hazard, IncidenceStep, Waits};
pub use interval::{Interval, Z_95};
pub use survival::{AgeInterval, Lifetimes, SurvivalStep};
