//! The games of one or several runs, one at a time: files are read in order, one ahead of its use, and what cannot be
//! read is named and left out.

use std::{
    fmt, iter,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    Bands, StatsError, Temperature,
    game::{COLUMNS, GameColumns, SEARCHES},
};
use crate::{
    data::{DataError, FileInfo, Prefetch, check_identity, inspect, list_files, read_games},
    game::{TextGame, text_game::text_game},
};

/// Games read ahead of their use.
const AHEAD: usize = 64;

/// Runs of one ruleset.
pub struct Runs {
    names: Vec<Arc<str>>,
    /// Where the games of each are.
    folders: Vec<PathBuf>,
    /// Files in order of run, generation and name, each with its run.
    files: Vec<(Arc<str>, FileInfo)>,
    rules: Arc<dyn TextGame>,
    skipped: Skipped,
    searches: bool,
}

/// Files that were left out, one error each.
#[derive(Debug, Default)]
pub struct Skipped(pub Vec<DataError>);

impl Skipped {
    /// The first error and how many there are, to end a sentence with; nothing when there are none.
    pub fn first(&self) -> String {
        match self.0.as_slice() {
            [] => String::new(),
            [error] => format!(" (skipped: {error})"),
            [error, rest @ ..] => format!(" (skipped: {error}, and {} more)", rest.len()),
        }
    }
}

impl fmt::Display for Skipped {
    /// The errors line by line, and their number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for error in &self.0 {
            writeln!(f, "skipped: {error}")?;
        }
        let files = self.0.len();
        write!(f, "{files} {} skipped", if files == 1 { "file" } else { "files" })
    }
}

impl Runs {
    /// Looks at the footers of all files of the given generations. A run is the name of a folder in `<root>/data`, or
    /// the path of such a folder.
    ///
    /// # Errors
    /// When there is no such run or nothing in it, a folder cannot be listed, or two files are of different rulesets,
    /// which are both named.
    pub fn open(root: &Path, runs: &[String], generations: RangeInclusive<u64>) -> Result<Runs, StatsError> {
        Runs::open_under(None, root, runs, generations)
    }

    /// Likewise, under the rules given rather than those that the first file names.
    ///
    /// # Errors
    /// Like [`open`](Runs::open).
    pub fn open_under(
        mut rules: Option<Arc<dyn TextGame>>,
        root: &Path,
        runs: &[String],
        generations: RangeInclusive<u64>,
    ) -> Result<Runs, StatsError> {
        let (mut names, mut folders) = (Vec::new(), Vec::new());
        let (mut files, mut skipped) = (Vec::new(), Skipped::default());
        for run in runs {
            let folder = folder_of(root, run)?;
            let name = name_of(&folder, run, &names);
            names.push(name.clone());
            for path in list_files(&folder, *generations.start()..generations.end().saturating_add(1))? {
                let info = match inspect(&path) {
                    Ok(info) => info,
                    Err(error) => {
                        skipped.0.push(error);
                        continue;
                    }
                };
                let known = match &rules {
                    Some(known) => known,
                    None => rules.insert(rules_of(run, &info)?),
                };
                match check_identity(&info, known.ruleset(), known.encoding()) {
                    Ok(()) => files.push((name.clone(), info)),
                    Err(error @ DataError::Ruleset { .. }) => return Err(error.into()),
                    Err(error) => skipped.0.push(error),
                }
            }
            folders.push(folder);
        }
        match rules {
            Some(rules) if !files.is_empty() => {
                tracing::info!("{} files of games of {}", files.len(), names.join(", "));
                Ok(Runs { names, folders, files, rules, skipped, searches: false })
            }
            _ => Err(StatsError::NoGames { run: runs.join(", "), skipped }),
        }
    }

    /// The same games, each with the [policies](GameColumns::policy) and [visits](GameColumns::visits) of its searches.
    pub fn with_searches(self) -> Runs {
        Runs { searches: true, ..self }
    }

    /// Names of the runs, as asked for.
    pub fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    /// How each of the runs drew its actions, in the order of their names; none where no configuration is kept with the
    /// games.
    ///
    /// # Errors
    /// When a configuration cannot be read.
    pub fn temperatures(&self) -> Result<Vec<Option<Temperature>>, StatsError> {
        self.folders.iter().map(|folder| Temperature::of(folder)).collect()
    }

