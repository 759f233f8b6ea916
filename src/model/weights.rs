//! The values of a network's weights as plain numbers: how they start, and how they lie in a safetensors file.

use std::sync::Arc;

use rand::Rng as _;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use thiserror::Error;

use super::architecture::{Architecture, Init};
use crate::game::{FieldError, random};

/// A file that does not hold the weights of an architecture.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WeightsError {
    #[error("expected a whole safetensors file, found: {0}")]
    File(String),
    /// A tensor that is missing, unknown, of another shape or not finite.
    #[error(transparent)]
    Tensor(#[from] FieldError),
}

/// A value for every weight of an architecture, one weight after the other. Training keeps its moments in the same
/// form.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    architecture: Arc<Architecture>,
    values: Vec<f32>,
}

impl Weights {
    /// Fresh weights of a run with `seed`: the same on every platform.
    pub fn random(architecture: Arc<Architecture>, seed: u64) -> Self {
        let mut random = random::stream("weights", seed, 0, 0);
        let mut values = Vec::with_capacity(architecture.len());
        for parameter in architecture.parameters() {
            match parameter.init {
                Init::Constant(value) => values.extend(std::iter::repeat_n(value, parameter.len())),
                Init::Uniform(deviation) => {
                    let width = deviation * 12f32.sqrt();
                    values.extend((0..parameter.len()).map(|_| (random.random::<f32>() - 0.5) * width));
                }
            }
        }
        Weights { architecture, values }
    }

    /// # Panics
    /// When `values` are not as many as the architecture has.
    pub fn new(architecture: Arc<Architecture>, values: Vec<f32>) -> Self {
        assert_eq!(values.len(), architecture.len(), "one value for each of the architecture's");
        Weights { architecture, values }
    }

    pub fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The content of a safetensors file: one F32 tensor for each parameter.
    pub fn to_safetensors(&self) -> Vec<u8> {
        let bytes: Vec<u8> = self.values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let mut rest = bytes.as_slice();
        let views = self.architecture.parameters().iter().map(|parameter| {
            let (data, after) = rest.split_at(4 * parameter.len());
            rest = after;
            let view = TensorView::new(Dtype::F32, parameter.shape.clone(), data).expect("the data fit the shape");
            (parameter.name.as_str(), view)
        });
        safetensors::serialize(views, None).expect("F32 tensors with distinct names serialise")
    }

    /// The largest file that can hold weights of this architecture; a longer one need not be read.
    pub fn file_limit(architecture: &Architecture) -> u64 {
        (4 * architecture.len() + 1024 * (architecture.parameters().len() + 1)) as u64
    }

    /// Reads what [`to_safetensors`](Weights::to_safetensors) wrote.
    ///
    /// # Errors
    /// Names the tensor that is missing, unknown, of another shape or not finite, or says that the file is cut short:
    /// `tensor: expected X, found Y`.
    pub fn from_safetensors(architecture: Arc<Architecture>, file: &[u8]) -> Result<Self, WeightsError> {
        let tensors = SafeTensors::deserialize(file).map_err(|e| WeightsError::File(e.to_string()))?;
        let mut values = Vec::with_capacity(architecture.len());
        for parameter in architecture.parameters() {
            let name = &parameter.name;
            let tensor = tensors
                .tensor(name)
                .map_err(|_| FieldError::new(name, format!("a tensor {:?}", parameter.shape), "none"))?;
            if tensor.dtype() != Dtype::F32 || tensor.shape() != parameter.shape {
                let (dtype, shape) = (tensor.dtype(), tensor.shape());
                let (expected, found) = (format!("F32 {:?}", parameter.shape), format!("{dtype:?} {shape:?}"));
                return Err(FieldError::new(name, expected, found).into());
            }
            let (numbers, _) = tensor.data().as_chunks::<4>();
            values.extend(numbers.iter().map(|&number| f32::from_le_bytes(number)));
            if let Some(value) = values[values.len() - parameter.len()..].iter().find(|value| !value.is_finite()) {
                return Err(FieldError::new(name, "finite numbers", value).into());
            }
        }
        if tensors.len() > architecture.parameters().len() {
            let mut names = tensors.names();
            names.sort_unstable();
            let extra = names.into_iter().find(|name| architecture.parameters().iter().all(|p| p.name != *name));
            return Err(FieldError::new(extra.unwrap_or_default(), "no such tensor", "one").into());
        }
        Ok(Weights { architecture, values })
    }
}
