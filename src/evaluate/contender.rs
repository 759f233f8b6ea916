//! A player before it is seated: what a match needs to seat it in many games on many threads.

use super::{AlphaBeta, Player, PlayerSpec, Random};
use crate::{
    game::Encode,
    model::{Evaluator, EvaluatorError},
};

/// Makes the evaluator of one thread.
pub type MakeEvaluator = dyn Fn() -> Result<Box<dyn Evaluator>, EvaluatorError> + Send + Sync;

/// A side of a match.
pub enum Contender {
    Random,
    AlphaBeta(AlphaBeta),
}

impl Contender {
    /// The baseline of that name; `None` when it names a checkpoint.
    pub fn baseline(spec: &PlayerSpec) -> Option<Self> {
        match *spec {
            PlayerSpec::Random => Some(Contender::Random),
            PlayerSpec::Greedy => Some(Contender::AlphaBeta(AlphaBeta::greedy())),
            PlayerSpec::AlphaBeta(depth) => Some(Contender::AlphaBeta(AlphaBeta::new(depth))),
            PlayerSpec::Checkpoint(_) => None,
        }
    }

    /// The player for one seat of one game.
    pub fn seat<G: Encode>(&self, _game: &G) -> Box<dyn Player<G>> {
        match self {
            Contender::Random => Box::new(Random),
            Contender::AlphaBeta(player) => Box::new(*player),
        }
    }

    /// An evaluator for one thread; `None` when the player needs none.
    ///
    /// # Errors
    /// When the network cannot be loaded.
    pub fn evaluator(&self) -> Result<Option<Box<dyn Evaluator>>, EvaluatorError> {
        Ok(None)
    }
}
