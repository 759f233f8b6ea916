//! Floor 5: training: losses, optimiser, schedules, the moving average that plays.
//!
//! Layout, lowest first:
//!
//! - `config`: section `[train]`.
//! - `error`: what can go wrong.
//! - `schedule`: the learning rate.
//! - `optimiser`: AdamW and SGD.
//! - `targets`: a batch's targets as tensors.
//! - `prepared`: a batch made ready ahead of the step.
//! - `losses`: the loss of each head.
//! - `gradient`: the gradient of a batch.
//! - `trainer`: the training step.
//! - `state`: a trainer on disk.

mod config;
mod error;
mod gradient;
mod holdout;
mod losses;
mod optimiser;
mod prepared;
mod schedule;
mod state;
mod targets;
mod trainer;

pub use config::{Decay, OptimiserKind, TrainConfig};
pub use error::TrainError;
pub use holdout::{HeldOut, HeldOutValue};
pub use losses::LossValues;
pub use prepared::{Preparation, PreparedBatch};
pub use schedule::learning_rate;
pub use trainer::{StepLosses, Trainer};
