//! A validation set as a file: JSON, a line that says what it is, then a line a position. It holds positions and actions
//! as strings, so that it outlives every encoding.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    disk::{IoError, write_file},
    game::{Ruleset, Wdl},
};

/// Version of the file's form.
pub(super) const FORMAT: u32 = 1;

/// The longest line that is read.
const LONGEST_LINE: u64 = 1 << 20;

/// The most positions that are read.
const MOST: usize = 1_000_000;

/// The largest departure of a sum of probabilities from 1 that rounding can cause.
const TOLERANCE: f32 = 1e-2;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetHeader {
    pub format: u32,
    pub ruleset: Ruleset,
    /// Id of the checkpoint that searched.
    pub network: String,
    /// Playouts of a search, and actions at its root that share them.
    pub playouts: u32,
    pub considered_actions: u32,
}

/// A position with what a deep search found, from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub position: String,
    /// Ply of its game.
    pub ply: u32,
    pub win: f32,
    pub draw: f32,
    pub loss: f32,
    /// The search's policy target by action, without the least of its parts.
    pub policy: BTreeMap<String, f32>,
}

impl Question {
    pub fn wdl(&self) -> Wdl {
        [self.win, self.draw, self.loss].into()
    }

    fn check(&self) -> Result<(), String> {
        let wdl = [self.win, self.draw, self.loss];
        for (field, values) in [("win, draw, loss", wdl.to_vec()), ("policy", self.policy.values().copied().collect())]
        {
            let sum: f32 = values.iter().sum();
            if !(values.iter().all(|&p| p >= 0.0) && (sum - 1.0).abs() <= TOLERANCE) {
                return Err(format!("{field}: expected probabilities that add up to 1, found a sum of {sum}"));
            }
        }
        Ok(())
    }
}

/// A set that cannot be read.
#[derive(Debug, Error)]
pub enum SetError {
    #[error(transparent)]
    Io(#[from] IoError),
    #[error("{}, line {line}: {reason}", path.display())]
    Line { path: PathBuf, line: usize, reason: String },
}

/// Positions with the results of deep searches.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationSet {
    pub header: SetHeader,
    pub questions: Vec<Question>,
}

impl ValidationSet {
    /// Writes the file whole or not at all.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, path: &Path) -> Result<(), IoError> {
        write_file(path, |file| {
            let mut line = |value: serde_json::Result<String>| writeln!(file, "{}", value?);
            line(serde_json::to_string(&self.header))?;
            self.questions.iter().try_for_each(|question| line(serde_json::to_string(question)))
        })
    }

    /// Reads a file; whether its positions are of its game is for [`validate`](super::validate) to find.
    ///
    /// # Errors
    /// Names the line that cannot be read.
    pub fn read(path: &Path) -> Result<ValidationSet, SetError> {
        let mut reader = BufReader::new(File::open(path).map_err(IoError::at(path))?);
        let fault = |line: usize, reason: String| SetError::Line { path: path.to_owned(), line, reason };
        let mut text = String::new();
        let mut next = || -> io::Result<Option<String>> {
            text.clear();
            let read = reader.by_ref().take(LONGEST_LINE).read_line(&mut text)?;
            Ok((read > 0).then(|| text.trim_end().to_owned()))
        };
        let first = next().map_err(IoError::at(path))?.unwrap_or_default();
        let header: SetHeader = serde_json::from_str(&first).map_err(|error| fault(1, error.to_string()))?;
        if header.format != FORMAT {
            return Err(fault(1, format!("format: expected {FORMAT}, found {}", header.format)));
        }
        let mut questions = Vec::new();
        while let Some(text) = next().map_err(IoError::at(path))? {
            let line = questions.len() + 2;
            if questions.len() == MOST {
                return Err(fault(line, format!("expected at most {MOST} positions, found more")));
            }
            let question: Question = serde_json::from_str(&text).map_err(|error| fault(line, error.to_string()))?;
            question.check().map_err(|reason| fault(line, reason))?;
            questions.push(question);
        }
        Ok(ValidationSet { header, questions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> ValidationSet {
        let ruleset = Ruleset::new("toy", &toml::Table::new());
        let header = SetHeader { format: FORMAT, ruleset, network: "n".into(), playouts: 8, considered_actions: 4 };
        let policy = BTreeMap::from([("a".to_owned(), 0.75), ("b".to_owned(), 0.25)]);
        let question = Question { position: "p".into(), ply: 3, win: 0.5, draw: 0.25, loss: 0.25, policy };
        ValidationSet { header, questions: vec![question; 3] }
    }

    #[test]
    fn a_set_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set.jsonl");
        set().write(&path).unwrap();
        assert_eq!(ValidationSet::read(&path).unwrap(), set());
    }

    #[test]
    fn a_bad_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set.jsonl");
        set().write(&path).unwrap();
        let good = std::fs::read_to_string(&path).unwrap();
        for (from, to, part) in [
            ("\"format\":1", "\"format\":9", "line 1: format: expected 1, found 9"),
            ("\"win\":0.5", "\"win\":0.9", "line 2: win, draw, loss"),
            ("\"a\":0.75", "\"a\":-0.75", "line 2: policy"),
            ("\"ply\":3", "\"plie\":3", "line 2: unknown field `plie`"),
            ("{\"format\"", "x", "line 1"),
        ] {
            std::fs::write(&path, good.replacen(from, to, 1)).unwrap();
            let error = ValidationSet::read(&path).unwrap_err().to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{error}");
        }
        std::fs::write(&path, "").unwrap();
        assert!(ValidationSet::read(&path).unwrap_err().to_string().contains("line 1"));
    }
}
