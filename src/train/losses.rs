//! The loss of each head, and what they come to.

use std::ops::Add;

use serde::Serialize;
use tch::{Device, Kind, Reduction, Tensor};

use super::{config::TrainConfig, targets::Targets};
use crate::model::{Heads, MOVES_LEFT_SCALE};

/// Stands for minus infinity, and unlike it gives 0 when multiplied by 0.
const IMPOSSIBLE: f64 = -1e9;

/// Losses of some rows of a batch as tensors that gradients flow from, scaled so that those of all its rows add up to
/// means over the batch.
#[derive(Debug)]
pub struct Losses {
    /// Weighted sum of the policy, value and moves-left losses.
    pub total: Tensor,
    /// In the order of the fields of [`LossValues`].
    all: [Tensor; 6],
}

/// How many rows of a batch teach each head.
#[derive(Clone, Copy, Debug)]
pub struct TeachingRows {
    /// Rows of the batch, all of which teach the value.
    pub all: f64,
    pub policy: f64,
    pub moves_left: f64,
}

/// Losses of a batch, each a mean over the rows that teach it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LossValues {
    /// Weighted sum of the next three.
    pub total: f64,
    /// Cross-entropy of the policy over the legal actions, over rows whose policy is to be learnt; nats.
    pub policy: f64,
    /// Cross-entropy of win, draw and loss; nats.
    pub value: f64,
    /// Huber loss of the plies until the end, in units of [`MOVES_LEFT_SCALE`], over rows of games that the rules ended.
    pub moves_left: f64,
    /// `policy` less the entropy of its targets, nats: 0 when learnt perfectly.
    pub policy_kl: f64,
    /// Entropy of the network's policy over the legal actions, over the same rows as `policy`; nats.
    pub policy_entropy: f64,
}

impl Losses {
    /// Losses of rows that belong to a batch with so many rows for each head: in 32 bits, whatever
    /// the network computes in.
    pub fn new(config: &TrainConfig, heads: &Heads, targets: &Targets, rows: TeachingRows) -> Self {
        let sum_actions = |terms: Tensor| terms.sum_dim_intlist(1, false, Kind::Float);
        // The logits that count are picked first: they are few, and turning all of them into 32 bits is not needed.
        let logits = heads.policy.gather(1, &targets.legal, false).to_kind(Kind::Float);
        let logits = logits.masked_fill(&targets.filler, IMPOSSIBLE);
        let log_policy = logits.log_softmax(1, Kind::Float);
        let mean_learnt = |values: Tensor| (values * &targets.policy_mask).sum(Kind::Float) / rows.policy.max(1.0);
        let policy = mean_learnt(-sum_actions(&targets.policy * &log_policy));
        let policy_kl = &policy + mean_learnt(sum_actions(targets.policy.xlogy(&targets.policy)));
        let policy_entropy = mean_learnt(-sum_actions(log_policy.exp() * &log_policy));

        let value =
            -(&targets.wdl * heads.wdl.to_kind(Kind::Float).log_softmax(1, Kind::Float)).sum(Kind::Float) / rows.all;
        let scaled = &targets.moves_left / MOVES_LEFT_SCALE;
        let errors = heads.moves_left.to_kind(Kind::Float).huber_loss(&scaled, Reduction::None, 1.0);
        let moves_left = (errors * &targets.moves_left_mask).sum(Kind::Float) / rows.moves_left.max(1.0);

        let total = &policy * config.policy_loss_weight
            + &value * config.value_loss_weight
            + &moves_left * config.moves_left_loss_weight;
        Losses { total: total.shallow_clone(), all: [total, policy, value, moves_left, policy_kl, policy_entropy] }
    }

    /// The numbers, in one transfer from the device.
    pub fn values(&self) -> LossValues {
        let mut values = [0.0; 6];
        Tensor::stack(&self.all, 0).detach().to_kind(Kind::Double).to_device(Device::Cpu).copy_data(&mut values, 6);
        let [total, policy, value, moves_left, policy_kl, policy_entropy] = values;
        LossValues { total, policy, value, moves_left, policy_kl, policy_entropy }
    }
}

impl LossValues {
    /// Means over all batches, from those of each and how many of its rows teach each head.
    pub(super) fn mean(parts: &[(LossValues, TeachingRows)]) -> LossValues {
        let mean = |of: fn(&LossValues) -> f64, rows: fn(&TeachingRows) -> f64| {
            let sum: f64 = parts.iter().map(|(losses, teaching)| of(losses) * rows(teaching)).sum();
            sum / parts.iter().map(|(_, teaching)| rows(teaching)).sum::<f64>().max(1.0)
        };
        LossValues {
            total: mean(|losses| losses.total, |rows| rows.all),
            policy: mean(|losses| losses.policy, |rows| rows.policy),
            value: mean(|losses| losses.value, |rows| rows.all),
            moves_left: mean(|losses| losses.moves_left, |rows| rows.moves_left),
            policy_kl: mean(|losses| losses.policy_kl, |rows| rows.policy),
            policy_entropy: mean(|losses| losses.policy_entropy, |rows| rows.policy),
        }
    }
}

impl Add for LossValues {
    type Output = LossValues;

    fn add(self, other: LossValues) -> LossValues {
        LossValues {
            total: self.total + other.total,
            policy: self.policy + other.policy,
            value: self.value + other.value,
            moves_left: self.moves_left + other.moves_left,
            policy_kl: self.policy_kl + other.policy_kl,
            policy_entropy: self.policy_entropy + other.policy_entropy,
        }
    }
}
