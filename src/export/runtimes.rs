//! The evaluators that this build has, each a way to compute the same network.

#[cfg(feature = "engine")]
use crate::model::PortableEvaluator;
use crate::model::{Checkpoint, Evaluator, EvaluatorError};
#[cfg(feature = "torch")]
use crate::model::{LibtorchEvaluator, Plan, device};

/// An evaluator of one row a call, by name.
pub struct Runtime {
    pub name: &'static str,
    pub evaluator: Box<dyn Evaluator>,
}

/// Every way of this build to compute a network on the processor, in 32-bit floats; none in a build with neither `torch` nor `engine`.
///
/// # Errors
/// When one cannot load the network.
#[cfg_attr(not(any(feature = "torch", feature = "engine")), expect(unused_variables))]
pub fn runtimes(checkpoint: &Checkpoint) -> Result<Vec<Runtime>, EvaluatorError> {
    let runtimes: Vec<Result<Runtime, EvaluatorError>> = vec![
        #[cfg(feature = "torch")]
        libtorch(checkpoint),
        #[cfg(feature = "engine")]
        portable(checkpoint),
    ];
    runtimes.into_iter().collect()
}

#[cfg(feature = "torch")]
fn libtorch(checkpoint: &Checkpoint) -> Result<Runtime, EvaluatorError> {
    let cpu = device("cpu").map_err(EvaluatorError)?;
    let evaluator = LibtorchEvaluator::new(checkpoint.weights(), cpu, Plan::F32, 1)?;
    Ok(Runtime { name: "libtorch", evaluator: Box::new(evaluator) })
}

#[cfg(feature = "engine")]
fn portable(checkpoint: &Checkpoint) -> Result<Runtime, EvaluatorError> {
    let evaluator = PortableEvaluator::new(checkpoint.weights(), &checkpoint.metadata().ruleset, 1)?;
    Ok(Runtime { name: "rten", evaluator: Box::new(evaluator) })
}
