//! A program of others that stays open and answers what it is asked.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// A running program.
pub struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts the first of `names` that is installed and sends it `greeting`. Debian's games are not in everybody's
    /// PATH.
    pub fn start(name: &str, arguments: &[&str], greeting: &str) -> Option<Program> {
        let spawn = |name: String| {
            let mut command = Command::new(name);
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            command.spawn().ok()
        };
        let mut child = spawn(name.to_owned()).or_else(|| spawn(format!("/usr/games/{name}")))?;
        let input = child.stdin.take().expect("its input is a pipe");
        let output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        let mut program = Program { child, input, output };
        program.tell(greeting);
        Some(program)
    }

    /// Asks and waits for the first line that `read` makes something of.
    ///
    /// # Panics
    /// When the program ends before it answers.
    pub fn ask<T>(&mut self, question: &str, read: impl Fn(&str) -> Option<T>) -> T {
        self.tell(question);
        let mut line = String::new();
        loop {
            line.clear();
            let length = self.output.read_line(&mut line).expect("its output is text");
            assert!(length > 0, "the program ended before it answered {question:?}");
            if let Some(answer) = read(&line) {
                return answer;
            }
        }
    }

    fn tell(&mut self, text: &str) {
        writeln!(self.input, "{text}").and_then(|()| self.input.flush()).expect("the program reads on");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself: then there is nothing left to stop.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
