//! Checks a bundle: its planes and actions are this program's, its graph is that of its weights, and its
//! positions give the outputs that it states.

use std::path::Path;

use super::{
    Bundle, BundleError, Runtime,
    manifest::{Actions, Input},
    reference::Agreement,
};
use crate::{
    game::{Encode, Game, Notation},
    model::{MOVES_LEFT_SCALE, to_onnx},
};

/// How far a probability may be from the one stored.
const TOLERANCE: f32 = 1e-4;

/// What one runtime made of the reference positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// The runtime's name.
    pub runtime: &'static str,
    pub positions: usize,
    pub agreement: Agreement,
}

/// Checks all that [`Bundle::read`] left open, the reference positions once with each of `runtimes`, which compute the
/// bundle's network. `path` is for errors alone.
///
/// # Errors
/// Names the file and the field that is not what it must be.
pub fn verify<R: Encode + Notation>(
    game: &Game<R>,
    bundle: &Bundle,
    runtimes: &mut [Runtime],
    path: &Path,
) -> Result<Vec<Check>, BundleError> {
    let mismatch = |problem: String| Err(BundleError::mismatch(path, problem));
    let manifest = bundle.manifest();
    if let Err(problem) = bundle.checkpoint().metadata().check_game(game) {
        return mismatch(format!("manifest.json: {problem}"));
    }
    let compared = [
        ("input", manifest.input.agrees_with(&Input::of(game.layout()))),
        ("actions", manifest.actions.agrees_with(&Actions::of(game.layout()))),
    ];
    if let Some((field, _)) = compared.iter().find(|(_, same)| !same) {
        return mismatch(format!("manifest.json: {field}: expected that of {}, found another", game.ruleset()));
    }
    if bundle.onnx() != to_onnx(bundle.weights(), &manifest.ruleset) {
        return mismatch("model.onnx: expected the graph of model.safetensors, found another".to_owned());
    }
    if bundle.references().is_empty() {
        return mismatch("reference.json: expected positions, found none".to_owned());
    }
    let mut checks = Vec::new();
    for Runtime { name, evaluator } in runtimes {
        let mut agreement = Agreement::default();
        for (i, reference) in bundle.references().iter().enumerate() {
            let compared = reference.compare(game, evaluator.as_mut())?.and_then(within_tolerance);
            match compared {
                Ok(found) => agreement = agreement.worse(found),
                Err(problem) => return mismatch(format!("reference.json: position {i}: {problem} ({name})")),
            }
        }
        checks.push(Check { runtime: name, positions: bundle.references().len(), agreement });
    }
    Ok(checks)
}

fn within_tolerance(agreement: Agreement) -> Result<Agreement, String> {
    let fields = [
        ("policy", agreement.policy, TOLERANCE),
        ("value", agreement.value, TOLERANCE),
        ("moves_left", agreement.moves_left, TOLERANCE * MOVES_LEFT_SCALE as f32),
    ];
    // A difference that is not a number is no small one.
    match fields.into_iter().find(|&(_, difference, most)| difference.is_nan() || difference > most) {
        Some((field, difference, most)) => {
            Err(format!("{field}: expected at most {most} beside it, found {difference}"))
        }
        None => Ok(agreement),
    }
}
