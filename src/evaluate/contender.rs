//! A player before it is seated: what a match needs to seat it in many games on many threads.

use std::path::Path;

use super::{AlphaBeta, Desk, Network, Player, PlayerSpec, Random};
use crate::{
    game::Encode,
    model::{Evaluator, EvaluatorError},
    search::SearchConfig,
};

/// Makes the evaluator of one thread, for batches of so many rows.
pub type MakeEvaluator = dyn Fn(usize) -> Result<Box<dyn Evaluator>, EvaluatorError> + Send + Sync;

/// A side of a match.
pub enum Contender {
    Random,
    AlphaBeta(AlphaBeta),
    Network { evaluator: Box<MakeEvaluator>, search: SearchConfig },
}

impl Contender {
    /// The baseline of that name.
    ///
    /// # Errors
    /// The folder, when it names a checkpoint.
    pub fn baseline(spec: &PlayerSpec) -> Result<Self, &Path> {
        match spec {
            PlayerSpec::Random => Ok(Contender::Random),
            PlayerSpec::Greedy => Ok(Contender::AlphaBeta(AlphaBeta::greedy())),
            PlayerSpec::AlphaBeta(depth) => Ok(Contender::AlphaBeta(AlphaBeta::new(*depth))),
            PlayerSpec::Checkpoint(folder) => Err(folder),
        }
    }

    /// The player for one seat of one game.
    pub fn seat<G: Encode>(&self) -> Box<dyn Player<G>> {
        match self {
            Contender::Random => Box::new(Random),
            Contender::AlphaBeta(player) => Box::new(*player),
            Contender::Network { search, .. } => Box::new(Network::new(*search)),
        }
    }

    /// Where its seats work on one thread, `batch_size` rows at a time.
    ///
    /// # Errors
    /// When the network cannot be loaded.
    pub fn desk<G: Encode>(&self, game: &G, batch_size: usize) -> Result<Desk<G>, EvaluatorError> {
        let evaluator = match self {
            Contender::Random | Contender::AlphaBeta(_) => None,
            Contender::Network { evaluator, .. } => Some(evaluator(batch_size)?),
        };
        Ok(Desk::new(game, evaluator))
    }
}
