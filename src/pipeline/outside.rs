//! The training of a generation by a program of the user's, `[train] command`, in place of our own learner.
//!
//! The program gets the path of a JSON file as its last argument: the [`Order`]. It reads the games that it names,
//! writes the weights, and prints how it goes as lines of JSON ([`Said`]) on standard output. It ends with status 0 once
//! the weights are written; anything else stops the run, and the next session asks for the same training again.

use std::{
    collections::{BTreeMap, VecDeque},
    fs, io,
    io::{BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    console::{Line, Lines, Progress, say, warn},
    disk::{IoError, write_file},
};

/// Lines of the program that may wait; it waits itself when it writes more.
const WAITING: usize = 256;
/// Last lines of its errors that are kept, to say why it failed.
const LAST_WORDS: usize = 3;
/// How often the loop looks whether the user wants to stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How long the rest of what a program said is waited for, once it has ended.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time that a program that was asked to stop has to write what it likes.
const GRACE: Duration = Duration::from_secs(20);

/// A training that a program did not do.
#[derive(Debug, Error)]
pub enum OutsideError {
    #[error("[train] command: `{program}` does not start: {source}")]
    Start { program: String, source: io::Error },
    #[error("[train] command: `{program}` failed ({status}){words}", words = words(.last))]
    Failed { program: String, status: String, last: Vec<String> },
    #[error(transparent)]
    Io(#[from] IoError),
}

fn words(last: &[String]) -> String {
    if last.is_empty() { String::new() } else { format!(": {}", last.join(" / ")) }
}

/// What the program is asked to do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Order {
    /// Version of this file, 1.
    pub format: u32,
    /// The run's folder of checkpoints, with its configuration.
    pub run: PathBuf,
    /// The run's folder of games.
    pub data: PathBuf,
    /// The generation whose games are the newest.
    pub generation: u64,
    /// The network that played them: a safetensors file, or of another architecture its module.
    pub weights: PathBuf,
    /// Where the network is written that plays next: a safetensors file with the same tensors, or a module in the same
    /// format.
    pub output: PathBuf,
    /// A folder of the program's own that stays from generation to generation, as for its optimiser. A training that was
    /// interrupted is asked for again, so what is kept there says which generation it is for.
    pub state: PathBuf,
    /// Steps that our own training would take.
    pub steps: u64,
    /// Steps that were taken before, in all generations.
    pub steps_before: u64,
    /// Rows of a step.
    pub batch_size: usize,
    /// Seed of the run.
    pub seed: u64,
    /// How much of the run is over, 0 to 1, where its length is known.
    pub progress: Option<f64>,
}

impl Order {
    /// The version of this order.
    pub const FORMAT: u32 = 1;
}

/// What the program says of steps that it took: a JSON object on a line of its own. Other lines are shown as they are.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Said {
    /// Steps of this training so far.
    pub step: u64,
    /// Mean losses by head since the last such line.
    #[serde(default)]
    pub losses: BTreeMap<String, f64>,
    #[serde(default)]
    pub learning_rate: Option<f64>,
    #[serde(default)]
    pub gradient_norm: Option<f64>,
    /// Rows learnt from since the start of this training, repeats counted; `step * batch_size` if it does not say.
    #[serde(default)]
    pub rows: Option<u64>,
}

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Done,
    /// The user stopped the run first.
    Stopped,
}

