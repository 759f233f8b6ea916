//! A run that begins where another stands: with its newest checkpoint, its optimiser and its games.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use super::TrialError;
use crate::{
    disk::{IoError, generation_dir, generation_name, generations, write_file},
    pipeline::RunDirectory,
};

/// Gives run `name` what run `origin` has, unless it has a checkpoint already. Games are linked where the disk can do so,
/// else copied. The checkpoint comes last, so that a killed fork is made anew.
///
/// # Errors
/// When the origin has no checkpoint, or the disk refuses.
pub fn fork(root: &Path, origin: &str, name: &str) -> Result<(), TrialError> {
    let run = RunDirectory::open(root, name)?;
    if !run.checkpoints()?.is_empty() {
        return Ok(());
    }
    let models = root.join("models").join(origin);
    let listed = if models.is_dir() { generations(&models)? } else { Vec::new() };
    let Some(&newest) = listed.last() else { return Err(TrialError::NoOrigin { folder: models }) };
    let games = root.join("data").join(origin);
    let played = if games.is_dir() { generations(&games)? } else { Vec::new() };
    // Games of the newest checkpoint are the fork's own to play.
    for generation in played.into_iter().filter(|&generation| generation < newest) {
        copy(&generation_dir(&games, generation), &run.games(generation))?;
    }
    let optimiser = generation_name(newest);
    if models.join("training").join(&optimiser).is_dir() {
        copy(&models.join("training").join(&optimiser), &run.training().join(&optimiser))?;
    }
    let (target, partial) = (run.checkpoint(newest), run.models().join("fork.partial"));
    if partial.exists() {
        fs::remove_dir_all(&partial).map_err(IoError::at(&partial))?;
    }
    copy(&generation_dir(&models, newest), &partial)?;
    Ok(fs::rename(&partial, &target).map_err(IoError::at(target))?)
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
            "models/one/training/gen-000002/trainer.toml",
            "models/one/metrics.jsonl",
            "data/one/gen-000000/0000.parquet",
            "data/one/gen-000001/0000.parquet",
            "data/one/gen-000002/0000.parquet",
        ] {
            file(path);
        }
        fork(root.path(), "one", "two").unwrap();
        fork(root.path(), "one", "two").unwrap();
        let has = |path: &str| root.path().join(path).exists();
        assert!(has("models/two/gen-000002/weights.safetensors") && has("models/two/training/gen-000002/trainer.toml"));
        assert!(has("data/two/gen-000001/0000.parquet") && !has("data/two/gen-000002/0000.parquet"));
        assert!(!has("models/two/gen-000001") && !has("models/two/metrics.jsonl") && !has("models/two/fork.partial"));
        assert!(matches!(fork(root.path(), "none", "three"), Err(TrialError::NoOrigin { .. })));
    }
}
