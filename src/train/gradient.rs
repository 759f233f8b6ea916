//! The gradient of a batch: shared out among threads by rows.
//!
//! libtorch could share each operation out instead, but its threads wait for one another by spinning after every one of
//! them: slower on an idle machine, and slower by an order of magnitude on a busy one.

use std::{panic::resume_unwind, thread};

use tch::{TchError, Tensor};

use super::{
    config::TrainConfig,
    losses::{LossValues, Losses},
    prepared::PreparedBatch,
    targets::Targets,
};
use crate::model::{Network, one_thread};

/// The gradient `[N]` of the total loss by the network's weights, and the losses. The bits depend on `threads`.
///
/// The network computes in the kind of number of the batch's planes. The weights, and so their gradient, are in 32 bits
/// all the same: a step is often smaller than what 16 bits can add to a weight.
///
/// # Errors
/// When libtorch fails, as when memory runs out.
pub fn gradient(
    config: &TrainConfig,
    network: &Network,
    batch: &PreparedBatch,
    threads: usize,
) -> Result<(Tensor, LossValues), TchError> {
    let (rows, teaching) = (batch.rows(), batch.teaching);
    let share = rows.div_ceil(threads);
    let part = |network: Network, planes: Tensor, targets: Targets| {
        one_thread();
        let heads = network.fold()?.to_kind(planes.kind())?.forward(&planes)?;
        let losses = Losses::new(config, &heads, &targets, teaching)?;
        let gradient = Tensor::f_run_backward(&[&losses.total], &[network.parameters()], false, false)?.remove(0);
        Ok((gradient, losses.values()?))
    };
    let parts: Vec<_> = thread::scope(|scope| {
        let spawned = (0..rows).step_by(share).map(|first| {
            let (first, count) = (first as i64, share.min(rows - first) as i64);
            let (network, planes) = (network.shallow_clone(), batch.planes.f_narrow(0, first, count)?);
            let targets = batch.targets.narrow(first, count)?;
            Ok(scope.spawn(move || part(network, planes, targets)))
        });
        let spawned = spawned.collect::<Result<Vec<_>, TchError>>()?;
        let join = spawned.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        join.collect::<Result<_, TchError>>()
    })?;
    let sum = |(a, x): (Tensor, LossValues), (b, y): (Tensor, LossValues)| Ok((a.f_add(&b)?, x + y));
    let mut parts = parts.into_iter();
    let first = parts.next().expect("a batch has rows");
    parts.try_fold(first, sum)
}
