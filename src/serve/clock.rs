//! How long a move may take.

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

/// Moves that a game is taken to go on for.
const HORIZON: u32 = 30;

/// Shares time out, and learns from how late its moves were. It never gives a move more than is left less the overhead, of which it takes the
/// greater of what the user set and what was measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timekeeper {
    lateness: Duration,
}

impl Timekeeper {
    /// How long to think with this clock: an even share of what is left and most of the increment, and never all that is left.
    pub fn budget(&self, clock: &Clock, overhead: Duration) -> Duration {
        let usable = clock.left.saturating_sub(self.margin(overhead));
        let share = match clock.moves_to_go {
            // The last move before more time comes keeps something for what cannot be foreseen.
            Some(0 | 1) => usable * 4 / 5,
            Some(moves) => usable / moves.min(HORIZON),
            None => usable / HORIZON,
        };
        (share + clock.increment * 3 / 4).min(usable * 4 / 5)
    }

    /// How long to think when the answer is to come within `time`.
    pub fn budget_of_move(&self, time: Duration, overhead: Duration) -> Duration {
        time.saturating_sub(self.margin(overhead)).max(time / 2)
    }

    /// Takes note that a move came so long after its budget.
    pub fn learn(&mut self, late: Duration) {
        self.lateness = late.max(self.lateness * 7 / 8);
    }

    fn margin(&self, overhead: Duration) -> Duration {
        overhead.max(self.lateness * 2)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A player whose every move takes its budget and an overhead within the margin never runs out, in 300 moves of any control.
        #[test]
        fn no_clock_runs_out(left in 1000u64..1_000_000, increment in 0u64..20_000, period in proptest::option::of(1u32..100), overhead in 0u64..3) {
            let keeper = Timekeeper::default();
            let millis = Duration::from_millis;
            let mut clock = Clock { left: millis(left), increment: millis(increment), moves_to_go: period };
            for _ in 0..300 {
                let budget = keeper.budget(&clock, millis(30));
                // When nothing is left to share out, the move is instant.
                let taken = if budget.is_zero() { Duration::ZERO } else { budget + millis(overhead) };
                prop_assert!(taken < clock.left || taken.is_zero(), "{clock:?} {budget:?}");
                clock.left = clock.left - taken + clock.increment;
                clock.moves_to_go = clock.moves_to_go.map(|moves| moves - 1);
                if clock.moves_to_go == Some(0) {
                    clock.left += millis(left);
                    clock.moves_to_go = period;
                }
            }
        }
    }

    #[test]
    fn lateness_is_kept_back() {
        let mut keeper = Timekeeper::default();
        let clock = Clock { left: Duration::from_millis(1000), increment: Duration::ZERO, moves_to_go: Some(1) };
        let before = keeper.budget(&clock, Duration::ZERO);
        keeper.learn(Duration::from_millis(300));
        assert_eq!(before, Duration::from_millis(800));
        assert_eq!(keeper.budget(&clock, Duration::ZERO), Duration::from_millis(320));
        assert_eq!(keeper.budget_of_move(Duration::from_millis(100), Duration::ZERO), Duration::from_millis(50));
    }
}
