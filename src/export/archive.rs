//! Files in a zip archive. They are stored, not deflated: weights hardly shrink, and what is read is never longer than the archive.

use std::{
    fs::{self, File},
    io::{self, BufReader, Cursor, Read as _, Write as _},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;
use zip::{CompressionMethod, ZipArchive, ZipWriter, result::ZipError, write::SimpleFileOptions};

use super::BundleError;

/// Bytes beyond which an archive is not opened.
const LIMIT: u64 = 1 << 32;

/// Files that a bundle holds at most.
const MOST_FILES: usize = 16;

/// An archive that is being read; whoever wrote it is not trusted.
pub(super) struct Archive {
    path: PathBuf,
    zip: ZipArchive<BufReader<File>>,
}

impl Archive {
    pub fn open(path: &Path) -> Result<Self, BundleError> {
        let io = |source| BundleError::io(path, source);
        let file = File::open(path).map_err(io)?;
        let metadata = file.metadata().map_err(io)?;
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

/// Writes an archive by way of a file beside it, so that a reader sees the old one or the new one. The same files give the same bytes.
pub(super) fn write(path: &Path, files: &[(&str, &[u8])]) -> Result<(), BundleError> {
    let io = |source| BundleError::io(path, source);
    let bytes = pack(files).map_err(|error| io(error.into()))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(io)?;
    let mut file = NamedTempFile::new_in(folder).map_err(io)?;
    file.write_all(&bytes).and_then(|()| file.as_file().sync_all()).map_err(io)?;
    readable_by_all(file.as_file()).map_err(io)?;
    file.persist(path).map_err(|error| io(error.error))?;
    Ok(())
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

/// Temporary files are their owner's alone; a bundle is to be handed on.
#[cfg(unix)]
fn readable_by_all(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_: &File) -> io::Result<()> {
    Ok(())
}
