//! The rows of the replay window, in memory.

use std::{collections::HashMap, path::Path, path::PathBuf, sync::Arc};

use rayon::prelude::*;

use super::{DataError, FileInfo, Samples, TrainingBatch, WindowConfig, check_identity, inspect, list_files};
use crate::game::{Layout, Ruleset};

/// One file of the window.
#[derive(Clone, Debug)]
struct Part {
    path: PathBuf,
    generation: u64,
    /// Whether it is not trained on.
    held_out: bool,
    samples: Arc<Samples>,
}

/// The replay window of a run, decoded. Each refresh reads only the files that are new to the window; afterwards it
/// holds what a new buffer would hold.
#[derive(Debug)]
pub struct ReplayBuffer {
    ruleset: Ruleset,
    layout: &'static Layout,
    config: WindowConfig,
    value_lambda: f32,
    /// Footers read so far.
    known: HashMap<PathBuf, FileInfo>,
    /// Oldest first.
    parts: Vec<Part>,
    capped: bool,
}

impl ReplayBuffer {
    /// An empty buffer for games of the given rules and shape; `value_lambda` is the lambda of the rows' value targets,
    /// 0 to 1.
    pub fn new(ruleset: Ruleset, layout: &'static Layout, config: WindowConfig, value_lambda: f32) -> Self {
        ReplayBuffer { ruleset, layout, config, value_lambda, known: HashMap::new(), parts: Vec::new(), capped: false }
    }

    /// Moves the window to the end of `generation`: reads the files that entered it, in parallel, and forgets those
    /// that left. Gives what was wrong with the files that had to be left out.
    ///
    /// # Errors
    /// When a folder cannot be listed, or a file holds games of other rules.
    pub fn refresh(&mut self, run_dir: &Path, generation: u64) -> Result<Vec<DataError>, DataError> {
        let mut complaints = Vec::new();
        let mut files = Vec::new();
        for path in list_files(run_dir, 0..generation.saturating_add(1))? {
            match self.info(&path) {
                Ok(info) => files.push(info),
                Err(error @ DataError::Ruleset { .. }) => return Err(error),
                Err(error) => complaints.push(error),
            }
        }
        let window = &files[self.config.select(&files)];
        let open = WindowConfig { maximum_rows: u64::MAX, ..self.config };
        self.capped = open.select(&files).len() > window.len();
        let parts: Vec<Result<Part, DataError>> = window.par_iter().map(|info| self.part(info)).collect();
        self.parts.clear();
        for part in parts {
            match part {
                Ok(part) => self.parts.push(part),
                Err(error) => complaints.push(error),
            }
        }
        Ok(complaints)
    }

    /// Rows to draw from: those of the window that were searched, or only those of full searches
    /// ([`WindowConfig::cheap_rows`]), without those held out ([`WindowConfig::holdout`]).
    pub fn rows(&self) -> usize {
        self.trained().map(|part| part.samples.len()).sum()
    }

    /// Rows of one generation, those held out too: what is held out does not make the training on a generation shorter.
    pub fn rows_of(&self, generation: u64) -> usize {
        self.parts.iter().filter(|part| part.generation == generation).map(|part| part.samples.len()).sum()
    }

    /// Whether the window would hold more rows if it might.
    pub fn is_capped(&self) -> bool {
        self.capped
    }

    /// The newest of the rows that are held out, at most so many, in batches of `batch_size`.
    pub fn held_out(&self, most: usize, batch_size: usize) -> Vec<TrainingBatch> {
        let held_out = self.parts.iter().rev().filter(|part| part.held_out);
        let rows = held_out.flat_map(|part| (0..part.samples.len()).map(|row| (&part.samples, row))).take(most);
        let rows: Vec<(&Arc<Samples>, usize)> = rows.collect();
        let batch = |rows: &[(&Arc<Samples>, usize)]| {
            let mut batch = TrainingBatch::new(self.layout);
            rows.iter().for_each(|(samples, row)| samples.add_to(&mut batch, *row, None));
            batch
        };
        rows.chunks(batch_size).map(batch).collect()
    }

    /// Files in the window.
    pub fn files(&self) -> usize {
        self.parts.len()
    }

    /// The oldest generation in the window.
    pub fn oldest_generation(&self) -> Option<u64> {
        self.parts.first().map(|part| part.generation)
    }

    /// Shape of the rows.
    pub fn layout(&self) -> &'static Layout {
        self.layout
    }

    /// The samples of each file that is trained on, oldest first.
    pub(super) fn samples(&self) -> Vec<Arc<Samples>> {
        self.trained().map(|part| part.samples.clone()).collect()
    }

    fn trained(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| !part.held_out)
    }

    fn info(&mut self, path: &Path) -> Result<FileInfo, DataError> {
        if let Some(info) = self.known.get(path) {
            return Ok(info.clone());
        }
        let info = inspect(path)?;
        check_identity(&info, &self.ruleset, self.layout.version)?;
        self.known.insert(path.to_owned(), info.clone());
        Ok(info)
    }

    fn part(&self, info: &FileInfo) -> Result<Part, DataError> {
        if let Some(part) = self.parts.iter().find(|part| part.path == info.path) {
            return Ok(part.clone());
        }
        let samples = Arc::new(Samples::read(&info.path, &self.ruleset, self.layout, &self.config, self.value_lambda)?);
        let held_out = self.config.holds_out(info);
        Ok(Part { path: info.path.clone(), generation: info.manifest.generation, held_out, samples })
    }
}
