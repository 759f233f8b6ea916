//! What a person sees while a phase runs: a bar on a terminal, a plain line now and then elsewhere.

use std::{
    io::{IsTerminal, Write},
    sync::Mutex,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time between plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(30);

/// Prints a line on standard output. A run goes on when nobody reads it.
#[cfg(feature = "torch")]
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// The progress of one phase.
#[derive(Debug)]
pub struct Progress {
    name: String,
    total: u64,
    bar: ProgressBar,
    /// When the last plain line was printed; `None` on a terminal, where the bar is drawn.
    plain: Option<Mutex<Instant>>,
}

impl Progress {
    /// Begins a phase of `total` steps on standard error.
    pub fn new(name: impl Into<String>, total: u64) -> Self {
        let name = name.into();
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr_with_hz(4) } else { ProgressDrawTarget::hidden() };
        let style =
            ProgressStyle::with_template("{prefix:>18} {bar:30} {pos}/{len} {elapsed_precise} (left {eta}) {msg}")
                .expect("the template is a constant");
        let bar = ProgressBar::with_draw_target(Some(total), target).with_style(style).with_prefix(name.clone());
        Progress { name, total, bar, plain: (!terminal).then(|| Mutex::new(Instant::now())) }
    }

    /// Shows that `done` steps are done, with a few words.
    pub fn show(&self, done: u64, words: impl FnOnce() -> String) {
        match &self.plain {
            None => {
                self.bar.set_position(done);
                self.bar.set_message(words());
            }
            Some(last) => {
                let mut last = last.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                if last.elapsed() >= PLAIN_INTERVAL {
                    *last = Instant::now();
                    let _ = writeln!(std::io::stderr(), "{}: {done}/{} {}", self.name, self.total, words());
                }
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
