//! The games of runs by what they can be found by. Files that a run adds meanwhile are read when they are whole.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;
use thiserror::Error;

use super::{
    Entry, Query,
    entry::{Lexicon, Listed},
    query::{PAGE, Wanted},
};
use crate::{
    data::{DataError, FileInfo, inspect, list_files},
    disk::{DirectoryError, check_name},
    game::{RulesError, TextGame, text_game::text_game},
    stats::{GameColumns, Replay, games_of},
};

/// A run that cannot be shown.
#[derive(Debug, Error)]
pub enum ShelfError {
    #[error(transparent)]
    Name(#[from] DirectoryError),
    #[error("{run}: no such run: expected the name of a folder in {} or in {}", models.display(), data.display())]
    NoRun { run: String, models: PathBuf, data: PathBuf },
}

/// Runs, each with the games that have been read so far.
#[derive(Debug)]
pub struct Shelf {
    /// Folder that holds `models/` and `data/`.
    pub(super) root: PathBuf,
    runs: Vec<Shelved>,
}

/// A run.
#[derive(Debug)]
struct Shelved {
    name: Arc<str>,
    data: PathBuf,
    games: Mutex<Games>,
}

#[derive(Debug, Default)]
struct Games {
    /// Files that were read or cannot be read.
    seen: BTreeSet<PathBuf>,
    files: Vec<FileInfo>,
    entries: Vec<Entry>,
    lexicon: Lexicon,
    rules: Option<Rules>,
    /// Why the first file that was left out is, and how many were.
    fault: Option<String>,
    left_out: u64,
}

/// Rules that can be printed for debugging.
#[derive(Clone)]
struct Rules(Arc<dyn TextGame>);

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.ruleset())
    }
}

/// A run, for the page's choice of runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunInfo {
    pub name: String,
    pub games: usize,
    /// Files that were left out, and why the first was.
    pub left_out: u64,
    pub fault: Option<String>,
    /// Newest generation with games.
    pub generation: Option<u64>,
}

/// Games that fit a query, newest first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// Games that fit.
    pub total: usize,
    pub offset: usize,
    pub games: Vec<Listed>,
}

impl Shelf {
    /// The runs of these names under `root`. No file is read yet.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn new(root: &Path, names: &[String]) -> Result<Shelf, ShelfError> {
        let runs = names.iter().map(|name| {
            check_name(name)?;
            let [models, data] = ["models", "data"].map(|part| root.join(part));
            if ![&models, &data].iter().any(|folder| folder.join(name).is_dir()) {
                return Err(ShelfError::NoRun { run: name.clone(), models, data });
            }
            Ok(Shelved { name: name.as_str().into(), data: data.join(name), games: Mutex::default() })
        });
        Ok(Shelf { root: root.to_owned(), runs: runs.collect::<Result<_, _>>()? })
    }

    /// Reads the files that have been added. Each is seen as soon as it is read.
    pub fn refresh(&self) {
        self.runs.iter().for_each(Shelved::refresh);
    }

    /// The runs, in the order in which they were named.
    pub fn runs(&self) -> Vec<RunInfo> {
        self.runs.iter().map(Shelved::info).collect()
    }

    /// The rules of a run's games; none where there is no such run, or no game of it.
    pub fn rules(&self, run: &str) -> Option<Arc<dyn TextGame>> {
        self.find(run)?.lock().rules.clone().map(|rules| rules.0)
    }

    /// Games that fit; none where there is no such run.
    pub fn list(&self, query: &Query) -> Option<Answer> {
        let games = self.find(&query.run)?.lock();
        let Some(Rules(rules)) = &games.rules else {
            return Some(Answer { total: 0, offset: query.offset, games: Vec::new() });
        };
        let kinds = rules.action_kinds();
        let wanted = Wanted::new(query, kinds, &games.lexicon);
        let fitting: Vec<&Entry> = games.entries.iter().rev().filter(|entry| wanted.fits(entry)).collect();
        let shown = fitting.iter().skip(query.offset).take(PAGE);
        Some(Answer {
            total: fitting.len(),
            offset: query.offset,
            games: shown.map(|entry| Listed::new(entry, kinds, &games.lexicon)).collect(),
        })
    }

    /// The game with this index of a generation; none where there is no such game.
    ///
    /// # Errors
    /// When its file is damaged.
    pub fn game(&self, run: &str, generation: u64, index: u64) -> Result<Option<Replay>, DataError> {
        let Some(shelved) = self.find(run) else { return Ok(None) };
        let (rules, info) = {
            let games = shelved.lock();
            let holds = |info: &&FileInfo| {
                let first = info.manifest.first_game;
                info.manifest.generation == generation && (first..first + info.manifest.games).contains(&index)
            };
            match (&games.rules, games.files.iter().find(holds)) {
                (Some(Rules(rules)), Some(info)) => (Arc::clone(rules), info.clone()),
                _ => return Ok(None),
            }
        };
        let path = info.path.clone();
        for game in games_of(Arc::clone(&shelved.name), info, Arc::clone(&rules), true) {
            let game = game?;
            if game.index == index {
                let replay = Replay::new(&game, rules.as_ref());
                return replay.map(Some).map_err(|error| DataError::row(&path, 0, "position", error.to_string()));
            }
        }
        Ok(None)
    }

    /// The newest game of a run, by generation and index.
    pub fn newest(&self, run: &str) -> Option<(u64, u64)> {
        let games = self.find(run)?.lock();
        games.entries.last().map(|entry| (entry.generation, entry.index))
    }

    fn find(&self, run: &str) -> Option<&Shelved> {
        self.runs.iter().find(|shelved| *shelved.name == *run)
    }
}

