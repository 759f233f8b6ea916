//! The evaluators that this build has, each a way to compute the same network.

use std::sync::Arc;

use crate::model::{
    Checkpoint, Evaluator, EvaluatorError,
    backend::{self, BackendConfig},
};

/// An evaluator of one row a call, by name.
pub struct Runtime {
    pub name: &'static str,
    pub evaluator: Box<dyn Evaluator>,
}

/// Every way of this build to compute a network on the processor, in 32-bit floats; none in a build with neither
/// `torch` nor `engine`.
///
/// # Errors
/// When one cannot load the network.
pub fn runtimes(checkpoint: &Checkpoint) -> Result<Vec<Runtime>, EvaluatorError> {
    let checkpoint = Arc::new(checkpoint.clone());
    let open = |&runtime: &backend::Runtime| {
        let config = BackendConfig { runtime: Some(runtime), ..BackendConfig::default() };
        let evaluator = backend::open(checkpoint.clone(), config)?.evaluator(1)?;
        Ok(Runtime { name: runtime.name(), evaluator })
    };
    backend::Runtime::BUILT.iter().map(open).collect()
}
