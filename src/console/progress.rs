//! Progress of a phase: a bar on a terminal, a plain line from time to time elsewhere.

use std::{
    io::{IsTerminal, Write},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::colour::{WARNING, errors, styled};

/// Time between plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(30);

/// Time after which a bar shows that time goes by, though nothing was done.
const TICK: Duration = Duration::from_millis(500);

/// Prints a line on standard output. A run goes on when its reader is gone.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Whether the user wants neither progress nor notes.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves out progress and notes from now on, in the whole process.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Prints a line on standard error that a quiet program leaves out.
pub fn note(line: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        // Nothing can be told when standard error is closed.
        let _ = writeln!(errors(), "{line}");
    }
}

/// Prints a line on standard error that a quiet program prints too.
pub fn warn(line: &str) {
    // Nor can this.
    let _ = writeln!(errors(), "{}", styled(WARNING, line));
}

/// When a plain line is printed, where no bar can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Every half minute.
    Clock,
    /// At every tenth of the way.
    Tenths,
}

/// The progress of one phase.
#[derive(Debug)]
pub struct Progress {
    name: String,
    total: u64,
    bar: ProgressBar,
    shown: Shown,
}

/// How progress is shown.
#[derive(Debug)]
enum Shown {
    Bar,
    Lines(Plain),
    Not,
}

/// What the last plain line reported.
#[derive(Debug)]
enum Plain {
    Printed(Mutex<Instant>),
    /// Steps done when the progress was last heard of.
    Done(AtomicU64),
}

impl Plain {
    /// Whether another line is due at `done` of `total` steps, which is then taken to be printed.
    fn is_due(&self, done: u64, total: u64) -> bool {
        match self {
            Plain::Printed(last) => {
                let mut last = last.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                let due = last.elapsed() >= PLAIN_INTERVAL;
                if due {
                    *last = Instant::now();
                }
                due
            }
            Plain::Done(last) => {
                let tenth = |done: u64| u128::from(done) * 10 / u128::from(total.max(1));
                tenth(done) > tenth(last.swap(done, Ordering::Relaxed))
            }
        }
    }
}

impl Progress {
    /// Begins a phase of `total` steps on standard error.
    pub fn new(name: impl Into<String>, total: u64) -> Self {
        Progress::paced(name, total, Pace::Clock)
    }

    /// Likewise, with plain lines at another pace.
    pub fn paced(name: impl Into<String>, total: u64, pace: Pace) -> Self {
        let name = name.into();
        let shown = match pace {
            _ if QUIET.load(Ordering::Relaxed) => Shown::Not,
            _ if std::io::stderr().is_terminal() => Shown::Bar,
            Pace::Clock => Shown::Lines(Plain::Printed(Mutex::new(Instant::now()))),
            Pace::Tenths => Shown::Lines(Plain::Done(AtomicU64::new(0))),
        };
        let drawn = matches!(shown, Shown::Bar);
        let target = if drawn { ProgressDrawTarget::stderr_with_hz(4) } else { ProgressDrawTarget::hidden() };
        let style =
            ProgressStyle::with_template("{prefix:>18} {bar:30} {pos}/{len} {elapsed_precise} (left {eta}) {msg}")
                .expect("the template is a constant");
        let bar = ProgressBar::with_draw_target(Some(total), target).with_style(style).with_prefix(name.clone());
        if drawn {
            bar.enable_steady_tick(TICK);
        }
        Progress { name, total, bar, shown }
    }

    /// Shows that `done` steps are done, with a few words.
    pub fn show(&self, done: u64, words: impl FnOnce() -> String) {
        match &self.shown {
            Shown::Bar => {
                self.bar.set_position(done);
                self.bar.set_message(words());
            }
            Shown::Lines(plain) if plain.is_due(done, self.total) => {
                // Progress that cannot be written is no reason to stop.
                let _ = writeln!(std::io::stderr(), "{}: {done}/{} {}", self.name, self.total, words());
            }
            Shown::Lines(_) | Shown::Not => {}
        }
    }

    /// Prints a warning on standard error, above the bar.
    pub fn warn(&self, line: &str) {
        self.bar.suspend(|| warn(line));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_lines_come_at_their_pace() {
        let tenths = Plain::Done(AtomicU64::new(0));
        let due: Vec<u64> = (1..=40).filter(|&done| tenths.is_due(done, 40)).collect();
        assert_eq!(due, [4, 8, 12, 16, 20, 24, 28, 32, 36, 40]);
        assert!(Plain::Done(AtomicU64::new(0)).is_due(u64::MAX, u64::MAX));
        let clock = Plain::Printed(Mutex::new(Instant::now()));
        assert!((1..=40).all(|done| !clock.is_due(done, 40)));
        let long_ago = Instant::now().checked_sub(PLAIN_INTERVAL).expect("a clock that began earlier");
        let clock = Plain::Printed(Mutex::new(long_ago));
        assert!(clock.is_due(1, 40) && !clock.is_due(40, 40));
    }
}
