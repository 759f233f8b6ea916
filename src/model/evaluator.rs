//! The seam between search and network: rows in, priors and values out.

use std::sync::Arc;

use thiserror::Error;

use super::Logits;
use crate::{encode::Rows, game::Wdl};

/// What computes networks failed at its work, as when memory runs out: no fault of the user's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RuntimeFault(pub String);

/// An evaluator that could not answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EvaluatorError {
    /// It does not do what it was asked to.
    #[error("evaluator: {0}")]
    Refused(String),
    #[error("evaluator: {0}")]
    Fault(#[from] RuntimeFault),
}

#[cfg(feature = "torch")]
impl From<tch::TchError> for RuntimeFault {
    /// Without the places in libtorch's source, which follow its words line by line.
    fn from(error: tch::TchError) -> Self {
        let words = error.to_string();
        RuntimeFault(format!(
            "libtorch: {}",
            words.trim_start_matches("Internal torch error: ").lines().next().unwrap_or_default()
        ))
    }
}

#[cfg(feature = "torch")]
impl From<tch::TchError> for EvaluatorError {
    fn from(error: tch::TchError) -> Self {
        match error {
            // What libtorch says, and not what is said of it.
            tch::TchError::Torch(_) => RuntimeFault::from(error).into(),
            // What is said of a user's module.
            tch::TchError::Shape(words) => EvaluatorError::Refused(words),
            other => EvaluatorError::Refused(other.to_string()),
        }
    }
}

/// What an evaluator says of a batch, all from the point of view of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluations {
    /// Policy logits, `[B, A]`.
    pub logits: Logits,
    /// Probability of win, draw and loss, `[B]`.
    pub wdl: Vec<Wdl>,
    /// Expected plies until the game's end, `[B]`.
    pub moves_left: Vec<f32>,
}

/// The softmax of logits of win, draw and loss.
#[cfg(any(feature = "torch", feature = "engine"))]
pub(super) fn win_draw_loss(logits: [f32; 3]) -> Wdl {
    let most = logits.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let powers = logits.map(|logit| (logit - most).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum).into()
}

/// Anything that values positions: a network, or a stand-in.
pub trait Evaluator: Send {
    /// The most rows that one call takes. Calls are padded to this size where the bits of a result depend on the
    /// batch's size.
    fn batch_size(&self) -> usize;

    /// Evaluates `rows` (at most [`batch_size`](Evaluator::batch_size) of them) into `out`, whose content is replaced.
    /// The answer for a row depends on that row alone.
    ///
    /// # Errors
    /// When the backend fails; `out` is then unspecified.
    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError>;

    /// The evaluator in two halves, when it computes elsewhere while the caller goes on with other work.
    fn background(&mut self) -> Option<&mut dyn Background> {
        None
    }
}

/// Makes an evaluator of one network, of so many rows a call, on whichever thread asks.
pub type MakeEvaluator = dyn Fn(usize) -> Result<Box<dyn Evaluator>, EvaluatorError> + Send + Sync;

/// An evaluator that works on its own between two calls: one batch at a time.
pub trait Background {
    /// Sets the evaluation of `rows` going.
    ///
    /// # Errors
    /// When the backend fails, or the last batch was not [finished](Background::finish).
    fn start(&mut self, rows: &Rows) -> Result<(), EvaluatorError>;

    /// Waits for the answers to the batch that was started.
    ///
    /// # Errors
    /// When the backend fails, or none was started; `out` is then unspecified.
    fn finish(&mut self, out: &mut Evaluations) -> Result<(), EvaluatorError>;
}

/// Every action alike, every position a draw: for tests and as a baseline.
#[derive(Clone, Debug)]
pub struct Uniform {
    pub batch_size: usize,
}

impl Uniform {
    /// What makes it, where a network's maker is asked for.
    pub fn make() -> Arc<MakeEvaluator> {
        Arc::new(|batch_size| Ok(Box::new(Uniform { batch_size })))
    }
}

impl Evaluator for Uniform {
    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        let actions = rows.layout().actions();
        out.logits.in_order(actions).resize(rows.len() * actions, 0.0);
        out.wdl.clear();
        out.wdl.resize(rows.len(), Wdl::DRAW);
        out.moves_left.clear();
        out.moves_left.resize(rows.len(), 0.0);
        Ok(())
    }
}
