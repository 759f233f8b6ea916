//! The network that comes with the project: it loads, it plays, and it has learnt.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use maydan::{game::shatara::Shatara, model::Checkpoint};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/shatara-small")
}

fn maydan(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_maydan"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn it_is_small_and_plays_the_standard_rules() {
    let size: u64 = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(size < 2_000_000, "{size} bytes");
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let checkpoint = Checkpoint::load_for(&folder(), &game).unwrap();
    assert!(checkpoint.metadata().generation > 0);
    let without = Shatara::game(&toml::from_str("ladder = false").unwrap()).unwrap();
    let error = Checkpoint::load_for(&folder(), &without).unwrap_err().to_string();
    assert!(error.contains("ruleset.options.ladder: expected false, found true"), "{error}");
}

#[test]
fn it_beats_random_play_and_looks_a_capture_ahead() {
    let network = folder();
    let network = network.to_str().unwrap();
    for (opponent, least) in [("random", 9.5), ("greedy", 8.0)] {
        let output = maydan(&["match", network, opponent, "--games", "10", "--playouts", "16"], "");
        let score = output.lines().find_map(|line| line.strip_prefix("A  ")).expect("a line of results");
        let counts: Vec<f64> = score.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let [games, won, drawn, lost] = counts[..] else { panic!("{output}") };
        assert_eq!((games, won + drawn + lost), (10.0, 10.0));
        assert!(won + drawn / 2.0 >= least, "{output}");
    }
}

#[test]
fn it_plays_in_the_terminal() {
    let network = folder();
    let output = maydan(&["play", network.to_str().unwrap(), "--playouts", "8"], "e2e4\nhint\nresign\n");
    assert!(output.contains("black plays ") && output.contains("hint: "), "{output}");
}
