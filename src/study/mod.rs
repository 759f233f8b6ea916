//! Floor 8: the price of a rule. A study plays a game under its rules as they are, under others, and with actions
//! forbidden to one side, and says what that does to the game.
//!
//! Layout, lowest first:
//!
//! - `config`: the file of a study ([`StudyConfig`]).
//! - `arm`: one kind of games ([`Arm`]).
//! - `error`: what can go wrong ([`StudyError`]).
//! - `network`: who plays.
//! - `session`: arms made ready and played ([`Study`]).
//! - `tally`: what an arm's games came to ([`Tally`]).
//! - `price`: what a restriction costs ([`Price`]).
//! - `words`: words of the results in both languages.
//! - `results`: tables and figures.
//! - `pages`: all of it as text, files and a page ([`Results`]).

mod arm;
mod config;
mod error;
mod network;
mod pages;
mod price;
mod results;
mod session;
mod tally;
mod words;

pub use arm::{Arm, PlayerChoice, Role};
pub use config::{PlayConfig, PlayerConfig, RestrictionConfig, StudyConfig, TrainingConfig, VariantConfig};
pub use error::StudyError;
pub use pages::Results;
pub use price::Price;
pub use session::{PreparedArm, Study};
pub use tally::{OPENING_PLIES, Tally, Use};
