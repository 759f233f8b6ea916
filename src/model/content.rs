//! What a network computes with: weights of ours, or a file of another architecture.

use std::borrow::Cow;

use super::{architecture::NetworkShape, module::Module, weights::Weights};

/// What a network computes with.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Weights of our residual network.
    Weights(Weights),
    /// Another architecture.
    Module(Module),
}

impl Content {
    /// The file of weights in the folder of a checkpoint.
    pub const WEIGHTS_FILE: &str = "weights.safetensors";

    /// What goes in and comes out.
    pub fn shape(&self) -> &NetworkShape {
        match self {
            Content::Weights(weights) => weights.architecture().shape(),
            Content::Module(module) => module.shape(),
        }
    }

    /// Its file in the folder of a checkpoint.
    pub fn file_name(&self) -> &'static str {
        match self {
            Content::Weights(_) => Content::WEIGHTS_FILE,
            Content::Module(module) => module.format().file_name(),
        }
    }

    /// The content of that file.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Content::Weights(weights) => weights.to_safetensors().into(),
            Content::Module(module) => module.content().into(),
        }
    }
}

impl From<Weights> for Content {
    fn from(weights: Weights) -> Self {
        Content::Weights(weights)
    }
}

impl From<Module> for Content {
    fn from(module: Module) -> Self {
        Content::Module(module)
    }
}
