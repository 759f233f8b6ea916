//! The loss of each head, and what they come to.

use std::ops::Add;

use serde::Serialize;
use tch::{Device, Kind, Reduction, TchError, Tensor};

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
    ///
    /// # Errors
    /// When libtorch fails, as when memory runs out; likewise below.
    pub fn new(config: &TrainConfig, heads: &Heads, targets: &Targets, rows: TeachingRows) -> Result<Self, TchError> {
        let sum_actions = |terms: Tensor| terms.f_sum_dim_intlist(1, false, Kind::Float);
        // The logits that count are picked first: they are few, and turning all of them into 32 bits is not needed.
        let logits = heads.policy.f_permute([0, 2, 3, 1])?.f_flatten(1, -1)?;
        let logits = logits.f_gather(1, &targets.legal, false)?.f_to_kind(Kind::Float)?;
        let logits = logits.f_masked_fill(&targets.filler, IMPOSSIBLE)?;
        let log_policy = logits.f_log_softmax(1, Kind::Float)?;
        let mean_learnt =
            |values: Tensor| values.f_mul(&targets.policy_mask)?.f_sum(Kind::Float)?.f_div_scalar(rows.policy.max(1.0));
        let policy = mean_learnt(sum_actions(targets.policy.f_mul(&log_policy)?)?.f_neg()?)?;
        let certain = mean_learnt(sum_actions(targets.policy.f_xlogy(&targets.policy)?)?)?;
        let policy_kl = policy.f_add(&certain)?;
        let policy_entropy = mean_learnt(sum_actions(log_policy.f_exp()?.f_mul(&log_policy)?)?.f_neg()?)?;

        let log_wdl = heads.wdl.f_to_kind(Kind::Float)?.f_log_softmax(1, Kind::Float)?;
        let value = targets.wdl.f_mul(&log_wdl)?.f_sum(Kind::Float)?.f_neg()?.f_div_scalar(rows.all)?;
        let scaled = targets.moves_left.f_div_scalar(MOVES_LEFT_SCALE)?;
        let errors = heads.moves_left.f_to_kind(Kind::Float)?.f_huber_loss(&scaled, Reduction::None, 1.0)?;
        let moves_left =
            errors.f_mul(&targets.moves_left_mask)?.f_sum(Kind::Float)?.f_div_scalar(rows.moves_left.max(1.0))?;

        let total = policy
            .f_mul_scalar(config.policy_loss_weight)?
            .f_add(&value.f_mul_scalar(config.value_loss_weight)?)?
            .f_add(&moves_left.f_mul_scalar(config.moves_left_loss_weight)?)?;
        let all = [total.shallow_clone(), policy, value, moves_left, policy_kl, policy_entropy];
        Ok(Losses { total, all })
    }

    /// The numbers, in one transfer from the device.
    pub fn values(&self) -> Result<LossValues, TchError> {
        let mut values = [0.0; 6];
        let all = Tensor::f_stack(&self.all, 0)?.f_detach()?.f_to_kind(Kind::Double)?.f_to_device(Device::Cpu)?;
        all.f_copy_data(&mut values, 6)?;
        let [total, policy, value, moves_left, policy_kl, policy_entropy] = values;
        Ok(LossValues { total, policy, value, moves_left, policy_kl, policy_entropy })
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
