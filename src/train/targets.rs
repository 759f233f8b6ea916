//! The targets of a batch, as tensors.

use tch::{Device, TchError, Tensor};

use super::error::TrainError;
use crate::{data::TrainingBatch, model::NetworkShape};

/// Targets of B rows; L is the most legal actions that a row of the batch has.
#[derive(Debug)]
pub(super) struct Targets {
    /// Places of the legal actions' logits in a row `[H, W, P]`, filled up with 0, `[B, L]`, 64-bit.
    pub legal: Tensor,
    /// True where `legal` is only filled up, `[B, L]`.
    pub filler: Tensor,
    /// Probabilities of the legal actions, `[B, L]`.
    pub policy: Tensor,
    /// 1 where the policy is to be learnt, else 0, `[B]`.
    pub policy_mask: Tensor,
    /// Win, draw, loss: the game's result mixed with the search's value, `[B, 3]`.
    pub wdl: Tensor,
    /// Plies until the end, `[B]`.
    pub moves_left: Tensor,
    /// 1 where they are to be learnt, else 0, `[B]`.
    pub moves_left_mask: Tensor,
}

impl Targets {
    /// `value_mix` is the share of the search's value in the value target; `shape` that of the network.
    ///
    /// # Errors
    /// When the batch's parts do not fit together, an action is beyond the action space, or libtorch fails.
    pub fn new(
        batch: &TrainingBatch,
        shape: &NetworkShape,
        value_mix: f64,
        device: Device,
    ) -> Result<Self, TrainError> {
        check_lengths(batch).map_err(TrainError::Batch)?;
        let (rows, actions) = (batch.len(), shape.actions());
        let squares = shape.height * shape.width;
        let longest = batch.offsets.windows(2).map(|row| row[1] - row[0]).max().unwrap_or(0).max(1);
        let mut legal = vec![0i64; rows * longest];
        let mut filler = vec![true; rows * longest];
        let mut policy = vec![0f32; rows * longest];
        for row in 0..rows {
            let first = row * longest;
            for (at, entry) in (first..).zip(batch.offsets[row]..batch.offsets[row + 1]) {
                let action = batch.legal[entry] as usize;
                if action >= actions {
                    let problem = format!("row {row}: expected actions below {actions}, found {action}");
                    return Err(TrainError::Batch(problem));
                }
                let place = action % squares * shape.action_planes + action / squares;
                (legal[at], filler[at], policy[at]) = (place as i64, false, batch.policy[entry]);
            }
            // A softmax needs something to sum; nothing is learnt from a row without actions.
            filler[first] = false;
        }
        let mix = value_mix as f32;
        let wdl: Vec<f32> = (batch.wdl.iter().zip(&batch.search_wdl))
            .flat_map(|(result, &search)| {
                result.zip_with(search, |result, search| result + mix * (search - result)).to_array()
            })
            .collect();
        let wide = |tensor: Tensor| tensor.f_view([rows as i64, -1])?.f_to_device(device);
        let long = |numbers: &[f32]| Tensor::f_from_slice(numbers)?.f_to_device(device);
        Ok(Targets {
            legal: wide(Tensor::f_from_slice(&legal)?)?,
            filler: wide(Tensor::f_from_slice(&filler)?)?,
            policy: wide(Tensor::f_from_slice(&policy)?)?,
            policy_mask: long(&batch.policy_mask)?,
            wdl: wide(Tensor::f_from_slice(&wdl)?)?,
            moves_left: long(&batch.moves_left)?,
            moves_left_mask: long(&batch.moves_left_mask)?,
        })
    }

    /// `count` rows from `first` on.
    ///
    /// # Errors
    /// When libtorch fails.
    pub fn narrow(&self, first: i64, count: i64) -> Result<Targets, TchError> {
        let part = |tensor: &Tensor| tensor.f_narrow(0, first, count);
        Ok(Targets {
            legal: part(&self.legal)?,
            filler: part(&self.filler)?,
            policy: part(&self.policy)?,
            policy_mask: part(&self.policy_mask)?,
            wdl: part(&self.wdl)?,
            moves_left: part(&self.moves_left)?,
            moves_left_mask: part(&self.moves_left_mask)?,
        })
    }
}

fn check_lengths(batch: &TrainingBatch) -> Result<(), String> {
    let rows = batch.len();
    let lengths = [
        ("wdl", batch.wdl.len(), rows),
        ("search_wdl", batch.search_wdl.len(), rows),
        ("moves_left", batch.moves_left.len(), rows),
        ("moves_left_mask", batch.moves_left_mask.len(), rows),
        ("policy_mask", batch.policy_mask.len(), rows),
        ("offsets", batch.offsets.len(), rows + 1),
        ("policy", batch.policy.len(), batch.legal.len()),
    ];
    for (field, found, expected) in lengths {
        if found != expected {
            return Err(format!("{field}: expected {expected} entries, found {found}"));
        }
    }
    let end = batch.legal.len();
    if !batch.offsets.is_sorted() || batch.offsets.last() != Some(&end) {
        return Err(format!("offsets: expected offsets that rise to {end}, found others"));
    }
    if rows == 0 { Err("expected at least one row, found none".to_owned()) } else { Ok(()) }
}
