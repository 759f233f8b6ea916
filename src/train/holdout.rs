//! What the playing weights make of rows that were not trained on.

use tch::Kind;

use super::{
    error::TrainError,
    losses::{LossValues, Losses},
    trainer::Trainer,
};
use crate::{
    data::TrainingBatch,
    model::{Network, one_thread},
};

/// Losses and values on rows held out of training.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOut {
    /// Means over the rows that would teach each head.
    pub losses: LossValues,
    pub values: Vec<HeldOutValue>,
}

/// The value of a row whose game came to a result, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOutValue {
    /// Ply of the row in its game, from 0.
    pub ply: u32,
    /// The network's win less loss, in [-1, 1].
    pub predicted: f64,
    /// -1, 0 or 1.
    pub result: f64,
}

impl Trainer {
    /// What the weights that play ([`playing_weights`](Trainer::playing_weights)) make of rows from which nothing is
    /// learnt.
    ///
    /// # Errors
    /// When a batch does not fit the network or itself, or libtorch fails.
    pub fn held_out(&self, batches: &[TrainingBatch]) -> Result<HeldOut, TrainError> {
        one_thread();
        let network =
            tch::no_grad(|| Network::new(&self.playing_weights()?, self.device())?.fold().map_err(TrainError::from))?;
        let mut preparation = self.preparation();
        let (mut parts, mut values) = (Vec::new(), Vec::new());
        for batch in batches {
            let prepared = preparation.prepare(batch)?;
            let (losses, wdl) = tch::no_grad(|| {
                let heads = network.to_kind(prepared.planes.kind())?.forward(&prepared.planes)?;
                let losses = Losses::new(&self.config, &heads, &prepared.targets, prepared.teaching)?.values()?;
                let wdl = heads.wdl.f_softmax(1, Kind::Float)?.f_to_device(tch::Device::Cpu)?.f_flatten(0, 1)?;
                Ok::<_, TrainError>((losses, Vec::<f32>::try_from(wdl)?))
            })?;
            parts.push((losses, prepared.teaching));
            for (row, wdl) in wdl.chunks_exact(3).enumerate().filter(|&(row, _)| batch.has_result[row]) {
                let [win, _, loss] = batch.wdl[row].to_array();
                let predicted = f64::from(wdl[0] - wdl[2]);
                values.push(HeldOutValue { ply: batch.plies[row], predicted, result: f64::from(win - loss) });
            }
        }
        Ok(HeldOut { losses: LossValues::mean(&parts), values })
    }
}
