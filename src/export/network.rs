//! A network as a user names it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{Bundle, NetworkError, is_bundle};
use crate::{
    console::nearest,
    disk::{check_name, generation_dir, generations},
    model::{Checkpoint, Counters, Module, ModuleFormat},
};

/// Where runs and networks lie in the folder that commands are given in.
const MODELS: &str = "models";

/// What else a text can be where a network is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Alternatives<'a> {
    /// What is asked for: `player`.
    pub noun: &'a str,
    /// What it can be beside a network, ready for a sentence: "`random`, `greedy` or ".
    pub expected: &'a str,
    /// Words that a user may have meant.
    pub words: &'a [&'a str],
}

impl Default for Alternatives<'_> {
    fn default() -> Self {
        Alternatives { noun: "network", expected: "", words: &[] }
    }
}

/// The bundle, the module's file or the folder of the checkpoint that is meant: by its path, or the newest of a run by
/// the run's folder or its name in `models/`.
///
/// # Errors
/// When there is none; says what could have been meant.
pub fn find_network(named: &Path, alternatives: Alternatives<'_>) -> Result<PathBuf, NetworkError> {
    if (is_bundle(named) || is_module(named)) && named.is_file() || named.join("checkpoint.toml").exists() {
        return Ok(named.to_owned());
    }
    let is_name = named.to_str().is_some_and(|name| check_name(name).is_ok());
    let runs = [Some(named.to_owned()), is_name.then(|| Path::new(MODELS).join(named))];
    for run in runs.into_iter().flatten().filter(|run| run.is_dir()) {
        if let Some(&newest) = generations(&run)?.last() {
            return Ok(generation_dir(&run, newest));
        }
    }
    if named.exists() {
        return Err(NetworkError::Stranger { path: named.to_owned() });
    }
    Err(unknown(named, alternatives))
}

/// The network that is meant, as [`find_network`] finds it.
///
/// # Errors
/// As [`find_network`], and when it cannot be read.
pub fn read_network(named: &Path, alternatives: Alternatives<'_>) -> Result<Checkpoint, NetworkError> {
    let path = find_network(named, alternatives)?;
    if is_bundle(&path) {
        return Ok(Bundle::read(&path)?.into_checkpoint());
    }
    if path.is_file() {
        let (module, ruleset) = Module::read_with_note(&path)?;
        return Ok(Checkpoint::new(module, ruleset, 0, Counters::default()));
    }
    Ok(Checkpoint::load(&path)?)
}

/// Whether a user means the file of a network of another architecture by this path.
fn is_module(path: &Path) -> bool {
    let formats = [ModuleFormat::TorchScript, ModuleFormat::Onnx];
    formats.iter().any(|format| path.extension().is_some_and(|extension| extension == format.extension()))
}

fn unknown(named: &Path, Alternatives { noun, expected, words }: Alternatives<'_>) -> NetworkError {
    let found = named.to_string_lossy().into_owned();
    let mut shelf: Vec<String> = fs::read_dir(MODELS).map_or(Vec::new(), |entries| {
        let paths = entries.flatten().map(|entry| entry.path()).filter(|path| is_bundle(path) || path.is_dir());
        paths.filter_map(|path| path.to_str().map(str::to_owned)).collect()
    });
    shelf.sort_unstable();
    let stem = |path: &str| Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
    let stems: Vec<String> = shelf.iter().map(|path| stem(path)).collect();
    let likely = nearest(&stem(&found), words.iter().copied().chain(stems.iter().map(String::as_str)));
    let meant = likely.map(|likely| stems.iter().position(|stem| stem == likely).map_or(likely, |place| &shelf[place]));
    let hint = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    let expected = format!(
        "{expected}a bundle (`*.maydan`), a module (`*.pt`, `*.onnx`), or a checkpoint or a run by its folder or name"
    );
    NetworkError::Unknown { noun: noun.to_owned(), found, expected, hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_stands_for_its_newest_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let [run, bundle, module] = ["run", "bot.maydan", "net.pt"].map(|name| folder.path().join(name));
        for generation in [2, 11] {
            let checkpoint = generation_dir(&run, generation);
            fs::create_dir_all(&checkpoint).unwrap();
            fs::write(checkpoint.join("checkpoint.toml"), "").unwrap();
        }
        fs::write(&bundle, "").unwrap();
        fs::write(&module, "").unwrap();
        let find = |path: &Path| find_network(path, Alternatives::default());
        assert_eq!(find(&run).unwrap(), run.join("gen-000011"));
        assert_eq!(find(&run.join("gen-000002")).unwrap(), run.join("gen-000002"));
        assert_eq!(find(&bundle).unwrap(), bundle);
        assert_eq!(find(&module).unwrap(), module);
        assert!(matches!(find(folder.path()), Err(NetworkError::Stranger { .. })));
        assert!(matches!(find(&folder.path().join("no.maydan")), Err(NetworkError::Unknown { .. })));
    }
}
