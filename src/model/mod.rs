//! Floor 4: the network, its checkpoints, and the seam behind which everything that values a position stands
//! ([`Evaluator`]).
//!
//! Layout, lowest first; `device` to `choice` need libtorch, and `portable` the feature `engine`:
//!
//! - `logits`, `evaluator`: the seam, and an evaluator that knows nothing.
//! - `config`: section `[model]`.
//! - `architecture`: which weights a network has.
//! - `weights`: their values, and safetensors.
//! - `grow`: a larger network that begins as a smaller one.
//! - `kernels`: the weights as plain layers ready for play.
//! - `onnx`: the network in the ONNX format.
//! - `file`: the files of a network, read within bounds.
//! - `module`: a network of another architecture.
//! - `content`: what a network computes with, weights or a module.
//! - `checkpoint`: a network on disk, with all it takes to use it.
//! - `planes`: packed rows as numbers.
//! - `portable`: a network as an evaluator in Rust alone.
//! - `processor`: which arithmetic there are instructions for.
//! - `device`: `cpu` or `cuda`.
//! - `layer`: a convolution or a matrix.
//! - `board`: which places of the grid are squares, and pooling over them.
//! - `network`: the forward pass.
//! - `fused`, `bytes` (both with `onednn.cpp`): fused graphs, and convolutions of 8-bit numbers.
//! - `quantised`: the network with its trunk in 8 bits.
//! - `script` (with `script.cpp`): a module of TorchScript.
//! - `program`: a network made ready for batches of one size.
//! - `programs`: the same for batches of several sizes.
//! - `libtorch`: a network as an evaluator.
//! - `choice`: which arithmetic is fastest here.
//! - [`backend`]: the one constructor of evaluators, whichever of these runtimes a build has.

mod architecture;
pub mod backend;
mod checkpoint;
mod config;
mod content;
mod evaluator;
mod file;
mod grow;
mod kernels;
mod logits;
mod module;
mod onnx;
mod planes;
mod weights;

#[cfg(feature = "engine")]
mod portable;

#[cfg(feature = "torch")]
mod board;
#[cfg(feature = "torch")]
mod bytes;
#[cfg(feature = "torch")]
mod choice;
#[cfg(feature = "torch")]
mod device;
#[cfg(feature = "torch")]
mod fused;
#[cfg(feature = "torch")]
mod layer;
#[cfg(feature = "torch")]
mod libtorch;
#[cfg(feature = "torch")]
mod network;
#[cfg(feature = "torch")]
mod processor;
#[cfg(feature = "torch")]
mod program;
#[cfg(feature = "torch")]
mod programs;
#[cfg(feature = "torch")]
mod quantised;
#[cfg(feature = "torch")]
mod script;

pub use architecture::{Architecture, Init, MOVES_LEFT_SCALE, NetworkShape, Parameter};
pub use checkpoint::{CHECKPOINT_FORMAT, Checkpoint, Counters, Metadata, RULE, identity};
pub use config::{Backend, ModelConfig, Plan, Pooling, Precision};
pub use content::Content;
pub use evaluator::{Background, Evaluations, Evaluator, EvaluatorError, MakeEvaluator, RuntimeFault, Uniform};
pub use file::CheckpointError;
pub use logits::Logits;
pub use module::{Module, ModuleFormat, ModuleNote};
pub use onnx::{ONNX_OPSET, to_onnx};
pub use planes::write_planes;
pub use weights::{Weights, WeightsError};

#[cfg(feature = "engine")]
pub use portable::PortableEvaluator;

#[cfg(feature = "torch")]
pub(crate) use checkpoint::read_weights;
#[cfg(feature = "torch")]
pub use choice::{Choice, choose, is_possible};
#[cfg(feature = "torch")]
pub(crate) use device::one_thread;
#[cfg(feature = "torch")]
pub use device::{device, gpus};
#[cfg(feature = "torch")]
pub(crate) use file::read_toml;
#[cfg(feature = "torch")]
pub use libtorch::LibtorchEvaluator;
#[cfg(feature = "torch")]
pub use network::{Folded, Heads, Network};
#[cfg(feature = "torch")]
pub(crate) use processor::has_bf16;
#[cfg(feature = "torch")]
pub(crate) use program::keep_memory;
