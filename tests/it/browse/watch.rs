//! `maydan watch` and `maydan serve RUN` over the wire.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use maydan::game::shatara::Shatara;
use serde_json::Value;

use crate::support::played::play;

/// A program with a page, which ends with this value.
struct Program {
    child: Child,
    address: String,
}

impl Program {
    fn start(root: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
        let command = command.current_dir(root).args(arguments).args(["--port", "0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Program { child, address }
    }

    /// Status and body of an answer, with the headers before it.
    fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    fn json(&self, path: &str) -> Value {
        let (status, answer) = self.get(path);
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// Waits until so many games have been read.
    fn wait_for(&self, games: u64) {
        let start = Instant::now();
        while self.json("/runs")[0]["games"].as_u64() != Some(games) {
            assert!(start.elapsed() < Duration::from_secs(60), "{}", self.json("/runs"));
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn write_run(root: &Path) {
    play(&Shatara::game(&toml::Table::new()).unwrap(), &root.join("data/run"), 1, 4);
    let models = root.join("models/run");
    std::fs::create_dir_all(&models).unwrap();
    let played = r#"{"time":100.0,"event":"selfplay","generation":0,"games":4,"plies":320,"seconds":60.0,"game_length":80.0,"results":{"draw":4},"reasons":{"cut_off":4}}"#;
    std::fs::write(models.join("metrics.jsonl"), format!("{played}\n")).unwrap();
}

#[test]
fn a_run_is_watched() {
    let root = tempfile::tempdir().unwrap();
    write_run(root.path());
    let program = Program::start(root.path(), &["watch", "run"]);
    program.wait_for(4);
    let (status, answer) = program.get("/");
    assert!(status == 307 && answer.contains("location: /watch"), "{answer}");
    for (page, part) in [
        ("/watch", "/browse/watch.js"),
        ("/games", "/browse/games.js"),
        ("/browse/viewer.js", "class Viewer"),
        ("/assets/board.js", "class Board"),
    ] {
        let (status, answer) = program.get(page);
        assert!(status == 200 && answer.contains(part), "{page}: {answer}");
        assert!(answer.contains("content-security-policy: default-src 'none'"), "{page}");
    }
    let progress = program.json("/runs/run/progress");
    assert_eq!(progress["newest"], serde_json::json!([0, 3]));
    assert!(progress["html"].as_str().unwrap().contains("id=\"throughput\""), "{progress}");
    assert_eq!(program.json("/runs/run/rules")["game"], "shatara");
    assert_eq!(program.json("/list?run=run&min_plies=1&opening=&offset=1")["total"], 4);
    let game = program.json("/game?run=run&generation=0&index=2");
    assert_eq!((&game["generation"], &game["index"]), (&0.into(), &2.into()));
    assert_eq!(game["plies"][0]["placement"].as_str().unwrap().len(), 64);
    for (path, status) in [
        ("/list?run=other", 404),
        ("/list?run=run&sort=name", 400),
        ("/list?run=run&min_plies=-1", 400),
        ("/game?run=run&generation=0&index=4", 404),
        ("/game?run=run&generation=x&index=4", 400),
        ("/game?run=run", 400),
        ("/runs/other/rules", 404),
        ("/runs/other/progress", 404),
        ("/runs/..%2Frun/progress", 404),
        ("/browse/nothing.js", 404),
        ("/browse/..%2Fmod.rs", 404),
        ("/ws", 404),
    ] {
        let (found, answer) = program.get(path);
        assert_eq!(found, status, "{path}: {answer}");
    }
    // Games that the run adds are found by themselves, and nothing of the run is changed.
    play(&Shatara::game(&toml::Table::new()).unwrap(), &root.path().join("data/run"), 2, 4);
    program.wait_for(8);
    let files: Vec<_> =
        std::fs::read_dir(root.path().join("models/run")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(files, ["metrics.jsonl"]);
}

#[test]
fn a_run_is_served_beside_a_bot() {
    let root = tempfile::tempdir().unwrap();
    write_run(root.path());
    let program = Program::start(root.path(), &["serve", "uniform:shatara", "run"]);
    program.wait_for(4);
    let (status, answer) = program.get("/");
    assert!(status == 200 && answer.contains("/assets/main.js"), "{answer}");
    assert_eq!(program.get("/games").0, 200);
}
