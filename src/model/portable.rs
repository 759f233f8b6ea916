//! The network as an [`Evaluator`] without libtorch: its [ONNX graph](super::to_onnx) in a runtime written in Rust.

use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::{AsView as _, NdTensorView};

use super::{
    architecture::NetworkShape,
    evaluator::{Evaluations, Evaluator, EvaluatorError, RuntimeFault},
    onnx::to_onnx,
    weights::Weights,
};
use crate::{
    encode::Rows,
    game::{Ruleset, Wdl},
};

/// A network that plays on a processor, on one thread. Every thread makes its own; the weights are few.
///
/// Every call computes [`batch_size`](Evaluator::batch_size) rows, blank ones included, so that the bits of an answer
/// depend on its row alone.
pub struct PortableEvaluator {
    shape: NetworkShape,
    model: Model,
    input: NodeId,
    /// Policy, value, moves left.
    outputs: [NodeId; 3],
    /// The thread that computes.
    pool: Arc<ThreadPool>,
    batch_size: usize,
    /// `[B, C, H, W]`.
    planes: Vec<f32>,
}

impl PortableEvaluator {
    /// An evaluator of `batch_size` rows a call.
    ///
    /// # Errors
    /// When the runtime cannot load the graph.
    ///
    /// # Panics
    /// When `batch_size` is 0.
    pub fn new(weights: &Weights, ruleset: &Ruleset, batch_size: usize) -> Result<Self, EvaluatorError> {
        assert!(batch_size > 0, "a batch has at least one row");
        let shape = *weights.architecture().shape();
        let mut options = ModelOptions::with_all_ops();
        let model = options.prepack_weights(true).load(to_onnx(weights, ruleset)).map_err(failed)?;
        let node = |name: &str| model.node_id(name).map_err(failed);
        let (input, outputs) = (node("planes")?, [node("policy")?, node("value")?, node("moves_left")?]);
        Ok(PortableEvaluator {
            shape,
            input,
            outputs,
            model,
            pool: Arc::new(ThreadPool::with_num_threads(1)),
            batch_size,
            planes: vec![0.0; batch_size * shape.channels * shape.height * shape.width],
        })
    }

    fn check(&self, rows: &Rows) -> Result<(), EvaluatorError> {
        let shape = NetworkShape::from(rows.layout());
        if shape != self.shape {
            return Err(EvaluatorError::Refused(format!("expected rows of {:?}, found {shape:?}", self.shape)));
        }
        if rows.len() > self.batch_size {
            return Err(EvaluatorError::Refused(format!(
                "expected at most {} rows, found {}",
                self.batch_size,
                rows.len()
            )));
        }
        Ok(())
    }
}

impl Evaluator for PortableEvaluator {
    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        self.check(rows)?;
        let NetworkShape { channels, height, width, .. } = self.shape;
        let used = rows.len() * channels * height * width;
        rows.unpack_all(&mut self.planes[..used]);
        self.planes[used..].fill(0.0);
        let planes = NdTensorView::from_data([self.batch_size, channels, height, width], self.planes.as_slice());
        let options = RunOptions::default().with_thread_pool(Some(self.pool.clone()));
        let answers =
            self.model.run_n(vec![(self.input, planes.into())], self.outputs, Some(options)).map_err(failed)?;
        let [policy, value, moves_left] = answers.map(|answer| answer.into_tensor::<f32>().map(|t| t.to_vec()));
        let (Some(policy), Some(value), Some(moves_left)) = (policy, value, moves_left) else {
            return Err(EvaluatorError::Refused("expected outputs of 32-bit floats, found others".to_owned()));
        };
        let actions = self.shape.actions();
        out.logits.in_order(actions).extend_from_slice(&policy[..rows.len() * actions]);
        out.wdl.clear();
        out.wdl.extend(value.as_chunks::<3>().0[..rows.len()].iter().copied().map(Wdl::from));
        out.moves_left.clear();
        out.moves_left.extend_from_slice(&moves_left[..rows.len()]);
        if out.wdl.iter().all(|wdl| wdl.is_finite()) {
            Ok(())
        } else {
            Err(EvaluatorError::Refused("the network's values are not numbers".to_owned()))
        }
    }
}

fn failed(error: impl std::fmt::Display) -> EvaluatorError {
    RuntimeFault(error.to_string()).into()
}
