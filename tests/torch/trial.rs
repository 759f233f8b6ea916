//! `maydan trial` as a user runs it: two arms, resumed, with an arm that is given up, and refused mistakes.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

/// Half a second of training an arm: the evaluations are those of one generation and a half.
const RUN: &str = r#"
game = "shatara"
[run]
batch_size = 8
[model]
blocks = 1
channels = 8
policy_channels = 8
value_channels = 8
value_hidden = 8
[selfplay]
games = 4
games_per_file = 2
shards = 1
slots = 2
max_plies = 12
[selfplay.search]
playouts = 4
considered_actions = 2
[sampler]
passes = 8.0
[train]
batch_size = 16
threads = 1
warmup_steps = 5
"#;

const TRIAL: &str = r#"
config = "run.toml"
seeds = [1, 2]
evaluations = 150
[match]
games = 4
opponents = ["random"]
opponent_games = 2
playouts = 2
[[arm]]
name = "base"
[[arm]]
name = "long"
set = ["selfplay.max_plies=16"]
"#;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(trial: &str) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        fs::write(place.path("run.toml"), RUN).unwrap();
        fs::write(place.path("tiny.toml"), trial).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
        command.args(["trial", "tiny.toml"]).args(arguments).current_dir(self.folder.path());
        command.output().unwrap()
    }

    /// Runs a trial that must succeed, and gives its tables.
    fn done(&self) -> String {
        let output = self.run(&[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_once("Arms against the first").unwrap().1.to_owned()
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stderr).unwrap()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

#[test]
fn arms_are_trained_at_equal_cost_matched_and_resumed() {
    let place = Place::new(TRIAL);
    let first = place.done();
    assert!(first.contains("long  selfplay.max_plies=16") && first.contains("not told apart"), "{first}");
    let matches = place.read("trials/tiny/matches.toml");
    // Two seeds: an arm against the first, and both against `random`.
    assert_eq!(matches.matches("[[match]]").count(), 6);
    let csv = place.read("trials/tiny/runs.csv");
    assert_eq!(csv.lines().count(), 5, "{csv}");
    for run in ["tiny-base-1", "tiny-base-2", "tiny-long-1", "tiny-long-2"] {
        let config = place.read(&format!("models/{run}/config.toml"));
        assert!(config.contains(if run.contains("long") { "max_plies = 16" } else { "max_plies = 12" }), "{config}");
        assert!(config.contains(&format!("seed = {}", &run[run.len() - 1..])), "{config}");
        assert!(place.path(&format!("models/{run}/gen-000001")).exists());
    }
    assert!(place.read("trials/tiny/index.html").contains("tiny"));

    let second = place.done();
    assert_eq!(second, first, "what is there is neither trained nor played again");
    assert_eq!(place.read("trials/tiny/matches.toml"), matches);

    // A match that a killed trial lost is played again, with the same result.
    let kept: Vec<&str> = matches.split("[[match]]").collect();
    fs::write(place.path("trials/tiny/matches.toml"), kept[..kept.len() - 1].join("[[match]]")).unwrap();
    assert_eq!(place.done(), first);
    assert_eq!(place.read("trials/tiny/matches.toml"), matches);

    let refused = place.refused(&["--set", "match.games=6"]);
    assert!(refused.contains("trial.toml") && refused.contains("games"), "{refused}");
}

#[test]
fn an_arm_far_behind_half_way_is_given_up() {
    let stop = TRIAL.replace("[1, 2]", "[1]") + "[stop]\nelo = 100\ngames = 2\n";
    let half = "stage = \"half\"";
    // A match half-way that was lost is played again by the networks of then.
    let place = Place::new(&stop.replace("= 150", "= 800").replace("elo = 100\ngames = 2", "elo = 1e9\ngames = 20"));
    place.done();
    let sorted = |text: String| {
        let mut matches: Vec<String> = text.split("[[match]]").map(|part| part.trim().to_owned()).collect();
        matches.sort();
        matches
    };
    let all = sorted(place.read("trials/tiny/matches.toml"));
    assert_eq!(all.iter().filter(|part| part.contains(half)).count(), 1);
    let kept: Vec<&str> =
        all.iter().filter(|part| !part.is_empty() && !part.contains(half)).map(String::as_str).collect();
    fs::write(place.path("trials/tiny/matches.toml"), format!("[[match]]\n{}\n", kept.join("\n[[match]]\n"))).unwrap();
    place.done();
    assert_eq!(sorted(place.read("trials/tiny/matches.toml")), all);

    let place = Place::new(&stop);
    let lost =
        format!("[[match]]\n{half}\nseed = 1\narm = \"long\"\nopponent = \"arm base\"\npairs = [9, 1, 0, 0, 0]\n");
    fs::create_dir_all(place.path("trials/tiny")).unwrap();
    fs::write(place.path("trials/tiny/matches.toml"), lost).unwrap();
    let output = place.done();
    assert!(output.contains("given up half-way"), "{output}");
    let matches = place.read("trials/tiny/matches.toml");
    assert_eq!((matches.matches("[[match]]").count(), matches.matches("stage = \"end\"").count()), (2, 1), "{matches}");
    assert!(!place.path("models/tiny-long-1").exists());
}

#[test]
fn arms_begin_with_another_run() {
    let place = Place::new(&TRIAL.replace("seeds = [1, 2]", "seeds = [1]\nfrom = \"origin\""));
    let missing = place.refused(&[]);
    assert!(missing.contains("origin") && missing.contains("checkpoint"), "{missing}");
    let mut train = Command::new(env!("CARGO_BIN_EXE_maydan"));
    let arguments = ["train", "run.toml", "--run", "origin", "--set", "run.generations=2", "--set", "evaluate.every=0"];
    assert!(train.args(arguments).current_dir(place.folder.path()).output().unwrap().status.success());
    place.done();
    for run in ["tiny-base-1", "tiny-long-1"] {
        assert!(!place.path(&format!("models/{run}/gen-000001")).exists());
        assert!(place.path(&format!("models/{run}/gen-000003")).exists());
        assert_eq!(
            fs::read(place.path(&format!("models/{run}/gen-000002/weights.safetensors"))).unwrap(),
            fs::read(place.path("models/origin/gen-000002/weights.safetensors")).unwrap()
        );
    }
}

#[test]
fn arms_of_other_rules_and_mistakes_are_refused() {
    let other = "set = [\"selfplay.max_plies=16\", \"rules.ladder=false\"]";
    let place = Place::new(&TRIAL.replace("set = [\"selfplay.max_plies=16\"]", other));
    let refused = place.refused(&[]);
    assert!(refused.contains("arm `long`: expected the rules of arm `base`"), "{refused}");
    let place = Place::new(&TRIAL.replace("max_plies=16", "max_plys=16"));
    assert!(place.refused(&[]).contains("max_plys"));
}
