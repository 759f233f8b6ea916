//! A file that appears whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::IoError;

/// What the names of files and folders under construction end with.
pub const PARTIAL: &str = ".partial";

/// A file under construction, beside the one that it is to replace: `<name>.partial`. It gets its name, and the
/// permissions of any other new file, when it is [finished](PartialFile::finish), and is removed when it is dropped
/// before.
#[derive(Debug)]
pub struct PartialFile {
    path: PathBuf,
    partial: PathBuf,
    file: BufWriter<File>,
    is_finished: bool,
}

impl PartialFile {
    /// Begins the file that is to be `path`; its folder must be there.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn create(path: &Path) -> Result<Self, IoError> {
        let partial = beside(path, PARTIAL);
        let file = File::create(&partial).map_err(IoError::at(path))?;
        Ok(PartialFile { path: path.to_owned(), partial, file: BufWriter::new(file), is_finished: false })
    }

    /// Puts the file in its place, where a reader saw the old content until now and sees the new one from now on. Both
    /// content and name are on the disk when this returns.
    ///
    /// # Errors
    /// When the disk refuses; the old content is then still there.
    pub fn finish(mut self) -> Result<(), IoError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.and_then(|()| fs::rename(&self.partial, &self.path)).map_err(IoError::at(&self.path))?;
        self.is_finished = true;
        sync_folder(parent(&self.path)).map_err(IoError::at(&self.path))?;
        tracing::debug!("wrote {}", self.path.display());
        Ok(())
    }
}

impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.is_finished {
            // What stays is written over by the next try.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// Writes a file so that a reader sees the old content or the new one, never half of it. Folders on the way are made.
///
/// # Errors
/// When `write` fails or the disk refuses; the old content is then still there.
pub fn write_file(path: &Path, write: impl FnOnce(&mut PartialFile) -> io::Result<()>) -> Result<(), IoError> {
    fs::create_dir_all(parent(path)).map_err(IoError::at(path))?;
    let mut file = PartialFile::create(path)?;
    write(&mut file).map_err(IoError::at(path))?;
    file.finish()
}

/// A file that is not there yet, under a name that no other writer has. It gets its own when it is
/// [finished](NewFile::finish), and is removed when it is dropped before.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl NewFile {
    /// Writes what is to be the content of `path`, beside it and to the disk. Folders on the way are made.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn create(path: &Path, content: &[u8]) -> Result<Self, IoError> {
        let folder = parent(path);
        let write = || {
            fs::create_dir_all(folder)?;
            let mut begin = path.file_name().unwrap_or_default().to_owned();
            begin.push(".");
            let mut builder = tempfile::Builder::new();
            builder.prefix(&begin).suffix(PARTIAL);
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(folder)?;
            file.write_all(content)?;
            file.as_file().sync_all()?;
            Ok(file)
        };
        Ok(NewFile { path: path.to_owned(), file: write().map_err(IoError::at(path))? })
    }

    /// Where it is until then.
    pub fn partial(&self) -> &Path {
        self.file.path()
    }

    /// Gives it its name, unless another has it: what is there stays then, and the answer is `false`.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn finish(self) -> Result<bool, IoError> {
        let NewFile { path, file } = self;
        match file.persist_noclobber(&path) {
            Ok(_) => sync_folder(parent(&path)).map(|()| true).map_err(IoError::at(&path)),
            Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(failure) => Err(IoError::at(&path)(failure.error)),
        }
    }
}

/// Writes a file that is not there yet, whole or not at all: whoever comes second leaves what is there, and gets `false`.
/// Until then it has a name that no other writer has. Folders on the way are made.
///
/// # Errors
/// When the disk refuses.
pub fn write_new_file(path: &Path, content: &[u8]) -> Result<bool, IoError> {
    NewFile::create(path, content)?.finish()
}

