//! Files in a zip archive. They are stored, not deflated: weights hardly shrink, and what is read is never longer than
//! the archive.

use std::{
    fs::File,
    io::{BufReader, Cursor, Read as _, Write as _},
    path::{Path, PathBuf},
};

use zip::{CompressionMethod, ZipArchive, ZipWriter, result::ZipError, write::SimpleFileOptions};

use super::BundleError;
use crate::disk::{IoError, write_file};

/// Bytes beyond which an archive is not opened.
const LIMIT: u64 = 1 << 32;

/// Files that a bundle holds at most.
const MOST_FILES: usize = 16;

/// An archive that is being read; its writer is not trusted.
pub(super) struct Archive {
    path: PathBuf,
    zip: ZipArchive<BufReader<File>>,
}

impl Archive {
    pub fn open(path: &Path) -> Result<Self, BundleError> {
        let file = File::open(path).map_err(IoError::at(path))?;
        let metadata = file.metadata().map_err(IoError::at(path))?;
        if !metadata.is_file() || metadata.len() > LIMIT {
            return Err(BundleError::mismatch(path, format!("expected a file of at most {LIMIT} bytes")));
        }
        let zip = ZipArchive::new(BufReader::new(file))
            .map_err(|error| BundleError::mismatch(path, format!("expected a zip archive, found: {error}")))?;
        if zip.len() > MOST_FILES {
            let problem = format!("expected at most {MOST_FILES} files, found {}", zip.len());
            return Err(BundleError::mismatch(path, problem));
        }
        Ok(Archive { path: path.to_owned(), zip })
    }

    /// Names of all files.
    pub fn names(&self) -> Vec<String> {
        self.zip.file_names_raw().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    }

    /// The content of a file of at most `limit` bytes.
    pub fn read(&mut self, name: &str, limit: u64) -> Result<Vec<u8>, BundleError> {
        let mismatch = |problem: String| BundleError::mismatch(&self.path, format!("{name}: {problem}"));
        let file = self.zip.by_name(name).map_err(|error| match error {
            ZipError::FileNotFound => mismatch("expected a file of that name, found none".to_owned()),
            other => mismatch(format!("expected a stored file, found: {other}")),
        })?;
        let mut content = Vec::new();
        file.take(limit + 1).read_to_end(&mut content).map_err(|error| mismatch(format!("damaged: {error}")))?;
        if content.len() as u64 > limit {
            return Err(mismatch(format!("size: expected at most {limit} bytes, found more")));
        }
        Ok(content)
    }
}

/// Writes an archive, whole or not at all. The same files give the same bytes.
pub(super) fn write(path: &Path, files: &[(&str, &[u8])]) -> Result<(), BundleError> {
    Ok(write_file(path, |file| file.write_all(&pack(files)?))?)
}

fn pack(files: &[(&str, &[u8])]) -> Result<Vec<u8>, ZipError> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).unix_permissions(0o644);
    for (name, content) in files {
        zip.start_file(*name, options)?;
        zip.write_all(content)?;
    }
    Ok(zip.finish()?.into_inner())
}
