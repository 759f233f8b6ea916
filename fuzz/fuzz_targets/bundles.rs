//! Damaged bundles: refused in one line, or, where the damage hits nothing that counts, read as the whole bundle.

#![no_main]

mod damage;

use std::{fs, sync::LazyLock};

use libfuzzer_sys::fuzz_target;
use maydan::export::Bundle;
use tempfile::TempDir;

const WHOLE: &[u8] = include_bytes!("../../models/shatar.maydan");

/// A folder for the file, and what the whole one holds.
static PLACE: LazyLock<(TempDir, Bundle)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("whole.maydan");
    fs::write(&path, WHOLE).expect("room on the disk");
    let bundle = Bundle::read(&path).expect("a shipped bundle");
    (folder, bundle)
});

fuzz_target!(|edits: &[u8]| {
    let (folder, whole) = &*PLACE;
    let path = folder.path().join("damaged.maydan");
    fs::write(&path, damage::damaged(WHOLE, edits)).expect("room on the disk");
    match Bundle::read(&path) {
        Ok(bundle) => assert!(bundle == *whole, "damage is read"),
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
});
