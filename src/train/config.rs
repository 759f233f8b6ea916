//! Settings of training: the section `[train]`.

use std::thread;

use serde::{Deserialize, Serialize};

use crate::{game::FieldError, model::Precision};

/// What turns gradients into steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OptimiserKind {
    /// Adam with decoupled weight decay (Loshchilov and Hutter 2019).
    Adamw,
    /// Stochastic gradient descent with momentum.
    Sgd,
}

/// How the learning rate falls after the warm-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decay {
    /// It stays.
    Constant,
    /// Along half a cosine, down to the final fraction at its end, and stays there.
    Cosine,
    /// Down to the final fraction in three equal falls, each a factor, at a half, three quarters and the whole of it.
    Step,
}

/// Section `[train]`: the training step. Which rows it gets is the replay window's affair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainConfig {
    /// Rows a step, 1-65536.
    pub batch_size: usize,
    /// `adamw` or `sgd`.
    pub optimiser: OptimiserKind,
    /// Learning rate at the end of the warm-up; about 0.003 for `adamw`, 0.05 for `sgd`.
    pub learning_rate: f64,
    /// Steps over which the learning rate climbs from 0.
    pub warmup_steps: u64,
    /// How the learning rate falls afterwards: `constant`, `cosine` or `step`.
    pub decay: Decay,
    /// Samples (rows, repeats counted) after which the fall is over, in a run whose length is not given: else it is
    /// over at its end.
    pub decay_samples: u64,
    /// Learning rate at the end of the fall, as a share of `learning_rate`, 0-1.
    pub decay_final: f64,
    /// Share of a kernel or matrix taken away a step, times the learning rate. Gains and biases are spared.
    pub weight_decay: f64,
    /// Momentum of `sgd`, and Adam's beta 1, 0-1 (1 excluded).
    pub momentum: f64,
    /// Adam's beta 2, 0-1 (1 excluded).
    pub adam_beta2: f64,
    /// Largest norm of a step's gradient over all weights; a larger gradient is scaled down to it. 0 turns this off.
    pub gradient_clip: f64,
    /// Share that the playing weights (a moving average) keep of themselves a step, 0-1 (1 excluded); the first steps
    /// keep less.
    pub ema_decay: f64,
    /// Weight of the policy loss in the total.
    pub policy_loss_weight: f64,
    /// Weight of the win-draw-loss loss in the total.
    pub value_loss_weight: f64,
    /// Weight of the moves-left loss in the total.
    pub moves_left_loss_weight: f64,
    /// How far ahead the searches' value of a row looks, 0 to 1: each later ply's search counts this many times as much
    /// as the one before it, and what is left goes to the game's result (the lambda-return). 1 is the result alone, 0
    /// the row's own search alone; 0.95 looks some 20 plies ahead.
    pub value_lambda: f32,
    /// Share of the searches' value (`value_lambda`) in the value target, 0-1; the rest is the game's result.
    pub value_mix: f64,
    /// Numbers that the network computes in: `f32`, `bf16`, or `auto` for the faster on this machine. Weights, losses
    /// and the optimiser are always in 32 bits.
    pub precision: Precision,
    /// A program with its arguments that trains in place of our own learner; none: our own.
    pub command: Vec<String>,
    /// Threads that share a step's rows on the CPU, 0-1024; 0 means as many as the machine has cores. The last bits of
    /// a result depend on their number.
    pub threads: usize,
}

impl Default for TrainConfig {
    fn default() -> Self {
        TrainConfig {
            batch_size: 256,
            optimiser: OptimiserKind::Adamw,
            learning_rate: 3e-3,
            warmup_steps: 100,
            decay: Decay::Cosine,
            decay_samples: 10_000_000,
            decay_final: 0.1,
            weight_decay: 1e-2,
            momentum: 0.9,
            adam_beta2: 0.99,
            gradient_clip: 2.0,
            ema_decay: 0.995,
            policy_loss_weight: 1.0,
            value_loss_weight: 1.0,
            moves_left_loss_weight: 0.1,
            value_lambda: 0.95,
            value_mix: 0.3,
            precision: Precision::Auto,
            command: Vec::new(),
            threads: 0,
        }
    }
}

impl TrainConfig {
    /// Threads on the processor: [`threads`](Self::threads), or one a core.
    pub fn cpu_threads(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, |cores| cores.get()),
            threads => threads,
        }
    }

    /// Checks every field's range.
    ///
    /// # Errors
    /// `field: expected X, found Y`.
    pub fn validate(&self) -> Result<(), FieldError> {
        if !(1..=65536).contains(&self.batch_size) {
            return Err(FieldError::new("batch_size", "1 to 65536", self.batch_size));
        }
        if self.command.first().is_some_and(String::is_empty) {
            return Err(FieldError::new("command", "a program and its arguments", "an empty word"));
        }
        if self.threads > 1024 {
            return Err(FieldError::new("threads", "0 to 1024", self.threads));
        }
        if self.decay != Decay::Constant && self.decay_samples == 0 {
            return Err(FieldError::new("decay_samples", "at least 1", 0));
        }
        if self.precision == Precision::Int8 {
            return Err(FieldError::new("precision", "`auto`, `f32` or `bf16`", "`int8`"));
        }
        if !(0.0..=1.0).contains(&self.value_lambda) {
            return Err(FieldError::new("value_lambda", "0 to 1", self.value_lambda));
        }
        let shares = [("decay_final", self.decay_final), ("value_mix", self.value_mix)];
        let kept = [("momentum", self.momentum), ("adam_beta2", self.adam_beta2), ("ema_decay", self.ema_decay)];
        let amounts = [
            ("learning_rate", self.learning_rate),
            ("weight_decay", self.weight_decay),
            ("gradient_clip", self.gradient_clip),
            ("policy_loss_weight", self.policy_loss_weight),
            ("value_loss_weight", self.value_loss_weight),
            ("moves_left_loss_weight", self.moves_left_loss_weight),
        ];
        for (field, found) in shares {
            if !(0.0..=1.0).contains(&found) {
                return Err(FieldError::new(field, "0 to 1", found));
            }
        }
        for (field, found) in kept {
            if !(0.0..1.0).contains(&found) {
                return Err(FieldError::new(field, "0 to 1, 1 excluded", found));
            }
        }
        for (field, found) in amounts {
            if !(0.0..=1e6).contains(&found) {
                return Err(FieldError::new(field, "0 to 1000000", found));
            }
        }
        Ok(())
    }
}
