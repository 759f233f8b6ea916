//! Between the action space, all of whose indices a network scores, and the legal actions of a position.

use crate::game::{Encode, Game};

/// Replaces the content of `out` by the indices of a position's legal actions, in their order.
pub fn action_indices<R: Encode>(game: &Game<R>, position: &R::Position, legal: &[R::Action], out: &mut Vec<u32>) {
    out.clear();
    out.extend(legal.iter().map(|&action| game.rules().action_index(position, action) as u32));
}

/// Replaces the content of `out` by the softmax of `logits`, `[A]`, over `indices` alone: `out[i]` is the prior of the
/// action with index `indices[i]`. The priors sum to one; finite logits of any size neither overflow nor divide by
/// zero.
///
/// # Panics
/// When an index is beyond the logits.
pub fn priors(logits: &[f32], indices: &[u32], out: &mut Vec<f32>) {
    out.clear();
    out.extend(indices.iter().map(|&index| logits[index as usize]));
    // The largest exponent is 0, so that the sum is at least 1.
    let largest = out.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for value in out.iter_mut() {
        *value = (*value - largest).exp();
        sum += *value;
    }
    for value in out.iter_mut() {
        *value /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_the_softmax_over_legal_actions_alone() {
        let logits = [0.0, 1e30, 3.0f32.ln(), 7.0];
        let mut out = vec![9.0];
        priors(&logits, &[2, 0], &mut out);
        assert_eq!(out.len(), 2);
        assert!((out[0] - 0.75).abs() < 1e-6 && (out[1] - 0.25).abs() < 1e-6, "{out:?}");
    }

    #[test]
    fn large_logits_neither_overflow_nor_vanish() {
        let mut out = Vec::new();
        priors(&[3e38, 3e38, -3e38], &[0, 1, 2], &mut out);
        assert_eq!(out, [0.5, 0.5, 0.0]);
        priors(&[-3e38, -3e38], &[0, 1], &mut out);
        assert_eq!(out, [0.5, 0.5]);
        priors(&[1.0], &[], &mut out);
        assert!(out.is_empty());
    }
}
