//! The rows of the replay window, in memory.

use std::{collections::HashMap, path::Path, path::PathBuf, sync::Arc};

use rayon::prelude::*;

use super::{DataError, FileInfo, Samples, WindowConfig, check_identity, inspect, list_files};
use crate::game::{Layout, Ruleset};

/// One file of the window.
#[derive(Clone, Debug)]
struct Part {
    path: PathBuf,
    generation: u64,
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
}

impl ReplayBuffer {
    /// An empty buffer for games of the given rules and shape; `value_lambda` is the lambda of the rows' value targets,
    /// 0 to 1.
    pub fn new(ruleset: Ruleset, layout: &'static Layout, config: WindowConfig, value_lambda: f32) -> Self {
        ReplayBuffer { ruleset, layout, config, value_lambda, known: HashMap::new(), parts: Vec::new() }
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
    /// ([`WindowConfig::cheap_rows`]).
    pub fn rows(&self) -> usize {
        self.parts.iter().map(|part| part.samples.len()).sum()
    }

    /// Rows of one generation among them.
    pub fn rows_of(&self, generation: u64) -> usize {
        self.parts.iter().filter(|part| part.generation == generation).map(|part| part.samples.len()).sum()
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

    /// The samples of each file, oldest first.
    pub(super) fn samples(&self) -> Vec<Arc<Samples>> {
        self.parts.iter().map(|part| part.samples.clone()).collect()
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
        Ok(Part { path: info.path.clone(), generation: info.manifest.generation, samples })
    }
}
