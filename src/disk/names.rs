//! Names of runs, generations and chunks. A run's folder holds a folder a generation, `gen-000042`, which holds a file
//! of games a chunk, `0007.parquet`, or one checkpoint.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{DirectoryError, IoError};

/// What the name of a file of games ends with.
const CHUNK: &str = ".parquet";

/// Checks that a name makes a folder of its own wherever it is put.
///
/// # Errors
/// When it does not.
pub fn check_name(name: &str) -> Result<(), DirectoryError> {
    let fit = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(fit) {
        return Err(DirectoryError::Name(name.to_owned()));
    }
    Ok(())
}

/// `gen-000042`.
pub fn generation_name(generation: u64) -> String {
    format!("gen-{generation:06}")
}

/// 42 for `gen-000042`, and none for any other way to write it.
pub fn generation_of(name: &str) -> Option<u64> {
    let generation = name.strip_prefix("gen-")?.parse().ok()?;
    (name == generation_name(generation)).then_some(generation)
}

/// The folder of a generation in a run's folder: `<run>/gen-000042`.
pub fn generation_dir(run_dir: &Path, generation: u64) -> PathBuf {
    run_dir.join(generation_name(generation))
}

/// Generations that a run's folder holds, in order; none where there is no such folder.
///
/// # Errors
/// When the folder cannot be listed.
pub fn generations(run_dir: &Path) -> Result<Vec<u64>, IoError> {
    let mut generations: Vec<u64> = names(run_dir)?.iter().filter_map(|name| generation_of(name)).collect();
    generations.sort_unstable();
    Ok(generations)
}

/// File number `chunk` of a generation's folder: `<generation>/0007.parquet`.
pub fn chunk_path(generation_dir: &Path, chunk: u64) -> PathBuf {
    generation_dir.join(format!("{chunk:04}{CHUNK}"))
}

/// 7 for `<generation>/0007.parquet`, and none for any other way to write it.
pub fn chunk_of(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let chunk = name.strip_suffix(CHUNK)?.parse().ok()?;
    (name == format!("{chunk:04}{CHUNK}")).then_some(chunk)
}

/// Files of games in a generation's folder, in order of their numbers; none where there is no such folder. Files under
/// construction do not count.
///
/// # Errors
/// When the folder cannot be listed.
pub fn chunks(generation_dir: &Path) -> Result<Vec<PathBuf>, IoError> {
    let mut chunks = names(generation_dir)?;
    chunks.retain(|name| name.ends_with(CHUNK));
    // From chunk 10000 on, names are longer.
    chunks.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    Ok(chunks.iter().map(|name| generation_dir.join(name)).collect())
}

/// Names in a folder; none where there is no such folder.
fn names(folder: &Path) -> Result<Vec<String>, IoError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(IoError::at(folder))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry.map_err(IoError::at(folder))?.file_name().into_string());
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_is_read_back_from_its_name_and_from_no_other() {
        for generation in [0, 7, 42, 999_999, 1_000_000, u64::MAX] {
            assert_eq!(generation_of(&generation_name(generation)), Some(generation));
        }
        let strange = ["gen-5", "gen-0000004", "gen-+00004", "gen-x", "gen-", "gen-000003.partial", "Gen-000003", ""];
        for name in strange {
            assert_eq!(generation_of(name), None, "{name}");
        }
    }

    #[test]
    fn generations_and_chunks_are_listed_in_order_and_nothing_else_is() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(generations(&root.path().join("none")).unwrap(), Vec::<u64>::new());
        for name in ["gen-000010", "gen-000002", "gen-000003.partial", "gen-000004.replaced", "gen-5", "training"] {
            fs::create_dir(root.path().join(name)).unwrap();
        }
        assert_eq!(generations(root.path()).unwrap(), [2, 10]);
        let folder = generation_dir(root.path(), 2);
        let numbers = [0, 7, 9999, 10_000, 100_000];
        let expected = numbers.map(|chunk| chunk_path(&folder, chunk));
        for path in expected.iter().rev().chain([&folder.join("0008.parquet.partial"), &folder.join("notes.txt")]) {
            fs::write(path, "").unwrap();
        }
        assert_eq!(chunks(&folder).unwrap(), expected);
        assert_eq!(expected.map(|path| chunk_of(&path).unwrap()), numbers);
        for strange in ["7.parquet", "00007.parquet", "+007.parquet", "0007.parquet.partial", "x.parquet"] {
            assert_eq!(chunk_of(&folder.join(strange)), None, "{strange}");
        }
    }

    #[test]
    fn names_cannot_leave_their_folder() {
        for name in ["", "..", "../a", "a/b", "a\\b", ".hidden", "a b"] {
            assert!(matches!(check_name(name), Err(DirectoryError::Name(_))), "{name}");
        }
        for name in ["a", "shatara-demo", "v1.2_3"] {
            check_name(name).unwrap();
        }
    }
}
