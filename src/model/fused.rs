//! Graphs of operations that oneDNN has fused.

use std::sync::{Mutex, PoisonError};

use tch::{CModule, TchError, Tensor};

/// Held while a graph is traced and compiled: libtorch's fusion keeps state that all threads share, and two that compile
/// at once fail now and then with "bad optional access".
static COMPILING: Mutex<()> = Mutex::new(());

/// Calls in which libtorch looks at a graph before it fuses it, and the one that compiles the result.
pub(super) const WARM_UP: usize = 3;

/// Traces `forward` on inputs like `inputs` and has it fused: convolutions with the sums and ReLUs behind them become
/// one operation each.
///
/// # Errors
/// What `forward` says; when this libtorch has no oneDNN; or what it says of the graph.
pub(super) fn fuse(
    inputs: &[&Tensor],
    forward: impl Fn(&[Tensor]) -> Result<Tensor, TchError>,
) -> Result<CModule, TchError> {
    compile(true, || trace(inputs, forward))
}

/// Runs `make`, which makes a graph and calls it so often that libtorch settles how to run it: fused or as it is.
///
/// # Errors
/// What `make` says; when a graph is to be fused and this libtorch has no oneDNN.
pub(super) fn compile<T>(fused: bool, make: impl FnOnce() -> Result<T, TchError>) -> Result<T, TchError> {
    unsafe extern "C" {
        fn maydan_set_fusion(fused: bool) -> bool;
    }
    let _alone = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the function takes a bool, catches what it throws, and is written so in onednn.cpp.
    if !unsafe { maydan_set_fusion(fused) } && fused {
        return Err(TchError::Torch("this libtorch was built without oneDNN".into()));
    }
    make()
}

fn trace(inputs: &[&Tensor], forward: impl Fn(&[Tensor]) -> Result<Tensor, TchError>) -> Result<CModule, TchError> {
    let examples: Vec<Tensor> = inputs.iter().map(|input| input.shallow_clone()).collect();
    let mut failure = None;
    // A graph must come to something, or libtorch would go on tracing this thread.
    let mut traced = |inputs: &[Tensor]| match forward(inputs) {
        Ok(output) => vec![output],
        Err(error) => {
            failure = Some(error);
            vec![inputs[0].shallow_clone()]
        }
    };
    let module = CModule::create_by_tracing("network", "forward", &examples, &mut traced);
    if let Some(error) = failure {
        return Err(error);
    }
    let mut module = module?;
    module.f_set_eval()?;
    for _ in 0..WARM_UP {
        let _ = module.forward_ts(inputs)?;
    }
    Ok(module)
}
