//! The training step.

use serde::Serialize;
use tch::{Device, Kind, TchError, Tensor};

use super::{
    config::TrainConfig,
    error::TrainError,
    gradient::gradient,
    losses::{LossValues, Losses},
    optimiser::{Optimiser, clip},
    prepared::{Preparation, PreparedBatch},
    schedule::learning_rate,
};
use crate::{
    data::TrainingBatch,
    model::{Network, Weights, keep_memory, one_thread},
};

/// What one step said.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StepLosses {
    /// Losses by head, before the step.
    #[serde(flatten)]
    pub losses: LossValues,
    /// Norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// The learning rate that was used.
    pub learning_rate: f64,
}

/// A network in training: weights, their moving average, the optimiser's moments, and how far it has come.
#[derive(Debug)]
pub struct Trainer {
    pub(super) config: TrainConfig,
    pub(super) network: Network,
    /// Moving average of the weights, `[N]`.
    pub(super) average: Tensor,
    pub(super) optimiser: Optimiser,
    pub(super) steps: u64,
    pub(super) samples: u64,
    /// How much of the run is over, where its length is known.
    progress: Option<f64>,
    device: Device,
    preparation: Preparation,
}

impl Trainer {
    /// Training of `weights` from its first step, on `device`.
    ///
    /// # Errors
    /// When the config is out of range, or libtorch fails, as when memory runs out.
    pub fn new(config: TrainConfig, weights: &Weights, device: Device) -> Result<Self, TrainError> {
        config.validate().map_err(TrainError::Config)?;
        keep_memory();
        one_thread();
        let mut network = Network::new(weights, device)?;
        let mut average = network.parameters().f_zeros_like()?;
        average.f_copy_(network.parameters())?;
        *network.parameters_mut() = network.parameters().f_set_requires_grad(true)?;
        let optimiser = Optimiser::new(&config, weights.architecture().parameters(), device)?;
        let preparation = Preparation::new(&config, *weights.architecture().shape(), device);
        Ok(Trainer { config, network, average, optimiser, steps: 0, samples: 0, progress: None, device, preparation })
    }

    /// The same training with its counters, and so its learning rate, as they were after `steps` steps and `samples`
    /// rows: for a network whose optimiser is lost.
    pub fn counting_from(self, steps: u64, samples: u64) -> Self {
        Trainer { steps, samples, ..self }
    }

    /// The same training in a run of which a share of `progress`, 0 to 1, is over: the learning rate falls by it, and
    /// not by [`decay_samples`](TrainConfig::decay_samples). None for a run whose length is not known.
    pub fn at(self, progress: Option<f64>) -> Self {
        Trainer { progress, ..self }
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Rows learnt from, repeats counted.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The weights that play: the moving average.
    ///
    /// # Errors
    /// When libtorch fails.
    pub fn playing_weights(&self) -> Result<Weights, TrainError> {
        self.gather(&self.average)
    }

    /// What makes batches ready for this trainer, ahead of its steps.
    pub fn preparation(&self) -> Preparation {
        self.preparation.clone()
    }

    /// Makes one batch ready and learns from it.
    ///
    /// # Errors
    /// When the batch does not fit the network or itself, or when the gradient is not finite; nothing has changed then.
    /// When libtorch fails; the trainer is then unspecified.
    pub fn step(&mut self, batch: &TrainingBatch) -> Result<StepLosses, TrainError> {
        let batch = self.preparation.prepare(batch)?;
        self.learn(&batch)
    }

    /// Learns from one batch that this trainer's [`preparation`](Trainer::preparation) made ready.
    ///
    /// # Errors
    /// When the gradient is not finite; nothing has changed then. When libtorch fails; the trainer is then unspecified.
    pub fn learn(&mut self, batch: &PreparedBatch) -> Result<StepLosses, TrainError> {
        one_thread();
        let (mut gradient, losses) = gradient(&self.config, &self.network, batch, self.threads())?;
        let gradient_norm = clip(&mut gradient, self.config.gradient_clip)?;
        if !gradient_norm.is_finite() {
            return Err(TrainError::Diverged { step: self.steps });
        }
        let learned = self.samples as f64 / self.config.decay_samples as f64;
        let learning_rate = learning_rate(&self.config, self.steps, self.progress.unwrap_or(learned));
        self.optimiser.step(self.network.parameters_mut(), &gradient, self.steps, learning_rate)?;
        self.follow()?;
        self.steps += 1;
        self.samples += batch.rows() as u64;
        Ok(StepLosses { losses, gradient_norm, learning_rate })
    }

    /// Losses of the weights in training on a batch that this trainer's [`preparation`](Trainer::preparation) made
    /// ready, from which nothing is learnt.
    ///
    /// # Errors
    /// When libtorch fails.
    pub fn losses(&self, batch: &PreparedBatch) -> Result<LossValues, TrainError> {
        one_thread();
        tch::no_grad(|| {
            let heads = self.network.fold()?.to_kind(batch.planes.kind())?.forward(&batch.planes)?;
            Ok(Losses::new(&self.config, &heads, &batch.targets, batch.teaching)?.values()?)
        })
    }

    pub(super) fn device(&self) -> Device {
        self.device
    }

    fn threads(&self) -> usize {
        if self.device == Device::Cpu { self.config.cpu_threads() } else { 1 }
    }

    /// Moves the average towards the weights; over the first steps it forgets faster, so that it is not mostly the
    /// random start.
    fn follow(&mut self) -> Result<(), TchError> {
        let steps = self.steps as f64;
        let keep = self.config.ema_decay.min((1.0 + steps) / (10.0 + steps));
        tch::no_grad(|| self.average.f_lerp_(self.network.parameters(), 1.0 - keep).map(drop))
    }

    /// A flat tensor `[N]` as weights of this network.
    pub(super) fn gather(&self, values: &Tensor) -> Result<Weights, TrainError> {
        let mut numbers = vec![0.0; values.numel()];
        let values = values.f_detach()?.f_to_kind(Kind::Float)?.f_to_device(Device::Cpu)?;
        values.f_copy_data(&mut numbers, values.numel())?;
        Ok(Weights::new(self.network.architecture().clone(), numbers))
    }
}
