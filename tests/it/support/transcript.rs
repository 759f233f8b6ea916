//! Conversations with an engine, kept in `tests/golden/engine/`: lines that begin with `> ` are the frontend's, the
//! others the engine's answers, but for the numbers that depend on the machine. `UPDATE_GOLDEN=1` writes the answers
//! anew.

use std::{
    fs,
    io::{BufRead, BufReader, Cursor, PipeWriter, Write, pipe},
    path::Path,
    sync::{
        Arc,
        mpsc::{Receiver, channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use maydan::{
    game::{
        Game, Playable,
        random::stream,
        registry::{GameVisitor, with_game},
    },
    model::{MakeEvaluator, Uniform},
    serve::{EngineError, ProtocolName, serve},
};

/// How long an answer may take; a test that waits so long fails.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long nothing must come for an answer to be whole, when answers are written anew.
const QUIET: Duration = Duration::from_millis(1500);

/// An engine without a network, on a thread.
pub struct Engine {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    thread: JoinHandle<Result<(), EngineError>>,
}

struct Serve<I, O>(Option<ProtocolName>, Arc<MakeEvaluator>, I, O);

impl<I: BufRead + Send + 'static, O: Write> GameVisitor for Serve<I, O> {
    type Output = Result<(), EngineError>;

    fn visit<R: Playable>(mut self, game: Game<R>) -> Self::Output {
        serve(game, self.1, "uniform", self.0, stream("test", 1, 0, 0), self.2, &mut self.3)
    }
}

/// All that an engine answers to lines that come at once.
pub fn answers(game: &str, protocol: Option<ProtocolName>, input: Vec<u8>) -> String {
    answers_with(Uniform::make(), game, protocol, input)
}

/// The same with such evaluators.
pub fn answers_with(make: Arc<MakeEvaluator>, game: &str, protocol: Option<ProtocolName>, input: Vec<u8>) -> String {
    let mut out = Vec::new();
    with_game(game, &toml::Table::new(), Serve(protocol, make, Cursor::new(input), &mut out)).unwrap().unwrap();
    String::from_utf8(out).unwrap()
}

impl Engine {
    pub fn new(game: &'static str) -> Self {
        let (theirs, input) = pipe().unwrap();
        let (ours, out) = pipe().unwrap();
        let (sender, lines) = channel();
        let thread = thread::spawn(move || {
            with_game(game, &toml::Table::new(), Serve(None, Uniform::make(), BufReader::new(theirs), out)).unwrap()
        });
        thread::spawn(move || BufReader::new(ours).lines().try_for_each(|line| sender.send(line.unwrap())));
        Engine { input: Some(input), lines, thread }
    }

    pub fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    pub fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("an answer")
    }

    /// The first line that begins so, the others passed over.
    pub fn hear_of(&self, start: &str) -> String {
        loop {
            let line = self.hear();
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Closes the input, and hears what still comes.
    pub fn end(mut self) -> Vec<String> {
        self.input = None;
        self.thread.join().unwrap().unwrap();
        self.lines.iter().collect()
    }
}

/// Holds the conversation of that file.
pub fn hold(file: &str, game: &'static str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/engine").join(file);
    let golden = fs::read_to_string(&path).unwrap();
    let mut engine = Engine::new(game);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let mut transcript = String::new();
        for said in golden.lines().filter(|line| line.starts_with("> ")) {
            engine.say(&said[2..]);
            transcript += &format!("{said}\n");
            while let Ok(line) = engine.lines.recv_timeout(QUIET) {
                transcript += &format!("{}\n", masked(&line));
            }
        }
        fs::write(&path, transcript).unwrap();
        return;
    }
    for (number, line) in (1..).zip(golden.lines()) {
        match line.strip_prefix("> ") {
            Some(said) => engine.say(said),
            None => assert_eq!(masked(&engine.hear()), line, "line {number} of {file}"),
        }
    }
    assert_eq!(engine.end(), [""; 0], "after the end of {file}");
}

/// The line with `_` for times and speeds.
fn masked(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for i in 1..words.len() {
        if ["nps", "time"].contains(&words[i - 1]) && words[i].parse::<f64>().is_ok() {
            words[i] = "_";
        }
    }
    // A thought in XBoard's protocol: depth, score, time, nodes.
    if words.len() > 4 && words[..4].iter().all(|word| word.parse::<i64>().is_ok()) {
        words[2] = "_";
    }
    words.join(" ")
}
