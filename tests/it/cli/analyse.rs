//! `maydan analyse` as a user runs it: a position, a game of a run, and mistakes.

use std::{
    path::Path,
    process::{Command, Output},
};

use maydan::game::shatara::Shatara;
use serde_json::Value;

use crate::support::played::play;

fn maydan(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maydan")).current_dir(folder).args(arguments).output().unwrap()
}

fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = maydan(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_position_gets_lines() {
    let folder = tempfile::tempdir().unwrap();
    let mate = "6k1/5ppp/8/8/8/8/8/4RK2[] w - - - 0 1";
    let base = ["analyse", mate, "--bot", "uniform:shatara", "--playouts", "300"];
    let text = printed(folder.path(), &base);
    assert!(text.contains("white to move: win 100.0%, draw 0.0%, loss 0.0%"), "{text}");
    let analysis: Value = serde_json::from_str(&printed(folder.path(), &[&base[..], &["--json"]].concat())).unwrap();
    assert_eq!((&analysis["position"], &analysis["side"]), (&mate.into(), &"white".into()));
    let best = &analysis["lines"][0];
    assert_eq!((&best["actions"][0], &best["proven"], &best["value"]), (&"e1e8".into(), &true.into(), &1.0.into()));
    let priors = analysis["lines"].as_array().unwrap().iter().map(|line| line["prior"].as_f64().unwrap());
    assert!(priors.into_iter().all(|prior| prior > 0.0 && prior < 1.0));
}

#[test]
fn a_game_of_a_run_is_annotated() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(&Shatara::game(&toml::Table::new()).unwrap(), &folder.join("data/demo"), 1, 2);
    printed(folder, &["games", "demo", "-o", "games.txt"]);
    let lines = printed(folder, &["games", "demo", "--format", "jsonl", "--most", "1"]);
    let game: Value = serde_json::from_str(&lines).unwrap();
    let played: Vec<&Value> = game["moves"].as_array().unwrap().iter().map(|of| &of["action"]).collect();

    let base = ["analyse", "games.txt", "--bot", "uniform:shatara", "--playouts", "12"];
    let json = printed(folder, &[&base[..], &["--json", "--page", "game.html"]].concat());
    let analysis: Value = serde_json::from_str(&json).unwrap();
    let moves = analysis["moves"].as_array().unwrap();
    assert!(moves.iter().map(|of| &of["action"]).eq(played));
    for judged in moves {
        let lost = judged["lost"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&lost));
        assert_eq!(judged["fault"].is_null(), lost < 0.1);
        assert!(judged["action"] != judged["best"] || lost == 0.0);
    }
    let page = std::fs::read_to_string(folder.join("game.html")).unwrap();
    assert!(page.contains("A game, move by move") && page.contains("مباراة نقلة بنقلة") && page.contains("<svg"));
    let text = printed(folder, &base);
    assert!(text.contains("What either side gave away") && text.contains("Every move"), "{text}");
}

#[test]
fn mistakes_are_named_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("text"), "[maydan 1]\n[game chess]\n").unwrap();
    for (subject, more, part) in [
        ("nowhere", &[][..], "nowhere"),
        ("text", &[], "game: expected shatara, found `chess`"),
        ("text", &["--seconds", "0"], "--seconds"),
    ] {
        let arguments = [&["analyse", subject, "--bot", "uniform:shatara"], more].concat();
        let output = maydan(folder.path(), &arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.trim_end().lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains(part), "{error}");
    }
}
