//! A run that begins where another stands: with its games, and with its newest network, which may grow on the way.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use super::{
    directory::RunDirectory,
    run::{Run, RunError, inherited, same_network},
};
use crate::{
    disk::{IoError, check_name, generation_dir, generations, write_file},
    game::Playable,
    model::Checkpoint,
    train::Trainer,
};

impl<R: Playable> Run<R> {
    /// Gives this run, which has no checkpoint, what run `origin` has, and tells the generation at which it goes on. The
    /// optimiser's moments come along where network and optimiser stay as they were.
    /// The checkpoint comes last, so that a killed fork is made anew.
    ///
    /// # Errors
    /// When the origin has no checkpoint, or one of other rules or a larger network, and when the disk refuses.
    pub(super) fn fork(&self, origin: &str) -> Result<u64, RunError> {
        let (models, newest) = find(&self.root, origin)?;
        let folder = generation_dir(&models, newest);
        let metadata = Checkpoint::load_metadata(&folder)?;
        metadata.check_game(&self.game).map_err(|problem| RunError::Fork { origin: origin.to_owned(), problem })?;
        let grown = match same_network(metadata.model.as_ref(), &self.config.model) {
            Ok(()) => None,
            Err(_) => Some(inherited(&Checkpoint::load_for(&folder, &self.game)?, &self.game, &self.config)?),
        };
        link_games(&self.root.join("data").join(origin), newest, &self.directory)?;
        match grown {
            None => {
                let optimiser = generation_dir(&models.join("training"), newest);
                if optimiser.is_dir() && Trainer::saved_optimiser(&optimiser)? == self.config.train.optimiser {
                    copy(&optimiser, &generation_dir(&self.directory.training(), newest))?;
                }
                copy_checkpoint(&models, newest, &self.directory)?;
            }
            Some(weights) => Checkpoint::new(weights, self.game.ruleset().clone(), newest, metadata.counters)
                .save(&self.directory.checkpoint(newest))?,
        }
        Ok(newest)
    }
}

/// The folder of run `origin` under `root`, and its newest generation.
///
/// # Errors
/// When it has no checkpoint.
pub(super) fn find(root: &Path, origin: &str) -> Result<(PathBuf, u64), RunError> {
    check_name(origin)?;
    let models = root.join("models").join(origin);
    let listed = if models.is_dir() { generations(&models)? } else { Vec::new() };
    match listed.last() {
        Some(&newest) => Ok((models, newest)),
        None => Err(RunError::NoOrigin { folder: models }),
    }
}

/// The games of the generations before `newest`, whose own are the fork's to play. Linked where the disk can do so, else
/// copied.
fn link_games(games: &Path, newest: u64, run: &RunDirectory) -> Result<(), IoError> {
    let played = if games.is_dir() { generations(games)? } else { Vec::new() };
    for generation in played.into_iter().filter(|&generation| generation < newest) {
        copy(&generation_dir(games, generation), &run.games(generation))?;
    }
    Ok(())
}

/// The newest checkpoint, which is there whole or not at all.
fn copy_checkpoint(models: &Path, newest: u64, run: &RunDirectory) -> Result<(), IoError> {
    let (target, partial) = (run.checkpoint(newest), run.models().join("fork.partial"));
    if partial.exists() {
        fs::remove_dir_all(&partial).map_err(IoError::at(&partial))?;
    }
    copy(&generation_dir(models, newest), &partial)?;
    fs::rename(&partial, &target).map_err(IoError::at(target))
}

/// The files of a folder, which has no folders; those that are there stay.
fn copy(from: &Path, to: &Path) -> Result<(), IoError> {
    fs::create_dir_all(to).map_err(IoError::at(to))?;
    for entry in fs::read_dir(from).map_err(IoError::at(from))? {
        let source = entry.map_err(IoError::at(from))?.path();
        let Some(name) = source.file_name().filter(|_| source.is_file()) else { continue };
        let target = to.join(name);
        if target.exists() {
            continue;
        }
        if fs::hard_link(&source, &target).is_err() {
            let mut content = File::open(&source).map_err(IoError::at(&source))?;
            write_file(&target, |file| io::copy(&mut content, file).map(drop))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_has_the_newest_checkpoint_and_the_games_before_it() {
        let root = tempfile::tempdir().unwrap();
        let file = |path: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        };
        for path in [
            "models/one/gen-000001/weights.safetensors",
            "models/one/gen-000002/weights.safetensors",
            "models/one/metrics.jsonl",
            "data/one/gen-000000/0000.parquet",
            "data/one/gen-000001/0000.parquet",
            "data/one/gen-000002/0000.parquet",
        ] {
            file(path);
        }
        let run = RunDirectory::open(root.path(), "two").unwrap();
        link_games(&root.path().join("data/one"), 2, &run).unwrap();
        copy_checkpoint(&root.path().join("models/one"), 2, &run).unwrap();
        let has = |path: &str| root.path().join(path).exists();
        assert!(has("models/two/gen-000002/weights.safetensors"));
        assert!(has("data/two/gen-000001/0000.parquet") && !has("data/two/gen-000002/0000.parquet"));
        assert!(!has("models/two/gen-000001") && !has("models/two/metrics.jsonl") && !has("models/two/fork.partial"));
    }
}
