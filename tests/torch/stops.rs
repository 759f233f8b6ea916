//! Runs that are killed or stopped in the middle, and go on.

use std::{
    fs,
    path::PathBuf,
    process::{Child, Command},
};

use crate::run::{Place, assert_same, complaint, unbroken};

/// Sends SIGINT, as Ctrl-C does.
#[cfg(unix)]
fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let place = Place::new();
    let there = |path: PathBuf| Box::new(move || path.exists()) as Box<dyn Fn() -> bool>;
    let metrics = place.model("metrics.jsonl");
    let printed_losses = move || fs::read_to_string(&metrics).is_ok_and(|text| text.contains("\"train\""));
    let moments = [
        there(place.data("gen-000000/0000.parquet")),
        there(place.data("gen-000000/0002.parquet")),
        Box::new(printed_losses),
        there(place.model("training/gen-000001")),
        there(place.model("gen-000001")),
        there(place.data("gen-000001/0001.parquet")),
        there(place.model("training/gen-000002")),
        there(place.model("gen-000002")),
    ];
    let mut killed = 0;
    for moment in moments {
        if let Some(mut child) = place.run_until(&[], moment) {
            child.kill().unwrap();
            child.wait().unwrap();
            killed += 1;
        }
    }
    assert!(killed >= 3, "killed {killed} times only");
    place.done("train", &[]);
    assert_same(&place.artefacts(), unbroken());
    assert_eq!(place.events().iter().filter(|event| event["event"] == "match").count(), 1);
    assert_eq!(place.events().last().unwrap()["event"], "ratings");
}

/// However the network is at work then.
#[cfg(unix)]
#[test]
fn a_second_ctrl_c_ends_a_run_at_once() {
    for _ in 0..5 {
        let place = Place::new();
        let child = place.run_until(&[], || place.data("gen-000000").exists()).expect("it plays for a while");
        interrupt(&child);
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", complaint(&output));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_cleanly_and_the_run_goes_on_to_the_same_bytes() {
    let place = Place::new();
    let stopped = |child: Child| {
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", complaint(&output));
        let printed = String::from_utf8(output.stdout.clone()).unwrap();
        assert!(printed.contains("stopped; the same command goes on from here"), "{printed}");
        assert!(complaint(&output).contains("stopping after the current step"), "{}", complaint(&output));
    };
    stopped(place.run_until(&[], || place.data("gen-000000/0000.parquet").exists()).expect("it plays for a while"));
    assert!(!place.model("gen-000001").exists());
    // The last file of games appears just before the training begins.
    stopped(place.run_until(&[], || place.data("gen-000000/0002.parquet").exists()).expect("it trains for a while"));
    assert!(place.model("training/gen-000000-interrupted/trainer.toml").exists());
    place.done("train", &[]);
    assert!(!place.model("training/gen-000000-interrupted").exists());
    assert_same(&place.artefacts(), unbroken());
}
