//! Time control, as the frontend sets it.

use std::time::Duration;

use super::super::{Clock, Limits, Timekeeper};

/// Time for a move before the frontend has said anything about it.
const UNSAID: Duration = Duration::from_secs(5);

/// Limits of the bot's moves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Control {
    /// On the bot's clock.
    pub(super) left: Option<Duration>,
    increment: Duration,
    /// Moves of a period; 0 for the whole game.
    period: u32,
    /// For every move alike.
    pub(super) each: Option<Duration>,
    pub(super) depth: Option<u32>,
}

impl Control {
    /// Reads `MOVES BASE INCREMENT`: base in minutes or `minutes:seconds`, increment in seconds.
    pub(super) fn level(text: &str) -> Option<Self> {
        let [period, base, increment] = text.split_whitespace().collect::<Vec<_>>()[..] else { return None };
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let (minutes, seconds): (u32, u32) = (minutes.parse().ok()?, seconds.parse().ok()?);
        let increment = increment.parse().ok().filter(|seconds: &f64| (0.0..1e6).contains(seconds))?;
        Some(Control {
            left: Some(Duration::from_secs(u64::from(minutes) * 60 + u64::from(seconds))),
            increment: Duration::from_secs_f64(increment),
            period: period.parse().ok()?,
            ..Control::default()
        })
    }

    /// Limits of the next move, at that ply of the game.
    pub(super) fn limits(&self, ply: u32, keeper: &mut Timekeeper, overhead: Duration) -> Limits {
        let Control { left, increment, period, each, depth } = *self;
        let of_clock = left.map(|left| {
            let moves_to_go = (period > 0).then(|| period - ply / 2 % period);
            let clock = Clock { left, increment, moves_to_go };
            keeper.begin(clock);
            keeper.budget(&clock, overhead)
        });
        let of_move = each.map(|time| keeper.budget_of_move(time, overhead));
        let usual = of_clock.map(|budget| budget.usual);
        let time = of_move.or(usual).or(depth.is_none().then_some(UNSAID));
        let longest = of_clock.map(|budget| budget.longest).filter(|_| of_move.is_none());
        Limits { nodes: None, time, longest, depth }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls() {
        let control = Control::level("40 5:30 0.5").unwrap();
        assert_eq!((control.period, control.left), (40, Some(Duration::from_secs(330))));
        assert_eq!(control.increment, Duration::from_millis(500));
        for text in ["", "40 5", "40 5 -1", "40 5:x 0", "0 5 nan", "0 5 1e300"] {
            assert!(Control::level(text).is_none(), "{text}");
        }
    }
}
