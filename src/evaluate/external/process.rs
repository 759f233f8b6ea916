//! An engine's process: lines to it, and lines from it with a time limit.

use std::{
    io::{self, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use thiserror::Error;

use super::EngineSpec;
use crate::{
    console::{Line, Lines},
    game::ActionError,
};

/// Lines of the engine's that may wait; it waits itself when it writes more.
const WAITING: usize = 256;

/// Why an engine cannot go on with its game.
#[derive(Debug, Error)]
pub enum EngineFault {
    #[error("`{program}` does not start: {source}")]
    Start { program: String, source: io::Error },
    #[error("`{program}` does not listen")]
    Deaf { program: String },
    #[error("the engine died")]
    Died,
    #[error("the engine did not answer within {seconds} s")]
    Silent { seconds: u64 },
    #[error("the engine's clock ran out {millis} ms before its answer")]
    OutOfTime { millis: u128 },
    #[error("the engine says `{line}`")]
    Refused { line: String },
    /// A move that the rules do not allow.
    #[error(transparent)]
    Action(#[from] ActionError),
}

/// A running engine. It is killed when it goes.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    /// # Errors
    /// When the program cannot be started.
    pub(super) fn start(spec: &EngineSpec) -> Result<Self, EngineFault> {
        let mut command = Command::new(&spec.program);
        command.args(&spec.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let failed = |source| EngineFault::Start { program: spec.program.clone(), source };
        let mut child = command.spawn().map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(EngineFault::Deaf { program: spec.program.clone() });
        };
        let (sender, lines) = mpsc::sync_channel(WAITING);
        // Ends with the process, or when the receiver is gone.
        thread::spawn(move || {
            let texts = Lines::new(BufReader::new(output)).map_while(Result::ok);
            for text in texts.filter_map(|line| if let Line::Text(text) = line { Some(text) } else { None }) {
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        Ok(Process { child, input, lines })
    }

    /// # Errors
    /// When the engine is gone.
    pub(super) fn say(&mut self, line: &str) -> Result<(), EngineFault> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| EngineFault::Died)
    }

    /// The first thing that `find` finds in a line, within `patience`.
    ///
    /// # Errors
    /// When the engine is gone or says nothing of the kind in time.
    pub(super) fn hear<T>(&self, patience: Duration, find: impl Fn(&str) -> Option<T>) -> Result<T, EngineFault> {
        let end = Instant::now() + patience;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    if let Some(found) = find(&line) {
                        return Ok(found);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(EngineFault::Died),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(EngineFault::Silent { seconds: patience.as_secs() });
                }
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that is gone already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
