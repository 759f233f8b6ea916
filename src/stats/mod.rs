//! Floor 5: what the games of a run say: openings, the timing of reserves. Works on texts and numbers of the Parquet rows and knows no game.
//!
//! Layout, lowest first:
//!
//! - `interval`: a number with its 95% interval ([`Interval`]).
//! - `bootstrap`: intervals of ratios of sums over games ([`Ratio`]).
//! - `incidence`: when something happens that another thing may forestall ([`Waits`], [`Hazard`]).
//! - `clustered`: the same of many men a game, and how long they live ([`ClusteredWaits`]).
//! - `diversity`: how many openings there are in effect ([`Hill`]).
//! - `words`: the same words and columns everywhere, in both languages.
//! - `bands`: generations in groups ([`Bands`]).
//! - `error`: what can be wrong with what was asked for ([`StatsError`]).
//! - `game`: the columns of one whole game ([`Game`]).
//! - `runs`: the games of runs, file by file ([`Runs`]).
//! - [`openings`]: what games choose in their first plies.
//! - [`reserves`]: when and how reserves are used.

mod bands;
mod bootstrap;
mod clustered;
mod diversity;
mod error;
mod game;
mod incidence;
mod interval;
pub mod openings;
pub mod reserves;
mod runs;
pub(crate) mod words;

pub use bands::Bands;
pub use bootstrap::{REPLICATES, Ratio, Weights};
pub use clustered::{ClusteredStep, ClusteredWaits, End};
pub use diversity::Hill;
pub use error::StatsError;
pub use game::{Game, identity};
pub use incidence::{Hazard, IncidenceStep, Waits};
pub use interval::{Interval, Z_95};
pub use runs::{Runs, Skipped};
pub use words::{kind_name, reason_name};
