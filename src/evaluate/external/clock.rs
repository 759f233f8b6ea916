//! An engine's clock in a game.

use std::{fmt, str::FromStr, time::Duration};

use super::process::EngineFault;

/// Most seconds of a game, and of a move.
const MOST_SECONDS: f64 = 86_400.0;

/// Time for a game, and what each move adds to it: `10+0.1`, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineClock {
    pub base: Duration,
    pub increment: Duration,
}

impl EngineClock {
    /// Takes a move off the clock.
    ///
    /// # Errors
    /// When there was less time than that.
    pub(super) fn spend(&mut self, taken: Duration) -> Result<(), EngineFault> {
        let late = || EngineFault::OutOfTime { millis: (taken - self.base).as_millis() };
        self.base = self.base.checked_sub(taken).ok_or_else(late)? + self.increment;
        Ok(())
    }
}

impl FromStr for EngineClock {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds = |part: &str| {
            let seconds = part.parse().ok().filter(|seconds| (0.0..=MOST_SECONDS).contains(seconds))?;
            Some(Duration::from_secs_f64(seconds))
        };
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let clock = seconds(base).zip(seconds(increment)).map(|(base, increment)| EngineClock { base, increment });
        let clock = clock.filter(|clock| !clock.base.is_zero());
        clock.ok_or_else(|| "expected seconds for the game and for each move, as in `10+0.1`".to_owned())
    }
}

impl fmt::Display for EngineClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_run_down_and_are_added_to() {
        let mut clock: EngineClock = "1+0.25".parse().unwrap();
        let millis = Duration::from_millis;
        clock.spend(millis(750)).unwrap();
        assert_eq!(clock.to_string(), "0.5+0.25");
        clock.spend(millis(500)).unwrap();
        assert_eq!(
            clock.spend(millis(260)).unwrap_err().to_string(),
            "the engine's clock ran out 10 ms before its answer"
        );
    }

    #[test]
    fn clocks_as_users_write_them() {
        for (text, expected) in [("10", "10+0"), ("0.5+0", "0.5+0"), ("60+1", "60+1")] {
            assert_eq!(text.parse::<EngineClock>().unwrap().to_string(), expected);
        }
        for text in ["", "0", "0+1", "+1", "-1+0", "1+-1", "nan", "1+inf", "1e9", "1:30", "1+1+1"] {
            assert!(text.parse::<EngineClock>().is_err(), "{text}");
        }
    }
}
