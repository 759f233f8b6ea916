//! `maydan ratings` as a user runs it.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    sync::atomic::AtomicBool,
};

use maydan::{
    evaluate::{Contender, Pool},
    game::shatara::Shatara,
};

/// What a version without results by colour wrote.
const OLD: &str = r#"{"time":140.0,"event":"match","generation":8,"player":"gen-000008","opponent":"random","wins":16,"draws":2,"losses":2,"pairs":[0,1,1,1,7],"elo":null,"elo_low":130.2,"elo_high":null}
"#;

/// A run of these matches, each of the player, its opponent and its pairs.
fn write_run(root: &Path, name: &str, matches: &[(&str, &str, [u64; 5])]) {
    let run = root.join("models").join(name);
    let folder = run.join("gen-000016");
    fs::create_dir_all(&folder).unwrap();
    let network = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/shatara-small/checkpoint.toml");
    fs::copy(network, folder.join("checkpoint.toml")).unwrap();
    let mut text = OLD.to_owned();
    for (player, opponent, pairs) in matches {
        let event = serde_json::json!({
            "time": 1.0, "event": "match", "generation": 16, "player": player, "opponent": opponent, "pairs": pairs,
        });
        text += &format!("{event}\n");
    }
    fs::write(run.join("metrics.jsonl"), text).unwrap();
}

fn ratings(root: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maydan")).current_dir(root).arg("ratings").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

const MATCHES: [(&str, &str, [u64; 5]); 3] = [
    ("gen-000016", "random", [0, 0, 0, 1, 9]),
    ("gen-000016", "alphabeta:1", [2, 1, 4, 2, 1]),
    ("gen-000016", "gen-000008", [1, 0, 3, 1, 5]),
];

#[test]
fn a_run_is_a_table_with_the_test_of_fit() {
    let root = tempfile::tempdir().unwrap();
    write_run(root.path(), "run", &MATCHES);
    let table = text(&ratings(root.path(), &["run"]));
    assert!(table.starts_with("shatara (a92979a0e63d9b47): 40 pairs of games, Elo over random (95%)\n"), "{table}");
    let line = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{table}"));
    assert!(line("random").contains("0 [0, 0]"), "{table}");
    assert!(line("gen-000008").trim_end().ends_with(']') && line("gen-000008").matches('[').count() == 1, "{table}");
    assert!(line("gen-000016").matches('[').count() == 2 && line("gen-000016").contains("  30  "), "{table}");
    assert!(line("test of fit").contains("degrees of freedom"), "{table}");

    let difference = ["run", "--difference", "gen-000016", "gen-000008", "--difference", "alphabeta:1", "gen-000016"];
    let lines = text(&ratings(root.path(), &difference));
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines.len() == 2 && lines[0].starts_with("Elo of gen-000016 over gen-000008: +"), "{lines:?}");
}

#[test]
fn runs_of_one_ruleset_and_the_pool_are_on_one_scale() {
    let root = tempfile::tempdir().unwrap();
    write_run(root.path(), "one", &MATCHES);
    write_run(root.path(), "two", &MATCHES[1..2]);
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let path = Pool::path(root.path(), game.ruleset());
    let mut pool = Pool::read(&path, game.ruleset()).unwrap();
    let meeting = ["alphabeta:1@90%", "random"].map(str::to_owned);
    let baseline = Contender::baseline(&meeting[0].parse().unwrap()).unwrap();
    let contenders = [&baseline, &Contender::Random];
    pool.play(&game, &meeting, contenders, 2, &AtomicBool::new(false), |_| {}).unwrap();
    pool.write(&path).unwrap();
    let table = text(&ratings(root.path(), &["one", "two"]));
    for name in ["one/gen-000008", "one/gen-000016", "two/gen-000016", "alphabeta:1@90%", "\nrandom"] {
        assert!(table.contains(name), "{name}: {table}");
    }
    let across = text(&ratings(root.path(), &["one", "two", "--difference", "two/gen-000016", "one/gen-000016"]));
    assert!(across.starts_with("Elo of two/gen-000016 over one/gen-000016: "), "{across}");
}

#[test]
fn mistakes_are_one_line_and_exit_code_2() {
    let root = tempfile::tempdir().unwrap();
    write_run(root.path(), "run", &[]);
    write_run(root.path(), "other", &[]);
    let metadata = root.path().join("models/other/gen-000016/checkpoint.toml");
    fs::write(&metadata, fs::read_to_string(&metadata).unwrap().replace("repetition = 3", "repetition = 4")).unwrap();
    write_run(root.path(), "silent", &[]);
    fs::write(root.path().join("models/silent/metrics.jsonl"), "").unwrap();
    for (arguments, part) in [
        (&["nobody"][..], "models/nobody"),
        (&["../run"], "run name"),
        (&["silent"], "expected matches"),
        (&["run", "other"], "other"),
        (&["run", "--difference", "gen-000008", "gen-000009"], "`gen-000009`"),
        (&[], "RUN"),
    ] {
        let output = ratings(root.path(), arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains(part), "{arguments:?}: {error}");
    }
    let pool = root.path().join("models/baselines");
    fs::create_dir_all(&pool).unwrap();
    fs::write(pool.join("shatara-a92979a0e63d9b47.toml"), "format = 7\n").unwrap();
    let output = ratings(root.path(), &["run"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && error.contains("a92979a0e63d9b47.toml: "), "{error}");
}
