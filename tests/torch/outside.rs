//! Runs whose training is a program of the user's (`[train] command`).

use std::{fs, path::Path, process::Command};

use crate::run::{Place, complaint};

/// Reads the order, says how it goes, and writes the weights that played with each number a little larger.
const PROGRAM: &str = r#"
import json, os, pathlib, signal, struct, sys, time

order = json.load(open(sys.argv[1]))
assert order["format"] == 1 and os.path.isdir(order["state"]) and os.path.isdir(order["data"])
print("training generation", order["generation"])
if os.path.exists("slow"):
    signal.signal(signal.SIGTERM, lambda *_: (open("told", "w").close(), sys.exit(0)))
    open("waiting", "w").close()
    time.sleep(60)
if os.path.exists("broken"):
    print("first words", file=sys.stderr)
    print("ValueError: no memory left", file=sys.stderr)
    sys.exit(3)
for step in range(1, order["steps"] + 1):
    if step == order["steps"]:
        print(json.dumps({"step": step, "losses": {"policy": 2.5, "total": 3.0}, "learning_rate": 0.01}), flush=True)
weights = bytearray(open(order["weights"], "rb").read())
length = struct.unpack("<Q", weights[:8])[0]
numbers = struct.unpack(f"<{(len(weights) - 8 - length) // 4}f", weights[8 + length:])
weights[8 + length:] = struct.pack(f"<{len(numbers)}f", *(1.001 * number for number in numbers))
if os.path.exists("short"):
    weights = weights[:-4]
if not os.path.exists("idle"):
    pathlib.Path(order["output"]).write_bytes(weights)
"#;

const COMMAND: &str = r#"train.command=["python3", "train.py"]"#;

fn place() -> Place {
    let place = Place::new();
    fs::write(place.folder.path().join("train.py"), PROGRAM).unwrap();
    place
}

fn switch(place: &Place, name: &str) -> impl Drop + use<> {
    struct Off(std::path::PathBuf);
    impl Drop for Off {
        fn drop(&mut self) {
            fs::remove_file(&self.0).unwrap();
        }
    }
    let path = place.folder.path().join(name);
    fs::write(&path, "").unwrap();
    Off(path)
}

fn weights(path: &Path) -> Vec<f32> {
    let bytes = fs::read(path.join("weights.safetensors")).unwrap();
    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    bytes[8 + header..].as_chunks().0.iter().map(|&number| f32::from_le_bytes(number)).collect()
}

#[test]
fn a_program_trains_in_place_of_ours() {
    let place = place();
    let printed = place.done("train", &["--set", COMMAND]);
    assert!(printed.contains("training generation 0\n") && printed.contains("training generation 1\n"), "{printed}");
    let generations = ["gen-000000", "gen-000001", "gen-000002"].map(|name| weights(&place.model(name)));
    for pair in generations.windows(2) {
        assert!(pair[0].iter().zip(&pair[1]).all(|(before, after)| (1.001 * before - after).abs() < 1e-6));
    }
    let trained: Vec<_> = place.events().into_iter().filter(|event| event["event"] == "train").collect();
    assert_eq!(trained.len(), 2);
    assert_eq!((&trained[0]["losses"]["policy"], &trained[0]["learning_rate"]), (&2.5.into(), &0.01.into()));
    assert!(trained[0]["gradient_norm"].is_null() && trained[0]["window"].as_u64().unwrap() > 0);
    assert!(trained[1]["step"].as_u64() > trained[0]["step"].as_u64());
    // Steps and rows are counted as our own training counts them.
    let ours = Place::new();
    ours.done("train", &[]);
    let counters = |place: &Place| {
        let text = fs::read_to_string(place.model("gen-000002/checkpoint.toml")).unwrap();
        text.parse::<toml::Table>().unwrap()["counters"].clone()
    };
    assert_eq!(counters(&place)["steps"], counters(&ours)["steps"]);
    assert_eq!(counters(&place)["samples"], counters(&ours)["samples"]);
}

#[test]
fn its_failure_stops_the_run_with_its_words_and_nothing_is_lost() {
    let place = place();
    {
        let _broken = switch(&place, "broken");
        let output = place.run("train", &["--set", COMMAND]);
        assert!(!output.status.success());
        let complaint = complaint(&output);
        let last = complaint.lines().last().unwrap();
        let expected = "error: [train] command: `python3` failed (status 3): first words / ValueError: no memory left";
        assert_eq!(last, expected, "{complaint}");
    }
    {
        let _short = switch(&place, "short");
        let output = place.run("train", &["--set", COMMAND]);
        let complaint = complaint(&output);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains("command.safetensors"), "{complaint}");
    }
    {
        let _idle = switch(&place, "idle");
        let output = place.run("train", &["--set", COMMAND]);
        let complaint = complaint(&output);
        assert!(complaint.contains("it wrote no ") && complaint.contains("command.safetensors"), "{complaint}");
    }
    let files = place.artefacts();
    assert!(files.keys().filter(|name| name.starts_with("data/tiny/gen-000000/")).count() == 3);
    assert!(!place.model("gen-000001").exists());
    place.done("train", &["--set", COMMAND]);
    let after = place.artefacts();
    assert!(files.iter().all(|(name, content)| after[name] == *content), "games were played again");
    let other = place.run(
        "train",
        &["--set", r#"train.command=["no-such-program"]"#, "--allow-config-change", "--set", "run.generations=3"],
    );
    assert!(complaint(&other).contains("`no-such-program` does not start"), "{}", complaint(&other));
}

#[cfg(unix)]
#[test]
fn a_stop_is_passed_on_and_the_run_goes_on() {
    let place = place();
    {
        let _slow = switch(&place, "slow");
        let waiting = place.folder.path().join("waiting");
        let child = place.run_until(&["--set", COMMAND], || waiting.exists()).expect("it waits");
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", complaint(&output));
        assert!(place.folder.path().join("told").exists());
    }
    place.done("train", &["--set", COMMAND]);
    assert!(place.model("gen-000002").exists());
}
