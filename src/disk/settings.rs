//! The configuration that a folder's content was made with, kept beside it, so that work never goes on under another
//! unawares.

use std::{fs, io, io::Write as _, path::Path};

use similar::TextDiff;

use super::{DirectoryError, IoError, write_file};

/// What to do when work is continued with another configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigChange {
    Refuse,
    Allow,
}

/// Keeps a resolved configuration in a file, or holds it against the one that is there.
///
/// # Errors
/// Shows the difference when the configuration changed and `change` forbids it.
pub fn settle(path: &Path, resolved: &str, change: ConfigChange) -> Result<(), DirectoryError> {
    match fs::read_to_string(path) {
        Ok(known) if known == resolved => return Ok(()),
        Ok(known) if change == ConfigChange::Refuse => {
            let diff = TextDiff::from_lines(known.as_str(), resolved)
                .unified_diff()
                .context_radius(0)
                .header("the run's configuration", "the one given now")
                .to_string();
            return Err(DirectoryError::ConfigChanged { path: path.to_owned(), diff });
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(source) => return Err(IoError { path: path.to_owned(), source }.into()),
    }
    Ok(write_file(path, |file| file.write_all(resolved.as_bytes()))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_configuration_is_shown_and_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        settle(&path, "seed = 1\nx = 2\n", ConfigChange::Refuse).unwrap();
        settle(&path, "seed = 1\nx = 2\n", ConfigChange::Refuse).unwrap();
        match settle(&path, "seed = 3\nx = 2\n", ConfigChange::Refuse) {
            Err(DirectoryError::ConfigChanged { diff, .. }) => {
                assert!(diff.contains("-seed = 1") && diff.contains("+seed = 3") && !diff.contains("x = 2"), "{diff}");
            }
            other => panic!("{other:?}"),
        }
        settle(&path, "seed = 3\nx = 2\n", ConfigChange::Allow).unwrap();
        settle(&path, "seed = 3\nx = 2\n", ConfigChange::Refuse).unwrap();
    }
}
