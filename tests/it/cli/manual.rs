//! `maydan manual` as a user runs it.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use super::completions::commands;

fn manual(folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maydan")).arg("manual").arg(folder).output().unwrap()
}

#[test]
fn every_command_has_a_page() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("man/man1");
    let output = manual(&folder);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let page = |name: &str| {
        let path = folder.join(format!("{name}.1"));
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let mut expected = vec!["maydan".to_owned()];
    expected.extend(commands(&[]).iter().map(|name| format!("maydan-{name}")));
    expected.extend(commands(&["stats"]).iter().map(|name| format!("maydan-stats-{name}")));
    for name in &expected {
        // Hyphens are escaped in pages.
        assert!(page(name).replace('\\', "").contains(&format!("{name} - ")), "{name}");
    }
    let first = page("maydan");
    assert!(commands(&[]).iter().all(|name| first.replace('\\', "").contains(&format!("maydan-{name}(1)"))), "{first}");
    assert!(page("maydan-match").replace('\\', "").contains("--playouts"));
    let count = fs::read_dir(&folder).unwrap().count();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{}: {count} pages\n", folder.display()));
    assert!(count >= expected.len());
}

/// A folder of pages holds those of other programs too.
#[test]
fn pages_are_written_anew_among_others() {
    let root = tempfile::tempdir().unwrap();
    let (old, other) = (root.path().join("maydan.1"), root.path().join("other.1"));
    fs::write(&old, "old").unwrap();
    fs::write(&other, "other").unwrap();
    assert!(manual(root.path()).status.success());
    assert!(fs::read_to_string(&old).unwrap().contains("maydan"));
    assert_eq!(fs::read_to_string(&other).unwrap(), "other");
}

#[test]
fn a_file_in_place_of_the_folder_is_named() {
    let root = tempfile::tempdir().unwrap();
    let taken = root.path().join("taken");
    fs::write(&taken, "mine").unwrap();
    let output = manual(&taken);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.lines().count() == 1 && error.starts_with("error: ") && error.contains("taken"), "{error}");
    assert_eq!(fs::read_to_string(&taken).unwrap(), "mine");
}
