//! Where a run keeps its things, and who may write there.
//!
//! `models/<run>/` holds `config.toml`, `metrics.jsonl`, the TensorBoard events, `curves.svg`, `training/` (a generation's training that was
//! interrupted) and a folder for each checkpoint; `data/<run>/` holds a folder of games for each generation.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use similar::TextDiff;
use thiserror::Error;

/// A run directory that cannot be used.
#[derive(Debug, Error)]
pub enum DirectoryError {
    #[error("run name `{0}`: expected letters, digits, `-`, `_` and `.`, not beginning with `.`")]
    Name(String),
    #[error("{path}: another process is working on this run")]
    Locked { path: String },
    /// `diff` has a line for each key, and is for whoever prints the error to show beside it.
    #[error("{path}: the run exists with another configuration (give --allow-config-change to go on with the new one)")]
    ConfigChanged { path: String, diff: String },
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
}

/// The folders of one run, held by this process alone as long as the value lives.
#[derive(Debug)]
pub struct RunDirectory {
    models: PathBuf,
    data: PathBuf,
    /// Holds the lock; the system releases it however the process ends.
    _lock: File,
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
            fs::create_dir_all(folder).map_err(|source| io_error(folder, source))?;
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
        self.models.join(generation_name(generation))
    }

    /// Folder of the games that a generation's checkpoint played.
    pub fn games(&self, generation: u64) -> PathBuf {
        self.data.join(generation_name(generation))
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
        let mut generations = Vec::new();
        for entry in fs::read_dir(&self.models).map_err(|source| io_error(&self.models, source))? {
            let entry = entry.map_err(|source| io_error(&self.models, source))?;
            generations.extend(entry.file_name().to_str().and_then(generation_of));
        }
        generations.sort_unstable();
        Ok(generations)
    }
}

/// Checks that a name makes a folder of one's own.
///
/// # Errors
/// When it does not.
pub fn check_name(name: &str) -> Result<(), DirectoryError> {
    let fit = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(fit) {
        return Err(DirectoryError::Name(name.to_owned()));
    }
    Ok(())
}

/// Takes the lock of a folder; the system releases it however the process ends.
///
/// # Errors
/// When another process holds it, or the disk refuses.
pub fn lock(folder: &Path) -> Result<File, DirectoryError> {
    let path = folder.join("lock");
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|source| io_error(&path, source))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(DirectoryError::Locked { path: folder.display().to_string() }),
        Err(TryLockError::Error(source)) => Err(io_error(&path, source)),
    }
}

/// Keeps a resolved configuration in a file, or holds it against the one that is there.
///
/// # Errors
/// Shows the difference when the configuration changed and `change` forbids it.
pub fn settle(path: &Path, resolved: &str, change: ConfigChange) -> Result<(), DirectoryError> {
    match fs::read_to_string(path) {
        Ok(known) if known == resolved => return Ok(()),
        Ok(known) if change == ConfigChange::Refuse => {
            let diff = TextDiff::from_lines(known.as_str(), resolved)
                .unified_diff()
                .context_radius(0)
                .header("the run's configuration", "the one given now")
                .to_string();
            return Err(DirectoryError::ConfigChanged { path: path.display().to_string(), diff });
        }
        Ok(_) => {}
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(source) => return Err(io_error(path, source)),
    }
    write_whole(path, resolved.as_bytes()).map_err(|source| io_error(path, source))
}

/// What to do when a run is continued with another configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigChange {
    Refuse,
    Allow,
}

/// `gen-000042`.
pub fn generation_name(generation: u64) -> String {
    format!("gen-{generation:06}")
}

/// 42 for `gen-000042`.
fn generation_of(name: &str) -> Option<u64> {
    let generation = name.strip_prefix("gen-")?.parse().ok()?;
    (name == generation_name(generation)).then_some(generation)
}

/// Writes a file so that a reader sees the old content or the new one, never half of it.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let mut file = File::create(&partial)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&partial, path)?;
    File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
}

fn io_error(path: &Path, source: io::Error) -> DirectoryError {
    DirectoryError::Io { path: path.display().to_string(), source }
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
        for name in ["", "..", "../a", "a/b", ".hidden", "a b"] {
            assert!(matches!(RunDirectory::open(root.path(), name), Err(DirectoryError::Name(_))), "{name}");
        }
    }

    #[test]
    fn a_changed_configuration_is_shown_and_refused() {
        let root = tempfile::tempdir().unwrap();
        let run = RunDirectory::open(root.path(), "a").unwrap();
        run.settle_config("seed = 1\nx = 2\n", ConfigChange::Refuse).unwrap();
        run.settle_config("seed = 1\nx = 2\n", ConfigChange::Refuse).unwrap();
        match run.settle_config("seed = 3\nx = 2\n", ConfigChange::Refuse) {
            Err(DirectoryError::ConfigChanged { diff, .. }) => {
                assert!(diff.contains("-seed = 1") && diff.contains("+seed = 3") && !diff.contains("x = 2"), "{diff}");
            }
            other => panic!("{other:?}"),
        }
        run.settle_config("seed = 3\nx = 2\n", ConfigChange::Allow).unwrap();
        run.settle_config("seed = 3\nx = 2\n", ConfigChange::Refuse).unwrap();
    }

    #[test]
    fn checkpoints_are_listed_in_order_and_nothing_else_is() {
        let root = tempfile::tempdir().unwrap();
        let run = RunDirectory::open(root.path(), "a").unwrap();
        for name in ["gen-000010", "gen-000002", "gen-000003.partial", "gen-0000004", "gen-5", "training", "gen-x"] {
            fs::create_dir(run.models().join(name)).unwrap();
        }
        assert_eq!(run.checkpoints().unwrap(), [2, 10]);
    }
}
