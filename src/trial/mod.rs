//! Floor 8: trials of settings. A trial trains networks under several configurations, the arms, with several seeds and
//! at equal cost, and says by matches which of them plays better.
//!
//! Layout, lowest first:
//!
//! - `config`: the file of a trial ([`TrialConfig`]).
//! - `error`: what can go wrong ([`TrialError`]).
//! - `ledger`: the matches that are played (`Ledger`).
//! - `session`: arms trained and matched, resuming where it stopped ([`Trial`]).
//! - `results`: tables and a figure of what it came to.
//! - `pages`: all of it as text, files and a page ([`TrialResults`]).

mod config;
mod error;
mod ledger;
mod pages;
mod results;
mod session;

pub use config::{ArmConfig, MatchesConfig, StopConfig, TrialConfig};
pub use error::TrialError;
pub use pages::TrialResults;
pub use session::Trial;
