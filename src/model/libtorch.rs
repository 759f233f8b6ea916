//! The network as an [`Evaluator`].

use tch::{Device, Kind, Tensor};

use super::{
    architecture::NetworkShape,
    config::Precision,
    evaluator::{Evaluations, Evaluator, EvaluatorError},
    network::{Folded, MOVES_LEFT_SCALE, Network},
    planes::write_planes,
    weights::Weights,
};
use crate::encode::Rows;

/// A network that plays, on one device. Every thread makes its own; the weights are few.
///
/// Every call computes [`batch_size`](Evaluator::batch_size) rows, blank ones included, so that the bits of an answer depend on its row alone.
#[derive(Debug)]
pub struct LibtorchEvaluator {
    shape: NetworkShape,
    network: Folded,
    device: Device,
    kind: Kind,
    batch_size: usize,
    /// The input `[B, H, W, C]`.
    planes: Vec<f32>,
}

impl LibtorchEvaluator {
    /// An evaluator of `batch_size` rows a call.
    ///
    /// # Panics
    /// When `batch_size` is 0.
    pub fn new(weights: &Weights, device: Device, precision: Precision, batch_size: usize) -> Self {
        assert!(batch_size > 0, "a batch has at least one row");
        let shape = *weights.architecture().shape();
        let kind = kind(precision, device);
        let network = tch::no_grad(|| Network::new(weights, device).fold().to_kind(kind));
        let planes = vec![0.0; batch_size * shape.height * shape.width * shape.channels];
        LibtorchEvaluator { shape, network, device, kind, batch_size, planes }
    }

    fn check(&self, rows: &Rows) -> Result<(), EvaluatorError> {
        let shape = NetworkShape::from(rows.layout());
        if shape != self.shape {
            return Err(EvaluatorError(format!("expected rows of {:?}, found {shape:?}", self.shape)));
        }
        if rows.len() > self.batch_size {
            return Err(EvaluatorError(format!("expected at most {} rows, found {}", self.batch_size, rows.len())));
        }
        Ok(())
    }

    fn forward(&self, rows: usize, out: &mut Evaluations) -> Result<(), tch::TchError> {
        let [b, h, w, c] =
            [self.batch_size, self.shape.height, self.shape.width, self.shape.channels].map(|n| n as i64);
        let planes = Tensor::f_from_slice(&self.planes)?.f_view([b, h, w, c])?.f_permute([0, 3, 1, 2])?;
        let heads = self.network.forward(&planes.f_to_device(self.device)?.f_to_kind(self.kind)?);
        let head = |tensor: &Tensor| {
            tensor.f_narrow(0, 0, rows as i64)?.f_to_kind(Kind::Float)?.f_to_device(Device::Cpu)?.f_contiguous()
        };
        head(&heads.policy)?.f_copy_data(&mut out.logits, rows * out.actions)?;
        let wdl = head(&heads.wdl)?.f_softmax(1, Kind::Float)?;
        wdl.f_copy_data(out.wdl.as_flattened_mut(), 3 * rows)?;
        (head(&heads.moves_left)? * MOVES_LEFT_SCALE).f_copy_data(&mut out.moves_left, rows)
    }
}

impl Evaluator for LibtorchEvaluator {
    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        self.check(rows)?;
        out.actions = self.shape.actions();
        out.logits.resize(rows.len() * out.actions, 0.0);
        out.wdl.resize(rows.len(), [0.0; 3]);
        out.moves_left.resize(rows.len(), 0.0);
        if rows.is_empty() {
            return Ok(());
        }
        // Threads share work better than libtorch shares out one thread's; the setting belongs to the calling thread.
        if tch::get_num_threads() != 1 {
            tch::set_num_threads(1);
        }
        let row = self.planes.len() / self.batch_size;
        let (used, blank) = self.planes.split_at_mut(rows.len() * row);
        write_planes(rows, used);
        blank.fill(0.0);
        tch::no_grad(|| self.forward(rows.len(), out)).map_err(|e| EvaluatorError(e.to_string()))?;
        if out.wdl.as_flattened().iter().all(|p| p.is_finite()) {
            Ok(())
        } else {
            Err(EvaluatorError("the network's values are not numbers".to_owned()))
        }
    }
}

/// The kind of number that networks on `device` compute in.
pub(crate) fn kind(precision: Precision, device: Device) -> Kind {
    match precision {
        Precision::F32 => Kind::Float,
        Precision::Auto if device == Device::Cpu && !has_bf16_instructions() => Kind::Float,
        Precision::Auto | Precision::Bf16 => Kind::BFloat16,
    }
}

#[cfg(target_arch = "x86_64")]
fn has_bf16_instructions() -> bool {
    std::arch::is_x86_feature_detected!("avx512bf16")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_bf16_instructions() -> bool {
    false
}
