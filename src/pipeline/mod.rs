//! Floor 8: the loop: generations, the run directory, resume.
//!
//! Layout, lowest first; what follows `progress` needs libtorch, but for `training`, which refuses without it:
//!
//! - `directory`: where a run keeps its things ([`RunDirectory`]).
//! - [`metrics`]: `metrics.jsonl`, what a run reports of itself.
//! - [`tensorboard`]: the same numbers as TensorBoard event files.
//! - [`curves`]: losses and Elo of a run as an SVG.
//! - `interrupt`: Ctrl-C.
//! - `resolve`: a TOML file with `key=value` laid over it.
//! - `progress`: bars on a terminal, lines elsewhere.
//! - `journal`: the three behind one call.
//! - `summary`: a generation in one line.
//! - `config`: one TOML file for all rooms (`Config`).
//! - `run`: what comes next (`Run`).
//! - `play`, `learn`, `measure`: the phases of a generation.
//! - `training`: a network trained for another room ([`Training`]).

pub mod curves;
mod directory;
mod interrupt;
mod memory;
pub mod metrics;
mod resolve;
pub mod tensorboard;

#[cfg(feature = "torch")]
mod bench;
#[cfg(feature = "torch")]
mod config;
#[cfg(feature = "torch")]
mod journal;
#[cfg(feature = "torch")]
mod learn;
#[cfg(feature = "torch")]
mod measure;
#[cfg(feature = "torch")]
mod play;
mod progress;
#[cfg(feature = "torch")]
mod run;
#[cfg(feature = "torch")]
mod summary;
mod training;

pub use directory::{ConfigChange, DirectoryError, RunDirectory, generation_name};
pub use interrupt::{Ending, INTERRUPTED, StopFlag, stop_flag};
pub use memory::Memory;
pub use progress::Progress;
pub use resolve::ConfigError;
pub use training::{Training, TrainingError};

pub(crate) use directory::{check_name, lock, settle};
pub(crate) use resolve::read;

#[cfg(feature = "torch")]
pub use bench::{Bench, BenchError};
#[cfg(feature = "torch")]
pub use config::{Config, EvaluateConfig, RunConfig};
#[cfg(feature = "torch")]
pub use run::{Run, RunError, SessionLimit};
