//! Gumbel AlphaZero: planning as policy improvement (Danihelka, Guez, Schrittwieser, Silver: "Policy improvement by
//! planning with Gumbel", ICLR 2022).
//!
//! Ties go to the first action in the order of the rules. With no proofs in the tree the choices are those of mctx
//! 0.0.71, tree for tree, with one difference by design: "every action" means every legal action, while mctx completes
//! and rescales q over the whole action space.

use rand_distr::Distribution;

use super::{SearchConfig, rule::Rule, solver::worth_playing, tree::Edge, utility::Choices};
use crate::game::random::Rng;

/// Appends `count` draws of standard Gumbel noise.
fn draw_noise(count: usize, rng: &mut Rng, out: &mut Vec<f32>) {
    let gumbel = rand_distr::Gumbel::new(0.0_f64, 1.0).expect("a scale of 1 is valid");
    out.extend((0..count).map(|_| gumbel.sample(rng) as f32));
}

/// Replaces the content of `out` by the order of sequential halving: at playout i, one of the actions with `out[i]`
/// visits is visited. Starts with `considered` actions and halves them down to two, which share what is left.
fn schedule(considered: u32, playouts: u32, out: &mut Vec<u32>) {
    out.clear();
    let playouts = playouts as usize;
    if considered <= 1 {
        out.extend(0..playouts as u32);
        return;
    }
    let phases = considered.next_power_of_two().trailing_zeros() as usize;
    let mut remaining = considered as usize;
    let mut visits = 0;
    while out.len() < playouts {
        let rounds = (playouts / (phases * remaining)).max(1);
        for _ in 0..rounds {
            let room = playouts - out.len();
            out.extend(std::iter::repeat_n(visits, remaining.min(room)));
            visits += 1;
        }
        remaining = (remaining / 2).max(2);
    }
}

/// Replaces the content of `out` by sigma(completed q) of each action: q where something is known, the mixed value
/// elsewhere, times (c_visit + max_b N(b)) * c_scale. Actions that `keep` holds back have no say in the others' numbers: a
/// proven loss must not squeeze the rest of them together.
fn completed_q<P, A>(
    config: &SearchConfig,
    choices: &Choices<'_, P, A>,
    keep: impl Fn(&Edge<A>) -> bool,
    out: &mut Vec<f32>,
) {
    let edges = choices.edges;
    let missing = choices.mixed(&keep);
    out.clear();
    out.extend(edges.iter().map(|edge| choices.of(edge).unwrap_or(missing)));
    if config.rescale_values {
        let kept = || edges.iter().zip(&*out).filter(|(edge, _)| keep(edge)).map(|(_, &q)| q);
        let least = kept().fold(f32::INFINITY, f32::min);
        let most = kept().fold(f32::NEG_INFINITY, f32::max);
        let range = (most - least).max(1e-8);
        out.iter_mut().for_each(|q| *q = (*q - least) / range);
    }
    let most_visits = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
    let scale = (config.c_visit + most_visits as f32) * config.c_scale;
    out.iter_mut().for_each(|q| *q *= scale);
}

/// Replaces the content of `out` by the improved policy, softmax(logits + sigma(completed q)), over the actions that
/// `keep` lets through; 0 elsewhere.
fn improved_policy<P, A>(
    config: &SearchConfig,
    choices: &Choices<'_, P, A>,
    keep: impl Fn(&Edge<A>) -> bool,
    out: &mut Vec<f32>,
) {
    completed_q(config, choices, &keep, out);
    let mut most = f32::NEG_INFINITY;
    for (edge, score) in choices.edges.iter().zip(out.iter_mut()) {
        *score = if keep(edge) { *score + edge.logit } else { f32::NEG_INFINITY };
        most = most.max(*score);
    }
    let mut total = 0.0;
    for score in out.iter_mut() {
        *score = (*score - most).exp();
        total += *score;
    }
    out.iter_mut().for_each(|p| *p /= total);
}

/// The rule, with the root's noise and how far sequential halving has come.
#[derive(Clone, Debug, Default)]
pub(super) struct Gumbel {
    /// g(a), `[legal actions]`, before `gumbel_scale`.
    noise: Vec<f32>,
    /// Visits of each action that an earlier search left behind: they sharpen q, and do not count for the halving.
    visits_before: Vec<u32>,
    /// Visits of the actions that each playout picks from.
    schedule: Vec<u32>,
}

