//! The evaluator that plays an arm: a network, or none, for a search that knows only the rules.

use std::{path::Path, sync::Arc};

use super::{
    Arm, StudyError,
    config::{PlayConfig, UNIFORM},
};
use crate::{
    encode::sample,
    game::{Encode, Game},
    model::{
        Checkpoint, Evaluator, EvaluatorError, Metadata, NetworkShape, Uniform,
        backend::{self, BackendConfig},
    },
};

/// Both sides of an arm's games.
pub enum Network {
    Uniform,
    Checkpoint(Arc<Checkpoint>),
}

impl Network {
    /// What the rows of its games call it.
    pub fn id(&self) -> &str {
        match self {
            Network::Uniform => UNIFORM,
            Network::Checkpoint(checkpoint) => &checkpoint.metadata().id,
        }
    }

    /// Loads the network in a folder. It may have been trained under other options, as long as it sees and does what
    /// the game's encoding says.
    ///
    /// # Errors
    /// When it cannot be read, or is of another game or encoding.
    pub fn load<R: Encode>(arm: &Arm, folder: &Path, game: &Game<R>) -> Result<Network, StudyError> {
        metadata(arm, folder, game)?;
        let error = |source| StudyError::Checkpoint { arm: arm.name.clone(), source };
        Ok(Network::Checkpoint(Arc::new(Checkpoint::load(folder).map_err(error)?)))
    }

    /// Makes the evaluator of one thread.
    ///
    /// # Errors
    /// When this build has no runtime for networks, the device is not there, or the runtime cannot do what is asked
    /// for.
    pub fn evaluator<R: Encode>(
        &self,
        game: &Game<R>,
        play: &PlayConfig,
    ) -> Result<Box<dyn Evaluator>, EvaluatorError> {
        match self {
            Network::Uniform => Ok(Box::new(Uniform { batch_size: play.batch_size })),
            Network::Checkpoint(checkpoint) => {
                let config = BackendConfig {
                    device: &play.device,
                    precision: play.precision,
                    backend: play.backend,
                    sample: Some(sample(game)),
                    ..BackendConfig::default()
                };
                backend::open(checkpoint.clone(), config)?.evaluator(play.batch_size)
            }
        }
    }
}

/// All but the weights of the network in a folder, once it is known to fit.
///
/// # Errors
/// As [`Network::load`].
pub fn metadata<R: Encode>(arm: &Arm, folder: &Path, game: &Game<R>) -> Result<Metadata, StudyError> {
    let error = |source| StudyError::Checkpoint { arm: arm.name.clone(), source };
    let metadata = Checkpoint::load_metadata(folder).map_err(error)?;
    let (expected, found) = (&game.ruleset().game, &metadata.ruleset.game);
    let mismatch = |problem| StudyError::Network { arm: arm.name.clone(), network: folder.to_owned(), problem };
    if expected != found {
        return Err(mismatch(format!("ruleset.game: expected {expected}, found {found}")));
    }
    let (expected, found) = (NetworkShape::from(game.layout()), metadata.network);
    if expected != found {
        return Err(mismatch(format!("network: expected {expected:?}, found {found:?}")));
    }
    Ok(metadata)
}
