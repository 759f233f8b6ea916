//! A network as an [`Evaluator`] without libtorch: its ONNX graph ([ours](super::to_onnx), or a user's) in a runtime
//! written in Rust.

use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::{AsView as _, NdTensorView};

use super::{
    architecture::NetworkShape,
    evaluator::{Evaluations, Evaluator, EvaluatorError, RuntimeFault, win_draw_loss},
    module::Module,
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
    /// Whether the value is of logits rather than of probabilities.
    gives_logits: bool,
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
        Self::of_graph(to_onnx(weights, ruleset), *weights.architecture().shape(), batch_size).map_err(failed)
    }

    /// The same of a user's network, once it was seen to give what it should. Its value may be probabilities `value`, as
    /// ours is, in place of logits `wdl`.
    ///
    /// # Errors
    /// When the runtime cannot load or run the graph, or it gives something else.
    ///
    /// # Panics
    /// When `batch_size` is 0.
    pub fn of_module(module: &Module, batch_size: usize) -> Result<Self, EvaluatorError> {
        let refused = |problem: String| EvaluatorError::Refused(problem);
        let mut evaluator = Self::of_graph(module.content().to_vec(), *module.shape(), batch_size).map_err(refused)?;
        evaluator.planes.fill(0.0);
        let answers = evaluator.answers().map_err(|error| refused(error.to_string()))?;
        let value = if evaluator.gives_logits { "wdl" } else { "value" };
        let expected = [("policy", evaluator.shape.actions()), (value, 3), ("moves_left", 1)];
        for ((name, numbers), answer) in expected.into_iter().zip(&answers) {
            let (expected, found) = (batch_size * numbers, answer.len());
            if expected != found {
                return Err(refused(format!(
                    "{name}: expected {expected} numbers of {batch_size} rows, found {found}"
                )));
            }
        }
        Ok(evaluator)
    }

    fn of_graph(graph: Vec<u8>, shape: NetworkShape, batch_size: usize) -> Result<Self, String> {
        assert!(batch_size > 0, "a batch has at least one row");
        let mut options = ModelOptions::with_all_ops();
        let model = options.prepack_weights(true).load(graph).map_err(|error| error.to_string())?;
        let input = *model.input_ids().first().ok_or("expected an input, found none")?;
        let ids = model.output_ids();
        let named = |id, name: &str| model.node_info(id).is_some_and(|node| node.name() == Some(name));
        let find = |name: &str| ids.iter().copied().find(|&id| named(id, name));
        let node = |name: &str| find(name).ok_or(format!("expected an output `{name}`, found none"));
        let wdl = find("wdl");
        let value = wdl.or_else(|| find("value")).ok_or("expected an output `wdl`, found none")?;
        let outputs = [node("policy")?, value, node("moves_left")?];
        Ok(PortableEvaluator {
            shape,
            input,
            outputs,
            gives_logits: wdl.is_some(),
            model,
            pool: Arc::new(ThreadPool::with_num_threads(1)),
            batch_size,
            planes: vec![0.0; batch_size * shape.inputs()],
        })
    }

    /// Policy, value and moves left of the planes, one row after the other.
    fn answers(&self) -> Result<[Vec<f32>; 3], EvaluatorError> {
        let NetworkShape { channels, height, width, .. } = self.shape;
        let planes = NdTensorView::from_data([self.batch_size, channels, height, width], self.planes.as_slice());
        let options = RunOptions::default().with_thread_pool(Some(self.pool.clone()));
        let answers =
            self.model.run_n(vec![(self.input, planes.into())], self.outputs, Some(options)).map_err(failed)?;
        match answers.map(|answer| answer.into_tensor::<f32>().map(|t| t.to_vec())) {
            [Some(policy), Some(value), Some(moves_left)] => Ok([policy, value, moves_left]),
            _ => Err(EvaluatorError::Refused("expected outputs of 32-bit floats, found others".to_owned())),
        }
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
        let used = rows.len() * self.shape.inputs();
        rows.unpack_all(&mut self.planes[..used]);
        self.planes[used..].fill(0.0);
        let [policy, value, moves_left] = self.answers()?;
        let actions = self.shape.actions();
        out.logits.in_order(actions).extend_from_slice(&policy[..rows.len() * actions]);
        out.wdl.clear();
        let values = value.as_chunks::<3>().0[..rows.len()].iter().copied();
        match self.gives_logits {
            true => out.wdl.extend(values.map(win_draw_loss)),
            false => out.wdl.extend(values.map(Wdl::from)),
        }
        out.moves_left.clear();
        out.moves_left.extend(moves_left[..rows.len()].iter().map(|plies| plies.max(0.0)));
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
