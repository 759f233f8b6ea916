//! The report of a run as it goes on, for a page that shows it again and again.

use serde::Serialize;

use super::Shelf;
use crate::report::{Record, ReportError, progress};

/// A run as it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Progress {
    /// Sections of the report in both languages, as HTML.
    pub html: String,
    /// Generation and index of the newest game.
    pub newest: Option<(u64, u64)>,
}

impl Shelf {
    /// A run as its files say; its games are not read for it.
    ///
    /// # Errors
    /// When the run is gone, or the disk refuses.
    pub(super) fn progress(&self, run: &str) -> Result<Progress, ReportError> {
        let record = Record::read(&self.root, run)?;
        Ok(Progress { html: progress(&record).to_fragment(), newest: self.newest(run) })
    }
}
