//! Frozen networks: bundles that the newest network meets as it meets the baselines.

use std::path::Path;

use super::{
    evaluation::{EvaluateConfig, bundle_of},
    run::RunError,
};
use crate::{
    export::{Alternatives, read_network},
    game::{Encode, Game},
    model::Checkpoint,
};

/// Digits of a network's id that its name has.
const DIGITS: usize = 8;

/// A network among the opponents that stays as it is.
pub(super) struct Frozen {
    /// The opponent as the user named it: the path of a bundle.
    pub opponent: String,
    /// What matches and ratings call it: the bundle, the network in it, and how many playouts it has, so that another
    /// network under the same path, or the same one with more playouts, is another player.
    pub name: String,
    pub checkpoint: Checkpoint,
}

impl Frozen {
    /// Reads the frozen networks among the opponents of a run.
    ///
    /// # Errors
    /// When one cannot be read, or is of another game, of other rules or of another encoding.
    pub fn read_all<R: Encode>(game: &Game<R>, config: &EvaluateConfig) -> Result<Vec<Frozen>, RunError> {
        let bundles = config.opponents.iter().filter_map(|opponent| Some((opponent, bundle_of(opponent)?)));
        bundles.map(|(opponent, bundle)| Frozen::read(opponent, &bundle, game, config.playouts)).collect()
    }

    fn read<R: Encode>(opponent: &str, bundle: &Path, game: &Game<R>, playouts: u32) -> Result<Frozen, RunError> {
        let checkpoint =
            read_network(bundle, Alternatives::default()).map_err(|problem| RunError::Opponent(problem.to_string()))?;
        let metadata = checkpoint.metadata();
        metadata.check_game(game).map_err(|problem| RunError::Opponent(format!("{opponent}: {problem}")))?;
        let stem = bundle.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}-{}@{playouts}", metadata.id.get(..DIGITS).unwrap_or(&metadata.id));
        Ok(Frozen { opponent: opponent.to_owned(), name, checkpoint })
    }
}
