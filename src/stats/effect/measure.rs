//! Decisions that were drawn by chance, with their results, by kind of action.

use std::{collections::BTreeMap, sync::Arc};

use rand::Rng;

use crate::{
    data::DecisionKind,
    estimate::{Calibration, Draw, Effect, Interval, Weights},
    game::{Side, TextGame, random::stream},
    stats::{GameColumns, Runs, StatsError, Temperature, seed_among_runs, weights_of_game},
};

/// Plies of one bin.
pub const PLIES: usize = 8;
/// Plies that have bins; later ones count in all plies alone. Bounds memory: a bin takes tens of kilobytes.
const BINNED: usize = 2048;
/// A kind whose probability is nearer to 0 or 1 than this was not drawn by chance, but for rounding.
const LEAST_CHANCE: f64 = 1e-6;

/// What kinds of action change in the result, under way.
pub struct Effects {
    pub(super) rules: Arc<dyn TextGame>,
    pub(super) runs: Vec<Arc<str>>,
    /// In the order of the runs.
    pub(super) temperatures: Vec<Temperature>,
    /// By kind of action and bin of plies; no bin: all plies.
    found: BTreeMap<(u8, Option<usize>), Found>,
    pub(super) games: u64,
    pub(super) cut_off: u64,
    pub(super) decisions: u64,
}

/// What a kind of action changes, for the side that takes it, against the other actions that the policy would draw.
#[derive(Default)]
pub struct Found {
    effects: [Effect; Outcome::ALL.len()],
    /// The same for actions that were not taken, but drawn once more from the same policy: no effect on the points.
    placebo: Effect,
    pub calibration: Calibration,
}

/// What is looked at in a result, seen by the side that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// 1 for a win, 1/2 for a draw and for a game cut off, 0 for a loss.
    Points,
    Win,
    Loss,
    CutOff,
}

/// The draws of one game, of one kind.
#[derive(Default)]
struct Draws {
    outcomes: [Vec<Draw>; Outcome::ALL.len()],
    placebo: Vec<Draw>,
}

impl Outcome {
    pub const ALL: [Outcome; 4] = [Outcome::Points, Outcome::Win, Outcome::Loss, Outcome::CutOff];

    fn of(self, game: &GameColumns, side: Side) -> f64 {
        let ended = game.was_ended();
        match self {
            Outcome::Points => game.score(side),
            Outcome::Win => f64::from(u8::from(ended && game.winner == Some(side))),
            Outcome::Loss => f64::from(u8::from(ended && game.winner == Some(!side))),
            Outcome::CutOff => f64::from(u8::from(!ended)),
        }
    }

    /// What a search's value, -1 to 1, lets expect.
    fn expected(self, value: f64) -> f64 {
        match self {
            Outcome::Points | Outcome::Win => (1.0 + value) / 2.0,
            Outcome::Loss => (1.0 - value) / 2.0,
            Outcome::CutOff => 0.0,
        }
    }
}

impl Found {
    /// What the kind changes in an outcome; `n` counts games.
    pub fn effect(&self, outcome: Outcome) -> Option<Interval> {
        self.effects[outcome as usize].interval()
    }

    /// The control, which must hold 0; `n` counts games.
    pub fn placebo(&self) -> Option<Interval> {
        self.placebo.interval()
    }

    fn add(&mut self, weights: &Weights, draws: Draws) {
        for draw in &draws.outcomes[Outcome::Points as usize] {
            self.calibration.add(draw.propensity, draw.chosen);
        }
        for (effect, draws) in self.effects.iter_mut().zip(draws.outcomes) {
            effect.add(weights, draws);
        }
        self.placebo.add(weights, draws.placebo);
    }
}

impl Effects {
    /// Over no games yet. Actions were drawn at the temperature that is `given`, or else at that of the configuration
    /// which is kept with each run.
    ///
    /// # Errors
    /// When no temperature is given and a run has no configuration, or one that cannot be read.
    pub fn new(runs: &Runs, given: Option<Temperature>) -> Result<Self, StatsError> {
        let temperatures = match given {
            Some(given) => vec![given; runs.names().len()],
            None => {
                let known = runs.names().iter().zip(runs.temperatures()?);
                known
                    .map(|(run, known)| known.ok_or_else(|| StatsError::NoTemperature { run: run.to_string() }))
                    .collect::<Result<_, _>>()?
            }
        };
        Ok(Effects {
            rules: runs.rules().clone(),
            runs: runs.names().to_vec(),
            temperatures,
            found: BTreeMap::new(),
            games: 0,
            cut_off: 0,
            decisions: 0,
        })
    }

