//! What can go wrong in training.

use thiserror::Error;

use crate::{game::FieldError, model::CheckpointError};

/// Why training stopped.
#[derive(Debug, Error)]
pub enum TrainError {
    #[error("[train] {0}")]
    Config(FieldError),
    #[error("training batch: {0}")]
    Batch(String),
    #[error("training diverged at step {step}: the gradient is not a number; try a lower learning_rate")]
    Diverged { step: u64 },
    #[error(transparent)]
    State(#[from] CheckpointError),
}
