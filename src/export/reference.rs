//! `reference.json`: positions with their planes, the numbers of their actions and what the network says of them. A
//! port that agrees on all of them plays as ours does.

use rand::Rng as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{BundleError, manifest::hexadecimal};
use crate::{
    encode::{Rows, action_indices, priors},
    game::{Encode, Game, History, Notation, Wdl, random},
    model::{Evaluations, Evaluator},
};

/// Positions of a bundle.
pub const REFERENCES: usize = 20;

/// Random plies before a position at most; the first position is the start.
const PLIES: usize = 80;

/// One position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    pub position: String,
    /// How often it occurred before in its game.
    pub repetitions: u32,
    /// SHA-256 over its planes `[C, H, W]` as little-endian 32-bit floats, in hexadecimal digits.
    pub planes_sha256: String,
    /// Probability of win, draw and loss for the side to move.
    pub value: Wdl,
    /// Expected plies until the end.
    pub moves_left: f32,
    /// Every legal action, in the order of the rules.
    pub policy: Vec<ReferencePolicy>,
}

/// One legal action of a reference position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferencePolicy {
    pub action: String,
    /// Its index in the action space.
    pub index: u32,
    pub probability: f32,
}

/// How far two tellings of the same positions lie apart, at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Probabilities of actions.
    pub policy: f32,
    /// Probabilities of win, draw and loss.
    pub value: f32,
    /// Plies.
    pub moves_left: f32,
}

/// Positions of random games, the same for every network of a game, and what `evaluator` says of them.
///
/// # Errors
/// When the evaluator fails.
pub fn references<R: Encode>(game: &Game<R>, evaluator: &mut dyn Evaluator) -> Result<Vec<Reference>, BundleError> {
    (0..REFERENCES as u64).map(|number| tell(game, number, evaluator)).collect()
}

fn tell<R: Encode>(game: &Game<R>, number: u64, evaluator: &mut dyn Evaluator) -> Result<Reference, BundleError> {
    let mut rng = random::stream("reference", 1, 0, number);
    let plies = if number == 0 { 0 } else { rng.random_range(1..=PLIES) };
    let mut position = game.start();
    let mut history = History::new(game, &position);
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    for _ in 0..plies {
        let mut next = position;
        game.apply(&mut next, legal[rng.random_range(0..legal.len())]);
        history.push(game, &next);
        let mut after = Vec::new();
        game.legal_actions(&next, &mut after);
        if history.outcome(game, &next, &after).is_some() {
            // The last position that someone has to think about.
            history.pop();
            break;
        }
        (position, legal) = (next, after);
    }
    Reference::new(game, &position, history.repetitions(game, &position), evaluator)
}

impl Reference {
    fn new<R: Encode>(
        game: &Game<R>,
        position: &R::Position,
        repetitions: u32,
        evaluator: &mut dyn Evaluator,
    ) -> Result<Self, BundleError> {
        let mut rows = Rows::new(game.layout());
        rows.push(game, position, repetitions);
        let mut evaluations = Evaluations::default();
        evaluator.evaluate(&rows, &mut evaluations)?;
        let (mut legal, mut indices, mut probabilities) = (Vec::new(), Vec::new(), Vec::new());
        game.legal_actions(position, &mut legal);
        action_indices(game, position, &legal, &mut indices);
        priors(&evaluations.logits.to_vec(0), &indices, &mut probabilities);
        let policy = legal
            .iter()
            .zip(indices)
            .zip(probabilities)
            .map(|((&action, index), probability)| ReferencePolicy { action: action.to_string(), index, probability });
        Ok(Reference {
            position: position.to_string(),
            repetitions,
            planes_sha256: planes_hash(&rows),
            value: evaluations.wdl[0],
            moves_left: evaluations.moves_left[0],
            policy: policy.collect(),
        })
    }

    /// The same position evaluated anew by `evaluator`, and how far the two lie apart.
    ///
    /// # Errors
    /// `field: expected X, found Y` in the inner result, when the position is none of the game, or its planes or
    /// actions are others.
    pub(super) fn compare<R: Encode + Notation>(
        &self,
        game: &Game<R>,
        evaluator: &mut dyn Evaluator,
    ) -> Result<Result<Agreement, String>, BundleError> {
        let position = match game.parse_position(&self.position) {
            Ok(position) => position,
            Err(error) => return Ok(Err(format!("position: {error}"))),
        };
        let found = Reference::new(game, &position, self.repetitions, evaluator)?;
        Ok(self.agreement(&found))
    }

    fn agreement(&self, found: &Reference) -> Result<Agreement, String> {
        if self.planes_sha256 != found.planes_sha256 {
            return Err(format!("planes_sha256: expected {}, found {}", self.planes_sha256, found.planes_sha256));
        }
        if self.policy.len() != found.policy.len() {
            return Err(format!("policy: expected {} legal actions, found {}", self.policy.len(), found.policy.len()));
        }
        let policy = || self.policy.iter().zip(&found.policy);
        if let Some((expected, found)) = policy().find(|(a, b)| (&a.action, a.index) != (&b.action, b.index)) {
            let ReferencePolicy { action, index, .. } = expected;
            return Err(format!("policy: expected {action} at {index}, found {} at {}", found.action, found.index));
        }
        Ok(Agreement {
            policy: largest(policy().map(|(expected, found)| expected.probability - found.probability)),
            value: largest(self.value.zip_with(found.value, |expected, found| expected - found).to_array().into_iter()),
            moves_left: (self.moves_left - found.moves_left).abs(),
        })
    }
}

impl Agreement {
    /// The worse of both in every number.
    pub(super) fn worse(self, other: Agreement) -> Agreement {
        Agreement {
            policy: self.policy.max(other.policy),
            value: self.value.max(other.value),
            moves_left: self.moves_left.max(other.moves_left),
        }
    }
}

/// The largest difference; no number if one is none.
fn largest(differences: impl Iterator<Item = f32>) -> f32 {
    differences.map(f32::abs).fold(0.0, |most, next| if next <= most || most.is_nan() { most } else { next })
}

fn planes_hash(rows: &Rows) -> String {
    let mut planes = vec![0.0; rows.layout().channels() * rows.layout().squares()];
    rows.unpack(0, &mut planes);
    let mut digest = Sha256::new();
    planes.iter().for_each(|value| digest.update(value.to_le_bytes()));
    hexadecimal(&digest.finalize())
}
