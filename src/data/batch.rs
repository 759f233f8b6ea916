//! What the training step reads.

use crate::{
    encode::Rows,
    game::{Layout, Wdl},
};

/// A training batch of B rows in the packed form. Everything is from the point of view of the side to move of its row.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingBatch {
    /// The encoded positions, `[B]` packed rows.
    pub rows: Rows,
    /// Action indices of the legal actions of all rows, one row after the other.
    pub legal: Vec<u32>,
    /// Policy targets beside [`legal`](Self::legal): the probability of each action; those of one row add up to 1.
    pub policy: Vec<f32>,
    /// `[B + 1]`: row `i` owns entries `offsets[i]..offsets[i + 1]` of the two above.
    pub offsets: Vec<usize>,
    /// `[B]`: how the game ended, as probabilities of win, draw and loss: one of them is 1.
    pub wdl: Vec<Wdl>,
    /// `[B]`: what this and later searches of the game made of the position (its lambda-return), as probabilities of
    /// win, draw and loss.
    pub search_wdl: Vec<Wdl>,
    /// `[B]`: plies until the end of the game, at least 1.
    pub moves_left: Vec<f32>,
    /// `[B]`: 1 where the rules ended the game, 0 where something else did before them: its plies are no target.
    pub moves_left_mask: Vec<f32>,
    /// `[B]`: 1 where the policy target is to be learnt (a full search), 0 where it is not (a cheap one).
    pub policy_mask: Vec<f32>,
    /// `[B]`: whether the game came to a result rather than being cut off.
    pub has_result: Vec<bool>,
    /// `[B]`: ply of each row in its game, from 0.
    pub plies: Vec<u32>,
}

impl TrainingBatch {
    /// A batch without rows.
    pub fn new(layout: &'static Layout) -> Self {
        TrainingBatch {
            rows: Rows::new(layout),
            legal: Vec::new(),
            policy: Vec::new(),
            offsets: vec![0],
            wdl: Vec::new(),
            search_wdl: Vec::new(),
            moves_left: Vec::new(),
            moves_left_mask: Vec::new(),
            policy_mask: Vec::new(),
            has_result: Vec::new(),
            plies: Vec::new(),
        }
    }

    /// Number of rows B.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
