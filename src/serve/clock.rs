//! Time management: how long a move may take.

use std::time::Duration;

/// What the player to move has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time comes; `None` when all that is left is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// Moves that a game is taken to go on for, where time is shared out.
const HORIZON: u32 = 30;
/// Moves' worth of time that is kept for what cannot be foreseen until more comes.
const SPARE: u32 = 2;
/// Moves that a game is taken to go on for, where what each takes besides thinking is kept back.
const FAR: u32 = 100;
/// Most time for an open choice, in shares of the usual.
const PATIENCE: u32 = 2;

/// How long a move under a clock takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Unless the choice is settled sooner, or still open.
    pub usual: Duration,
    /// Whatever the choice is.
    pub longest: Duration,
}

/// Shares time out, and learns from how late its moves were and from what the frontend's clock says they took. It never
/// gives a move more than is left less the overhead, of which it takes the greater of what the user set and what was
/// measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timekeeper {
    /// How long after its budget a thought ended.
    lateness: Duration,
    /// What a move took besides its thought, on the frontend's clock.
    lag: Duration,
    last: Option<Move>,
}

/// A move under the clock.
#[derive(Clone, Copy, Debug)]
struct Move {
    clock: Clock,
    thought: Duration,
}

impl Timekeeper {
    /// How long to think with this clock: an even share of what is left and most of the increment, and never all that
    /// is left, however open the choice.
    pub fn budget(&self, clock: &Clock, overhead: Duration) -> Budget {
        let lags = self.lag.saturating_sub(clock.increment) * clock.moves_to_go.unwrap_or(FAR).min(FAR);
        let usable = clock.left.saturating_sub(self.margin(overhead)).saturating_sub(lags);
        let share = match clock.moves_to_go {
            Some(moves) => usable / (moves.clamp(1, HORIZON) + SPARE),
            None => usable / HORIZON,
        };
        let most = usable * 4 / 5;
        let usual = (share + clock.increment * 3 / 4).min(most);
        Budget { usual, longest: (usual * PATIENCE).min(most) }
    }

    /// How long to think when the answer is to come within `time`.
    pub fn budget_of_move(&self, time: Duration, overhead: Duration) -> Duration {
        time.saturating_sub(self.margin(overhead)).max(time / 2)
    }

    /// A move begins under this clock, which shows what the last one took.
    pub fn begin(&mut self, clock: Clock) {
        if let Some(lag) = self.last.take().and_then(|last| last.lag(&clock)) {
            self.lag = lag.max(self.lag * 7 / 8);
        }
        self.last = Some(Move { clock, thought: Duration::ZERO });
    }

    /// Takes note that a thought took so long (`None` where a stop ended it), and ended so long after its
    /// budget.
    pub fn learn(&mut self, thought: Option<Duration>, late: Duration) {
        self.lateness = late.max(self.lateness * 7 / 8);
        self.last = self.last.zip(thought).map(|(last, thought)| Move { thought, ..last });
    }

    fn margin(&self, overhead: Duration) -> Duration {
        overhead.max(self.lateness.max(self.lag) * 2)
    }
}

impl Move {
    /// What it took besides its thought, if `next` is the clock before the next move of the same game.
    fn lag(&self, next: &Clock) -> Option<Duration> {
        let one_less = self.clock.moves_to_go.map(|moves| moves.saturating_sub(1));
        let goes_on = next.increment == self.clock.increment && next.moves_to_go == one_less;
        let taken = (self.clock.left + self.clock.increment).checked_sub(next.left)?;
        taken.checked_sub(self.thought).filter(|_| goes_on)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A player whose every move takes its longest time and an overhead within the margin never runs out, in 300
        /// moves of any control.
        #[test]
        fn no_clock_runs_out(left in 1000u64..1_000_000, increment in 0u64..20_000, period in proptest::option::of(1u32..100), overhead in 0u64..3) {
            let keeper = Timekeeper::default();
            let millis = Duration::from_millis;
            let mut clock = Clock { left: millis(left), increment: millis(increment), moves_to_go: period };
            for _ in 0..300 {
                let budget = keeper.budget(&clock, millis(30)).longest;
                // When nothing is left to share out, the move is instant.
                let taken = if budget.is_zero() { Duration::ZERO } else { budget + millis(overhead) };
                prop_assert!(taken < clock.left || taken.is_zero(), "{clock:?} {budget:?}");
                clock = after(clock, taken, left, period);
            }
        }

        /// Nor does one whose every move takes half of what an even share would be, and its budget besides: the
        /// frontend's clock shows it.
        #[test]
        fn a_lag_is_seen_on_the_clock(left in 1000u64..100_000, increment in 0u64..100, period in proptest::option::of(5u32..100), part in 0u64..50) {
            let millis = Duration::from_millis;
            let (moves, all) = period.map_or((100, 200), |period| (3 * period, period));
            let lag = Duration::from_micros((left * 1000 / u64::from(all) + increment * 1000) * part / 100);
            let mut keeper = Timekeeper::default();
            let mut clock = Clock { left: millis(left), increment: millis(increment), moves_to_go: period };
            for _ in 0..moves {
                keeper.begin(clock);
                let budget = keeper.budget(&clock, millis(30)).longest;
                keeper.learn(Some(budget), Duration::ZERO);
                prop_assert!(budget + lag < clock.left, "{clock:?} {budget:?} {lag:?}");
                clock = after(clock, budget + lag, left, period);
            }
        }
    }

    /// The clock before the next move.
    fn after(clock: Clock, taken: Duration, left: u64, period: Option<u32>) -> Clock {
        let mut next = Clock { left: clock.left - taken + clock.increment, ..clock };
        next.moves_to_go = next.moves_to_go.map(|moves| moves - 1);
        if next.moves_to_go == Some(0) {
            next.left += Duration::from_millis(left);
            next.moves_to_go = period;
        }
        next
    }

    #[test]
    fn lateness_is_kept_back() {
        let mut keeper = Timekeeper::default();
        let clock = Clock { left: Duration::from_millis(1000), increment: Duration::ZERO, moves_to_go: Some(1) };
        let millis = |keeper: &Timekeeper| {
            let Budget { usual, longest } = keeper.budget(&clock, Duration::ZERO);
            (usual.as_millis(), longest.as_millis())
        };
        assert_eq!(millis(&keeper), (333, 666));
        keeper.learn(None, Duration::from_millis(300));
        assert_eq!(millis(&keeper), (133, 266));
        assert_eq!(keeper.budget_of_move(Duration::from_millis(100), Duration::ZERO), Duration::from_millis(50));
    }

    #[test]
    fn another_game_teaches_nothing() {
        let mut keeper = Timekeeper::default();
        let clock = |left, moves| Clock {
            left: Duration::from_millis(left),
            increment: Duration::ZERO,
            moves_to_go: Some(moves),
        };
        // A move of 100 ms that took 150; then clocks that are not behind it.
        for next in [clock(850, 8), clock(1000, 9), clock(900, 40), clock(950, 8)] {
            keeper.last = None;
            keeper.begin(clock(1000, 9));
            keeper.learn(Some(Duration::from_millis(100)), Duration::ZERO);
            keeper.begin(next);
            assert_eq!(keeper.lag.as_millis(), 50, "{next:?}");
        }
    }
}
