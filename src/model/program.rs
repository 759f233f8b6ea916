//! A network made ready to be run over and over on batches of one size.

use std::sync::Once;

use tch::{CModule, Device, Kind, TchError, Tensor};

use super::{
    config::Plan,
    content::Content,
    fused::{compile, fuse},
    network::{Folded, Network},
    processor,
    quantised::{Quantised, Ranges},
    script::Script,
};

/// A network for one size of batch.
#[derive(Debug)]
pub(super) enum Program {
    /// One operation after another.
    Eager(Folded),
    /// A graph of operations that oneDNN has fused.
    Fused(CModule),
    /// The trunk in 8 bits.
    Quantised(Quantised),
    /// A module of TorchScript as it is.
    Script(Script),
}

impl Program {
    /// The network for planes `[B, C, H, W]` like `planes`, which lie channels last. `sample` are planes of positions
    /// as they come up in games, in 32 bits; a plan of 8 bits finds on them how large values get.
    ///
    /// # Errors
    /// What libtorch says when it cannot do what the plan says, and when there is no sample for a plan that needs one.
    pub fn new(
        content: &Content,
        device: Device,
        plan: Plan,
        planes: &Tensor,
        sample: Option<&Tensor>,
    ) -> Result<Self, TchError> {
        keep_memory();
        tch::no_grad(|| {
            let weights = match content {
                Content::Weights(weights) => weights,
                Content::Module(module) => {
                    let fused = matches!(plan, Plan::F32Fused | Plan::Bf16Fused);
                    let script = compile(fused, || Script::new(module, device, kind(plan), planes));
                    return script.map(Program::Script);
                }
            };
            let network = Network::new(weights, device)?.fold()?;
            match plan {
                Plan::F32 | Plan::Bf16 => {
                    let network = network.frozen(kind(plan))?;
                    Ok(Program::Eager(if device == Device::Cpu { network.convolved()? } else { network }))
                }
                Plan::F32Fused | Plan::Bf16Fused => {
                    let network = network.frozen(kind(plan))?;
                    fuse(&[planes], |inputs| network.outputs(&inputs[0])?.in_rows()).map(Program::Fused)
                }
                Plan::Int8 => {
                    let sample = sample.ok_or_else(|| TchError::Torch("8 bits need positions to measure".into()))?;
                    let network = network.frozen(Kind::Float)?;
                    Quantised::new(&network, &Ranges::of(&network, sample)?, planes).map(Program::Quantised)
                }
            }
        })
    }

    /// What the network says of planes `[B, C, H, W]`, see [`Outputs::in_rows`](super::network::Outputs::in_rows) and
    /// [`Script::rows`].
    pub fn run(&self, planes: &Tensor) -> Result<Tensor, TchError> {
        tch::no_grad(|| match self {
            Program::Eager(network) => network.outputs(planes)?.in_rows(),
            Program::Fused(module) => module.forward_ts(&[planes]),
            Program::Quantised(network) => network.run(planes),
            Program::Script(script) => script.rows(planes),
        })
    }
}

/// The floating-point numbers that a plan computes in.
pub(super) fn kind(plan: Plan) -> Kind {
    match plan {
        Plan::F32 | Plan::F32Fused => Kind::Float,
        Plan::Int8 if !processor::has_bf16() => Kind::Float,
        Plan::Bf16 | Plan::Bf16Fused | Plan::Int8 => Kind::BFloat16,
    }
}

/// Makes the C library keep freed memory for the next call. A forward pass allocates and frees the same megabytes
/// over and over; handing them back to the kernel in between costs a fifth of its time in page faults. What is kept is
/// kept by pool; there need be no more pools than threads that work at once, where glibc would make eight a core.
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
