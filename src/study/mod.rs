//! Floor 8: experiments on the worth of a rule. A study plays a game under its standard rules, under other rules, and
//! with actions forbidden to one side, and measures the differences.
//!
//! Layout, lowest first:
//!
//! - `config`: the file of a study ([`StudyConfig`]).
//! - `arm`: one arm of the experiment ([`Arm`]).
//! - `error`: what can go wrong ([`StudyError`]).
//! - `network`: the evaluator that plays an arm.
//! - `session`: arms made ready and played ([`Study`]).
//! - `tally`: counts of the results of an arm ([`Tally`]).
//! - `price`: the Elo that a restriction costs ([`Price`]).
//! - `words`: words of the results in both languages.
//! - `results`: tables and figures of every arm.
//! - `reserve`, `restrictions`: how arms use the reserve, and what restrictions cost.
//! - `pages`: all of it as text, files and a page ([`Results`]).

mod arm;
mod config;
mod error;
mod network;
mod pages;
mod price;
mod reserve;
mod restrictions;
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
