//! Floor 7: the training loop: generations, the run directory, resume.
//!
//! Layout, lowest first; what follows [`curves`] needs libtorch, which `training` does without by refusing:
//!
//! - `directory`: the folders and files of a run ([`RunDirectory`]).
//! - [`metrics`]: `metrics.jsonl`, what a run reports of itself.
//! - [`standings`]: ratings of the players of runs and of the pool of baselines.
//! - [`tensorboard`]: the same numbers as TensorBoard event files.
//! - [`curves`]: losses and Elo of a run as an SVG.
//! - `journal`: writes the three above with one call.
//! - `summary`: a generation in one line.
//! - `evaluation`: whom a run's networks meet, and how often (`EvaluateConfig`).
//! - `config`: the configuration of a run, one TOML file (`Config`).
//! - `sizes`: what a run will take of memory and disk (`Sizes`).
//! - `budget`: what a run may cost, and what it did (`Budget`).
//! - `frozen`: networks that every measured network meets.
//! - `run`: the phases in order, and resume (`Run`).
//! - `fork`: a run that begins where another stands.
//! - `outside`: training by a program of the user's.
//! - `play`, `learn`, `measure`: the phases of a generation.
//! - `ahead`: self-play beside training.
//! - `training`: trains a network for another module ([`Training`]).

pub mod curves;
mod directory;
pub mod metrics;
pub mod standings;
pub mod tensorboard;

#[cfg(feature = "torch")]
mod ahead;
#[cfg(feature = "torch")]
mod bench;
#[cfg(feature = "torch")]
mod budget;
#[cfg(feature = "torch")]
mod config;
#[cfg(feature = "torch")]
mod evaluation;
#[cfg(feature = "torch")]
mod fork;
#[cfg(feature = "torch")]
mod frozen;
#[cfg(feature = "torch")]
mod holdout;
#[cfg(feature = "torch")]
mod journal;
#[cfg(feature = "torch")]
mod learn;
#[cfg(feature = "torch")]
mod measure;
#[cfg(feature = "torch")]
mod outside;
#[cfg(feature = "torch")]
mod play;
#[cfg(feature = "torch")]
mod run;
#[cfg(feature = "torch")]
mod sizes;
#[cfg(feature = "torch")]
mod summary;
mod training;

pub use directory::RunDirectory;
pub use training::{Training, TrainingError};

#[cfg(feature = "torch")]
pub use bench::{Bench, BenchError};
#[cfg(feature = "torch")]
pub use budget::{Budget, Cost, Length, Outlook, costs};
#[cfg(feature = "torch")]
pub use config::{Arithmetic, Config, FleetConfig, RunConfig};
#[cfg(feature = "torch")]
pub use evaluation::EvaluateConfig;
#[cfg(feature = "torch")]
pub use outside::OutsideError;
#[cfg(feature = "torch")]
pub use play::{Games, GamesPlayed, Players, ThisProcess};
#[cfg(feature = "torch")]
pub use run::{Run, RunError};
#[cfg(feature = "torch")]
pub use sizes::Sizes;
