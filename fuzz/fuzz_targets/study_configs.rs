//! Configurations of studies: what is read is written as a text that is read as the same.

#![no_main]

use std::{fs, sync::LazyLock};

use libfuzzer_sys::fuzz_target;
use maydan::study::StudyConfig;
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder for temporary files"));

fuzz_target!(|text: &str| {
    let path = FOLDER.path().join("study.toml");
    fs::write(&path, text).expect("room on the disk");
    let Ok(config) = StudyConfig::load(&path, &[]) else { return };
    let written = config.to_toml();
    fs::write(&path, &written).expect("room on the disk");
    // Compared as text: a value that is no number differs from itself.
    assert_eq!(StudyConfig::load(&path, &[]).expect("a text written by the program").to_toml(), written);
});