    /// The rules of all games.
    pub fn rules(&self) -> &Arc<dyn TextGame> {
        &self.rules
    }

    /// Letters of the pieces that zones count.
    pub fn zone_kinds(&self) -> &str {
        &self.files[0].1.manifest.zone_kinds
    }

    /// The first and the last generation that has games.
    pub fn generations(&self) -> RangeInclusive<u64> {
        let generations = || self.files.iter().map(|(_, info)| info.manifest.generation);
        let (first, last) = (generations().min(), generations().max());
        first.unwrap_or_default()..=last.unwrap_or_default()
    }

    /// The generations in `count` bands.
    pub fn bands(&self, count: usize) -> Bands {
        Bands::new(self.generations(), count)
    }

    /// Number of rows that the files promise.
    pub fn rows(&self) -> u64 {
        self.files.iter().map(|(_, info)| info.rows).sum()
    }

    /// Number of games that the files promise.
    pub fn games(&self) -> u64 {
        self.files.iter().map(|(_, info)| info.manifest.games).sum()
    }

    /// Gives every game to `each`, in order of run, generation and index, and calls `progress` with the rows done.
    /// Files that turn out to be damaged are left out; says which were.
    ///
    /// # Errors
    /// What `each` gives.
    pub fn for_each<E>(
        self,
        progress: &mut dyn FnMut(u64),
        mut each: impl FnMut(GameColumns) -> Result<(), E>,
    ) -> Result<Skipped, E> {
        let Runs { files, rules, mut skipped, searches, .. } = self;
        let games = files.into_iter().flat_map(move |(run, info)| games_of(run, info, rules.clone(), searches));
        let mut rows = 0;
        for game in Prefetch::new(AHEAD, games) {
            match game {
                Ok(game) => {
                    rows += game.plies() as u64;
                    each(game)?;
                    progress(rows);
                }
                Err(error) => skipped.0.push(error),
            }
        }
        Ok(skipped)
    }
}

/// The games of a file of run `run`, in order, with the numbers of their searches where asked for; a game that
/// contradicts the rules ends them with an error.
pub fn games_of(
    run: Arc<str>,
    info: FileInfo,
    rules: Arc<dyn TextGame>,
    searches: bool,
) -> Box<dyn Iterator<Item = Result<GameColumns, DataError>> + Send> {
    let columns: Vec<&str> = COLUMNS.into_iter().chain(SEARCHES.into_iter().filter(|_| searches)).collect();
    let reader = match read_games(&info.path, &columns) {
        Ok((_, reader)) => reader,
        Err(error) => return Box::new(iter::once(Err(error))),
    };
    let (mut row, mut failed) = (0, false);
    Box::new(reader.map_while(move |rows| {
        if failed {
            return None;
        }
        let game = rows.and_then(|rows| {
            let manifest = &info.manifest;
            let (seed, generation) = (manifest.seed, manifest.generation);
            let game = GameColumns::new(run.clone(), seed, generation, &rows, rules.as_ref(), searches);
            row += rows.plies();
            game.map_err(|(field, reason)| DataError::row(&info.path, row - rows.plies(), field, reason))
        });
        failed = game.is_err();
        Some(game)
    }))
}

/// The rules that a file was played by.
fn rules_of(run: &str, info: &FileInfo) -> Result<Arc<dyn TextGame>, StatsError> {
    let ruleset = &info.manifest.ruleset;
    let rules = text_game(&ruleset.game, &ruleset.options);
    rules.map(Arc::from).map_err(|source| StatsError::Rules { run: run.to_owned(), source })
}

/// Where a run's games are.
fn folder_of(root: &Path, run: &str) -> Result<PathBuf, StatsError> {
    let data = root.join("data");
    let by_name = data.join(run);
    [by_name, PathBuf::from(run)]
        .into_iter()
        .find(|folder| !run.is_empty() && folder.is_dir())
        .ok_or_else(|| StatsError::NoRun { run: run.to_owned(), data })
}

/// What a run is called in tables: its folder's name, or as it was asked for where that name is taken.
fn name_of(folder: &Path, run: &str, taken: &[Arc<str>]) -> Arc<str> {
    match folder.file_name() {
        Some(name) if taken.iter().all(|taken| **taken != *name.to_string_lossy()) => name.to_string_lossy().into(),
        _ => run.into(),
    }
}
