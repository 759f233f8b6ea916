//! A network made ready to be run over and over on batches of one size.

use std::sync::Once;

use tch::{CModule, Device, Kind, TchError, Tensor};

use super::{
    config::Plan,
    network::{Folded, Network, Outputs},
    weights::Weights,
};

/// A network for one size of batch.
#[derive(Debug)]
pub(super) enum Program {
    /// One operation after another.
    Eager(Folded),
    /// A graph of operations that oneDNN has fused.
    Fused(CModule),
}

impl Program {
    /// The network for planes `[B, C, H, W]` like `planes`, which lie channels last.
    ///
    /// # Errors
    /// What libtorch says when it cannot fuse the network.
    pub fn new(weights: &Weights, device: Device, plan: Plan, planes: &Tensor) -> Result<Self, TchError> {
        keep_memory();
        tch::no_grad(|| {
            let network = Network::new(weights, device).fold().frozen(kind(plan));
            if plan.is_fused() { fuse(&network, planes).map(Program::Fused) } else { Ok(Program::Eager(network)) }
        })
    }

    /// What the network says of planes `[B, C, H, W]`: rows `[B, H * W * P + 4]` of logits by square and then by plane, logits of win, draw and loss, and
    /// moves left before their softplus.
    pub fn run(&self, planes: &Tensor) -> Result<Tensor, TchError> {
        tch::no_grad(|| match self {
            Program::Eager(network) => Ok(in_rows(network, planes)),
            Program::Fused(module) => module.forward_ts(&[planes]),
        })
    }
}

/// The numbers that a plan computes in.
pub(super) fn kind(plan: Plan) -> Kind {
    if plan.is_bf16() { Kind::BFloat16 } else { Kind::Float }
}

/// One tensor for all answers, so that they leave a fused graph, and a GPU, at once.
fn in_rows(network: &Folded, planes: &Tensor) -> Tensor {
    let Outputs { policy, wdl, moves_left } = network.outputs(planes);
    Tensor::cat(&[policy.permute([0, 2, 3, 1]).flatten(1, -1), wdl, moves_left], 1)
}

/// Calls in which libtorch looks at a graph before it fuses it, and the one that compiles the result.
const WARM_UP: usize = 3;

/// Traces the network for planes of this shape and has it fused: convolutions with the sums and ReLUs behind them become one operation each.
fn fuse(network: &Folded, planes: &Tensor) -> Result<CModule, TchError> {
    unsafe extern "C" {
        fn maydan_enable_fusion() -> bool;
    }
    // SAFETY: the function takes nothing, catches what it throws, and is written so in fusion.cpp.
    if !unsafe { maydan_enable_fusion() } {
        return Err(TchError::Torch("this libtorch was built without oneDNN".into()));
    }
    let mut forward = |inputs: &[Tensor]| vec![in_rows(network, &inputs[0])];
    let mut module = CModule::create_by_tracing("network", "forward", &[planes.shallow_clone()], &mut forward)?;
    module.f_set_eval()?;
    for _ in 0..WARM_UP {
        let _ = module.forward_ts(&[planes])?;
    }
    Ok(module)
}

/// Tells the C library to keep freed memory for the next call. A forward pass allocates and frees the same megabytes over and over; handing them back to the
/// kernel in between costs a fifth of its time in page faults. What is kept is kept by pool; there need be no more pools than threads that work at once, where
/// glibc would make eight a core.
pub(crate) fn keep_memory() {
    static ONCE: Once = Once::new();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    ONCE.call_once(|| {
        // The largest that glibc takes.
        const LARGEST_MMAP_THRESHOLD: i32 = 32 << 20;
        let pools = std::thread::available_parallelism().map_or(1, |cores| cores.get() as i32);
        // SAFETY: the calls only set numbers of the allocator.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, pools);
            libc::mallopt(libc::M_MMAP_THRESHOLD, LARGEST_MMAP_THRESHOLD);
            libc::mallopt(libc::M_TRIM_THRESHOLD, i32::MAX);
        }
    });
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    ONCE.call_once(|| {});
}
