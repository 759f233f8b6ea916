//! Floor 5: statistics of the games of a run: openings, the timing of reserves. Works on texts and numbers of the
//! Parquet rows and knows no game.
//!
//! Layout, lowest first:
//!
//! - `words`: the same words and columns everywhere, in both languages.
//! - `notes`: what a page of one run says of itself ([`this_run`]).
//! - `weights`: the bootstrap weights of a game ([`weights_of_game`]) and of a generation.
//! - `bands`: generations in groups ([`Bands`]).
//! - `error`: the errors of the statistics ([`StatsError`]).
//! - `game`: the columns of one whole game ([`GameColumns`]).
//! - `temperature`: how freely a run drew its actions ([`Temperature`]).
//! - `runs`: the games of runs, file by file ([`Runs`]).
//! - `text`: games as text ([`GameFormat`]).
//! - `replay`: a game to be stepped through, with the numbers of its searches ([`Replay`]).
//! - [`openings`]: what games choose in their first plies.
//! - [`reserves`]: when and how reserves are used.
//! - [`effect`]: what a kind of action changes, from the actions that self-play drew by chance.
//! - [`compare`]: runs against each other.

mod bands;
pub mod compare;
pub mod effect;
mod error;
mod game;
mod notes;
pub mod openings;
mod replay;
pub mod reserves;
mod runs;
mod temperature;
mod text;
mod weights;
pub(crate) mod words;

pub use bands::Bands;
pub use error::StatsError;
pub use game::{GameColumns, identity};
pub use notes::this_run;
pub use replay::Replay;
pub use runs::{Runs, Skipped, games_of};
pub use temperature::Temperature;
pub use text::GameFormat;
pub use weights::{seed_among_runs, weights_of_game, weights_of_generation};
pub use words::{kind_name, reason_name};
