//! The matches of a trial that are played: one TOML file, written anew after each match.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::TrialError;
use crate::{
    disk::{IoError, write_file},
    estimate::PairCounts,
};

/// Longest file that is read, in bytes.
const LONGEST: u64 = 1 << 24;

/// When in the networks' runs a match was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// At half of what the runs may cost.
    Half,
    End,
}

/// A match that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    pub stage: Stage,
    pub seed: u64,
    /// The arm whose network played.
    pub arm: String,
    /// `arm NAME`, the network of another arm with the same seed, or a player of another kind.
    pub opponent: String,
    /// Pairs of games by the arm's points: 0, 1/2, 1, 3/2, 2.
    pub pairs: PairCounts,
}

/// All of them.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    played: Vec<Played>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    #[serde(default, rename = "match")]
    played: Vec<Played>,
}

impl Ledger {
    /// Reads the file, or begins with none.
    ///
    /// # Errors
    /// When it is damaged or cannot be read.
    pub fn read(path: PathBuf) -> Result<Ledger, TrialError> {
        let mut text = String::new();
        match File::open(&path).and_then(|file| file.take(LONGEST).read_to_string(&mut text)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ledger { path, played: Vec::new() }),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(TrialError::Ledger { path, problem: "no text".to_owned() });
            }
            Err(source) => return Err(IoError { path, source }.into()),
            Ok(_) => {}
        }
        let content: Content = match toml::from_str(&text) {
            Ok(content) => content,
            Err(error) => {
                return Err(TrialError::Ledger { path, problem: error.message().replace('\n', ", ") });
            }
        };
        let is_whole =
            |played: &Played| played.pairs.0.iter().all(|&count| count <= 1 << 40) && played.pairs.pairs() > 0;
        match content.played.iter().find(|played| !is_whole(played)) {
            None => Ok(Ledger { path, played: content.played }),
            Some(odd) => {
                let problem = format!("{} against {}: expected pairs of games, found none", odd.arm, odd.opponent);
                Err(TrialError::Ledger { path, problem })
            }
        }
    }

    /// Forgets all matches.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn clear(&mut self) -> Result<(), IoError> {
        self.played.clear();
        self.write()
    }

    /// The match of an arm, once it is played.
    pub fn find(&self, stage: Stage, seed: u64, arm: &str, opponent: &str) -> Option<&Played> {
        self.played
            .iter()
            .find(|m| (m.stage, m.seed, m.arm.as_str(), m.opponent.as_str()) == (stage, seed, arm, opponent))
    }

    /// Adds a match and writes the file.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn add(&mut self, played: Played) -> Result<(), IoError> {
        self.played.push(played);
        self.write()
    }

    fn write(&self) -> Result<(), IoError> {
        let content = Content { played: self.played.clone() };
        let text = toml::to_string(&content).expect("matches serialise");
        write_file(&self.path, |file| file.write_all(text.as_bytes()))
    }
}

/// What the ledger calls the network of an arm.
pub fn arm_player(arm: &str) -> String {
    format!("arm {arm}")
}

/// The file of a trial in its folder.
pub fn path(folder: &Path) -> PathBuf {
    folder.join("matches.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_kept_and_a_damaged_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = path(folder.path());
        let mut ledger = Ledger::read(path.clone()).unwrap();
        let pairs = PairCounts([1, 0, 2, 0, 3]);
        let played = Played { stage: Stage::End, seed: 3, arm: "b".to_owned(), opponent: arm_player("a"), pairs };
        ledger.add(played.clone()).unwrap();
        let again = Ledger::read(path.clone()).unwrap();
        assert_eq!(again.find(Stage::End, 3, "b", "arm a"), Some(&played));
        assert_eq!(again.find(Stage::Half, 3, "b", "arm a"), None);
        for damaged in
            ["match = 3", "[[match]]\nstage = 'end'\nseed = 1\narm = 'a'\nopponent = 'b'\npairs = [0, 0, 0, 0, 0]"]
        {
            std::fs::write(&path, damaged).unwrap();
            assert!(matches!(Ledger::read(path.clone()), Err(TrialError::Ledger { .. })), "{damaged}");
        }
    }
}