/// Runs the program until it ends, shows what it says on `bar`, and gives `hear` each line of losses.
///
/// # Errors
/// When it does not start, or ends with another status than 0 without having been stopped.
pub(super) fn run(
    command: &[String],
    order: &Order,
    file: &Path,
    stopping: impl Fn() -> bool,
    bar: &Progress,
    mut hear: impl FnMut(Said),
) -> Result<Ended, OutsideError> {
    fs::create_dir_all(&order.state).map_err(IoError::at(&order.state))?;
    if let Err(error) = fs::remove_file(&order.output)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(IoError { path: order.output.clone(), source: error }.into());
    }
    let text = serde_json::to_vec_pretty(order).expect("an order serialises");
    write_file(file, |out| io::Write::write_all(out, &text))?;

    let (program, arguments) = command.split_first().expect("a configuration that was checked");
    let mut process = Process::start(program, arguments, file)?;
    let mut asked_to_stop: Option<Instant> = None;
    loop {
        match process.lines.recv_timeout(LOOK_EVERY) {
            Ok(line) => match serde_json::from_str::<Said>(&line) {
                Ok(said) => {
                    let losses: Vec<String> =
                        said.losses.iter().map(|(head, loss)| format!("{head} {loss:.3}")).collect();
                    bar.show(said.step, || losses.join(" "));
                    hear(said);
                }
                Err(_) => say(&line),
            },
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if stopping() && asked_to_stop.is_none() {
            asked_to_stop = Some(Instant::now());
            process.ask_to_stop();
        }
        if asked_to_stop.is_some_and(|since| since.elapsed() > GRACE) {
            break;
        }
    }
    // It has closed its output, or had its time: it is killed if it goes on in spite of that.
    let status = process.end(if asked_to_stop.is_some() { Duration::ZERO } else { GRACE });
    match status {
        Some(0) if order.output.exists() => Ok(Ended::Done),
        _ if asked_to_stop.is_some() => Ok(Ended::Stopped),
        Some(0) => {
            let status = format!("it wrote no {}", order.output.display());
            Err(OutsideError::Failed { program: program.clone(), status, last: process.last_words() })
        }
        status => {
            let status = status.map_or("killed".to_owned(), |status| format!("status {status}"));
            Err(OutsideError::Failed { program: program.clone(), status, last: process.last_words() })
        }
    }
}

/// A running program. It is killed when it goes.
struct Process {
    child: Child,
    /// Lines of its standard output.
    lines: Receiver<String>,
    /// The last lines of its standard error, which are shown as they come.
    errors: Arc<Mutex<VecDeque<String>>>,
    /// Reads them.
    reader: JoinHandle<()>,
}

impl Process {
    fn start(program: &str, arguments: &[String], file: &Path) -> Result<Self, OutsideError> {
        let mut command = Command::new(program);
        command.args(arguments).arg(file).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let start = |source| OutsideError::Start { program: program.to_owned(), source };
        let mut child = command.spawn().map_err(start)?;
        let output = child.stdout.take().expect("an output that is piped");
        let errors = child.stderr.take().expect("errors that are piped");
        let last = Arc::new(Mutex::new(VecDeque::new()));
        let kept = last.clone();
        let reader = thread::spawn(move || {
            for text in texts(errors) {
                warn(&text);
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if !text.trim().is_empty() {
                    kept.push_back(text.trim().to_owned());
                }
                if kept.len() > LAST_WORDS {
                    kept.pop_front();
                }
            }
        });
        Ok(Process { child, lines: lines(output), errors: last, reader })
    }

    /// Sends SIGTERM, which programs may answer by writing what they like before they end.
    fn ask_to_stop(&self) {
        let Ok(id) = libc::pid_t::try_from(self.child.id()) else { return };
        // SAFETY: `kill` takes any number, and the child has not been waited for, so that its number is still its own.
        unsafe { libc::kill(id, libc::SIGTERM) };
    }

    /// Its status once it has ended, or been killed after so long.
    fn end(&mut self, patience: Duration) -> Option<i32> {
        let since = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.code(),
                Ok(None) if since.elapsed() < patience => thread::sleep(LOOK_EVERY / 10),
                Ok(None) | Err(_) => {
                    let _ = self.child.kill();
                    return self.child.wait().ok().and_then(|status| status.code());
                }
            }
        }
    }

    /// The end of what it said on standard error, once it has ended.
    fn last_words(&mut self) -> Vec<String> {
        // A child of its own may hold the pipe open: what was said so far will do then.
        let since = Instant::now();
        while !self.reader.is_finished() && since.elapsed() < PATIENCE {
            thread::sleep(LOOK_EVERY / 10);
        }
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that is gone already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a pipe, read on a thread that ends with it or with the receiver.
fn lines(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = sync_channel(WAITING);
    thread::spawn(move || {
        for text in texts(pipe) {
            if sender.send(text).is_err() {
                return;
            }
        }
    });
    lines
}

/// The lines of a pipe; of one that is too long, its beginning.
fn texts(pipe: impl Read) -> impl Iterator<Item = String> {
    let lines = Lines::new(BufReader::new(pipe)).map_while(Result::ok);
    lines.map(|line| match line {
        Line::Text(text) | Line::TooLong(text) => text,
    })
}
