//! A folder of files that appears whole or not at all.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::Path,
};

use super::{
    IoError,
    file::{PARTIAL, beside, parent, sync_folder},
};

/// What the name of a folder ends with for the instant in which another takes its place.
const REPLACED: &str = ".replaced";

/// Writes a folder of files: into `<folder>.partial` first, each file synced to the disk, then under its name. A
/// folder of that name is replaced; a reader sees the old one, for an instant none, then the new one, and never a
/// part.
///
/// # Errors
/// When the disk refuses; the old folder is then still there, or beside its place as `<folder>.replaced`.
pub fn write_folder(folder: &Path, files: &[(&str, &[u8])]) -> Result<(), IoError> {
    let partial = beside(folder, PARTIAL);
    fill(&partial, files).and_then(|()| replace(&partial, folder)).map_err(|source| {
        // The first error is the one to tell, and what stays is removed by the next try.
        let _ = remove(&partial);
        IoError { path: folder.to_owned(), source }
    })
}

/// Writes the files into a fresh folder.
fn fill(folder: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    remove(folder)?;
    fs::create_dir_all(folder)?;
    for (name, content) in files {
        let mut file = File::create(folder.join(name))?;
        file.write_all(content)?;
        file.sync_all()?;
    }
    sync_folder(folder)
}

/// Puts one folder in the place of another, which need not be there.
fn replace(new: &Path, folder: &Path) -> io::Result<()> {
    let replaced = beside(folder, REPLACED);
    if folder.exists() {
        remove(&replaced)?;
        fs::rename(folder, &replaced)?;
    }
    fs::rename(new, folder).inspect_err(|_| {
        // Back in its place, if the disk still lets it.
        let _ = fs::rename(&replaced, folder);
    })?;
    sync_folder(parent(folder))?;
    remove(&replaced)
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_replaces_the_one_before_and_leaves_nothing_beside() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("made/gen-000001");
        write_folder(&folder, &[("a", b"1"), ("b", b"2")]).unwrap();
        for debris in ["gen-000001.partial", "gen-000001.replaced"] {
            fs::create_dir(root.path().join("made").join(debris)).unwrap();
            fs::write(root.path().join("made").join(debris).join("c"), "half").unwrap();
        }
        write_folder(&folder, &[("a", b"3")]).unwrap();
        assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), "3");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert_eq!(fs::read_dir(root.path().join("made")).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_cannot_be_written_leaves_the_old_one_and_nothing_beside() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("gen-000001");
        write_folder(&folder, &[("a", b"old")]).unwrap();
        let error = write_folder(&folder, &[("a", b"new"), ("no/such/place", b"")]).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{}: ", folder.display())), "{error}");
        assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), "old");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
