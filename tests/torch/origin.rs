//! Runs that begin with a network that is there already.

use std::fs;

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

    let error = begin("fourth", "first", &["rules.max_plies=30"]);
    assert!(error.contains("[run] from: first: ruleset.options.max_plies: expected 30, found 512"), "{error}");
    assert_eq!(begin("fifth", "first", &["rules.max_plies=30", r#"run.other_rules=["max_plies"]"#]), "");
    assert_eq!(weights("fifth/gen-000000"), weights("first/gen-000002"));
    let error = begin("sixth", "first", &["model.blocks=2"]);
    assert!(error.contains("[model] blocks: expected 1 as the network to go on from has, found 2"), "{error}");
    let error = begin("seventh", "frist", &[]);
    assert!(error.contains("network `frist`: expected a bundle") && error.contains("`models/first`?"), "{error}");
}
