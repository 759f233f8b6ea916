//! What can go wrong in training.

use tch::TchError;
use thiserror::Error;

use crate::{
    game::FieldError,
    model::{CheckpointError, EvaluatorError, RuntimeFault},
};

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
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error("training: {0}")]
    Fault(#[from] RuntimeFault),
}

impl From<TchError> for TrainError {
    fn from(error: TchError) -> Self {
        RuntimeFault::from(error).into()
    }
}
