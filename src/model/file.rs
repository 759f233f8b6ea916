//! The files of a network: read within bounds, and what is wrong with one.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::disk::IoError;

/// Bytes beyond which a metadata file is not read.
const METADATA_LIMIT: u64 = 1 << 20;

/// What is wrong with a checkpoint, in one line.
#[derive(Debug, Error)]
pub enum CheckpointError {
    #[error(transparent)]
    Io(#[from] IoError),
    /// A field is not what it must be; `problem` reads `field: expected X, found Y`.
    #[error("{}: {problem}", file.display())]
    Mismatch { file: PathBuf, problem: String },
}

impl CheckpointError {
    pub(crate) fn mismatch(file: &Path, problem: impl ToString) -> Self {
        CheckpointError::Mismatch { file: file.to_owned(), problem: problem.to_string() }
    }
}

/// Reads a file of at most `limit` bytes.
pub(super) fn read(file: &Path, limit: u64) -> Result<Vec<u8>, CheckpointError> {
    let mut content = Vec::new();
    let read = File::open(file).and_then(|file| file.take(limit + 1).read_to_end(&mut content));
    read.map_err(IoError::at(file))?;
    if content.len() as u64 > limit {
        return Err(CheckpointError::mismatch(file, format!("size: expected at most {limit} bytes, found more")));
    }
    Ok(content)
}

/// Reads a TOML file whose field `format` must be `format`.
pub(crate) fn read_toml<T: DeserializeOwned>(file: &Path, format: u32) -> Result<T, CheckpointError> {
    let mismatch = |problem: String| CheckpointError::mismatch(file, problem);
    let text = String::from_utf8(read(file, METADATA_LIMIT)?)
        .map_err(|_| mismatch("text: expected UTF-8, found other bytes".to_owned()))?;
    let parse = |e: toml::de::Error| {
        let line = e.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        mismatch(format!("line {line}: {}", e.message().replace('\n', " ")))
    };
    let table: toml::Table = text.parse().map_err(parse)?;
    match table.get("format") {
        Some(found) if found.as_integer() == Some(format.into()) => toml::from_str(&text).map_err(parse),
        Some(found) => Err(mismatch(format!("format: expected {format}, found {found}"))),
        None => Err(mismatch(format!("format: expected {format}, found none"))),
    }
}
