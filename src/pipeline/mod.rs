//! Floor 8: the loop: generations, the run directory, resume.
//!
//! Layout, lowest first:
//!
//! - [`metrics`]: `metrics.jsonl`, what a run reports of itself.
//! - [`tensorboard`]: the same numbers as TensorBoard event files.
//! - [`curves`]: losses and Elo of a run as an SVG.

pub mod curves;
pub mod metrics;
pub mod tensorboard;
