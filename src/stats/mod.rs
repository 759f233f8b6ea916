//! Floor 7: what the games of a run say: openings, the timing of reserves. Works on texts and numbers of the Parquet rows and knows no game.
//!
//! Layout, lowest first:
//!
//! - `error`: what can be wrong with what was asked for ([`StatsError`]).
//! - `bands`: generations in groups ([`Bands`]).
//! - `game`: the columns of one whole game ([`Game`]).
//! - `runs`: the games of runs, file by file ([`Runs`]).

mod bands;
mod error;
mod game;
mod reserves;
mod runs;

pub use bands::Bands;
pub use error::StatsError;
pub use game::{Game, identity};
pub use runs::{Runs, Skipped};
