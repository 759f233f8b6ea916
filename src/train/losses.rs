//! The loss of each head, and what they come to.

use tch::{Kind, Reduction, Tensor};

use super::{config::TrainConfig, targets::Targets};
use crate::model::{Heads, MOVES_LEFT_SCALE};

/// Stands for minus infinity, and unlike it gives 0 when multiplied by 0.
const IMPOSSIBLE: f64 = -1e9;

/// Losses of a batch as tensors that gradients flow from; each a mean over rows.
#[derive(Debug)]
pub struct Losses {
    /// Weighted sum of the three below.
    pub total: Tensor,
    /// Cross-entropy of the policy over the legal actions, over rows whose policy is to be learnt.
    pub policy: Tensor,
    /// Cross-entropy of win, draw and loss.
    pub value: Tensor,
    /// Huber loss of plies until the end over [`MOVES_LEFT_SCALE`].
    pub moves_left: Tensor,
    /// `policy` less the entropy of its targets: 0 when learnt perfectly.
    pub policy_kl: Tensor,
    /// Entropy of the network's policy over the legal actions, over the same rows as `policy`.
    pub policy_entropy: Tensor,
}

impl Losses {
    pub fn new(config: &TrainConfig, heads: &Heads, targets: &Targets) -> Self {
        let logits = heads.policy.gather(1, &targets.legal, false).masked_fill(&targets.filler, IMPOSSIBLE);
        let log_policy = logits.log_softmax(1, Kind::Float);
        let learnt = targets.policy_mask.sum(Kind::Float).clamp_min(1.0);
        let mean = |rows: Tensor| (rows * &targets.policy_mask).sum(Kind::Float) / &learnt;
        let policy = mean(-(&targets.policy * &log_policy).sum_dim_intlist(1, false, Kind::Float));
        let policy_kl = &policy - mean(targets.policy_entropy());
        let policy_entropy = mean(-(log_policy.exp() * &log_policy).sum_dim_intlist(1, false, Kind::Float));

        let log_wdl = heads.wdl.log_softmax(1, Kind::Float);
        let value = -(&targets.wdl * log_wdl).sum_dim_intlist(1, false, Kind::Float).mean(Kind::Float);
        let moves_left = (heads.moves_left).huber_loss(&(&targets.moves_left / MOVES_LEFT_SCALE), Reduction::Mean, 1.0);

        let total = &policy * config.policy_loss_weight
            + &value * config.value_loss_weight
            + &moves_left * config.moves_left_loss_weight;
        Losses { total, policy, value, moves_left, policy_kl, policy_entropy }
    }

    /// All six, in the order of the fields, in one transfer from the device.
    pub fn values(&self) -> [f64; 6] {
        let all = [&self.total, &self.policy, &self.value, &self.moves_left, &self.policy_kl, &self.policy_entropy];
        let mut values = [0.0; 6];
        Tensor::stack(&all, 0).detach().to_kind(Kind::Double).copy_data(&mut values, 6);
        values
    }
}
