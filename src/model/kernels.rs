//! The weights as plain layers ready for play, without any tensor library: what `Network::fold` is with one.

use std::collections::BTreeMap;

use super::{
    architecture::{NetworkShape, SCALAR_SCALE, STANDARDISING},
    weights::Weights,
};

/// A convolution (`shape` `[out, in, k, k]`) or a linear layer (`[out, in]`).
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub shape: Vec<usize>,
    pub weight: Vec<f32>,
    /// `[out]`.
    pub bias: Vec<f32>,
}

/// The layers of a network by name, kernels standardised and the scalars' part of the stem made smaller.
pub(super) fn layers(weights: &Weights) -> BTreeMap<String, Layer> {
    let mut layers: BTreeMap<String, Layer> = BTreeMap::new();
    let mut rest = weights.values();
    for parameter in weights.architecture().parameters() {
        let (values, after) = rest.split_at(parameter.len());
        rest = after;
        let (name, part) = parameter.name.rsplit_once('.').expect("a parameter is a part of a layer");
        let layer = layers.entry(name.to_owned()).or_default();
        match part {
            "weight" => (layer.shape, layer.weight) = (parameter.shape.clone(), values.to_vec()),
            "gain" => standardise(&mut layer.weight, values),
            _ => layer.bias = values.to_vec(),
        }
    }
    let stem = layers.get_mut("stem").expect("every network has a stem");
    scale_scalars(stem, weights.architecture().shape());
    layers
}

/// Gives each output channel's kernels mean 0 and variance gain^2 / fan-in.
fn standardise(weight: &mut [f32], gains: &[f32]) {
    let fan_in = weight.len() / gains.len();
    for (kernels, &gain) in weight.chunks_exact_mut(fan_in).zip(gains) {
        let mean = kernels.iter().map(|&value| f64::from(value)).sum::<f64>() / fan_in as f64;
        let squares = kernels.iter().map(|&value| (f64::from(value) - mean).powi(2)).sum::<f64>();
        let factor = f64::from(gain) / (squares + STANDARDISING).sqrt();
        kernels.iter_mut().for_each(|value| *value = ((f64::from(*value) - mean) * factor) as f32);
    }
}

fn scale_scalars(stem: &mut Layer, shape: &NetworkShape) {
    let kernel = stem.shape[2] * stem.shape[3];
    for kernels in stem.weight.chunks_exact_mut(shape.channels * kernel) {
        kernels[(shape.channels - shape.scalars) * kernel..].iter_mut().for_each(|value| *value *= SCALAR_SCALE);
    }
}
