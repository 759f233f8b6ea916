//! What the network that plays makes of rows that were not trained on.

use tch::{Device, Kind, Tensor};

use super::{
    config::TrainConfig,
    error::TrainError,
    losses::{LossValues, Losses},
    prepared::{Preparation, PreparedBatch},
    trainer::Trainer,
};
use crate::{
    data::TrainingBatch,
    model::{Evaluations, Evaluator, Heads, MOVES_LEFT_SCALE, Network, NetworkShape, Precision, one_thread},
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
        held_out(&self.config, self.preparation(), batches, |_, prepared| {
            Ok(network.to_kind(prepared.planes.kind())?.forward(&prepared.planes)?)
        })
    }
}

impl HeldOut {
    /// The same of any network as it plays: of `evaluator`, whose calls take a whole batch.
    ///
    /// # Errors
    /// When a batch does not fit the network or itself, or the evaluator or libtorch fails.
    pub fn of(
        config: &TrainConfig,
        shape: NetworkShape,
        evaluator: &mut dyn Evaluator,
        batches: &[TrainingBatch],
    ) -> Result<HeldOut, TrainError> {
        let config = TrainConfig { precision: Precision::F32, ..config.clone() };
        let mut out = Evaluations::default();
        let [height, width] = [shape.height, shape.width].map(|size| size as i64);
        held_out(&config, Preparation::new(&config, shape, Device::Cpu), batches, |batch, _| {
            evaluator.evaluate(&batch.rows, &mut out)?;
            let rows = batch.len() as i64;
            let policy: Vec<f32> = (0..batch.len()).flat_map(|row| out.logits.to_vec(row)).collect();
            let wdl: Vec<f32> = out.wdl.iter().flat_map(|wdl| wdl.to_array()).collect();
            let least = f64::from(f32::MIN_POSITIVE);
            Ok(Heads {
                policy: Tensor::f_from_slice(&policy)?.f_view([rows, -1, height, width])?,
                wdl: Tensor::f_from_slice(&wdl)?.f_view([rows, 3])?.f_clamp_min(least)?.f_log()?,
                moves_left: Tensor::f_from_slice(&out.moves_left)?.f_div_scalar(MOVES_LEFT_SCALE)?,
            })
        })
    }
}

/// Losses and values of what `forward` says of each batch.
fn held_out(
    config: &TrainConfig,
    mut preparation: Preparation,
    batches: &[TrainingBatch],
    mut forward: impl FnMut(&TrainingBatch, &PreparedBatch) -> Result<Heads, TrainError>,
) -> Result<HeldOut, TrainError> {
    let (mut parts, mut values) = (Vec::new(), Vec::new());
    for batch in batches {
        let prepared = preparation.prepare(batch)?;
        let (losses, wdl) = tch::no_grad(|| {
            let heads = forward(batch, &prepared)?;
            let losses = Losses::new(config, &heads, &prepared.targets, prepared.teaching)?.values()?;
            let wdl = heads.wdl.f_softmax(1, Kind::Float)?.f_to_device(Device::Cpu)?.f_flatten(0, 1)?;
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
