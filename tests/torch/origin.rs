//! Runs that begin with a network that is there already.

use std::fs;

use serde_json::Value;

use crate::run::{Place, complaint};

#[test]
fn a_run_goes_on_from_the_network_of_another_run() {
    let place = Place::new();
    place.done("train", &["--run", "first"]);
    let weights =
        |name: &str| fs::read(place.folder.path().join("models").join(name).join("weights.safetensors")).unwrap();
    let begin = |name: &str, origin: &str, sets: &[&str]| {
        let origin = format!("run.from={origin}");
        let sets = sets.iter().flat_map(|set| ["--set", set]);
        let arguments: Vec<&str> = ["--run", name, "--set", &origin].into_iter().chain(sets).collect();
        let output = place.run("selfplay", &arguments);
        if output.status.success() { String::new() } else { complaint(&output) }
    };
    assert_eq!(begin("second", "first", &[]), "");
    assert_eq!(weights("second/gen-000000"), weights("first/gen-000002"), "a run's name stands for its newest");
    assert_eq!(begin("third", "models/first/gen-000001", &[]), "");
    assert_eq!(weights("third/gen-000000"), weights("first/gen-000001"));

    let is_there = |name: &str| place.folder.path().join("models").join(name).join("config.toml").exists();
    let error = begin("fourth", "first", &["rules.max_plies=30"]);
    assert!(error.contains("[run] from: first: ruleset.options.max_plies: expected 30, found 512"), "{error}");
    assert_eq!(begin("fifth", "first", &["rules.max_plies=30", r#"run.other_rules=["max_plies"]"#]), "");
    assert_eq!(weights("fifth/gen-000000"), weights("first/gen-000002"));
    let error = begin("sixth", "first", &["model.channels=4"]);
    assert!(error.contains("[model] channels: expected at least 8, found 4"), "{error}");
    assert_eq!(begin("grown", "first", &["model.blocks=2", "model.channels=12"]), "");
    assert!(weights("grown/gen-000000").len() > weights("first/gen-000002").len());
    let error = begin("seventh", "frist", &[]);
    assert!(error.contains("network `frist`: expected a bundle") && error.contains("`models/first`?"), "{error}");
    assert_eq!(begin("seventh", "first", &[]), "", "a mistyped network is not kept");
    assert!(is_there("seventh") && !is_there("fourth") && !is_there("sixth"));
}

#[test]
fn a_run_goes_on_from_the_games_of_another_with_a_larger_network_or_another_optimiser() {
    let place = Place::new();
    place.done("train", &["--run", "first"]);
    let at = |path: &str| place.folder.path().join(path);
    let fork = |name: &str, other: &[&str]| {
        let sets = [&["run.fork=first", "run.generations=3", "evaluate.every=0"], other].concat();
        let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
        let output = place.run("train", &[&["--run", name], &sets[..]].concat());
        if !output.status.success() {
            return complaint(&output);
        }
        let anew = "no optimiser beside the checkpoint";
        if String::from_utf8_lossy(&output.stderr).contains(anew) { anew.to_owned() } else { String::new() }
    };
    let read = |path: &str| fs::read(at(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let large = ["model.blocks=2", "model.channels=12"];
    for (name, other) in [("same", &[][..]), ("large", &large), ("sgd", &["train.optimiser=sgd"])] {
        let expected = if name == "same" { "" } else { "no optimiser beside the checkpoint" };
        assert_eq!(fork(name, other), expected, "{name}");
        for games in ["gen-000000/0000.parquet", "gen-000001/0002.parquet"] {
            assert_eq!(read(&format!("data/{name}/{games}")), read(&format!("data/first/{games}")));
        }
        assert!(
            !at(&format!("models/{name}/gen-000001")).exists() && at(&format!("models/{name}/gen-000003")).exists()
        );
        let counters = fs::read_to_string(at(&format!("models/{name}/gen-000003/checkpoint.toml"))).unwrap();
        assert!(counters.contains("games = 18"), "{counters}");
    }
    let newest = "gen-000002/weights.safetensors";
    assert_eq!(read(&format!("models/same/{newest}")), read(&format!("models/first/{newest}")));
    let metrics = fs::read_to_string(at("models/large/metrics.jsonl")).unwrap();
    let mut events = metrics.lines().rev().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let trained = events.find(|event| event["event"] == "train").expect("a training");
    let window = trained["window"].as_u64().unwrap();
    assert!(window > 6 * 20 * 2, "the window of {window} rows has games of the first run");

    let error = fork("small", &["model.channels=4"]);
    assert!(error.contains("[model] channels: expected at least 8, found 4"), "{error}");
    assert!(!at("data/small/gen-000000").exists(), "a run that is refused has no games");
    let error = fork("other", &["rules.max_plies=30"]);
    assert!(error.contains("[run] fork: first: ruleset.options.max_plies: expected 30, found 512"), "{error}");
    let error = fork("none", &["run.fork=frist"]);
    assert!(error.contains("frist: expected a run with a checkpoint, found none"), "{error}");
    assert_eq!(fork("none", &[]), "", "a mistyped name is not kept");
}