/// Writes a file that nobody but its owner may read, whole or not at all; one of that name is replaced. Folders on the
/// way are made.
///
/// # Errors
/// When the disk refuses.
pub fn write_secret_file(path: &Path, content: &[u8]) -> Result<(), IoError> {
    let write = || {
        let folder = parent(path);
        fs::create_dir_all(folder)?;
        // Such files are their owner's alone from the first byte.
        let mut file = tempfile::Builder::new().suffix(PARTIAL).tempfile_in(folder)?;
        file.write_all(content)?;
        file.as_file().sync_all()?;
        file.persist(path).map(drop).map_err(|failure| failure.error)
    };
    write().map_err(IoError::at(path))
}

/// Removes what writers that were killed left in a folder, which nobody else may be writing in.
///
/// # Errors
/// When the disk refuses.
pub fn remove_partial_files(folder: &Path) -> Result<(), IoError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(IoError::at(folder)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(IoError::at(folder))?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && entry.file_name().to_string_lossy().ends_with(PARTIAL) {
            fs::remove_file(entry.path()).map_err(IoError::at(&entry.path()))?;
        }
    }
    Ok(())
}

/// The path with something added to its last part.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// The folder that a path lies in.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the names in a folder last, where the system can.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn a_file_appears_when_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut file = PartialFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!(names(folder.path()), ["a.txt.partial"]);
        file.finish().unwrap();
        assert_eq!(names(folder.path()), ["a.txt"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn a_writer_that_fails_leaves_the_old_file_and_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/a.txt");
        write_file(&path, |file| file.write_all(b"old")).unwrap();
        let error = write_file(&path, |file| file.write_all(b"new").and(Err(io::Error::other("no")))).unwrap_err();
        assert_eq!(error.to_string(), format!("{}: no", path.display()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(PartialFile::create(&path).unwrap());
        assert_eq!(names(path.parent().unwrap()), ["a.txt"]);
    }

    #[test]
    fn what_a_killed_process_left_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(folder.path().join("a.txt.partial"), "a long line of which half was written").unwrap();
        write_file(&path, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_path_that_cannot_be_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        for path in ["file/a.txt", "none/a.txt"].map(|name| folder.path().join(name)) {
            let error = PartialFile::create(&path).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
        }
        fs::create_dir(folder.path().join("taken")).unwrap();
        write_file(&folder.path().join("taken"), |_| Ok(())).unwrap_err();
        assert_eq!(names(folder.path()), ["file", "taken"]);
    }

    #[test]
    fn the_second_writer_of_a_new_file_leaves_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/a.txt");
        fs::create_dir(folder.path().join("new")).unwrap();
        fs::write(folder.path().join("new/a.txt.x1.partial"), "half").unwrap();
        let writers: Vec<bool> = std::thread::scope(|scope| {
            let write = |text: &'static [u8]| {
                let path = &path;
                scope.spawn(move || write_new_file(path, text).unwrap())
            };
            let threads = [write(b"one"), write(b"two"), write(b"three")];
            threads.map(|thread| thread.join().unwrap()).to_vec()
        });
        assert_eq!(writers.iter().filter(|&&first| first).count(), 1);
        let expected = [&b"one"[..], b"two", b"three"][writers.iter().position(|&first| first).unwrap()];
        assert_eq!(fs::read(&path).unwrap(), expected);
        assert!(!write_new_file(&path, b"late").unwrap());
        assert_eq!(names(path.parent().unwrap()), ["a.txt", "a.txt.x1.partial"]);
        remove_partial_files(path.parent().unwrap()).unwrap();
        remove_partial_files(&folder.path().join("none")).unwrap();
        assert_eq!(names(path.parent().unwrap()), ["a.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_the_permissions_of_any_other() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        File::create(folder.path().join("plain")).unwrap();
        write_file(&folder.path().join("whole"), |_| Ok(())).unwrap();
        write_new_file(&folder.path().join("fresh"), b"").unwrap();
        assert_eq!([mode("whole"), mode("fresh")], [mode("plain"); 2]);
    }
}
