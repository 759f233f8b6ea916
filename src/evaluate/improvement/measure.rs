//! Settings of a search held against the values of a deeper one.

use std::{ops::RangeInclusive, thread};

use super::{
    super::{
        Batcher, Contender,
        lockstep::{Job, run_searches},
    },
    positions::{Root, positions},
    values::action_values,
};
use crate::{
    estimate::Interval,
    game::{Encode, Game, Material, XBoard, random::stream},
    model::EvaluatorError,
    search::{FEW_VISITS, Search, SearchConfig, SearchResult},
};

/// Rows of one call of the network.
const BATCH: usize = 32;

/// What is measured.
#[derive(Clone, Debug)]
pub struct ImprovementConfig {
    /// Positions, at least 2.
    pub positions: u64,
    /// At which plies of their games.
    pub plies: RangeInclusive<u32>,
    /// Playouts of the search that values each action.
    pub value_playouts: u32,
    /// Searches of each position with each of the settings, which differ by their noise; at least 1.
    pub repeats: u64,
    pub seed: u64,
    /// Threads; they change no number.
    pub threads: usize,
}

/// What a search with some settings does, as means over positions with 95% normal intervals; `n` counts positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Improvement {
    pub settings: SearchConfig,
    /// Expected value of the training target less that of the network's policy.
    pub gain: Interval,
    /// That less the gain of the first settings, over the same positions.
    pub over_first: Interval,
    /// Value of the best action less that of the action played.
    pub regret: Interval,
    /// Divergence KL of a search's target from the mean of all targets of its position, in nats: what the draw of the
    /// root's noise alone makes of the target.
    pub noise: Interval,
    /// Divergence KL of the target from the network's policy, in nats.
    pub divergence: Interval,
    /// Share of the target on actions of at most two visits.
    pub unvisited: Interval,
}

/// The same of one position.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    gain: f64,
    regret: f64,
    noise: f64,
    divergence: f64,
    unvisited: f64,
}

/// Measures what searches of a network with each of `settings` add to its policy.
///
/// # Errors
/// When the network cannot be evaluated.
///
/// # Panics
/// When there are no settings.
pub fn improvement<R: Encode + Material + XBoard>(
    game: &Game<R>,
    network: &Contender,
    settings: &[SearchConfig],
    config: &ImprovementConfig,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Improvement>, EvaluatorError> {
    let numbers: Vec<u64> = (0..config.positions).collect();
    let threads = config.threads.max(1);
    let parts: Vec<Vec<u64>> =
        (0..threads).map(|thread| numbers.iter().copied().skip(thread).step_by(threads).collect()).collect();
    let measured: Result<Vec<Vec<Vec<Sample>>>, EvaluatorError> = thread::scope(|scope| {
        let part = |numbers: &Vec<u64>| {
            let mut batcher = network.batcher(game, BATCH)?;
            let mut samples = Vec::new();
            // A few positions at a time, so that progress shows.
            for numbers in numbers.chunks(8) {
                let roots = positions(game, &mut batcher, &config.plies, config.seed, numbers)?;
                samples.extend(measure(game, &mut batcher, settings, config, numbers, &roots)?);
                done(numbers.len() as u64);
            }
            Ok(samples)
        };
        let running: Vec<_> = parts.iter().map(|numbers| scope.spawn(move || part(numbers))).collect();
        running.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    });
    // Back in the order of the positions, so that sums do not depend on the threads.
    let mut measured: Vec<_> = measured?.into_iter().map(Vec::into_iter).collect();
    let samples: Vec<Vec<Sample>> =
        numbers.iter().map(|&n| measured[n as usize % threads].next().expect("one each")).collect();
    let mean =
        |of: &dyn Fn(&[Sample]) -> f64| Interval::mean(&samples.iter().map(|sample| of(sample)).collect::<Vec<f64>>());
    let summary = |(i, &settings): (usize, &SearchConfig)| Improvement {
        settings,
        gain: mean(&|sample| sample[i].gain),
        over_first: mean(&|sample| sample[i].gain - sample[0].gain),
        regret: mean(&|sample| sample[i].regret),
        noise: mean(&|sample| sample[i].noise),
        divergence: mean(&|sample| sample[i].divergence),
        unvisited: mean(&|sample| sample[i].unvisited),
    };
    Ok(settings.iter().enumerate().map(summary).collect())
}

/// For each root, a sample of each of the settings.
fn measure<R: Encode>(
    game: &Game<R>,
    batcher: &mut Batcher<R>,
    settings: &[SearchConfig],
    config: &ImprovementConfig,
    numbers: &[u64],
    roots: &[Root<R>],
) -> Result<Vec<Vec<Sample>>, EvaluatorError> {
    let values = action_values(game, batcher, roots, config.value_playouts)?;
    let mut samples: Vec<Vec<Sample>> = roots.iter().map(|_| Vec::new()).collect();
    for settings in settings {
        let mut jobs = Vec::new();
        for (root, &number) in roots.iter().zip(numbers) {
            // The same noise for all settings: what differs is theirs.
            jobs.extend((0..config.repeats).map(|repeat| Job {
                config: *settings,
                position: root.position,
                history: root.history.clone(),
                rng: stream("improvement.search", config.seed, number, repeat),
            }));
        }
        let results = run_searches(game, batcher, jobs, Search::result)?;
        for ((sample, values), results) in samples.iter_mut().zip(&values).zip(results.chunks(config.repeats as usize))
        {
            sample.push(sample_of(values, results));
        }
    }
    Ok(samples)
}

/// Searches of one position that differ by their noise, held against the values of its actions.
fn sample_of<A: Copy>(values: &[f32], results: &[SearchResult<A>]) -> Sample {
    let searches = results.len() as f64;
    let expected = |policy: &mut dyn Iterator<Item = f32>| {
        policy.zip(values).map(|(p, &q)| f64::from(p) * f64::from(q)).sum::<f64>()
    };
    let best = f64::from(values.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let mut mean = vec![0.0; values.len()];
    for result in results {
        mean.iter_mut().zip(result.policy()).for_each(|(mean, p)| *mean += f64::from(p) / searches);
    }
    let mut sample = Sample::default();
    for result in results {
        let prior = || result.actions.iter().map(|action| action.prior);
        sample.gain += expected(&mut result.policy()) - expected(&mut prior());
        sample.regret += best - f64::from(values[result.best]);
        sample.noise += divergence(result.policy().map(f64::from).zip(mean.iter().copied()));
        sample.divergence += f64::from(result.divergence());
        let few = result.actions.iter().filter(|action| action.visits <= FEW_VISITS);
        sample.unvisited += few.map(|action| f64::from(action.policy)).sum::<f64>();
    }
    Sample {
        gain: sample.gain / searches,
        regret: sample.regret / searches,
        noise: sample.noise / searches,
        divergence: sample.divergence / searches,
        unvisited: sample.unvisited / searches,
    }
}

/// KL of the first of each pair from the second, in nats.
fn divergence(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    pairs.filter(|&(p, _)| p > 0.0).map(|(p, q)| p * (p / q.max(f64::MIN_POSITIVE)).ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_divergence_by_hand() {
        assert_eq!(divergence([(0.5, 0.5), (0.5, 0.5), (0.0, 0.0)].into_iter()), 0.0);
        let found = divergence([(0.75, 0.5), (0.25, 0.5)].into_iter());
        assert!((found - (0.75 * 1.5f64.ln() + 0.25 * 0.5f64.ln())).abs() < 1e-12);
    }
}
