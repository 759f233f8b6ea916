//! A larger network that says what a smaller one says, to go on learning from there (the idea of Chen, Goodfellow and
//! Shlens 2016, "Net2Net"). There new channels are copies of old ones; here they are random, and nothing hears them yet.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    architecture::{Architecture, Parameter},
    config::ModelConfig,
    weights::Weights,
};
use crate::game::FieldError;

impl Weights {
    /// A network of the size `large` that answers as this one does, up to rounding. New channels and units are random,
    /// by `seed`, and begin with weight 0 in all that was there before; new blocks come last, and begin as nothing.
    ///
    /// # Errors
    /// `field: expected X, found Y` for a size that is smaller, or another way of pooling.
    ///
    /// # Panics
    /// When the networks' inputs and outputs are not of one shape.
    pub fn grown(&self, large: Arc<Architecture>, seed: u64) -> Result<Weights, FieldError> {
        let small = self.architecture();
        assert_eq!(small.shape(), large.shape(), "networks of one game");
        check(small.config(), large.config())?;
        let mut known = BTreeMap::new();
        let mut rest = self.values();
        for parameter in small.parameters() {
            let (values, after) = rest.split_at(parameter.len());
            known.insert(parameter.name.as_str(), (parameter, values));
            rest = after;
        }
        let mut values = Weights::random(large.clone(), seed).values().to_vec();
        let mut rest = values.as_mut_slice();
        for parameter in large.parameters() {
            let (target, after) = rest.split_at_mut(parameter.len());
            rest = after;
            match known.get(parameter.name.as_str()) {
                Some(&(old, source)) => {
                    let parts = parts(old, parameter, [small.config(), large.config()]);
                    let layer = parameter.name.strip_suffix(".weight");
                    let is_standardised =
                        layer.is_some_and(|layer| known.contains_key(format!("{layer}.gain").as_str()));
                    inherit(target, source, old.shape[0], &parts, is_standardised);
                }
                // The end of a new block.
                None if parameter.name.ends_with("conv2.gain") => target.fill(0.0),
                None => {}
            }
        }
        Ok(Weights::new(large, values))
    }
}

/// Sees that no size is smaller and all else the same.
fn check(small: &ModelConfig, large: &ModelConfig) -> Result<(), FieldError> {
    let sizes = [
        ("blocks", small.blocks, large.blocks),
        ("channels", small.channels, large.channels),
        ("policy_channels", small.policy_channels, large.policy_channels),
        ("value_channels", small.value_channels, large.value_channels),
        ("value_hidden", small.value_hidden, large.value_hidden),
    ];
    if let Some((field, least, found)) = sizes.into_iter().find(|(_, small, large)| large < small) {
        return Err(FieldError::new(field, format!("at least {least}"), found));
    }
    if small.pooling != large.pooling {
        return Err(FieldError::new("pooling", format!("{:?}", small.pooling), format!("{:?}", large.pooling)));
    }
    if small.pooling_every != large.pooling_every {
        return Err(FieldError::new("pooling_every", small.pooling_every, large.pooling_every));
    }
    Ok(())
}

/// How many values an output of a weight has in the small and in the large network, for each part of the layer's
/// inputs: what pooling gives are means of all channels and then their maxima, and to the value head counts besides.
fn parts(small: &Parameter, large: &Parameter, [before, after]: [&ModelConfig; 2]) -> Vec<[usize; 2]> {
    let all = [small, large].map(|parameter| parameter.shape[1..].iter().product());
    let trunk = [before.channels, after.channels];
    let value = [before.value_channels, after.value_channels];
    match small.name.as_str() {
        "value.hidden.weight" => vec![value, value, [all[0] - 2 * value[0], all[1] - 2 * value[1]]],
        name if name.ends_with("pool.weight") => vec![trunk, trunk],
        _ => vec![all],
    }
}

/// Writes the values of `outputs` outputs into the first of `target`, with 0 for inputs that are new. A kernel that is
/// to be standardised is centred first: then zeros change neither its mean nor the sum of its squares.
fn inherit(target: &mut [f32], source: &[f32], outputs: usize, parts: &[[usize; 2]], is_standardised: bool) {
    let [small, large] = [0, 1].map(|network| parts.iter().map(|part| part[network]).sum::<usize>());
    for (target, source) in target.chunks_exact_mut(large).zip(source.chunks_exact(small)).take(outputs) {
        let sum: f64 = source.iter().map(|&value| f64::from(value)).sum();
        let mean = if is_standardised { (sum / small as f64) as f32 } else { 0.0 };
        target.fill(0.0);
        let (mut from, mut to) = (0, 0);
        for [small, large] in parts {
            let old = &source[from..from + small];
            target[to..to + small].iter_mut().zip(old).for_each(|(new, &old)| *new = old - mean);
            (from, to) = (from + small, to + large);
        }
    }
}
