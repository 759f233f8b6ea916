//! What a fleet makes is what one process makes.

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use super::{Fleet, alone, free_port, refused, server_program, signal};
use crate::run::{assert_same, unbroken};

#[test]
fn two_workers_make_the_bytes_of_one_process() {
    let mut fleet = Fleet::new(&["fleet.check=1.0"]);
    fleet.start(2);
    for name in ["coordinator", "w1", "w2"] {
        fleet.ends_well(name);
    }
    assert_same(&fleet.place.artefacts(), unbroken());
    let players = fleet.event("players");
    assert_eq!(players["generation"], 1);
    let workers = players["workers"].as_array().unwrap();
    let sum = |field: &str| workers.iter().map(|worker| worker[field].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("files"), sum("games"), sum("checked")), (3, 6, 3), "{players}");
    assert!(workers.iter().all(|worker| worker["refused"] == "" && worker["plan"] == "f32 on cpu"), "{players}");
    assert!(workers.iter().all(|worker| worker["signature"] == workers[0]["signature"]), "{players}");
    let played = fleet.event("selfplay");
    assert_eq!((played["games"].as_u64(), played["plies"].as_u64()), (Some(6), Some(120)), "{played}");
    assert!(fleet.log("w1.log").contains("the run is over"), "{}", fleet.logs());
    let server = fs::read_to_string(fleet.place.model("fleet/nats-server.pid"));
    let lives = |id: &str| std::path::Path::new("/proc").join(id.trim()).exists();
    assert!(!server.is_ok_and(|id| lives(&id)), "the server has ended");
}

/// Two workers make what one process makes with the same settings.
fn assert_same_alone(settings: &[&str]) {
    let mut fleet = Fleet::new(settings);
    fleet.start(2);
    fleet.ends_well("coordinator");
    assert_same(&fleet.place.artefacts(), &alone(settings).artefacts());
}

#[test]
fn a_lagging_run_is_the_same_with_a_fleet() {
    assert_same_alone(&["run.lag=1", "run.generations=4"]);
}

#[test]
fn a_generation_without_a_network_is_the_same_with_a_fleet() {
    assert_same_alone(&["selfplay.material.generations=1", "fleet.check=1.0"]);
}

#[test]
fn a_worker_that_leaves_gives_its_files_back_and_another_takes_them() {
    // A lease that is not given back would be waited for longer than a test may take.
    let alike = ["selfplay.games=24", "selfplay.games_per_file=12", "selfplay.max_plies=60", "sampler.passes=1"];
    let mut fleet = Fleet::new(&[&alike[..], &["fleet.lease=600"]].concat());
    fleet.start(1);
    fleet.until("the worker plays", || fleet.log("w1.log").contains("plays for run tiny"));
    let shown = || {
        let output = fleet.command(&["fleet", "--join", "models/tiny/fleet/join.toml"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    fleet.until("the worker is shown", || {
        let text = shown();
        text.contains("run tiny: generation") && text.contains("w1 ")
    });
    let leaver = fleet.process("w1").id();
    signal(leaver, "TERM");
    fleet.ends_well("w1");
    let child = fleet.worker("w2");
    fleet.processes.0.push(("w2".to_owned(), child));
    fleet.ends_well("coordinator");
    assert_same(&fleet.place.artefacts(), &alone(&alike).artefacts());
}

/// Trains for longer than silent workers are remembered.
const SLOW_TRAINING: &str = r#"
import json, pathlib, sys, time

order = json.load(open(sys.argv[1]))
pathlib.Path("begun").touch()
time.sleep(12)
weights = bytearray(open(order["weights"], "rb").read())
weights[-4] ^= 1
pathlib.Path(order["output"]).write_bytes(weights)
"#;

#[test]
fn workers_are_there_through_a_long_training_and_hear_that_the_run_is_over() {
    let mut fleet = Fleet::new(&["run.generations=1", r#"train.command=["python3", "train.py"]"#]);
    let folder = fleet.place.folder.path().to_owned();
    fs::write(folder.join("train.py"), SLOW_TRAINING).unwrap();
    fleet.start(1);
    fleet.until("it trains", || folder.join("begun").exists());
    thread::sleep(Duration::from_secs(11));
    let output = fleet.command(&["fleet", "--join", "models/tiny/fleet/join.toml"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("w1 "), "{text}");
    fleet.ends_well("coordinator");
    fleet.ends_well("w1");
    assert!(fleet.log("w1.log").contains("the run is over"), "{}", fleet.logs());
}

#[test]
fn connections_are_encrypted_by_a_certificate_that_the_file_to_join_by_has() {
    let mut fleet = Fleet::new(&["fleet.tls=true", "fleet.host=localhost"]);
    fleet.start_coordinator();
    fleet.until("it says how others join", || fleet.log("coordinator.log").contains("maydan worker --join"));
    let error = refused(fleet.command(&["worker", &fleet.url().replace("nats:", "tls:"), "--wait", "0.02"]));
    assert!(error.contains("refused") || error.contains("certificate"), "{error}");
    let join = ["worker", "--join", "models/tiny/fleet/join.toml", "--name", "w1", "--shards", "1"];
    let child = fleet.logged(fleet.command(&join), "w1.log");
    fleet.processes.0.push(("w1".to_owned(), child));
    fleet.ends_well("coordinator");
    assert!(fleet.log("w1.log").contains("at tls://localhost:"), "{}", fleet.logs());
    assert_same(&fleet.place.artefacts(), unbroken());
}

#[test]
fn a_server_of_the_site_will_do_which_has_seen_another_run_of_the_name() {
    let store = tempfile::tempdir().unwrap();
    let port = free_port();
    let (url, port) = (format!("nats://127.0.0.1:{port}"), port.to_string());
    let mut server = Command::new(server_program());
    server.args(["-js", "-a", "127.0.0.1", "-p", &port, "-sd", store.path().to_str().unwrap()]);
    let server = server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut fleet = Fleet::new(&[]);
    fleet.processes.0.push(("server".to_owned(), server));
    let (train, worker) = (["train", "tiny.toml", "--fleet", &url], ["worker", &url, "--name", "w1", "--shards", "1"]);
    for (name, arguments) in [("coordinator", &train[..]), ("w1", &worker)] {
        let child = fleet.logged(fleet.command(arguments), &format!("{name}.log"));
        fleet.processes.0.push((name.to_owned(), child));
    }
    for name in ["coordinator", "w1"] {
        fleet.ends_well(name);
    }
    assert_same(&fleet.place.artefacts(), unbroken());
    // Another run, of another seed, that is called the same.
    let other = Fleet::new(&[]);
    let error = refused(other.command(&[&train[..], &["--set", "run.seed=9"]].concat()));
    assert!(error.contains("run tiny: generation 0 is played by network ") && error.ends_with("(--run)"), "{error}");
}
