//! What a fleet refuses, each in one line and soon.

use std::fs;

use super::{Fleet, configuration, refused};

/// A fleet whose coordinator has work, and nobody who does it.
fn waiting() -> Fleet {
    let mut fleet = Fleet::new(&[]);
    fleet.start(0);
    fleet.until("work is there", || fleet.log("coordinator.log").contains("evaluator"));
    fleet
}

#[test]
fn a_stranger_and_a_worker_who_would_be_coordinator_are_refused() {
    let fleet = waiting();
    let url = fleet.url();
    let worker = |arguments: &[&str]| refused(fleet.command(&[&["worker", "--wait", "0.02"], arguments].concat()));
    let error = worker(&[&url]);
    assert!(error.ends_with(&format!("{url}: refused: the server does not know this key")), "{error}");
    // A key that is as good as any other, and not of this run.
    let other = Fleet::new(&[]);
    let stranger = other.command(&["train", "tiny.toml", "--fleet", "nats://127.0.0.1:1", "--fleet-key", "none.nk"]);
    assert!(refused(stranger).contains("none.nk"));
    let text = fs::read_to_string(fleet.key("worker")).unwrap();
    let broken = fleet.place.folder.path().join("broken.nk");
    fs::write(&broken, &text[..20]).unwrap();
    let error = worker(&[&url, "--key", broken.to_str().unwrap()]);
    assert!(error.contains("broken.nk: expected a line that begins with `SU`"), "{error}");
    let error = worker(&["nats://127.0.0.1:1"]);
    assert!(error.contains("nats://127.0.0.1:1: no server to be reached for 1 s"), "{error}");
    for wrong in ["127.0.0.1:4222", "nats://user@127.0.0.1:4222", "http://a"] {
        let error = worker(&[wrong]);
        assert!(error.contains("expected `nats://HOST:PORT` or `tls://HOST:PORT`"), "{error}");
    }
    let error = worker(&[&url, "--name", "a.b"]);
    assert!(error.contains("--name: expected letters, digits"), "{error}");
    let key = fleet.key("worker");
    let error = worker(&[&url, "--key", key.to_str().unwrap(), "--run", "other"]);
    assert!(error.contains("expected run other with work, found none") || error.contains("refused"), "{error}");
    // The worker's key on another copy of the run.
    let copy = Fleet::new(&[]);
    let arguments = ["train", "tiny.toml", "--fleet", &url, "--fleet-key", key.to_str().unwrap()];
    let error = refused(copy.command(&arguments));
    assert!(error.contains("refused: ") && error.to_lowercase().contains("permissions violation"), "{error}");
}

#[test]
fn a_machine_that_computes_otherwise_is_refused_unless_any_may_play() {
    let fleet = waiting();
    let error = refused(fleet.worker_command("other", &["--precision", "f32", "--backend", "fused"]));
    assert!(error.contains("run tiny: signature: expected ") && error.contains("f32 fused on cpu"), "{error}");

    let mut fleet = Fleet::new(&["fleet.arithmetic=any", "fleet.check=1.0"]);
    fleet.start_coordinator();
    for (name, more) in [("one", &[][..]), ("other", &["--precision", "f32", "--backend", "fused"])] {
        let child = fleet.logged(fleet.worker_command(name, more), &format!("{name}.log"));
        fleet.processes.0.push((name.to_owned(), child));
    }
    fleet.ends_well("coordinator");
    let events = fleet.place.events();
    let workers = events.iter().filter(|event| event["event"] == "players");
    let mut signatures: Vec<String> = workers
        .flat_map(|event| event["workers"].as_array().unwrap().clone())
        .map(|worker| worker["signature"].as_str().unwrap().to_owned())
        .collect();
    signatures.sort_unstable();
    signatures.dedup();
    assert_eq!(signatures.len(), 2, "{}", fleet.logs());
    for generation in ["gen-000000", "gen-000001"] {
        let (data, model) = (fleet.place.data(generation), fleet.place.model(generation));
        let arguments = ["verify", data.to_str().unwrap(), "--checkpoint", model.to_str().unwrap()];
        let output = fleet.command(&arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_second_coordinator_is_refused_by_name() {
    let fleet = waiting();
    let copy = Fleet::new(&[]);
    let (url, key) = (fleet.url(), fleet.key("coordinator"));
    let arguments = ["train", "tiny.toml", "--fleet", &url, "--fleet-key", key.to_str().unwrap()];
    let error = refused(copy.command(&arguments));
    assert!(error.contains("run tiny: process ") && error.ends_with("is its coordinator"), "{error}");
}

#[test]
fn a_run_of_before_there_were_fleets_goes_on_and_its_configuration_is_checked() {
    let mut fleet = Fleet::new(&[]);
    fleet.place.done("train", &["--set", "run.generations=1"]);
    let text = fs::read_to_string(fleet.place.model("config.toml")).unwrap();
    assert!(!text.contains("[fleet]"), "{text}");
    let table = configuration();
    assert!(!table.contains_key("fleet"));
    for (setting, expected) in [
        ("fleet.lease=0", "[fleet] lease: expected 1 to 86400, found 0"),
        ("fleet.check=2", "[fleet] check: expected 0 to 1, found 2"),
        ("fleet.arithmetic=some", "arithmetic"),
        ("fleet.listen=here", "listen"),
    ] {
        fleet.settings = vec![setting.to_owned()];
        let arguments = ["train", "tiny.toml", "--set", setting];
        let error = refused(fleet.command(&arguments));
        assert!(error.contains(expected), "{error}");
    }
}
