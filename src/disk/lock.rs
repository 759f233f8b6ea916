//! One process at a time in a folder.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
};

use super::{DirectoryError, IoError};

/// A folder held by this process alone as long as the value lives; the system releases it however the process ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Takes the lock of a folder, which is a file `lock` in it.
///
/// # Errors
/// When another process holds it, the file system has no locks, or the disk refuses.
pub fn lock(folder: &Path) -> Result<Lock, DirectoryError> {
    let path = folder.join("lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(IoError::at(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock { _file: file }),
        Err(TryLockError::WouldBlock) => Err(DirectoryError::Locked { path: folder.to_owned() }),
        Err(TryLockError::Error(source)) if has_no_locks(&source) => Err(DirectoryError::NoLocks { path, source }),
        Err(TryLockError::Error(source)) => Err(IoError { path, source }.into()),
    }
}

/// Whether an error says that the file system locks no files, as some of networks and of shared folders do not.
fn has_no_locks(error: &io::Error) -> bool {
    /// "No locks available": how NFS without its lock daemon says so.
    const ENOLCK: i32 = 37;
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error() == Some(ENOLCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_refused_until_the_first_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let first = lock(folder.path()).unwrap();
        assert!(matches!(lock(folder.path()), Err(DirectoryError::Locked { path }) if path == folder.path()));
        drop(first);
        lock(folder.path()).unwrap();
        assert!(matches!(lock(&folder.path().join("none")), Err(DirectoryError::Io(_))));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_system_without_locks_is_told_from_a_broken_one() {
        // ENOLCK, ENOSYS, EOPNOTSUPP; EIO.
        for (number, expected) in [(37, true), (38, true), (95, true), (5, false)] {
            let source = io::Error::from_raw_os_error(number);
            assert_eq!(has_no_locks(&source), expected, "{source}");
        }
        let error = DirectoryError::NoLocks { path: "a/lock".into(), source: io::Error::from_raw_os_error(37) };
        let text = error.to_string();
        assert!(text.starts_with("a/lock: ") && text.contains("--root") && !text.contains('\n'), "{text}");
    }
}