impl Gumbel {
    fn leader<P, A>(
        &self,
        config: &SearchConfig,
        visits: u32,
        choices: &Choices<'_, P, A>,
        keep: impl Fn(&Edge<A>) -> bool,
        scratch: &mut Vec<f32>,
    ) -> Option<u32> {
        /// Keeps a considered action ahead of none at all, however small its logit.
        const LEAST_SCORE: f32 = -1e9;
        completed_q(config, choices, &keep, scratch);
        let edges = choices.edges;
        let most_logit = edges.iter().map(|edge| edge.logit).fold(f32::NEG_INFINITY, f32::max);
        let mut best: Option<(usize, u32, f32)> = None;
        for (i, edge) in edges.iter().enumerate().filter(|(_, edge)| keep(edge)) {
            let distance = (edge.tries() - self.visits_before[i]).abs_diff(visits);
            let score = config.gumbel_scale * self.noise[i] + (edge.logit - most_logit) + scratch[i];
            let score = score.max(LEAST_SCORE);
            let leads = |&(_, least, most): &(usize, u32, f32)| distance < least || distance == least && score > most;
            if best.as_ref().is_none_or(leads) {
                best = Some((i, distance, score));
            }
        }
        best.map(|(i, _, _)| i as u32)
    }
}

impl Rule for Gumbel {
    fn begin<A>(&mut self, config: &SearchConfig, actions: usize, kept: &[Edge<A>], rng: &mut Rng) {
        self.noise.clear();
        if config.gumbel_scale > 0.0 {
            draw_noise(actions, rng, &mut self.noise);
        } else {
            self.noise.resize(actions, 0.0);
        }
        let considered = config.considered_actions.min(actions as u32);
        schedule(considered, config.playouts, &mut self.schedule);
        self.visits_before.clear();
        self.visits_before.extend(kept.iter().map(|edge| edge.visits));
        self.visits_before.resize(actions, 0);
    }

    fn noise_mut(&mut self) -> &mut [f32] {
        &mut self.noise
    }

    /// Among the actions as often visited as the schedule says, the one with the best g + logit + sigma(q).
    ///
    /// Proofs take actions out of the race, so none may be left with that many visits; then those nearest to it are
    /// considered.
    fn select_root<P, A>(
        &self,
        config: &SearchConfig,
        playout: u32,
        choices: &Choices<'_, P, A>,
        scratch: &mut Vec<f32>,
    ) -> Option<u32> {
        let visits = self.schedule[playout as usize];
        self.leader(config, visits, choices, |edge| worth_playing(config, edge), scratch)
    }

    /// The action whose share of visits is furthest below its improved probability (section 5 of the paper).
    fn select<P, A>(&self, config: &SearchConfig, choices: &Choices<'_, P, A>, scratch: &mut Vec<f32>) -> Option<u32> {
        improved_policy(config, choices, |edge| worth_playing(config, edge), scratch);
        let edges = choices.edges;
        let visits: u32 = edges.iter().map(Edge::tries).sum();
        let total = (1 + visits) as f32;
        let deficits = edges.iter().zip(scratch.iter()).map(|(edge, p)| p - edge.tries() as f32 / total);
        let mut best = None;
        for (i, (deficit, edge)) in deficits.zip(edges).enumerate() {
            if worth_playing(config, edge) && best.is_none_or(|(_, most)| deficit > most) {
                best = Some((i as u32, deficit));
            }
        }
        best.map(|(i, _)| i)
    }

    /// The improved policy.
    fn policy<P, A>(
        &self,
        config: &SearchConfig,
        choices: &Choices<'_, P, A>,
        keep: impl Fn(&Edge<A>) -> bool,
        out: &mut Vec<f32>,
    ) {
        improved_policy(config, choices, keep, out);
    }

    /// The winner of sequential halving: the best of the most visited actions.
    fn winner<P, A>(
        &self,
        config: &SearchConfig,
        choices: &Choices<'_, P, A>,
        keep: impl Fn(&Edge<A>) -> bool,
    ) -> Option<u32> {
        let edges = choices.edges;
        let visits =
            edges.iter().zip(&self.visits_before).filter(|(edge, _)| keep(edge)).map(|(edge, b)| edge.visits - b);
        let most = visits.max()?;
        self.leader(config, most, choices, keep, &mut Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::schedule;

    fn of(considered: u32, playouts: u32) -> Vec<u32> {
        let mut out = Vec::new();
        schedule(considered, playouts, &mut out);
        out
    }

    #[test]
    fn halving_visits_each_survivor_equally() {
        assert_eq!(of(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
        assert_eq!(of(1, 3), [0, 1, 2]);
        assert_eq!(of(8, 5), [0, 0, 0, 0, 0]);
        assert_eq!(of(3, 10), [0, 0, 0, 1, 1, 2, 2, 3, 3, 4]);
        assert_eq!(of(16, 64).len(), 64);
    }
}
