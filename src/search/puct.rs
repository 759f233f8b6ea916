//! PUCT: the rule of AlphaZero (Silver et al. 2018), with first-play urgency for actions not visited yet.
//!
//! argmax_a Q(s, a) + c(s) P(s, a) sqrt(N(s)) / (1 + N(s, a)), with N(s) = 1 + sum_a N(s, a). Ties go to the first
//! action in the order of the rules. c(s) may follow the standard deviation of the values found below s, as in KataGo
//! (Wu, `docs/KataGoMethods.md` there): where values lie close together, small differences are what there is to go by.

use rand_distr::{Distribution, Gamma};

use super::{SearchConfig, rule::Rule, solver::worth_playing, tree::Edge, utility::Choices};
use crate::game::random::Rng;

/// Visits that the usual deviation counts as.
const PRIOR: f32 = 2.0;

/// Puts a draw from the symmetric Dirichlet distribution over `count` actions into `out`, which is empty.
fn draw_noise(alpha: f32, count: usize, rng: &mut Rng, out: &mut Vec<f32>) {
    let Ok(gamma) = Gamma::new(f64::from(alpha), 1.0) else {
        out.resize(count, 1.0 / count as f32);
        return;
    };
    let draws: Vec<f64> = (0..count).map(|_| gamma.sample(rng)).collect();
    let total: f64 = draws.iter().sum();
    if total > 0.0 {
        out.extend(draws.iter().map(|draw| (draw / total) as f32));
    } else {
        // A tiny alpha can underflow in every draw.
        out.resize(count, 1.0 / count as f32);
    }
}

/// The standard deviation of `visits` values with such a mean and sum of squares; near `usual` while they are few.
fn deviation(mean: f32, squares: f32, visits: f32, usual: f32) -> f32 {
    let variance = (squares - visits * mean * mean).max(0.0);
    ((variance + PRIOR * usual * usual) / (visits + PRIOR)).sqrt()
}

/// The action to visit. `noise` is mixed into the priors: a value an action at the root, empty below.
fn most_promising<P, A>(config: &SearchConfig, choices: &Choices<'_, P, A>, noise: &[f32]) -> Option<u32> {
    let Choices { node, edges, utility } = choices;
    let fraction = config.dirichlet_fraction;
    let prior = |i: usize, edge: &Edge<A>| match noise.get(i) {
        None => edge.prior,
        Some(noise) => (1.0 - fraction) * edge.prior + fraction * noise,
    };
    let (mut visits, mut value_sum, mut visited_priors) = (1, utility.of_node(node), 0.0);
    let mut plain_sum = node.raw_value();
    let mut under_way = 0;
    for (i, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.tries() > 0) {
        visits += edge.visits;
        under_way += edge.in_flight;
        value_sum += utility.sum(edge);
        plain_sum += edge.value_sum;
        visited_priors += prior(i, edge);
    }
    let visits = visits as f32;
    let unvisited = value_sum / visits - config.fpu_reduction * visited_priors.sqrt();
    let usual = config.c_puct_deviation;
    let spread = match usual > 0.0 {
        true => deviation(plain_sum / visits, node.square_sum, visits, usual) / usual,
        false => 1.0,
    };
    let visits = visits + under_way as f32;
    let c = config.c_puct_init + ((1.0 + visits + config.c_puct_base) / config.c_puct_base).ln();
    let exploration = c * spread * visits.sqrt();
    let mut best = None;
    for (i, edge) in edges.iter().enumerate().filter(|(_, edge)| worth_playing(config, edge)) {
        let score = choices.of(edge).unwrap_or(unvisited) + exploration * prior(i, edge) / (1 + edge.tries()) as f32;
        if best.is_none_or(|(_, most)| score > most) {
            best = Some((i as u32, score));
        }
    }
    best.map(|(i, _)| i)
}

/// The rule, with the root's noise.
#[derive(Clone, Debug, Default)]
pub(super) struct Puct {
    /// A share of the Dirichlet draw for each legal action of the root; zeros where there is to be no noise.
    noise: Vec<f32>,
}

impl Rule for Puct {
    fn begin<A>(&mut self, config: &SearchConfig, actions: usize, _: &[Edge<A>], rng: &mut Rng) {
        self.noise.clear();
        if config.dirichlet_fraction > 0.0 {
            draw_noise(config.dirichlet_alpha, actions, rng, &mut self.noise);
        } else {
            self.noise.resize(actions, 0.0);
        }
    }

    fn noise_mut(&mut self) -> &mut [f32] {
        &mut self.noise
    }

    fn select_root<P, A>(
        &self,
        config: &SearchConfig,
        _: u32,
        choices: &Choices<'_, P, A>,
        _: &mut Vec<f32>,
    ) -> Option<u32> {
        let noise = if config.dirichlet_fraction > 0.0 { self.noise.as_slice() } else { &[] };
        most_promising(config, choices, noise)
    }

    fn select<P, A>(&self, config: &SearchConfig, choices: &Choices<'_, P, A>, _: &mut Vec<f32>) -> Option<u32> {
        most_promising(config, choices, &[])
    }

    /// The share of visits of each action; the priors when none was visited.
    fn policy<P, A>(
        &self,
        _: &SearchConfig,
        choices: &Choices<'_, P, A>,
        keep: impl Fn(&Edge<A>) -> bool,
        out: &mut Vec<f32>,
    ) {
        let edges = choices.edges;
        let visits: u32 = edges.iter().filter(|edge| keep(edge)).map(|edge| edge.visits).sum();
        let weight = |edge: &Edge<A>| match keep(edge) {
            true if visits > 0 => edge.visits as f32,
            true => edge.prior,
            false => 0.0,
        };
        out.clear();
        out.extend(edges.iter().map(weight));
        let total: f32 = out.iter().sum();
        out.iter_mut().for_each(|p| *p /= total);
    }

    /// The most visited action; among equals the one with the higher value, then prior.
    fn winner<P, A>(
        &self,
        _: &SearchConfig,
        choices: &Choices<'_, P, A>,
        keep: impl Fn(&Edge<A>) -> bool,
    ) -> Option<u32> {
        let edges = choices.edges;
        let rank = |edge: &Edge<A>| (edge.visits, edge.q().unwrap_or(-1.0), edge.prior);
        let mut best: Option<(usize, &Edge<A>)> = None;
        for (i, edge) in edges.iter().enumerate().filter(|(_, edge)| keep(edge)) {
            if best.is_none_or(|(_, leader)| rank(edge) > rank(leader)) {
                best = Some((i, edge));
            }
        }
        best.map(|(i, _)| i as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deviation_by_hand() {
        let of = |values: &[f32], usual| {
            let n = values.len() as f32;
            deviation(values.iter().sum::<f32>() / n, values.iter().map(|v| v * v).sum(), n, usual)
        };
        assert!((of(&[0.5, -0.5, 0.5, -0.5, 0.5, -0.5], 0.5) - 0.5).abs() < 1e-6);
        assert!((of(&[1.0, -1.0], 0.0) - 0.5f32.sqrt()).abs() < 1e-6, "two visits of the usual deviation are added");
        assert!((of(&[0.3], 0.4) - (2.0f32 / 3.0).sqrt() * 0.4).abs() < 1e-6);
        let alike = of(&[0.7; 1000], 0.4);
        assert!((0.0..0.02).contains(&alike), "{alike}");
    }
}