impl Shelved {
    /// What a panic left behind is as good as before: files are added whole.
    fn lock(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refresh(&self) {
        // A run that has played nothing yet has no folder.
        let Ok(paths) = list_files(&self.data, 0..u64::MAX) else { return };
        for path in paths {
            if self.lock().seen.contains(&path) {
                continue;
            }
            let read = self.read(&path);
            let mut games = self.lock();
            games.seen.insert(path);
            match read {
                Ok((info, rules, read)) => games.add(info, rules, &read),
                Err(fault) => {
                    games.left_out += 1;
                    games.fault.get_or_insert(fault);
                }
            }
        }
    }

    /// The games of a file, which must be of the rules of the others.
    fn read(&self, path: &Path) -> Result<(FileInfo, Rules, Vec<GameColumns>), String> {
        let info = inspect(path).map_err(|error| error.to_string())?;
        let ruleset = &info.manifest.ruleset;
        let known = self.lock().rules.clone();
        let rules = match known {
            Some(rules) if rules.0.ruleset() == ruleset => rules,
            Some(rules) => {
                return Err(format!("{}: expected {}, found {ruleset}", path.display(), rules.0.ruleset()));
            }
            None => {
                let rules = text_game(&ruleset.game, &ruleset.options);
                Rules(rules.map_err(|error: RulesError| format!("{}: {error}", path.display()))?.into())
            }
        };
        let games = games_of(Arc::clone(&self.name), info.clone(), Arc::clone(&rules.0), false);
        let games = games.collect::<Result<Vec<_>, DataError>>().map_err(|error| error.to_string())?;
        Ok((info, rules, games))
    }

    fn info(&self) -> RunInfo {
        let games = self.lock();
        RunInfo {
            name: self.name.to_string(),
            games: games.entries.len(),
            left_out: games.left_out,
            fault: games.fault.clone(),
            generation: games.entries.last().map(|entry| entry.generation),
        }
    }
}

impl Games {
    /// Adds a file; entries stay in order of generation and index.
    fn add(&mut self, info: FileInfo, rules: Rules, games: &[GameColumns]) {
        let kinds = rules.0.action_kinds().len();
        let last = self.entries.last().map(|entry| (entry.generation, entry.index));
        self.entries.extend(games.iter().map(|game| Entry::new(game, kinds, &mut self.lexicon)));
        // Threads of self-play end their files in any order.
        if games.first().map(|game| (game.generation, game.index)) < last {
            self.entries.sort_by_key(|entry| (entry.generation, entry.index));
        }
        self.files.push(info);
        self.rules.get_or_insert(rules);
    }
}
