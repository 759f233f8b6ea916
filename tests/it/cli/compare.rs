//! `maydan compare` as a user runs it.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use maydan::game::shatara::Shatara;
use serde_json::json;

/// A run with this configuration, whose generations each play 8 games in 60 s with 50 evaluations a second and train
/// for 60 s, and whose network of generation 1 lost `losses` of its 20 games against `random`. No network is on disk.
fn write_run(root: &Path, name: &str, config: &str, losses: u64) {
    let folder = root.join("models").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), config).unwrap();
    let played = |generation: u64| json!({"time": 60.0, "event": "selfplay", "generation": generation, "games": 8, "plies": 400, "seconds": 60.0, "evaluations_per_second": 50.0, "decided_per_1000_plies": 1.5});
    let trained = |generation: u64, step: u64| json!({"time": 120.0, "event": "train", "generation": generation, "step": step, "losses": {}, "learning_rate": 0.001, "gradient_norm": 0.5, "rows_per_second": 900.0, "seconds": 30.0, "window": 400});
    let pairs = [losses / 2, 0, 0, 0, 10 - losses / 2];
    let events = [
        played(0),
        trained(0, 10),
        trained(0, 20),
        json!({"time": 121.0, "event": "holdout", "generation": 1, "rows": 64, "losses": {"policy_kl": 0.7}, "value_r2": 0.25}),
        json!({"time": 140.0, "event": "match", "generation": 1, "player": "gen-000001", "opponent": "random", "wins": 20 - losses, "losses": losses, "pairs": pairs}),
        played(1),
        trained(1, 30),
    ];
    fs::write(folder.join("metrics.jsonl"), events.map(|event| format!("{event}\n")).concat()).unwrap();
}

fn compare(root: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maydan")).current_dir(root).arg("compare").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn file(root: &Path, name: &str) -> String {
    fs::read_to_string(root.join("comparison").join(name)).unwrap()
}

const ONE: &str = "game = \"shatara\"\n[selfplay]\ngames = 8\n[selfplay.search]\nplayouts = 40\n";
const TWO: &str = "game = \"shatara\"\n[selfplay]\ngames = 8\nmax_plies = 200\n[selfplay.search]\nplayouts = 64\n";

#[test]
fn runs_are_held_against_each_other_on_one_page() {
    let root = tempfile::tempdir().unwrap();
    write_run(root.path(), "one", ONE, 4);
    write_run(root.path(), "two", TWO, 8);
    let printed = text(&compare(root.path(), &["one", "two"]));
    assert!(printed.contains("Settings that differ") && printed.contains("comparison/index.html"), "{printed}");
    assert_eq!(
        file(root.path(), "settings.csv"),
        "key,one,two\nselfplay.max_plies,,200\nselfplay.search.playouts,40,64\n",
        "what is alike is left out"
    );
    let runs = file(root.path(), "runs.csv");
    assert!(runs.lines().nth(1).unwrap().starts_with("one,,16,6000,3.5,1,"), "{runs}");

    // The network of generation 1 cost 8 games, 3,000 evaluations and two minutes.
    for (axis, place) in [("games", "8"), ("evaluations", "0.003"), ("minutes", "2")] {
        let elo = file(root.path(), &format!("elo_over_{axis}.csv"));
        let points: Vec<&str> = elo.lines().skip(1).collect();
        assert!(points.len() == 1 && points[0].starts_with(&format!("{place},")), "{elo}");
        assert_eq!(points[0].split(',').filter(|cell| !cell.is_empty()).count(), 7, "{elo}");
        let policy = file(root.path(), &format!("policy_kl_over_{axis}.csv"));
        assert!(policy.ends_with(&format!("\n{place},0.7,0.7\n")), "{policy}");
    }
    let decided = file(root.path(), "decided_over_games.csv");
    assert!(decided.ends_with("\n0,1.5,1.5\n8,1.5,1.5\n"), "{decided}");
    let page = file(root.path(), "index.html");
    for part in ["Runs one, two", "Elo over time", "نقاط إيلو مقابل الزمن", "Where configurations differ"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("Matches between"), "none was asked for");
}

#[test]
fn newest_networks_meet() {
    let root = tempfile::tempdir().unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/shatara-small");
    let metadata: toml::Table = fs::read_to_string(shipped.join("checkpoint.toml")).unwrap().parse().unwrap();
    let folder = format!("gen-{:06}", metadata["generation"].as_integer().unwrap());
    for name in ["one", "two", "three"] {
        write_run(root.path(), name, ONE, 4);
        let network = root.path().join("models").join(name).join(&folder);
        fs::create_dir(&network).unwrap();
        for entry in fs::read_dir(&shipped).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
            fs::copy(&entry, network.join(entry.file_name().unwrap())).unwrap();
        }
    }
    let arguments = ["one", "two", "three", "--games", "1", "--playouts", "1", "-o", "comparison"];
    let printed = text(&compare(root.path(), &arguments));
    assert!(printed.starts_with("Runs\n") && printed.contains("Matches between the runs"), "{printed}");
    let matches = file(root.path(), "matches.csv");
    let pairs: Vec<String> =
        matches.lines().skip(1).map(|line| line.split(',').take(4).collect::<Vec<_>>().join(",")).collect();
    let line = |a: &str, b: &str| format!("{a}/{folder},{b}/{folder},1,2");
    assert_eq!(pairs, [line("one", "two"), line("one", "three"), line("two", "three")], "an odd number is rounded up");
}

#[test]
fn mistakes_are_one_line_and_exit_code_2() {
    let root = tempfile::tempdir().unwrap();
    write_run(root.path(), "one", ONE, 4);
    write_run(root.path(), "two", TWO, 4);
    let metadata = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/shatara-small/checkpoint.toml");
    let metadata = fs::read_to_string(metadata).unwrap();
    for (run, repetition) in [("thrice", 3_i64), ("four", 4)] {
        write_run(root.path(), run, ONE, 4);
        let network = root.path().join("models").join(run).join("gen-000001");
        fs::create_dir(&network).unwrap();
        let game = Shatara::game(&toml::Table::from_iter([("repetition".to_owned(), repetition.into())])).unwrap();
        let metadata = metadata.replace("repetition = 3", &format!("repetition = {repetition}"));
        fs::write(network.join("checkpoint.toml"), metadata.replace("a92979a0e63d9b47", &game.ruleset().hash)).unwrap();
    }
    for (arguments, expected) in [
        (&["one"][..], "2 values required"),
        (&["one", "one"], "expected different runs, found one, one"),
        (&["one", "nobody"], "nobody: no such run"),
        (&["thrice", "four"], "expected runs of one ruleset"),
        (&["one", "two", "--games", "2"], "one: expected a network, found none"),
    ] {
        let output = compare(root.path(), arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains(expected), "{arguments:?}: {error}");
    }
    assert!(!root.path().join("comparison").exists(), "nothing is written");
}
