//! The one constructor of evaluators: [`open`] prepares a checkpoint for play on whichever runtimes this build has. The
//! features `torch` and `engine` hide behind it.

use std::sync::Arc;
#[cfg(feature = "torch")]
use std::sync::{Mutex, PoisonError};

use thiserror::Error;

#[cfg(feature = "engine")]
use super::portable::PortableEvaluator;
use super::{
    checkpoint::Checkpoint,
    config::{Backend, Precision},
    content::Content,
    evaluator::{Evaluator, EvaluatorError},
    module::ModuleFormat,
};
#[cfg(feature = "torch")]
use super::{choice, config::Plan, device, libtorch::LibtorchEvaluator};
use crate::encode::Rows;

/// A program that computes networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// Processors and GPUs, every [`Precision`] and every [`Backend`]; the feature `torch`.
    Libtorch,
    /// Rust alone: processors, in 32 bits; the feature `engine`.
    Rten,
}

impl Runtime {
    /// The runtimes of this build, the preferred one first; none in a build with neither `torch` nor `engine`.
    pub const BUILT: &[Runtime] = &[
        #[cfg(feature = "torch")]
        Runtime::Libtorch,
        #[cfg(feature = "engine")]
        Runtime::Rten,
    ];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Runtime::Libtorch => "libtorch",
            Runtime::Rten => "rten",
        }
    }
}

/// Where a network computes, and in which numbers. The default is 32 bits on the processor, on the preferred runtime.
#[derive(Clone, Debug)]
pub struct BackendConfig<'a> {
    /// One of [`Runtime::BUILT`]; the first of them that computes such networks if `None`.
    pub runtime: Option<Runtime>,
    /// `cpu`, `cuda` or `cuda:N`.
    pub device: &'a str,
    pub precision: Precision,
    /// Libtorch's way to run the network; other runtimes have one way, whatever is asked for.
    pub backend: Backend,
    /// Positions as they come up in games ([`sample`](fn@crate::encode::sample)): 8-bit numbers find out on them how
    /// large values get, and what is `auto` is measured with them. Without them `auto` means the most exact.
    pub sample: Option<Rows>,
}

impl Default for BackendConfig<'_> {
    fn default() -> Self {
        BackendConfig {
            runtime: None,
            device: "cpu",
            precision: Precision::default(),
            backend: Backend::default(),
            sample: None,
        }
    }
}

/// A network that cannot be computed as asked for. Each prints as one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BackendError {
    /// The build has no runtime, or not the one asked for.
    #[error("a network needs libtorch or the feature `engine`, and this program was built without")]
    NotBuilt,
    /// A module is computed by one runtime alone.
    #[error("a network in {0} needs {needed}, and this program was built without", needed = match .0 {
        ModuleFormat::TorchScript => "libtorch",
        ModuleFormat::Onnx => "the feature `engine`",
    })]
    Module(ModuleFormat),
    /// `field: expected X, found Y`.
    #[error("{0}")]
    Mismatch(String),
}

impl From<BackendError> for EvaluatorError {
    fn from(error: BackendError) -> Self {
        EvaluatorError::Refused(error.to_string())
    }
}

/// A network ready for play. Every thread takes an evaluator of its own.
#[derive(Debug)]
#[cfg_attr(not(any(feature = "torch", feature = "engine")), expect(dead_code, reason = "there is none"))]
pub struct OpenNetwork {
    checkpoint: Arc<Checkpoint>,
    engine: Engine,
}

/// The runtime, with what it is to do.
#[derive(Debug)]
enum Engine {
    #[cfg(feature = "torch")]
    Libtorch {
        device: tch::Device,
        precision: Precision,
        backend: Backend,
        sample: Option<Rows>,
        /// What these come to, by the first evaluator that was made: the others compute alike.
        settled: Mutex<Option<Plan>>,
    },
    #[cfg(feature = "engine")]
    Rten,
}

