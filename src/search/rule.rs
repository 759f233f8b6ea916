//! The seam between the search and its rules of selection: which action to visit, which to play, what to teach.
//!
//! A new rule is a type that is a [`Rule`], a variant of [`Selection`](super::selection::Selection) and a
//! [`Mode`](super::Mode).

use super::{SearchConfig, tree::Edge, utility::Choices};
use crate::game::random::Rng;

/// How a search chooses. An answer is a place among the edges of the choices: `None` when no action is left to choose.
/// `scratch` is memory to work in, whose content means nothing.
pub(super) trait Rule {
    /// Makes ready for a search of a root with `actions` legal actions, and draws the root's noise. `kept` are the
    /// root's edges as an earlier search left them, empty for a new tree.
    fn begin<A>(&mut self, config: &SearchConfig, actions: usize, kept: &[Edge<A>], rng: &mut Rng);

    /// The root's noise, `[legal actions]`.
    fn noise_mut(&mut self) -> &mut [f32];

    /// The action of the root to visit at playout number `playout` of the search.
    fn select_root<P, A>(
        &self,
        config: &SearchConfig,
        playout: u32,
        choices: &Choices<'_, P, A>,
        scratch: &mut Vec<f32>,
    ) -> Option<u32>;

    /// The action to visit below the root.
    fn select<P, A>(&self, config: &SearchConfig, choices: &Choices<'_, P, A>, scratch: &mut Vec<f32>) -> Option<u32>;

    /// Replaces the content of `out` by the training target at the root: a distribution over the actions that `keep`
    /// lets through, 0 elsewhere.
    fn policy<P, A>(
        &self,
        config: &SearchConfig,
        choices: &Choices<'_, P, A>,
        keep: impl Fn(&Edge<A>) -> bool,
        out: &mut Vec<f32>,
    );

    /// The action of the root to play, among those that `keep` lets through.
    fn winner<P, A>(
        &self,
        config: &SearchConfig,
        choices: &Choices<'_, P, A>,
        keep: impl Fn(&Edge<A>) -> bool,
    ) -> Option<u32>;
}
