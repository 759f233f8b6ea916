//! A player before it is seated: what a match needs to seat it in many games on many threads.

use std::path::Path;

use super::{AlphaBeta, Desk, EngineLimits, EngineSpec, External, Network, Player, PlayerSpec, Random};
#[cfg(all(feature = "engine", not(feature = "torch")))]
use crate::model::PortableEvaluator;
#[cfg(feature = "torch")]
use crate::model::{LibtorchEvaluator, Plan, device};
use crate::{
    game::{Encode, Game, Material, XBoard},
    model::{Checkpoint, Evaluator, EvaluatorError},
    search::SearchConfig,
};

/// Makes the evaluator of one thread, for batches of so many rows.
pub type MakeEvaluator = dyn Fn(usize) -> Result<Box<dyn Evaluator>, EvaluatorError> + Send + Sync;

/// A side of a match.
pub enum Contender {
    Random,
    AlphaBeta(AlphaBeta),
    /// Another program, started for each game.
    Engine {
        spec: EngineSpec,
        limits: EngineLimits,
    },
    Network {
        evaluator: Box<MakeEvaluator>,
        search: SearchConfig,
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
            PlayerSpec::Greedy => Ok(Contender::AlphaBeta(AlphaBeta::greedy())),
            PlayerSpec::AlphaBeta(depth) => Ok(Contender::AlphaBeta(AlphaBeta::new(*depth))),
            PlayerSpec::Engine(engine) => Err(NoBaseline::Engine(engine)),
            PlayerSpec::Checkpoint(folder) => Err(NoBaseline::Checkpoint(folder)),
        }
    }

    /// The network of a checkpoint, which computes on the device called `cpu`, `cuda` or `cuda:N`.
    ///
    /// # Errors
    /// One line, when the device is not there.
    #[cfg(feature = "torch")]
    pub fn network(checkpoint: Checkpoint, device_name: &str, search: SearchConfig) -> Result<Self, String> {
        let device = device(device_name)?;
        let evaluator: Box<MakeEvaluator> = Box::new(move |batch_size| {
            Ok(Box::new(LibtorchEvaluator::new(checkpoint.weights(), device, Plan::F32, batch_size)?))
        });
        Ok(Contender::Network { evaluator, search })
    }

    /// The network of a checkpoint, which computes on the processor.
    ///
    /// # Errors
    /// One line, when another device than `cpu` is asked for.
    #[cfg(all(feature = "engine", not(feature = "torch")))]
    pub fn network(checkpoint: Checkpoint, device_name: &str, search: SearchConfig) -> Result<Self, String> {
        if device_name != "cpu" {
            return Err(format!("device: expected `cpu` in a program built without libtorch, found `{device_name}`"));
        }
        let evaluator: Box<MakeEvaluator> = Box::new(move |batch_size| {
            let (weights, ruleset) = (checkpoint.weights(), &checkpoint.metadata().ruleset);
            Ok(Box::new(PortableEvaluator::new(weights, ruleset, batch_size)?))
        });
        Ok(Contender::Network { evaluator, search })
    }

    /// Without libtorch and without the engine no network plays.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(any(feature = "torch", feature = "engine")))]
    pub fn network(_: Checkpoint, _: &str, _: SearchConfig) -> Result<Self, String> {
        Err("a network needs libtorch or the feature `engine`, and this program was built without".to_owned())
    }

    /// Whether a thread waits while it thinks.
    pub fn blocks(&self) -> bool {
        matches!(self, Contender::Engine { .. })
    }

    /// The player for one seat of one game.
    pub fn seat<R: Encode + Material + XBoard>(&self) -> Box<dyn Player<R>> {
        match self {
            Contender::Random => Box::new(Random),
            Contender::AlphaBeta(player) => Box::new(*player),
            Contender::Engine { spec, limits } => Box::new(External::new(spec.clone(), *limits)),
            Contender::Network { search, .. } => Box::new(Network::new(*search)),
        }
    }

    /// Where its seats work on one thread, `batch_size` rows at a time.
    ///
    /// # Errors
    /// When the network cannot be loaded.
    pub fn desk<R: Encode>(&self, game: &Game<R>, batch_size: usize) -> Result<Desk<R>, EvaluatorError> {
        let evaluator = match self {
            Contender::Random | Contender::AlphaBeta(_) | Contender::Engine { .. } => None,
            Contender::Network { evaluator, .. } => Some(evaluator(batch_size)?),
        };
        Ok(Desk::new(game, evaluator))
    }
}
