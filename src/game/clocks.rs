//! Where self-play spends its time: in the rules, in encoding.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// Time spent in the rules and in encoding, by all threads.
#[derive(Debug, Default)]
pub struct Clocks {
    pub(super) rules: Clock,
    pub(super) encode: Clock,
}

impl Clocks {
    /// Time in legal actions, applying and ends of games.
    pub fn rules(&self) -> Duration {
        self.rules.read()
    }

    /// Time in encoding.
    pub fn encode(&self) -> Duration {
        self.encode.read()
    }
}

#[derive(Debug, Default)]
pub(super) struct Clock {
    nanoseconds: AtomicU64,
    calls: AtomicU64,
}

impl Clock {
    pub(super) fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        self.calls.fetch_add(1, Ordering::Relaxed);
        result
    }

    /// The time, less what looking at the clock takes.
    fn read(&self) -> Duration {
        const LOOKS: u32 = 10_000;
        let start = Instant::now();
        for _ in 0..LOOKS {
            std::hint::black_box(Instant::now());
        }
        let looking = start.elapsed().as_nanos() as u64 * self.calls.load(Ordering::Relaxed) / u64::from(LOOKS);
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed).saturating_sub(looking))
    }
}