/// Makes a network ready as `config` says.
///
/// # Errors
/// When this build has no runtime for it, the device is not there, or the runtime cannot compute in such numbers.
pub fn open(checkpoint: Arc<Checkpoint>, config: BackendConfig<'_>) -> Result<OpenNetwork, BackendError> {
    let runtime = match checkpoint.content() {
        Content::Weights(_) => config.runtime.or(Runtime::BUILT.first().copied()).ok_or(BackendError::NotBuilt)?,
        Content::Module(module) => {
            let runtime = match module.format() {
                ModuleFormat::TorchScript => Runtime::Libtorch,
                ModuleFormat::Onnx => Runtime::Rten,
            };
            let built = Runtime::BUILT.contains(&runtime).then_some(runtime);
            built.ok_or(BackendError::Module(module.format()))?
        }
    };
    Ok(OpenNetwork { checkpoint, engine: Engine::new(runtime, config)? })
}

impl Engine {
    #[cfg_attr(not(any(feature = "torch", feature = "engine")), expect(unused_variables))]
    fn new(runtime: Runtime, config: BackendConfig<'_>) -> Result<Self, BackendError> {
        match runtime {
            #[cfg(feature = "torch")]
            Runtime::Libtorch => {
                let BackendConfig { device, precision, backend, sample, .. } = config;
                let device = device::device(device).map_err(|error| BackendError::Mismatch(error.to_string()))?;
                Ok(Engine::Libtorch { device, precision, backend, sample, settled: Mutex::new(None) })
            }
            #[cfg(feature = "engine")]
            Runtime::Rten => {
                let BackendConfig { device, precision, .. } = config;
                let mismatch = |problem| Err(BackendError::Mismatch(problem));
                if device != "cpu" {
                    return mismatch(format!(
                        "device: expected `cpu` for a network that is computed without libtorch, found `{device}`"
                    ));
                }
                let found = match precision {
                    Precision::F32 | Precision::Auto => return Ok(Engine::Rten),
                    Precision::Bf16 => "bf16",
                    Precision::Int8 => "int8",
                };
                mismatch(format!(
                    "precision: expected `f32` for a network that is computed without libtorch, found `{found}`"
                ))
            }
            #[cfg(not(feature = "torch"))]
            Runtime::Libtorch => Err(BackendError::NotBuilt),
            #[cfg(not(feature = "engine"))]
            Runtime::Rten => Err(BackendError::NotBuilt),
        }
    }
}

impl OpenNetwork {
    /// An evaluator of `batch_size` rows a call. What is `auto` is measured for the first one.
    ///
    /// # Errors
    /// When the runtime cannot load the network.
    ///
    /// # Panics
    /// When `batch_size` is 0.
    #[cfg_attr(not(any(feature = "torch", feature = "engine")), expect(unused_variables))]
    pub fn evaluator(&self, batch_size: usize) -> Result<Box<dyn Evaluator>, EvaluatorError> {
        match self.engine {
            #[cfg(feature = "torch")]
            Engine::Libtorch { device, precision, backend, ref sample, ref settled } => {
                let (content, sample) = (self.checkpoint.content(), sample.as_ref());
                let mut settled = settled.lock().unwrap_or_else(PoisonError::into_inner);
                let plan = match *settled {
                    Some(plan) => plan,
                    None => *settled.insert(choice::plan(content, device, precision, backend, batch_size, sample)?),
                };
                drop(settled);
                Ok(Box::new(LibtorchEvaluator::of(content, device, plan, batch_size, sample)?))
            }
            #[cfg(feature = "engine")]
            Engine::Rten => {
                let evaluator = match self.checkpoint.content() {
                    Content::Weights(weights) => {
                        PortableEvaluator::new(weights, &self.checkpoint.metadata().ruleset, batch_size)?
                    }
                    Content::Module(module) => PortableEvaluator::of_module(module, batch_size)?,
                };
                Ok(Box::new(evaluator))
            }
        }
    }
}
