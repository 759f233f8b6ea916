//! What goes wrong with a fleet, each in one line.

use std::{fmt, path::Path};

use thiserror::Error;

use crate::{disk::IoError, pipeline::RunError};

/// Work with a fleet that cannot go on.
#[derive(Debug, Error)]
pub enum FleetError {
    /// A file of keys, or a file to join by.
    #[error("{0}")]
    Key(String),
    #[error("{url}: expected `nats://HOST:PORT` or `tls://HOST:PORT`")]
    Address { url: String },
    /// The server refuses the key, or what it is used for.
    #[error("{url}: refused: {reason}")]
    Refused { url: String, reason: String },
    #[error("{url}: no server to be reached for {seconds} s: {reason}")]
    Unreachable { url: String, seconds: u64, reason: String },
    /// The server, or its store, does not do what it is asked for.
    #[error("{url}: {what}: {reason}")]
    Server { url: String, what: &'static str, reason: String },
    /// The store of files refuses, or does not answer.
    #[error("{url}: {problem}")]
    Store { url: String, problem: String },
    #[error("nats-server: {0}")]
    Child(String),
    /// There is another coordinator, now or before.
    #[error("{0}")]
    Fenced(String),
    /// This program or machine cannot play the run.
    #[error("run {run}: {problem}")]
    Unfit { run: String, problem: String },
    #[error("{0}")]
    NoRun(String),
    /// What the server has is not the network that was asked for.
    #[error("{0}")]
    Network(String),
    /// A file that nobody can play.
    #[error("file {file} of generation {generation} ended its workers ({workers}) and the process that played it here")]
    Poison { generation: u64, file: u64, workers: String },
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Io(#[from] IoError),
}

impl FleetError {
    /// Whether it may be over in a while: the server or the store is away.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, FleetError::Server { .. } | FleetError::Unreachable { .. } | FleetError::Store { .. })
    }

    /// Something is wrong in a file.
    pub(super) fn key(file: &Path, problem: impl fmt::Display) -> Self {
        FleetError::Key(format!("{}: {problem}", file.display()))
    }
}
