//! Links between the pages of the project: each leads to a file that is there, and to a heading that it has.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Folders without pages of their own, by name: of what is built or written, and `src/data`, whose page is the beginning of
/// `data/README.md`.
const STRANGE: [&str; 7] = ["target", "dist", "node_modules", "models", "data", "studies", "trials"];

/// Pages in folders that are not looked through.
const MORE: [&str; 2] = ["models/README.md", "data/README.md"];

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let (mut found, mut folders) = (MORE.map(|page| project().join(page)).to_vec(), vec![project().to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            if entry.file_type().unwrap().is_dir() && !name.starts_with('.') && !STRANGE.contains(&name.as_str()) {
                folders.push(entry.path());
            } else if name.ends_with(".md") {
                found.push(entry.path());
            }
        }
    }
    found
}

/// The lines of a page that are no code.
fn prose(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code
    });
    lines.map(str::to_owned).collect()
}

/// What GitHub calls the headings of a page.
fn anchors(page: &Path) -> BTreeSet<String> {
    let lines = prose(page);
    let headings = lines.iter().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    headings.map(|heading| heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

/// The targets of a line's links that are in the project.
fn targets(line: &str) -> Vec<&str> {
    let after = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    after.filter(|target| !target.contains("://") && !target.contains("::") && !target.contains(' ')).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let (mut seen, mut astray) = (0, Vec::new());
    for page in pages() {
        for line in prose(&page) {
            for target in targets(&line) {
                seen += 1;
                let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
                let there = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
                let leads = there.exists() && (anchor.is_empty() || anchors(&there).contains(anchor));
                if !leads {
                    astray.push(format!("{}: {target}", page.strip_prefix(project()).unwrap().display()));
                }
            }
        }
    }
    assert!(astray.is_empty(), "{astray:#?}");
    assert!(seen > 200, "{seen} links");
}

#[test]
fn a_heading_is_called_as_on_the_web() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.md");
    fs::write(&page, "# One: `two` (three)\n```sh\n# four\n```\n## Five-six\n").unwrap();
    assert_eq!(anchors(&page).into_iter().collect::<Vec<_>>(), ["five-six", "one-two-three"]);
    assert_eq!(targets("[a](b.md#c), [d](https://e), [f](#g) and [h](crate::i)"), ["b.md#c", "#g"]);
}
