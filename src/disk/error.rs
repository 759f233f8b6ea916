//! What the system refused, in one line that begins with the path.

use std::{io, path::PathBuf};

use thiserror::Error;

/// A file or folder that the system would not read or write.
#[derive(Debug, Error)]
#[error("{}: {source}", path.display())]
pub struct IoError {
    pub path: PathBuf,
    pub source: io::Error,
}

impl IoError {
    /// Names the path of an error, as in `.map_err(IoError::at(path))`.
    pub fn at<P: Into<PathBuf>>(path: P) -> impl FnOnce(io::Error) -> Self {
        move |source| IoError { path: path.into(), source }
    }

    /// Whether there is nothing at the path.
    pub fn is_not_found(&self) -> bool {
        self.source.kind() == io::ErrorKind::NotFound
    }
}

/// A folder that cannot be worked in.
#[derive(Debug, Error)]
pub enum DirectoryError {
    #[error("run name `{0}`: expected letters, digits, `-`, `_` and `.`, not beginning with `.`")]
    Name(String),
    #[error("{}: another process is working on this run", path.display())]
    Locked { path: PathBuf },
    #[error(
        "{}: this file system has no locks (flock), without which two processes could work on one run: {source}; put \
         the folder on a local disk, with --root, or mount it with locks",
        path.display()
    )]
    NoLocks { path: PathBuf, source: io::Error },
    /// `diff` has a line for each key, and is to be printed beside the error.
    #[error(
        "{}: the run exists with another configuration (give --allow-config-change to go on with the new one)",
        path.display()
    )]
    ConfigChanged { path: PathBuf, diff: String },
    #[error(transparent)]
    Io(#[from] IoError),
}
