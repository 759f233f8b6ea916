//! One layer of the network in torch: its kernels made ready, changed and applied. `kernels` has the same without torch.

use std::collections::BTreeMap;

use tch::{Kind, TchError, Tensor};

use super::architecture::{NetworkShape, SCALAR_SCALE, STANDARDISING};

/// A convolution (`weight` `[out, in, k, k]`) or a linear layer (`[out, in]`), `bias` `[out]`.
#[derive(Debug)]
pub(super) struct Layer {
    pub weight: Tensor,
    pub bias: Tensor,
}

impl Layer {
    pub fn new(named: &BTreeMap<&str, Tensor>, name: &str) -> Result<Self, TchError> {
        let part = |part: &str| named.get(format!("{name}.{part}").as_str());
        let weight = part("weight").expect("the architecture lists every layer's weight");
        let bias = part("bias").expect("the architecture lists every layer's bias").shallow_clone();
        let weight = match part("gain") {
            Some(gain) => standardise(weight)?.f_mul(&gain.f_view([-1, 1, 1, 1])?)?,
            None => weight.shallow_clone(),
        };
        Ok(Layer { weight, bias })
    }

    /// The stem's kernels with those of the scalars made smaller.
    pub fn with_scalars_scaled(self, shape: &NetworkShape) -> Result<Self, TchError> {
        let mut scale = vec![1.0; shape.channels - shape.scalars];
        scale.resize(shape.channels, SCALAR_SCALE);
        let scale = Tensor::f_from_slice(&scale)?.f_to_device(self.weight.device())?.f_view([1, -1, 1, 1])?;
        Ok(Layer { weight: self.weight.f_mul(&scale)?, bias: self.bias })
    }

    /// The same layer for play alone, whose kernels lie channels last, without a gradient.
    pub fn frozen(&self, kind: Kind) -> Result<Layer, TchError> {
        tch::no_grad(|| {
            Ok(Layer {
                weight: channels_last(&self.weight.f_to_kind(kind)?)?.f_detach()?,
                bias: self.bias.f_to_kind(kind)?.f_detach()?,
            })
        })
    }

    /// The same layer from values in steps of `input` to values in steps of `output`, and `more` steps.
    pub fn scaled(&self, input: f64, output: f64, more: f64) -> Result<Layer, TchError> {
        let bias = self.bias.f_div_scalar(output)?.f_add_scalar(more)?;
        Ok(Layer { weight: self.weight.f_mul_scalar(input / output)?, bias })
    }

    pub fn convolve(&self, x: &Tensor) -> Result<Tensor, TchError> {
        let padding = self.weight.size()[2] / 2;
        // Both numbers of each pair: libtorch's fusion does not know that one stands for two.
        x.f_conv2d(&self.weight, Some(&self.bias), [1, 1], [padding, padding], [1, 1], 1)
    }

    /// A linear layer as a convolution of one square; a convolution as it is.
    pub fn convolved(&self) -> Result<Layer, TchError> {
        let weight = match self.weight.size()[..] {
            [outputs, inputs] => self.weight.f_view([outputs, inputs, 1, 1])?,
            _ => self.weight.shallow_clone(),
        };
        Ok(Layer { weight, bias: self.bias.shallow_clone() })
    }

    /// A linear layer of `[B, in]`, in either of its forms.
    pub fn apply(&self, x: &Tensor) -> Result<Tensor, TchError> {
        match self.weight.dim() {
            2 => x.f_linear(&self.weight, Some(&self.bias)),
            _ => self.convolve(&spread(x)?)?.f_flatten(1, -1),
        }
    }
}

/// Kernels `[out, in, k, k]` with mean 0 and variance 1 / fan-in for each output channel.
fn standardise(weight: &Tensor) -> Result<Tensor, TchError> {
    let fan_in: i64 = weight.size()[1..].iter().product();
    let over = [1i64, 2, 3];
    let centred = weight.f_sub(&weight.f_mean_dim(over.as_slice(), true, None)?)?;
    let variance = centred.f_square()?.f_mean_dim(over.as_slice(), true, Kind::Float)?;
    centred.f_mul(&variance.f_mul_scalar(fan_in as f64)?.f_add_scalar(STANDARDISING)?.f_rsqrt()?)
}

/// Kernels `[out, in, k, k]` in the memory order that convolutions read planes in; matrices as they are.
fn channels_last(weight: &Tensor) -> Result<Tensor, TchError> {
    match weight.dim() {
        4 => weight.f_permute([0, 2, 3, 1])?.f_contiguous()?.f_permute([0, 3, 1, 2]),
        _ => weight.f_contiguous(),
    }
}

/// `[B, C]` as `[B, C, 1, 1]`.
pub(super) fn spread(x: &Tensor) -> Result<Tensor, TchError> {
    x.f_unsqueeze(-1)?.f_unsqueeze(-1)
}
