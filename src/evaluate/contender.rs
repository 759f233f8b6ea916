//! A player before its games: what a match needs to make it play many games on many threads.

use std::{path::Path, sync::Arc};

use super::{
    Batcher, EngineFault, EngineLimits, EngineSpec, External, FixedDepth, Network, Player, PlayerSpec, Random,
};
use crate::{
    game::{Encode, Game, Material, XBoard},
    model::{
        Checkpoint, EvaluatorError, MakeEvaluator,
        backend::{self, BackendConfig, BackendError},
    },
    search::{AlphaBeta, SearchConfig},
};

/// A side of a match.
pub enum Contender {
    Random,
    FixedDepth(FixedDepth),
    /// Another program, started for each game.
    Engine {
        spec: EngineSpec,
        limits: EngineLimits,
    },
    Network {
        evaluator: Box<MakeEvaluator>,
        search: SearchConfig,
        /// Positions that a search waits for at once, where it plays one game at a time, and 1 where batches are
        /// filled by many games.
        leaves: usize,
    },
}

/// A player that is no baseline, with what it is.
#[derive(Clone, Copy, Debug)]
pub enum NoBaseline<'a> {
    Engine(&'a EngineSpec),
    Checkpoint(&'a Path),
}

impl Contender {
    /// The baseline of that name.
    ///
    /// # Errors
    /// What it names instead.
    pub fn baseline(spec: &PlayerSpec) -> Result<Self, NoBaseline<'_>> {
        match spec {
            PlayerSpec::Random => Ok(Contender::Random),
            PlayerSpec::Greedy => Ok(Contender::FixedDepth(FixedDepth::greedy())),
            &PlayerSpec::AlphaBeta { depth, random } => {
                Ok(Contender::FixedDepth(FixedDepth { search: AlphaBeta::new(depth), random }))
            }
            PlayerSpec::Engine(engine) => Err(NoBaseline::Engine(engine)),
            PlayerSpec::Checkpoint(folder) => Err(NoBaseline::Checkpoint(folder)),
        }
    }

    /// The network of a checkpoint, which computes as `backend` says, for searches that wait for so many `leaves`.
    ///
    /// # Errors
    /// When this build has no runtime for networks, the device is not there, or cannot compute so.
    pub fn network(
        checkpoint: Checkpoint,
        backend: BackendConfig<'_>,
        search: SearchConfig,
        leaves: usize,
    ) -> Result<Self, BackendError> {
        let network = backend::open(Arc::new(checkpoint), backend)?;
        Ok(Contender::Network { evaluator: Box::new(move |batch_size| network.evaluator(batch_size)), search, leaves })
    }

    /// Another program, which was tried out and answers.
    ///
    /// # Errors
    /// As [`EngineSpec::try_out`].
    pub fn engine(spec: &EngineSpec, limits: EngineLimits) -> Result<Self, EngineFault> {
        spec.try_out(limits)?;
        Ok(Contender::Engine { spec: spec.clone(), limits })
    }

    /// Whether a thread waits while it thinks.
    pub fn blocks(&self) -> bool {
        matches!(self, Contender::Engine { .. })
    }

    /// The player for one side of one game.
    pub fn player<R: Encode + Material + XBoard>(&self) -> Box<dyn Player<R>> {
        match self {
            Contender::Random => Box::new(Random),
            Contender::FixedDepth(player) => Box::new(*player),
            Contender::Engine { spec, limits } => Box::new(External::new(spec.clone(), *limits)),
            Contender::Network { search, .. } => Box::new(Network::new(*search)),
        }
    }

    /// Where its players on one thread evaluate, once `batch_size` rows wait: the last of them may have come with others
    /// of its search.
    ///
    /// # Errors
    /// When the network cannot be loaded.
    pub fn batcher<R: Encode>(&self, game: &Game<R>, batch_size: usize) -> Result<Batcher<R>, EvaluatorError> {
        match self {
            Contender::Random | Contender::FixedDepth(_) | Contender::Engine { .. } => Ok(Batcher::new(game, None)),
            &Contender::Network { ref evaluator, leaves, .. } => {
                Ok(Batcher::new(game, Some(evaluator(batch_size + leaves.max(1) - 1)?)).with_leaves(leaves))
            }
        }
    }
}
