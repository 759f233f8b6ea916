//! AdamW and SGD over one flat tensor of weights. Ours rather than torch's, whose moments cannot be saved through
//! `tch`.

use tch::{Device, Kind, TchError, Tensor};

use super::config::{OptimiserKind, TrainConfig};
use crate::model::Parameter;

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
    /// An optimiser at rest, of weights that lie one after another in a flat tensor `[N]`.
    ///
    /// # Errors
    /// When libtorch fails, as when memory runs out; likewise below.
    pub fn new(config: &TrainConfig, parameters: &[Parameter], device: Device) -> Result<Self, TchError> {
        let decays: Vec<f32> = (parameters.iter())
            .flat_map(|parameter| std::iter::repeat_n(if parameter.decays { 1.0 } else { 0.0 }, parameter.len()))
            .collect();
        let decays = Tensor::f_from_slice(&decays)?.f_to_device(device)?;
        Ok(Optimiser {
            kind: config.optimiser,
            momentum: config.momentum,
            beta2: config.adam_beta2,
            weight_decay: config.weight_decay,
            moment1: decays.f_zeros_like()?,
            moment2: decays.f_zeros_like()?,
            decays,
        })
    }

    /// Step `step`, counted from 0: moves `weights` `[N]` against `gradient` `[N]`.
    ///
    /// # Errors
    /// When libtorch fails; the weights and the moments are then unspecified.
    pub fn step(
        &mut self,
        weights: &mut Tensor,
        gradient: &Tensor,
        step: u64,
        learning_rate: f64,
    ) -> Result<(), TchError> {
        tch::no_grad(|| match self.kind {
            OptimiserKind::Adamw => self.adamw(weights, gradient, step, learning_rate),
            OptimiserKind::Sgd => self.sgd(weights, gradient, learning_rate),
        })
    }

    fn adamw(
        &mut self,
        weights: &mut Tensor,
        gradient: &Tensor,
        step: u64,
        learning_rate: f64,
    ) -> Result<(), TchError> {
        let steps = (step + 1) as f64;
        let correction1 = 1.0 - self.momentum.powf(steps);
        let correction2 = 1.0 - self.beta2.powf(steps);
        let shrunk = self.decays.f_mul_scalar(learning_rate * self.weight_decay)?.f_sub_scalar(1.0)?.f_neg()?;
        let _ = weights.f_mul_(&shrunk)?;
        let _ = self.moment1.f_lerp_(gradient, 1.0 - self.momentum)?;
        let _ = self.moment2.f_lerp_(&gradient.f_square()?, 1.0 - self.beta2)?;
        let root = self.moment2.f_div_scalar(correction2)?.f_sqrt_()?.f_add_scalar_(EPSILON)?;
        let direction = self.moment1.f_div(&root)?.f_div_scalar(correction1)?;
        let _ = weights.f_sub_(&direction.f_mul_scalar(learning_rate)?)?;
        Ok(())
    }

    fn sgd(&mut self, weights: &mut Tensor, gradient: &Tensor, learning_rate: f64) -> Result<(), TchError> {
        let decay = weights.f_mul(&self.decays)?.f_mul_scalar(self.weight_decay)?;
        let _ = self.moment1.f_mul_scalar_(self.momentum)?.f_add_(&gradient.f_add(&decay)?)?;
        let _ = weights.f_sub_(&self.moment1.f_mul_scalar(learning_rate)?)?;
        Ok(())
    }
}

/// Euclidean norm of a gradient, which is scaled down to `limit` in place when it is longer; a `limit` of 0 leaves it
/// be.
///
/// # Errors
/// When libtorch fails.
pub fn clip(gradient: &mut Tensor, limit: f64) -> Result<f64, TchError> {
    let norm = gradient.f_square()?.f_sum(Kind::Double)?.f_sqrt()?.f_double_value(&[])?;
    if limit > 0.0 && norm > limit {
        let _ = gradient.f_mul_scalar_(limit / norm)?;
    }
    Ok(norm)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Init;

    /// Two steps from weights `[1, 1]`, of which only the first decays, with gradients 1 and then `second`.
    fn two_steps(config: &TrainConfig, second: f32) -> [Vec<f32>; 2] {
        let parameter = |decays| {
            let (name, init) = ("block0.conv1.weight".to_owned(), Init::Constant(1.0));
            Parameter { name, shape: vec![1, 1], init, decays }
        };
        let mut optimiser = Optimiser::new(config, &[parameter(true), parameter(false)], Device::Cpu).unwrap();
        let mut weights = Tensor::ones([2], (Kind::Float, Device::Cpu));
        [(0, 1.0), (1, second)].map(|(step, gradient)| {
            optimiser.step(&mut weights, &Tensor::from_slice(&[gradient; 2]), step, 0.1).unwrap();
            Vec::<f32>::try_from(&weights).unwrap()
        })
    }

    fn assert_near(found: &[f32], expected: &[f32]) {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
    }

    #[test]
    fn adamw_by_hand() {
        let config = TrainConfig { momentum: 0.9, adam_beta2: 0.99, weight_decay: 0.5, ..TrainConfig::default() };
        let [first, second] = two_steps(&config, -1.0);
        // The first step is the whole learning rate against the gradient's sign, after decay by 0.1 * 0.5.
        assert_near(&first, &[0.95 - 0.1, 1.0 - 0.1]);
        // Moments 0.9 * 0.1 - 0.1 = -0.01 over 1 - 0.9^2 = 0.19, and 0.0199 over 0.0199 = 1.
        assert_near(&second, &[0.85 * 0.95 + 0.1 * 0.01 / 0.19, 0.9 + 0.1 * 0.01 / 0.19]);
    }

    #[test]
    fn sgd_by_hand() {
        let optimiser = OptimiserKind::Sgd;
        let config = TrainConfig { optimiser, momentum: 0.9, weight_decay: 0.5, ..TrainConfig::default() };
        let [first, second] = two_steps(&config, 2.0);
        // Buffers 1 + 0.5 * 1 and 1; then 0.9 * 1.5 + 2 + 0.5 * 0.85 and 0.9 * 1 + 2.
        assert_near(&first, &[0.85, 0.9]);
        assert_near(&second, &[0.85 - 0.1 * 3.775, 0.9 - 0.1 * 2.9]);
    }

    #[test]
    fn clipping_keeps_the_direction() {
        let mut gradient = Tensor::from_slice(&[3f32, 4.0]);
        assert_eq!(clip(&mut gradient, 0.0).unwrap(), 5.0);
        assert_eq!(clip(&mut gradient, 6.0).unwrap(), 5.0);
        assert_near(&Vec::<f32>::try_from(&gradient).unwrap(), &[3.0, 4.0]);
        assert_eq!(clip(&mut gradient, 1.0).unwrap(), 5.0);
        assert_near(&Vec::<f32>::try_from(&gradient).unwrap(), &[0.6, 0.8]);
    }
}