    /// Counts a game, which was read with [searches](Runs::with_searches).
    pub fn add(&mut self, game: &GameColumns) {
        self.games += 1;
        self.cut_off += u64::from(!game.was_ended());
        let run = self.runs.iter().position(|run| *run == game.run).unwrap_or_default();
        let seed = seed_among_runs(game.seed, run);
        let mut rng = stream("effect.placebo", seed, game.generation, game.index);
        let mut drawn: BTreeMap<(u8, Option<usize>), Draws> = BTreeMap::new();
        for ply in 0..game.plies() {
            let temperature = self.temperatures[run].at(ply);
            let Some(value) = game.root_value(ply).filter(|_| is_drawn(game, ply, temperature)) else { continue };
            let (kinds, side) = (game.legal_kinds(ply), game.side(ply));
            let chances = chances(&game.policy(ply), temperature);
            let again = kinds[draw(&chances, &mut rng)];
            self.decisions += 1;
            for kind in 0..self.rules.action_kinds().len() as u8 {
                let of_kind = chances.iter().zip(&kinds).filter(|&(_, other)| *other == kind);
                let propensity: f64 = of_kind.map(|(chance, _)| chance).sum();
                if !(LEAST_CHANCE..=1.0 - LEAST_CHANCE).contains(&propensity) {
                    continue;
                }
                let one = |outcome: Outcome, taken: u8| Draw {
                    propensity,
                    chosen: taken == kind,
                    outcome: outcome.of(game, side),
                    expected: outcome.expected(value),
                };
                let bins: &[_] = if ply < BINNED { &[None, Some(ply / PLIES)] } else { &[None] };
                for &bin in bins {
                    let draws = drawn.entry((kind, bin)).or_default();
                    for (draws, outcome) in draws.outcomes.iter_mut().zip(Outcome::ALL) {
                        draws.push(one(outcome, game.kind(ply)));
                    }
                    draws.placebo.push(one(Outcome::Points, again));
                }
            }
        }
        let weights = weights_of_game(seed, game.generation, game.index);
        for (key, draws) in drawn {
            self.found.entry(key).or_default().add(&weights, draws);
        }
    }

    /// What was found, by kind and bin of plies (none: all plies), of the kinds that were ever chosen.
    pub fn found(&self) -> impl Iterator<Item = ((u8, Option<usize>), &Found)> {
        let came = |kind: u8| self.found.get(&(kind, None)).is_some_and(|found| found.calibration.total().chosen > 0);
        self.found.iter().filter(move |(key, _)| came(key.0)).map(|(&key, found)| (key, found))
    }
}

/// Whether the action of a ply was drawn from the search's policy. Where the search has a proof it plays by it.
fn is_drawn(game: &GameColumns, ply: usize, temperature: f64) -> bool {
    let searched = [DecisionKind::Full, DecisionKind::Cheap].iter().any(|kind| kind.name() == game.decision(ply));
    searched && temperature > 0.0 && !game.is_decided(ply)
}

/// The chance of each action: in proportion to `policy^(1 / temperature)`.
fn chances(policy: &[f32], temperature: f64) -> Vec<f64> {
    let most = policy.iter().copied().fold(0.0, f32::max);
    let powered = policy.iter().map(|&p| (f64::from(p) / f64::from(most)).powf(1.0 / temperature));
    let powered: Vec<f64> = powered.collect();
    let total: f64 = powered.iter().sum();
    powered.iter().map(|chance| chance / total).collect()
}

/// An action drawn with these chances.
fn draw(chances: &[f64], rng: &mut impl Rng) -> usize {
    let mut left: f64 = rng.random();
    let place = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    place.unwrap_or(chances.len() - 1)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn chances_follow_the_temperature() {
        assert_eq!(chances(&[0.5, 0.25, 0.25, 0.0], 1.0), [0.5, 0.25, 0.25, 0.0]);
        let sharper = chances(&[0.5, 0.25, 0.25, 0.0], 0.5);
        let expected = [4.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 0.0];
        assert!(sharper.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{sharper:?}");
    }

    #[test]
    fn draws_have_their_chances() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut counts = [0_u32; 4];
        for _ in 0..4000 {
            counts[draw(&[0.5, 0.0, 0.2, 0.3], &mut rng)] += 1;
        }
        for (count, expected) in counts.into_iter().zip([2000.0, 0.0, 800.0, 1200.0]) {
            assert!((f64::from(count) - expected).abs() < 120.0, "{counts:?}");
        }
        assert_eq!(counts[1], 0);
    }
}
