//! Each room of `src/` uses only rooms on the floors below its own, and its `mod.rs` says on which floor it is.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The rooms, lowest floor first. Rooms of one floor do not know each other.
const FLOORS: [&[&str]; 11] = [
    &["disk", "console", "estimate"],
    &["board", "page"],
    &["game"],
    &["encode"],
    &["data", "model"],
    &["stats", "search", "export", "train"],
    &["selfplay", "evaluate"],
    &["pipeline", "serve"],
    &["report", "study", "trial", "fleet"],
    &["browse"],
    &["cli"],
];

fn floor(room: &str) -> usize {
    FLOORS.iter().position(|rooms| rooms.contains(&room)).unwrap_or_else(|| panic!("`{room}` is on no floor"))
}

/// The files below a folder that end with `.rs`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The rooms that a source names after `crate::`, as a path or in a group of `use`, each with its line. Comments do not
/// count.
fn named(source: &str) -> Vec<(usize, String)> {
    let uncommented = |line| str::split_once(line, "//").map_or(line, |(code, _)| code);
    let code: String = source.lines().flat_map(|line| [uncommented(line), "\n"]).collect();
    let mut rooms = Vec::new();
    for (at, marker) in code.match_indices("crate::") {
        let (mut depth, mut start) = (0, true);
        for (offset, c) in code[at + marker.len()..].char_indices() {
            let place = at + marker.len() + offset;
            if start && (c.is_alphabetic() || c == '_') {
                let name = code[place..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                rooms.push((code[..place].matches('\n').count() + 1, name.to_owned()));
            }
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            // In a group, a name begins after its brace and after each comma at its own depth.
            start = depth == 1 && (c == '{' || c == ',' || start && c.is_whitespace());
            if depth == 0 {
                break;
            }
        }
    }
    rooms
}

#[test]
fn no_room_uses_one_on_its_own_floor_or_above() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut upward = Vec::new();
    for path in sources(&root) {
        let inside = path.strip_prefix(&root).unwrap();
        let room = inside.iter().next().unwrap().to_str().unwrap();
        // `lib.rs` and `main.rs` are of no room.
        for (line, used) in named(&fs::read_to_string(&path).unwrap()).into_iter().filter(|_| !room.ends_with(".rs")) {
            if used != room && floor(&used) >= floor(room) {
                upward.push(format!("src/{}:{line}: `{room}` uses `{used}`", inside.display()));
            }
        }
    }
    assert!(upward.is_empty(), "imports that do not point down:\n{}", upward.join("\n"));
}

#[test]
fn every_room_says_its_floor() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&root).iter().filter(|path| path.ends_with("mod.rs")) {
        let inside = path.strip_prefix(&root).unwrap();
        let (room, text) = (inside.iter().next().unwrap().to_str().unwrap(), fs::read_to_string(path).unwrap());
        if inside.iter().count() == 2 {
            assert!(text.starts_with(&format!("//! Floor {}: ", floor(room))), "{}", inside.display());
        }
    }
}

#[test]
fn names_are_found_in_paths_and_in_groups_but_not_in_comments() {
    let source = "\
use crate::{
    data::{self, model},
    game::x,
};
// crate::cli
fn f(a: crate::page::B) {} // crate::cli
use crate::disk;
";
    let rooms = named(source);
    let expected = [(2, "data"), (3, "game"), (6, "page"), (7, "disk")];
    assert_eq!(rooms, expected.map(|(line, room)| (line, room.to_owned())));
}
