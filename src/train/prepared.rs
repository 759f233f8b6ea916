//! A batch made ready for the training step: all that can be done ahead of it, on another thread.

use tch::{Device, Kind, TchError, Tensor};

use super::{config::TrainConfig, error::TrainError, losses::TeachingRows, targets::Targets};
use crate::{
    data::TrainingBatch,
    model::{NetworkShape, Precision, has_bf16, one_thread, write_planes},
};

/// A batch of B rows as tensors on a trainer's device.
#[derive(Debug)]
pub struct PreparedBatch {
    /// `[B, C, H, W]`, channels last in memory, in the kind of number that convolutions compute in.
    pub(super) planes: Tensor,
    pub(super) targets: Targets,
    pub(super) teaching: TeachingRows,
}

impl PreparedBatch {
    /// Number of rows B.
    pub fn rows(&self) -> usize {
        self.planes.size()[0] as usize
    }
}

/// Makes batches ready for one trainer, on any thread.
#[derive(Clone, Debug)]
pub struct Preparation {
    shape: NetworkShape,
    value_mix: f64,
    kind: Kind,
    device: Device,
    /// The input `[B, H, W, C]`, kept for its memory.
    planes: Vec<f32>,
}

impl Preparation {
    pub(super) fn new(config: &TrainConfig, shape: NetworkShape, device: Device) -> Self {
        let kind = kind(config.precision, device);
        Preparation { shape, value_mix: config.value_mix, kind, device, planes: Vec::new() }
    }

    /// Turns packed rows into planes and targets into tensors.
    ///
    /// # Errors
    /// When the batch does not fit the network or itself, or libtorch fails.
    pub fn prepare(&mut self, batch: &TrainingBatch) -> Result<PreparedBatch, TrainError> {
        let found = NetworkShape::from(batch.rows.layout());
        if found != self.shape {
            return Err(TrainError::Batch(format!("expected rows of {:?}, found {found:?}", self.shape)));
        }
        one_thread();
        let targets = Targets::new(batch, &self.shape, self.value_mix, self.device)?;
        let sum = |mask: &[f32]| mask.iter().copied().map(f64::from).sum();
        let (policy, moves_left) = (sum(&batch.policy_mask), sum(&batch.moves_left_mask));
        let teaching = TeachingRows { all: batch.len() as f64, policy, moves_left };
        Ok(PreparedBatch { planes: self.planes(batch)?, targets, teaching })
    }

    fn planes(&mut self, batch: &TrainingBatch) -> Result<Tensor, TchError> {
        let [b, h, w, c] = [batch.len(), self.shape.height, self.shape.width, self.shape.channels];
        self.planes.resize(b * h * w * c, 0.0);
        write_planes(&batch.rows, &mut self.planes, |value| value);
        let planes = Tensor::f_from_slice(&self.planes)?.f_to_kind(self.kind)?.f_to_device(self.device)?;
        planes.f_view([b, h, w, c].map(|n| n as i64))?.f_permute([0, 3, 1, 2])
    }
}

/// The kind of number that training on `device` computes in.
fn kind(precision: Precision, device: Device) -> Kind {
    match precision {
        Precision::F32 => Kind::Float,
        Precision::Auto if device == Device::Cpu && !has_bf16() => Kind::Float,
        // A configuration asks for no 8 bits here.
        Precision::Auto | Precision::Bf16 | Precision::Int8 => Kind::BFloat16,
    }
}
