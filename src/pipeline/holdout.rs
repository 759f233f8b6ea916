//! How well the newest network knows games that it was not trained on: losses, and what its values are worth.

use super::metrics::{CalibrationEvent, HoldoutEvent, PlyEvent};
use crate::train::{HeldOut, HeldOutValue};

/// Rows that are judged, the newest.
pub(super) const ROWS: usize = 4096;

/// Plies at which the bands of a game begin by which values are judged.
const BANDS: [u32; 6] = [0, 24, 60, 100, 150, 200];

/// Bins of the values from -1 to 1.
const BINS: usize = 10;

impl HoldoutEvent {
    /// What the journal keeps of the playing weights of `generation`.
    pub(super) fn new(generation: u64, rows: usize, held_out: &HeldOut) -> HoldoutEvent {
        let (losses, values) = (&held_out.losses, &held_out.values);
        let heads = [
            ("total", losses.total),
            ("policy", losses.policy),
            ("policy_kl", losses.policy_kl),
            ("value", losses.value),
            ("moves_left", losses.moves_left),
        ];
        let ends = BANDS[1..].iter().copied().chain([u32::MAX]);
        let bands = BANDS.into_iter().zip(ends).filter_map(|(from, end)| {
            let band: Vec<HeldOutValue> =
                values.iter().copied().filter(|value| (from..end).contains(&value.ply)).collect();
            (!band.is_empty()).then(|| PlyEvent { from, rows: band.len() as u64, r2: r2(&band) })
        });
        let bins = (0..BINS).filter_map(|bin| {
            let bin: Vec<&HeldOutValue> = values.iter().filter(|value| bin_of(value.predicted) == bin).collect();
            let mean = |of: fn(&HeldOutValue) -> f64| bin.iter().map(|value| of(value)).sum::<f64>() / bin.len() as f64;
            let (predicted, result) = (mean(|value| value.predicted), mean(|value| value.result));
            (!bin.is_empty()).then_some(CalibrationEvent { rows: bin.len() as u64, predicted, result })
        });
        HoldoutEvent {
            generation,
            rows: rows as u64,
            losses: heads.map(|(head, loss)| (head.to_owned(), loss)).into(),
            value_r2: r2(values),
            value_slope: slope(values),
            plies: bands.collect(),
            calibration: bins.collect(),
        }
    }
}

/// The bin of a value, the upper end of the scale in the last.
fn bin_of(value: f64) -> usize {
    (((value + 1.0) / 2.0 * BINS as f64) as usize).min(BINS - 1)
}

/// The share of the variance of results that the values explain: 1 less the mean square of their errors over the
/// variance; below 0 where the mean result would do better. None where all results are alike.
fn r2(values: &[HeldOutValue]) -> Option<f64> {
    let mean = values.iter().map(|value| value.result).sum::<f64>() / values.len().max(1) as f64;
    let variance: f64 = values.iter().map(|value| (value.result - mean).powi(2)).sum();
    let errors: f64 = values.iter().map(|value| (value.result - value.predicted).powi(2)).sum();
    (variance > 0.0).then(|| 1.0 - errors / variance)
}

/// The slope of results over values by least squares: 1 when calibrated, above 1 where values are timid, below 1 where
/// they are overconfident. None where all values are alike.
fn slope(values: &[HeldOutValue]) -> Option<f64> {
    let n = values.len().max(1) as f64;
    let mean = |of: fn(&HeldOutValue) -> f64| values.iter().map(of).sum::<f64>() / n;
    let (predicted, result) = (mean(|value| value.predicted), mean(|value| value.result));
    let spread: f64 = values.iter().map(|value| (value.predicted - predicted).powi(2)).sum();
    let shared: f64 = values.iter().map(|value| (value.predicted - predicted) * (value.result - result)).sum();
    (spread > 0.0).then(|| shared / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(pairs: &[(u32, f64, f64)]) -> Vec<HeldOutValue> {
        pairs.iter().map(|&(ply, predicted, result)| HeldOutValue { ply, predicted, result }).collect()
    }

    #[test]
    fn values_that_know_the_result_explain_everything() {
        let exact = values(&[(0, 1.0, 1.0), (1, -1.0, -1.0), (2, 0.0, 0.0)]);
        assert_eq!((r2(&exact), slope(&exact)), (Some(1.0), Some(1.0)));
        let timid = values(&[(0, 0.5, 1.0), (1, -0.5, -1.0)]);
        assert_eq!((r2(&timid), slope(&timid)), (Some(0.75), Some(2.0)));
        let wrong = values(&[(0, -1.0, 1.0), (1, 1.0, -1.0)]);
        assert_eq!((r2(&wrong), slope(&wrong)), (Some(-3.0), Some(-1.0)));
        let mean = values(&[(0, 0.0, 1.0), (1, 0.0, -1.0)]);
        assert_eq!((r2(&mean), slope(&mean)), (Some(0.0), None));
        assert_eq!((r2(&[]), slope(&[])), (None, None));
    }

    #[test]
    fn rows_are_judged_by_ply_and_by_value() {
        let losses = crate::train::LossValues::default();
        let values = values(&[(3, 0.95, 1.0), (23, 0.99, 0.0), (24, -1.0, -1.0), (400, 1.0, 1.0), (401, 0.0, -1.0)]);
        let event = HoldoutEvent::new(7, 9, &HeldOut { losses, values });
        let plies: Vec<(u32, u64)> = event.plies.iter().map(|band| (band.from, band.rows)).collect();
        assert_eq!(plies, [(0, 2), (24, 1), (200, 2)]);
        assert_eq!(event.plies[1].r2, None);
        let bins: Vec<(u64, f64)> = event.calibration.iter().map(|bin| (bin.rows, bin.result)).collect();
        assert_eq!(bins, [(1, -1.0), (1, -1.0), (3, 2.0 / 3.0)]);
        assert_eq!((event.generation, event.rows), (7, 9));
    }
}
