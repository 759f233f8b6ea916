//! Tasks of a bot's search, and its reports.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::prospect::Prospect;
use crate::{game::Wdl, search::Proof};

/// What ends a search, whichever comes first. With none of them it goes on until it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Playouts.
    pub nodes: Option<u32>,
    pub time: Option<Duration>,
    /// Where the time is a share of a clock's: the most for a choice that is still open after it. A choice that is
    /// settled before takes less.
    pub longest: Option<Duration>,
    /// Actions of the principal variation.
    pub depth: Option<u32>,
}

impl Limits {
    /// Whether nothing but a stop ends the search.
    pub fn is_infinite(&self) -> bool {
        *self == Limits::default()
    }

    /// The time for a move whose choice has this prospect.
    fn time_for(&self, prospect: Prospect) -> Option<Duration> {
        match (self.longest, prospect) {
            (None, _) | (_, Prospect::Usual) => self.time,
            (Some(_), Prospect::Settled) => Some(Duration::ZERO),
            (Some(longest), Prospect::Open) => Some(longest),
        }
    }
}

/// A line of play, with what is expected of it by the side to move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// Strings of the rules, at least one.
    pub actions: Vec<String>,
    /// The same with squares named by the grid ([`XBoard::grid_string`](crate::game::XBoard::grid_string)).
    pub on_grid: Vec<String>,
    /// Playouts through the first action; those kept from an earlier search included.
    pub visits: u32,
    /// The network's probability of the first action.
    pub prior: f32,
    /// Probability of win, draw and loss.
    pub wdl: Wdl,
    pub proof: Proof,
}

/// How far a search has got.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub playouts: u32,
    pub time: Duration,
    /// Probability of win, draw and loss for the side to move.
    pub wdl: Wdl,
    /// Best first, at least one.
    pub variations: Vec<Variation>,
}

/// What a search ends with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub action: String,
    /// The answer that is expected, where the other side is to give it.
    pub answer: Option<String>,
    /// How long it was thought about on the own time; `None` where a stop ended that.
    pub thought: Option<Duration>,
    /// How long after its time was up; zero without a limit of time.
    pub late: Duration,
}

/// What a bot that thinks has to say.
#[derive(Clone, Debug, PartialEq)]
pub enum Thought {
    Report(Report),
    /// The end of a search.
    Chosen(Decision),
    /// The end of a count: leaves below each legal action, or `None` when it was stopped.
    Counted(Option<Vec<(String, u64)>>),
    /// The evaluator cannot go on.
    Failed(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// On the other side's time: no limit counts.
    Pondering,
    /// On the own time, from then on.
    Thinking(Instant),
    Stopped,
}

/// Signals from the caller to a running search: what has changed meanwhile.
#[derive(Debug)]
pub(super) struct Control {
    phase: Mutex<Phase>,
    changed: Condvar,
}

impl Control {
    pub(super) fn new() -> Self {
        Control { phase: Mutex::new(Phase::Stopped), changed: Condvar::new() }
    }

    pub(super) fn think(&self) {
        self.turn(Phase::Thinking(Instant::now()));
    }

    pub(super) fn ponder(&self) {
        self.turn(Phase::Pondering);
    }

    pub(super) fn stop(&self) {
        self.turn(Phase::Stopped);
    }

    /// The other side did what was expected: the clock runs from now on.
    pub(super) fn hit(&self) {
        if *self.phase() == Phase::Pondering {
            self.think();
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        *self.phase() == Phase::Stopped
    }

    /// Whether it is time to end, whatever the number of playouts.
    pub(super) fn ends(&self, limits: &Limits, depth: u32, prospect: Prospect) -> bool {
        match *self.phase() {
            Phase::Pondering => false,
            Phase::Thinking(since) => {
                limits.time_for(prospect).is_some_and(|time| since.elapsed() >= time)
                    || limits.depth.is_some_and(|most| depth >= most)
            }
            Phase::Stopped => true,
        }
    }

    /// Waits until an answer is wanted: for a stop, or where there are limits for the end of pondering.
    pub(super) fn wait(&self, limits: &Limits) {
        let early = |phase: &mut Phase| match phase {
            Phase::Pondering => true,
            Phase::Thinking(_) => limits.is_infinite(),
            Phase::Stopped => false,
        };
        drop(self.changed.wait_while(self.phase(), early));
    }

    /// How long the own time has run; `None` after a stop.
    pub(super) fn spent(&self) -> Option<Duration> {
        match *self.phase() {
            Phase::Thinking(since) => Some(since.elapsed()),
            Phase::Pondering | Phase::Stopped => None,
        }
    }

    /// How long ago the time was up.
    pub(super) fn late(&self, limits: &Limits) -> Duration {
        match (*self.phase(), limits.time) {
            (Phase::Thinking(since), Some(time)) => since.elapsed().saturating_sub(time),
            _ => Duration::ZERO,
        }
    }

    fn turn(&self, phase: Phase) {
        *self.phase() = phase;
        self.changed.notify_all();
    }

    fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
