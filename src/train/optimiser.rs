//! AdamW and SGD over one flat tensor of weights. Ours rather than torch's, whose moments cannot be saved through `tch`.

use tch::{Kind, Tensor};

use super::config::{OptimiserKind, TrainConfig};

/// Added to Adam's root of the second moment.
const EPSILON: f64 = 1e-8;

/// An optimiser with its moments.
#[derive(Debug)]
pub struct Optimiser {
    kind: OptimiserKind,
    momentum: f64,
    beta2: f64,
    weight_decay: f64,
    /// 1 for values that weight decay shrinks, else 0, `[N]`.
    decays: Tensor,
    /// Adam's first moment, or SGD's momentum buffer, `[N]`.
    pub moment1: Tensor,
    /// Adam's second moment, `[N]`; stays 0 with SGD.
    pub moment2: Tensor,
}

impl Optimiser {
    /// An optimiser at rest. `decays` `[N]` is 1 for values that weight decay shrinks, else 0.
    pub fn new(config: &TrainConfig, decays: Tensor) -> Self {
        Optimiser {
            kind: config.optimiser,
            momentum: config.momentum,
            beta2: config.adam_beta2,
            weight_decay: config.weight_decay,
            moment1: decays.zeros_like(),
            moment2: decays.zeros_like(),
            decays,
        }
    }

    /// Step `step`, counted from 0: moves `weights` `[N]` against `gradient` `[N]`.
    pub fn step(&mut self, weights: &mut Tensor, gradient: &Tensor, step: u64, learning_rate: f64) {
        tch::no_grad(|| match self.kind {
            OptimiserKind::Adamw => self.adamw(weights, gradient, step, learning_rate),
            OptimiserKind::Sgd => self.sgd(weights, gradient, learning_rate),
        });
    }

    fn adamw(&mut self, weights: &mut Tensor, gradient: &Tensor, step: u64, learning_rate: f64) {
        let steps = (step + 1) as f64;
        let correction1 = 1.0 - self.momentum.powf(steps);
        let correction2 = 1.0 - self.beta2.powf(steps);
        let _ = weights.g_mul_(&(1.0 - &self.decays * (learning_rate * self.weight_decay)));
        let _ = self.moment1.lerp_(gradient, 1.0 - self.momentum);
        let _ = self.moment2.lerp_(&gradient.square(), 1.0 - self.beta2);
        let root = (&self.moment2 / correction2).sqrt_().g_add_scalar_(EPSILON);
        let _ = weights.g_sub_(&(&self.moment1 / root * (learning_rate / correction1)));
    }

    fn sgd(&mut self, weights: &mut Tensor, gradient: &Tensor, learning_rate: f64) {
        let decay = &*weights * &self.decays * self.weight_decay;
        let _ = self.moment1.g_mul_scalar_(self.momentum).g_add_(&(gradient + decay));
        let _ = weights.g_sub_(&(&self.moment1 * learning_rate));
    }
}

/// Euclidean norm of a gradient, which is scaled down to `limit` in place when it is longer; a `limit` of 0 leaves it be.
pub fn clip(gradient: &mut Tensor, limit: f64) -> f64 {
    let norm = gradient.square().sum(Kind::Double).sqrt().double_value(&[]);
    if limit > 0.0 && norm > limit {
        let _ = gradient.g_mul_scalar_(limit / norm);
    }
    norm
}
