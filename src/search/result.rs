//! The result of a search.

use rand::Rng;

use super::{Mode, Proof};
use crate::game::Wdl;

/// Visits of an action up to which its part of a policy target is little more than a guess.
pub const FEW_VISITS: u32 = 2;

/// One legal action of the root. Values are seen by the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootAction<A> {
    pub action: A,
    /// The evaluator's probability among the legal actions, without noise.
    pub prior: f32,
    /// N(a), playouts through the action; those kept from an earlier search included.
    pub visits: u32,
    /// Q(a) in [-1, 1]: exact where `proof` is known, the playouts' mean where visited, and a guess from the others
    /// where not.
    pub q: f32,
    pub proof: Proof,
    /// Probability in the training target: the improved policy (Gumbel) or the share of visits (PUCT), over the actions
    /// that no proof rules out.
    pub policy: f32,
}

/// What a finished search knows of its root. Values are seen by the side to move there.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<A> {
    pub mode: Mode,
    /// Every legal action, in the order of the rules.
    pub actions: Vec<RootAction<A>>,
    /// Index of the action to play: the winner of sequential halving (Gumbel), the most visited (PUCT); in a solved
    /// position one that keeps its result, by the shortest way to a win or the longest to a loss.
    pub best: usize,
    /// Mean probability of win, draw and loss over the root's evaluation and the playouts; exact when `proof` is known.
    pub wdl: Wdl,
    /// What the evaluator alone says of the root.
    pub raw_wdl: Wdl,
    /// Mean of the expected plies until the game's end, counted from the root; exact along the proven line when `proof`
    /// is known.
    pub moves_left: f32,
    /// Whether the root is solved, and how.
    pub proof: Proof,
    /// Playouts of this search.
    pub playouts: u32,
    /// Evaluations that this search asked of the caller; the other playouts ended in proofs, ends of the game or the
    /// cache.
    pub evaluations: u32,
}

impl<A: Copy> SearchResult<A> {
    /// Win less loss of [`wdl`](SearchResult::wdl), in [-1, 1].
    pub fn value(&self) -> f32 {
        self.wdl.value()
    }

    /// Win less loss of [`raw_wdl`](SearchResult::raw_wdl), in [-1, 1].
    pub fn raw_value(&self) -> f32 {
        self.raw_wdl.value()
    }

    /// The action to play.
    pub fn best(&self) -> &RootAction<A> {
        &self.actions[self.best]
    }

    /// Divergence KL of the training target from the evaluator's policy, in nats: how much the search found out.
    pub fn divergence(&self) -> f32 {
        let actions = self.actions.iter().filter(|action| action.policy > 0.0);
        let terms = actions.map(|action| action.policy * (action.policy / action.prior.max(f32::MIN_POSITIVE)).ln());
        // A sum of nearly nothing may be rounded below 0.
        terms.sum::<f32>().max(0.0)
    }

    /// Entropy of the evaluator's policy over the legal actions, in nats.
    pub fn prior_entropy(&self) -> f32 {
        entropy(self.actions.iter().map(|action| action.prior))
    }

    /// Entropy of the training target, in nats.
    pub fn target_entropy(&self) -> f32 {
        entropy(self.policy())
    }

    /// The training target, `[legal actions]`, a distribution.
    pub fn policy(&self) -> impl Iterator<Item = f32> {
        self.actions.iter().map(|action| action.policy)
    }

    /// Index of an action drawn with probability proportional to `policy^(1 / temperature)`;
    /// [`best`](SearchResult::best) at temperature 0 and in a solved position.
    pub fn sample(&self, temperature: f32, rng: &mut impl Rng) -> usize {
        if temperature <= 0.0 || self.proof.is_known() {
            return self.best;
        }
        sample(self.policy(), temperature, rng).unwrap_or(self.best)
    }
}

/// Shannon's entropy of a distribution, in nats.
fn entropy(shares: impl Iterator<Item = f32>) -> f32 {
    let terms = shares.filter(|&share| share > 0.0).map(|share| -share * share.ln());
    // A sum of nearly nothing may be rounded below 0.
    terms.sum::<f32>().max(0.0)
}

/// Index drawn with probability proportional to `weights^(1 / temperature)`; weights of 0 are never drawn. `None` when
/// no weight is positive.
///
/// # Panics
/// In debug builds when `temperature` is not positive.
pub fn sample(weights: impl IntoIterator<Item = f32>, temperature: f32, rng: &mut impl Rng) -> Option<usize> {
    debug_assert!(temperature > 0.0, "temperature 0 is the most probable, which needs no chance");
    let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
    let most = weights.iter().copied().fold(0.0, f64::max);
    let powered = |weight: f64| if weight > 0.0 { (weight / most).powf(1.0 / f64::from(temperature)) } else { 0.0 };
    let total: f64 = weights.iter().copied().map(powered).sum();
    let mut left = rng.random::<f64>() * total;
    let mut last = None;
    for (i, weight) in weights.iter().copied().map(powered).enumerate().filter(|&(_, weight)| weight > 0.0) {
        last = Some(i);
        if left < weight {
            break;
        }
        left -= weight;
    }
    last
}
