//! The seam between search and network: rows in, priors and values out.

use thiserror::Error;

use crate::encode::Rows;

/// An evaluator that could not answer.
#[derive(Debug, Error)]
#[error("evaluator: {0}")]
pub struct EvaluatorError(pub String);

/// What an evaluator says of a batch, all from the point of view of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluations {
    /// Size A of the action space.
    pub actions: usize,
    /// Policy logits over the whole action space, `[B, A]`; illegal actions are not masked.
    pub logits: Vec<f32>,
    /// Probability of win, draw and loss, `[B]`.
    pub wdl: Vec<[f32; 3]>,
    /// Expected plies until the game's end, `[B]`.
    pub moves_left: Vec<f32>,
}

impl Evaluations {
    /// Policy logits of row `i`, `[A]`.
    pub fn logits(&self, i: usize) -> &[f32] {
        &self.logits[i * self.actions..(i + 1) * self.actions]
    }
}

/// Anything that values positions: a network, or a stand-in.
pub trait Evaluator: Send {
    /// The most rows that one call takes. Calls are padded to this size where the bits of a result depend on the batch's size.
    fn batch_size(&self) -> usize;
    /// Evaluates `rows` (at most [`batch_size`](Evaluator::batch_size) of them) into `out`, whose content is replaced. The answer for a row depends on that row alone.
    ///
    /// # Errors
    /// When the backend fails; `out` is then unspecified.
    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError>;
}

/// Every action alike, every position a draw: for tests and as a baseline.
#[derive(Clone, Debug)]
pub struct Uniform {
    pub batch_size: usize,
}

impl Evaluator for Uniform {
    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        out.actions = rows.layout().actions();
        out.logits.clear();
        out.logits.resize(rows.len() * out.actions, 0.0);
        out.wdl.clear();
        out.wdl.resize(rows.len(), [0.0, 1.0, 0.0]);
        out.moves_left.clear();
        out.moves_left.resize(rows.len(), 0.0);
        Ok(())
    }
}
