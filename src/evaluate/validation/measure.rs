//! A network held against a validation set.

use super::{
    super::{Batcher, Contender},
    set::{Question, ValidationSet},
};
use crate::{
    estimate::Interval,
    game::{Encode, Game, History, Material, Notation, Outcome, XBoard},
    model::EvaluatorError,
    search::gather_logits,
};

/// Rows of one call of the network.
const BATCH: usize = 32;

/// What a network's policy and value, without a search, make of a set, with 95% intervals over positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Validation {
    /// Mean divergence KL of the search's target from the network's policy, in nats.
    pub policy_kl: Interval,
    /// Share of positions in which the network's likeliest action is the search's; none of no position.
    pub agreement: Option<Interval>,
    /// Mean square of the network's value less the search's.
    pub value_error: Interval,
    /// The share of the variance of the searches' values that the network's explain: 1 less that mean over the variance.
    pub value_r2: Interval,
}

/// A position of the set as the game knows it.
struct Asked<R: Encode> {
    position: R::Position,
    legal: Vec<R::Action>,
    /// The search's target, `[legal actions]`.
    target: Vec<f64>,
    value: f64,
}

impl<R: Encode + Notation> Asked<R> {
    fn new(game: &Game<R>, question: &Question) -> Result<Self, String> {
        let position = game.parse_position(&question.position).map_err(|error| error.to_string())?;
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        let over: Option<Outcome> = History::new(game, &position).outcome(game, &position, &legal);
        if let Some(outcome) = over {
            return Err(format!(
                "`{}`: expected a position in which the game goes on, found {outcome}",
                question.position
            ));
        }
        let mut target = vec![0.0; legal.len()];
        for (text, &p) in &question.policy {
            let action = game.parse_action(&position, text).map_err(|error| error.to_string())?;
            let place = legal.iter().position(|&other| other == action).expect("a legal action");
            target[place] = f64::from(p);
        }
        Ok(Asked { position, legal, target, value: f64::from(question.wdl().value()) })
    }
}

/// Holds a network against a set of its game. The outer error is the set's: the line of the question and what is wrong
/// with it.
///
/// # Errors
/// When a question is no position of the game, or the network cannot be evaluated.
pub fn validate<R: Encode + Notation + Material + XBoard>(
    game: &Game<R>,
    network: &Contender,
    set: &ValidationSet,
) -> Result<Result<Validation, EvaluatorError>, String> {
    let asked: Vec<Asked<R>> = (set.questions.iter().zip(2..))
        .map(|(question, line)| Asked::new(game, question).map_err(|reason| format!("line {line}: {reason}")))
        .collect::<Result<_, String>>()?;
    Ok(network.batcher(game, BATCH).and_then(|mut batcher| measure(game, &mut batcher, &asked)))
}

fn measure<R: Encode>(
    game: &Game<R>,
    batcher: &mut Batcher<R>,
    asked: &[Asked<R>],
) -> Result<Validation, EvaluatorError> {
    let (mut divergences, mut errors, mut agreed) = (Vec::new(), Vec::new(), 0);
    let mut logits = Vec::new();
    for part in asked.chunks(batcher.batch_size().max(1)) {
        batcher.rows.clear();
        part.iter().for_each(|one| batcher.rows.push(game, &one.position, 0));
        batcher.evaluate()?;
        for (row, one) in part.iter().enumerate() {
            gather_logits(game, &one.position, &one.legal, &batcher.evaluations.logits, row, &mut logits);
            divergences.push(divergence(&one.target, &logits));
            agreed += u64::from(greatest(one.target.iter().copied()) == greatest(logits.iter().map(|&x| f64::from(x))));
            errors.push((f64::from(batcher.evaluations.wdl[row].value()) - one.value).powi(2));
        }
    }
    batcher.rows.clear();
    let n = asked.len().max(1) as f64;
    let mean = asked.iter().map(|one| one.value).sum::<f64>() / n;
    let variance = asked.iter().map(|one| (one.value - mean).powi(2)).sum::<f64>() / n;
    let value_error = Interval::mean(&errors);
    let explained = |error: f64| 1.0 - error / variance.max(f64::MIN_POSITIVE);
    Ok(Validation {
        policy_kl: Interval::mean(&divergences),
        agreement: Interval::share(agreed, asked.len() as u64),
        value_error,
        value_r2: Interval {
            estimate: explained(value_error.estimate),
            low: explained(value_error.high),
            high: explained(value_error.low),
            n: value_error.n,
        },
    })
}

/// KL of a target from the policy of logits, in nats.
fn divergence(target: &[f64], logits: &[f32]) -> f64 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f64 = logits.iter().map(|&logit| f64::from(logit - most).exp()).sum();
    let log_policy = logits.iter().map(|&logit| f64::from(logit - most) - total.ln());
    target.iter().zip(log_policy).filter(|&(&p, _)| p > 0.0).map(|(&p, q)| p * (p.ln() - q)).sum()
}

/// Place of the first of the greatest.
fn greatest(values: impl Iterator<Item = f64>) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (place, value) in values.enumerate() {
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((place, value));
        }
    }
    best.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_divergence_by_hand() {
        assert!(divergence(&[0.5, 0.5], &[3.0, 3.0]).abs() < 1e-12);
        let found = divergence(&[1.0, 0.0], &[0.0, 3f32.ln()]);
        assert!((found - 4f64.ln()).abs() < 1e-6, "{found}");
    }

    #[test]
    fn the_first_of_the_greatest() {
        assert_eq!(greatest([0.1, 0.7, 0.7].into_iter()), Some(1));
        assert_eq!(greatest([].into_iter()), None);
    }
}
