//! The replay window: how far back training looks, and what of it is held out.

use std::ops::Range;

use rand::RngCore as _;
use serde::{Deserialize, Serialize};

use super::FileInfo;
use crate::game::{FieldError, random};

/// How the replay window grows with the data.
///
/// A row is one that is trained on: not one without a search, nor that of a cheap search unless `cheap_rows`.
///
/// With `n` rows played so far, the newest `c * (1 + growth * ((n / c)^exponent - 1) / exponent)` of them are in the
/// window, where `c` is `minimum_rows`, but never more than `maximum_rows` (KataGo's power law: Wu 2019, "Accelerating
/// Self-Play Learning in Go", appendix C). Up to `c` rows all are in; just above, the window grows by `growth` rows a
/// row, and ever slower.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WindowConfig {
    /// Rows up to which everything is in the window, at least 1.
    pub minimum_rows: u64,
    /// Rows that the window never exceeds by more than one file, at least `minimum_rows`. They are held in memory, 0.5
    /// to 1 KB a row.
    pub maximum_rows: u64,
    /// Rows that the window gains per new row just above `minimum_rows`, 0 to 1.
    pub growth: f64,
    /// Exponent of the growth, above 0 (hardly grows) to 1 (keeps growing at the same rate).
    pub exponent: f64,
    /// Whether rows of cheap searches are trained on, for their value. Without them they only serve the lambda-returns
    /// of the others.
    pub cheap_rows: bool,
    /// One file in so many is held out, to measure losses on games that are not trained on; 0: none.
    pub holdout: u64,
}

impl Default for WindowConfig {
    fn default() -> Self {
        WindowConfig {
            minimum_rows: 50_000,
            maximum_rows: 2_000_000,
            growth: 0.4,
            exponent: 0.75,
            cheap_rows: true,
            holdout: 32,
        }
    }
}

impl WindowConfig {
    /// # Errors
    /// `field: expected X, found Y` for the first field that is out of range.
    pub fn validate(&self) -> Result<(), FieldError> {
        if self.minimum_rows == 0 {
            return Err(FieldError::new("minimum_rows", "at least 1", 0));
        }
        if self.maximum_rows < self.minimum_rows {
            let expected = format!("at least minimum_rows = {}", self.minimum_rows);
            return Err(FieldError::new("maximum_rows", expected, self.maximum_rows));
        }
        if !(0.0..=1.0).contains(&self.growth) {
            return Err(FieldError::new("growth", "0 to 1", self.growth));
        }
        if !(self.exponent > 0.0 && self.exponent <= 1.0) {
            return Err(FieldError::new("exponent", "above 0 to 1", self.exponent));
        }
        Ok(())
    }

    /// Rows in the window when `total` have been played.
    pub fn rows(&self, total: u64) -> u64 {
        let c = self.minimum_rows as f64;
        let grown = ((total as f64 / c).powf(self.exponent) - 1.0) / self.exponent;
        let rows = if total <= self.minimum_rows { total as f64 } else { c * (1.0 + self.growth * grown) };
        (rows as u64).min(total).min(self.maximum_rows)
    }

    /// Whether a file is held out. Drawn by its place in the run, so that it is the same in every session; the first
    /// generation, which is played at random, is all trained on.
    pub fn holds_out(&self, file: &FileInfo) -> bool {
        let manifest = &file.manifest;
        self.holdout > 0
            && manifest.generation > 0
            && random::stream("holdout", manifest.seed, manifest.generation, manifest.first_game)
                .next_u64()
                .is_multiple_of(self.holdout)
    }

    /// Rows of a file that are trained on.
    pub fn rows_of(&self, file: &FileInfo) -> u64 {
        match self.holds_out(file) {
            true => 0,
            false => file.manifest.full_rows + if self.cheap_rows { file.manifest.cheap_rows } else { 0 },
        }
    }

    /// Which of `files`, oldest first, are in the window: whole files, the newest, as many as it takes.
    pub fn select(&self, files: &[FileInfo]) -> Range<usize> {
        let wanted = self.rows(files.iter().map(|file| self.rows_of(file)).sum());
        let (mut first, mut rows) = (files.len(), 0);
        while first > 0 && rows < wanted {
            first -= 1;
            rows += self.rows_of(&files[first]);
        }
        first..files.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_grows_ever_slower() {
        let config = WindowConfig { minimum_rows: 1000, maximum_rows: 4000, ..WindowConfig::default() };
        assert_eq!(config.rows(0), 0);
        assert_eq!(config.rows(1000), 1000);
        // 1000 * (1 + 0.4 * (16^0.75 - 1) / 0.75) = 1000 * (1 + 0.4 * 7 / 0.75)
        assert_eq!(config.rows(16_000), 4000);
        let open = WindowConfig { maximum_rows: u64::MAX, ..config };
        assert_eq!(open.rows(16_000), 4733);
        assert!(open.rows(1100) - open.rows(1000) > open.rows(16_100) - open.rows(16_000));
        assert!((1..100_000).step_by(97).all(|n| open.rows(n) <= n));
    }

    #[test]
    fn every_bad_field_is_named() {
        let good = WindowConfig::default();
        assert_eq!(good.validate(), Ok(()));
        let bad = [
            WindowConfig { minimum_rows: 0, ..good },
            WindowConfig { maximum_rows: 1, ..good },
            WindowConfig { growth: f64::NAN, ..good },
            WindowConfig { exponent: 0.0, ..good },
        ];
        for (config, field) in bad.iter().zip(["minimum_rows", "maximum_rows", "growth", "exponent"]) {
            assert!(config.validate().unwrap_err().field == field);
        }
    }
}
