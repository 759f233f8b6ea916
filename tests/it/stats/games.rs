//! Games as text, held against the rows that they come from.

use std::{path::Path, process::Command};

use maydan::{
    data::{self, ReplayedGame, replay},
    game::{Game, Playable, record::Record, shatara::Shatara, shatra::Shatra},
};
use serde_json::Value;

use crate::support::played::play;

const GAMES: usize = 6;

/// Runs the program in a folder; gives what it prints.
fn maydan(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_maydan")).current_dir(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The games of the rows, through the rules.
fn replayed<R: Playable>(game: &Game<R>, run: &Path) -> Vec<ReplayedGame<R>> {
    let files = data::list_files(run, 0..100).unwrap();
    files.iter().flat_map(|path| replay(game, path).unwrap()).collect()
}

fn actions<R: Playable>(game: &ReplayedGame<R>) -> Vec<String> {
    game.actions.iter().map(ToString::to_string).collect()
}

/// Every form says the same as the rows.
fn check<R: Playable>(game: &Game<R>) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = folder.join("data/demo");
    play(game, &run, 2, GAMES as u64 / 2);
    let games = replayed(game, &run);
    assert_eq!(games.len(), GAMES);

    let records = maydan(folder, &["games", "demo"]);
    let records: Vec<&str> = records.split("\n[maydan ").collect();
    assert_eq!(records.len(), GAMES);
    for (text, expected) in records.iter().zip(&games) {
        let text = if text.starts_with("[maydan ") { (*text).to_owned() } else { format!("[maydan {text}") };
        let record = Record::read(&text, game.ruleset(), 10_000).unwrap();
        assert_eq!(record.start, expected.start.to_string());
        assert_eq!(record.actions, actions(expected));
        assert_eq!(record.result, Some(expected.outcome.to_string().as_str()));
        assert!(text.contains('{'), "a search has a value: {text}");
    }

    let lines = maydan(folder, &["games", "demo", "--format", "jsonl"]);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), GAMES);
    for (line, expected) in lines.iter().zip(&games) {
        assert_eq!((&line["generation"], &line["index"]), (&expected.generation.into(), &expected.index.into()));
        let moves = line["moves"].as_array().unwrap();
        assert!(moves.iter().map(|of| of["action"].as_str().unwrap()).eq(actions(expected)));
        assert_eq!(line["result"], expected.outcome.result_name());
        for of in moves {
            let searched = ["full", "cheap"].contains(&of["decision"].as_str().unwrap());
            assert_eq!(of["value"].is_number(), searched);
            assert!(!searched || (-1.0..=1.0).contains(&of["value"].as_f64().unwrap()));
        }
    }

    let file = folder.join("games.pgn");
    let file = file.to_str().unwrap();
    assert_eq!(maydan(folder, &["games", "demo", "--format", "pgn", "--most", "2", "-o", file]), "");
    let pgn = std::fs::read_to_string(file).unwrap();
    let bodies: Vec<&str> = pgn.split("\n\n").filter(|part| !part.starts_with('[')).collect();
    assert_eq!(bodies.len(), 2);
    for (body, expected) in bodies.iter().zip(&games) {
        let words = body.split_whitespace().filter(|word| !word.starts_with('{') && !word.ends_with('.'));
        let mut words: Vec<&str> = words.collect();
        assert!(["1-0", "0-1", "1/2-1/2", "*"].contains(&words.pop().unwrap()));
        assert_eq!(words, actions(expected));
    }
}

#[test]
fn every_form_has_the_actions_of_the_rows() {
    check(&Shatara::game(&toml::Table::new()).unwrap());
    check(&Shatra::game(&toml::Table::new()).unwrap());
}
