//! The folders and files of a run, and the lock on them.
//!
//! `models/<run>/` holds `config.toml`, `metrics.jsonl`, the TensorBoard events, `curves.svg`, `training/` (a
//! generation's training that was interrupted) and a folder for each checkpoint; `data/<run>/` holds a folder of games
//! for each generation.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::disk::{ConfigChange, DirectoryError, IoError, Lock, check_name, generation_dir, generations, lock, settle};

/// The folders of one run, held by this process alone as long as the value lives.
#[derive(Debug)]
pub struct RunDirectory {
    models: PathBuf,
    data: PathBuf,
    _lock: Lock,
}

impl RunDirectory {
    /// Opens or creates the folders of run `name` under `root` and takes its lock.
    ///
    /// # Errors
    /// When the name is unfit, another process holds the run, or the disk refuses.
    pub fn open(root: &Path, name: &str) -> Result<Self, DirectoryError> {
        check_name(name)?;
        let (models, data) = (root.join("models").join(name), root.join("data").join(name));
        for folder in [&models, &data] {
            fs::create_dir_all(folder).map_err(IoError::at(&folder))?;
        }
        let lock = lock(&models)?;
        Ok(RunDirectory { models, data, _lock: lock })
    }

    /// Keeps the resolved configuration, or holds it against the one that the run began with.
    ///
    /// # Errors
    /// Shows the difference when the configuration changed and `change` forbids it.
    pub fn settle_config(&self, resolved: &str, change: ConfigChange) -> Result<(), DirectoryError> {
        settle(&self.models.join("config.toml"), resolved, change)
    }

    /// Folder of the run's checkpoints, metrics and curves.
    pub fn models(&self) -> &Path {
        &self.models
    }

    /// Folder of the run's games, one folder a generation.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Folder of a generation's checkpoint.
    pub fn checkpoint(&self, generation: u64) -> PathBuf {
        generation_dir(&self.models, generation)
    }

    /// Folder of the games that a generation's checkpoint played.
    pub fn games(&self, generation: u64) -> PathBuf {
        generation_dir(&self.data, generation)
    }

    /// Folder of an interrupted training.
    pub fn training(&self) -> PathBuf {
        self.models.join("training")
    }

    /// Generations whose checkpoint is there, in order. Checkpoints appear by rename, so one that is there is whole.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn checkpoints(&self) -> Result<Vec<u64>, DirectoryError> {
        Ok(generations(&self.models)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_process_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let first = RunDirectory::open(root.path(), "a").unwrap();
        assert!(matches!(RunDirectory::open(root.path(), "a"), Err(DirectoryError::Locked { .. })));
        drop(first);
        RunDirectory::open(root.path(), "a").unwrap();
    }

    #[test]
    fn names_cannot_leave_the_root() {
        let root = tempfile::tempdir().unwrap();
        assert!(matches!(RunDirectory::open(root.path(), "../a"), Err(DirectoryError::Name(_))));
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
