//! Runs whose games are played beside training, by several devices, or by several processes.

use crate::run::{Place, assert_same, complaint, unbroken};

use std::{collections::BTreeMap, fs, path::Path, thread};

use maydan::data::inspect;

const LAG: [&str; 4] = ["--set", "run.lag=1", "--set", "run.generations=4"];

/// The checkpoint whose games a generation's are, by every file.
fn players(place: &Place, generation: u64) -> Vec<String> {
    let folder = place.data(&format!("gen-{generation:06}"));
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut players: Vec<String> = files.map(|path| inspect(&path).unwrap().manifest.checkpoint).collect();
    players.dedup();
    players
}

fn id(place: &Place, generation: u64) -> String {
    let text = fs::read_to_string(place.model(&format!("gen-{generation:06}/checkpoint.toml"))).unwrap();
    text.parse::<toml::Table>().unwrap()["id"].as_str().unwrap().to_owned()
}

#[test]
fn the_games_of_a_lagging_run_are_played_by_the_network_before() {
    let place = Place::new();
    place.done("train", &LAG);
    for (generation, player) in [(0, 0), (1, 0), (2, 1), (3, 2)] {
        assert_eq!(players(&place, generation), [id(&place, player)], "generation {generation}");
    }
    assert!(!place.data("gen-000004").exists(), "games that nobody is trained on");
    let again = Place::new();
    again.done("train", &LAG);
    assert_same(&again.artefacts(), &place.artefacts());
    // The first generation has no network before.
    let first = |artefacts: &BTreeMap<String, Vec<u8>>| artefacts["data/tiny/gen-000000/0001.parquet"].clone();
    assert_eq!(first(&place.artefacts()), first(unbroken()));

    let events = place.events();
    let played: Vec<_> = events.iter().filter(|event| event["event"] == "selfplay").collect();
    let generations: Vec<u64> = played.iter().map(|event| event["generation"].as_u64().unwrap()).collect();
    assert_eq!(generations, [0, 1, 2, 3]);
    for (event, generation) in played.iter().zip(0..) {
        let [both, all] = ["beside_training", "seconds"].map(|key| event[key].as_f64().unwrap());
        assert!(both <= all && (both > 0.0) == (generation > 0), "{event}");
    }
    let three = Place::new();
    three.done("train", &["--set", "run.lag=3", "--set", "run.generations=5"]);
    for (generation, player) in [(0, 0), (3, 0), (4, 1)] {
        assert_eq!(players(&three, generation), [id(&three, player)], "generation {generation}");
    }
}

#[test]
fn a_lagging_run_that_is_killed_goes_on_to_the_same_bytes() {
    let whole = Place::new();
    whole.done("train", &LAG);
    let place = Place::new();
    let there = |path: std::path::PathBuf| move || path.exists();
    let mut killed = 0;
    for moment in [
        place.data("gen-000001/0000.parquet"),
        place.model("training/gen-000001"),
        place.data("gen-000002/0001.parquet"),
        place.model("gen-000002"),
        place.data("gen-000003/0000.parquet"),
        place.model("gen-000003"),
    ] {
        if let Some(mut child) = place.run_until(&LAG, there(moment)) {
            child.kill().unwrap();
            child.wait().unwrap();
            killed += 1;
        }
    }
    assert!(killed >= 2, "killed {killed} times only");
    place.done("train", &LAG);
    assert_same(&place.artefacts(), &whole.artefacts());
    // The halves do the same by turns.
    let halves = Place::new();
    for _ in 0..4 {
        halves.done("selfplay", &LAG);
        halves.done("learn", &LAG);
    }
    assert_same(&halves.artefacts(), &whole.artefacts());
}

#[cfg(unix)]
#[test]
fn a_lagging_run_stops_when_it_is_told_to() {
    use std::process::Command;

    let place = Place::new();
    let long = [&LAG[..], &["--set", "sampler.passes=99"]].concat();
    let started = || place.data("gen-000001").exists();
    let child = place.run_until(&long, started).expect("it trains for a while");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", complaint(&output));
    assert!(!place.model("gen-000003").exists());
    place.done("train", &long);
    assert!(place.model("gen-000004").exists());
}

#[test]
fn a_program_that_fails_beside_self_play_ends_it() {
    let place = Place::new();
    let command = r#"train.command=["false"]"#;
    let output = place.run("train", &[&LAG[..], &["--set", command]].concat());
    assert!(complaint(&output).contains("[train] command: `false` failed (status 1)"), "{}", complaint(&output));
    assert!(!place.model("gen-000001").exists());
}

#[test]
fn devices_share_the_threads_out_and_change_no_game() {
    let place = Place::new();
    place.done("train", &["--set", r#"run.devices=["cpu", "cpu"]"#, "--set", "selfplay.shards=2"]);
    assert_same(&place.artefacts(), unbroken());
    let settled = place.events().into_iter().find(|event| event["event"] == "evaluator").unwrap();
    assert_eq!(settled["device"], "cpu cpu");
    let refused = |setting: &str| {
        let output = Place::new().run("train", &["--set", setting]);
        assert_eq!(output.status.code(), Some(2), "{}", complaint(&output));
        complaint(&output)
    };
    assert!(refused("run.devices=tpu").contains("[run] devices: expected `cpu`, `cuda` or `cuda:N`, found `tpu`"));
    assert!(refused("run.devices=7").contains("a device, or a list of devices"), "{}", refused("run.devices=7"));
    assert!(refused("run.lag=65").contains("[run] lag: expected 0 to 64, found 65"));
    if maydan::model::gpus() == 0 {
        assert!(refused("run.devices=all").contains("[run] devices: expected a GPU, found none"));
    }
}

#[test]
fn parts_play_a_generation_together() {
    let place = Place::new();
    // Twice each, and all at once: whoever comes second leaves the file.
    thread::scope(|scope| {
        let parts = ["1/2", "2/2", "1/2", "2/2"];
        let play = |part: &'static str| {
            let place = &place;
            scope.spawn(move || place.done("selfplay", &["--part", part]))
        };
        parts.map(play).into_iter().for_each(|thread| drop(thread.join().unwrap()));
    });
    let names = |folder: &Path| {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(names(&place.data("gen-000000")), ["0000.parquet", "0001.parquet", "0002.parquet"]);
    fs::write(place.data("gen-000000/0002.parquet"), "damaged").unwrap();
    place.done("selfplay", &["--part", "1/2"]);
    place.done("learn", &[]);
    place.done("selfplay", &["--part", "2/2"]);
    assert_eq!(names(&place.data("gen-000001")), ["0001.parquet"]);
    // What a writer left that was killed.
    fs::write(place.data("gen-000001/0000.parquet.x.partial"), "half").unwrap();
    place.done("train", &[]);
    assert_same(&place.artefacts(), unbroken());
    for part in ["3/2", "0/2", "x"] {
        let output = place.run("selfplay", &["--part", part]);
        assert_eq!(output.status.code(), Some(2));
        assert!(complaint(&output).contains("as in `3/16`"), "{}", complaint(&output));
    }
}
