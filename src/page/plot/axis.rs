//! From numbers to places, and the numbers written beside them.

use crate::page::Scale;

/// Numbers from `low` to `high`, drawn from `start` to `end`.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    low: f64,
    high: f64,
    start: i32,
    end: i32,
    scale: Scale,
}

impl Axis {
    /// An axis over a range, whose ends may come in any order and may be one number.
    pub fn new((a, b): (f64, f64), (start, end): (i32, i32), scale: Scale) -> Self {
        // Beyond this, differences overflow.
        let bound = |number: f64| number.clamp(-1e300, 1e300);
        let (low, high) = (bound(a.min(b)), bound(a.max(b)));
        let margin = if low < high { 0.0 } else { 0.5 * low.abs().max(1.0) };
        Axis { low: low - margin, high: high + margin, start, end, scale }
    }

    /// The place of a number; the nearest end for one outside of the range.
    pub fn at(&self, number: f64) -> i32 {
        let share = ((number - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.start + (share * f64::from(self.end - self.start)).round() as i32
    }

    /// Whether a number lies in the range.
    pub fn shows(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    pub fn start(&self) -> i32 {
        self.start
    }

    pub fn end(&self) -> i32 {
        self.end
    }

    pub fn middle(&self) -> i32 {
        (self.start + self.end) / 2
    }

    /// At most `most` round numbers of the range, each with its label.
    pub fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let step = step((self.high - self.low) / most.max(1) as f64);
        let first = (self.low / step - 1e-6).ceil();
        (0..=most)
            .map(|i| (first + i as f64) * step)
            .take_while(|&tick| tick <= self.high + 1e-6 * step)
            // What rounding left of zero.
            .map(|tick| if tick.abs() < 1e-6 * step { 0.0 } else { tick })
            .map(|tick| (tick, label(tick, step, self.scale)))
            .collect()
    }
}

/// The least of 1, 2, 5, 10, 20, ... (and of 0.5, 0.2, ...) that is no less than `least`.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|part| part * power).into_iter().find(|&step| step >= least * 0.999_999).unwrap_or(least)
}

/// A round number as it is written on an axis whose numbers are `step` apart: `12k`, `0.25`, `40%`.
pub fn label(number: f64, step: f64, scale: Scale) -> String {
    let (number, step, unit) = match scale {
        Scale::Percent => (100.0 * number, 100.0 * step, "%"),
        Scale::Number if number == 0.0 => return "0".to_owned(),
        Scale::Number if !(1e-5..1e9).contains(&step) => return format!("{number:.0e}"),
        Scale::Number if step >= 1e6 => (number / 1e6, step / 1e6, "M"),
        Scale::Number if step >= 1e3 => (number / 1e3, step / 1e3, "k"),
        Scale::Number => (number, step, ""),
    };
    let decimals = (-step.log10()).ceil().clamp(0.0, 6.0) as usize;
    format!("{number:.decimals$}{unit}")
}

/// From the least to the greatest of the finite numbers; none where there are none.
pub fn span(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.filter(|number| number.is_finite()).fold(None, |span, number| {
        let (low, high) = span.unwrap_or((number, number));
        Some((low.min(number), high.max(number)))
    })
}

/// A range with zero in it, where zero is not far from it.
pub fn with_zero((low, high): (f64, f64)) -> (f64, f64) {
    if low > 0.0 && low < 0.6 * high {
        (0.0, high)
    } else if high < 0.0 && high > 0.6 * low {
        (low, 0.0)
    } else {
        (low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(range: (f64, f64), scale: Scale) -> String {
        let ticks = Axis::new(range, (0, 100), scale).ticks(6);
        ticks.into_iter().map(|(_, label)| label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels((0.0, 84.0), Scale::Number), "0 20 40 60 80");
        assert_eq!(labels((-0.3, 0.31), Scale::Number), "-0.2 0 0.2");
        assert_eq!(labels((0.0, 14_609.0), Scale::Number), "0 5k 10k");
        assert_eq!(labels((0.0, 0.003), Scale::Number), "0 0.0005 0.0010 0.0015 0.0020 0.0025 0.0030");
        assert_eq!(labels((0.0, 1.0), Scale::Percent), "0% 20% 40% 60% 80% 100%");
        assert_eq!(labels((0.0, 0.011), Scale::Percent), "0.0% 0.2% 0.4% 0.6% 0.8% 1.0%");
    }

    #[test]
    fn odd_ranges_have_few_ticks() {
        for range in [(5.0, 5.0), (f64::MIN, f64::MAX), (1e16, 1e16 + 2.0), (0.0, 5e-324), (3.0, -3.0), (-0.0, 0.0)] {
            for scale in [Scale::Number, Scale::Percent] {
                let axis = Axis::new(range, (100, 0), scale);
                assert!(axis.ticks(6).len() <= 7, "{range:?}");
                assert!((0..=100).contains(&axis.at(range.0)), "{range:?}");
            }
        }
    }
}
