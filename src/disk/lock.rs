//! One process at a time in a folder.

use std::{
    fs::{File, OpenOptions, TryLockError},
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
/// When another process holds it, or the disk refuses.
pub fn lock(folder: &Path) -> Result<Lock, DirectoryError> {
    let path = folder.join("lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(IoError::at(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock { _file: file }),
        Err(TryLockError::WouldBlock) => Err(DirectoryError::Locked { path: folder.to_owned() }),
        Err(TryLockError::Error(source)) => Err(IoError { path, source }.into()),
    }
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
}
