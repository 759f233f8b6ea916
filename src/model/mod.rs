//! Floor 3: the network, its checkpoints, and the seam behind which everything that values a position stands ([`Evaluator`]).

mod evaluator;

pub use evaluator::{Evaluations, Evaluator, EvaluatorError, Uniform};
