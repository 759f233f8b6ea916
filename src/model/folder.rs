//! Folders that are written whole or not at all.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Writes a folder of files: into `<folder>.partial` first, each file synced to the disk, then under its name. A folder of that name is replaced;
/// a reader sees the old one, for an instant none, then the new one, and never a part.
///
/// # Errors
/// When the disk refuses; the old folder is then still there, or beside its place as `<folder>.replaced`.
pub fn write_folder(folder: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    let partial = beside(folder, ".partial");
    let replaced = beside(folder, ".replaced");
    remove(&partial)?;
    fs::create_dir_all(&partial)?;
    for (name, content) in files {
        let mut file = File::create(partial.join(name))?;
        file.write_all(content)?;
        file.sync_all()?;
    }
    sync(&partial)?;
    if folder.exists() {
        remove(&replaced)?;
        fs::rename(folder, &replaced)?;
    }
    fs::rename(&partial, folder)?;
    sync(folder.parent().unwrap_or(Path::new("")))?;
    remove(&replaced)
}

/// The path with something added to its last part.
fn beside(folder: &Path, suffix: &str) -> PathBuf {
    let mut path = folder.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// Makes the names in a folder last.
fn sync(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)?.sync_all()
}
