//! The gradient of a batch: shared out among threads by rows.
//!
//! libtorch could share each operation out instead, but its threads wait for one another by spinning after every one of them: slower on an idle
//! machine, and slower by an order of magnitude on a busy one.

use std::{panic::resume_unwind, thread};

use tch::Tensor;

use super::{
    config::TrainConfig,
    losses::{LossValues, Losses},
    targets::Targets,
};
use crate::model::Network;

/// The gradient `[N]` of the total loss by the network's weights, and the losses, for planes `[B, C, H, W]`. The bits depend on `threads`.
pub fn gradient(
    config: &TrainConfig,
    network: &Network,
    planes: &Tensor,
    targets: &Targets,
    threads: usize,
) -> (Tensor, LossValues) {
    let rows = planes.size()[0] as usize;
    let share = rows.div_ceil(threads);
    let (rows_whole, learnt_whole) = (rows as f64, targets.learnt());
    let part = |network: Network, planes: Tensor, targets: Targets| {
        one_thread();
        let losses = Losses::new(config, &network.fold().forward(&planes), &targets, rows_whole, learnt_whole);
        let gradient = Tensor::run_backward(&[&losses.total], &[network.parameters()], false, false).remove(0);
        (gradient, losses.values())
    };
    let parts: Vec<_> = thread::scope(|scope| {
        let spawned: Vec<_> = (0..rows)
            .step_by(share)
            .map(|first| {
                let (first, count) = (first as i64, share.min(rows - first) as i64);
                let (network, planes) = (network.shallow_clone(), planes.narrow(0, first, count));
                let targets = targets.narrow(first, count);
                scope.spawn(move || part(network, planes, targets))
            })
            .collect();
        spawned.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    parts.into_iter().reduce(|(a, x), (b, y)| (a + b, x + y)).expect("a batch has rows")
}

/// Keeps libtorch from sharing out the calling thread's operations.
pub fn one_thread() {
    if tch::get_num_threads() != 1 {
        tch::set_num_threads(1);
    }
}
