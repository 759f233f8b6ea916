//! A generation: its games are distributed to shards, collected in order, and written to files.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Mutex, atomic::AtomicBool},
    time::Instant,
};

use thiserror::Error;

use super::{
    SelfPlayConfig, Statistics,
    plan::{Files, Part, Plan},
    shards::{EvaluatorFactory, Shards},
};
use crate::{
    data::{self, DataError, FileInfo, GameRecord, Manifest},
    disk,
    game::{Encode, Facts, FieldError, Game, Material},
    model::EvaluatorError,
};

/// Self-play that could not go on.
#[derive(Debug, Error)]
pub enum SelfPlayError {
    #[error("selfplay.{0}")]
    Config(FieldError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error(transparent)]
    Data(#[from] DataError),
}

/// The games of one generation of a run, each a function of the seed, the generation, its index and the checkpoint
/// alone.
#[derive(Clone, Copy, Debug)]
pub struct Generation<'a, R: Encode + Facts + Material> {
    pub game: &'a Game<R>,
    pub config: &'a SelfPlayConfig,
    /// Seed of the run.
    pub seed: u64,
    pub number: u64,
    /// Id of the checkpoint that plays.
    pub checkpoint: &'a str,
    /// The run's data folder, which holds a folder a generation.
    pub run_dir: &'a Path,
}

/// How far a generation came.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Whether every file is there, of the part that was to be played.
    pub complete: bool,
    /// Games in files that were there before.
    pub resumed_games: u64,
    /// What was played now.
    pub statistics: Statistics,
}

impl<R: Encode + Facts + Material> Generation<'_, R> {
    /// Plays the games whose files are not there yet and writes them, each file as soon as its games are over. Stops
    /// soon after `stop` is set; games of unfinished files are then lost, and played again, the same, by the next call.
    /// `progress` is called with the counts several times a second and after every game.
    ///
    /// # Errors
    /// When the configuration is out of range, an evaluator fails, a file cannot be written, or the generation's folder
    /// holds games of another ruleset, seed or checkpoint.
    pub fn run(
        &self,
        evaluators: &EvaluatorFactory<'_>,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Result<Played, SelfPlayError> {
        self.run_part(Part::WHOLE, evaluators, stop, progress)
    }

    /// The same with the games of a part alone. Other processes may play other parts meanwhile, or this one too: each
    /// file appears once.
    ///
    /// # Errors
    /// As [`run`](Generation::run).
    pub fn run_part(
        &self,
        part: Part,
        evaluators: &EvaluatorFactory<'_>,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Result<Played, SelfPlayError> {
        self.config.validate().map_err(SelfPlayError::Config)?;
        let (mut chunk_files, plan) = ChunkFiles::open(self, part)?;
        let resumed_games = plan.games_there();
        let shards = Shards { game: self.game, config: self.config, seed: self.seed, generation: self.number };
        let threads = shards.threads(chunk_files.missing);
        let mut finished = |record, _: &Statistics, statistics: &mut Statistics| {
            let writing = Instant::now();
            chunk_files.put(record)?;
            statistics.writing_seconds += writing.elapsed().as_secs_f64();
            Ok(())
        };
        let statistics = shards.play(threads, &Mutex::new(plan), evaluators, stop, &mut finished, progress)?;
        Ok(Played { complete: chunk_files.missing == 0, resumed_games, statistics })
    }
}

/// Finished games on their way into files: a file is written when its last game comes in.
struct ChunkFiles {
    folder: PathBuf,
    manifest: Manifest,
    files: Files,
    /// Files that are there and damaged: they are replaced.
    damaged: BTreeSet<u64>,
    /// Games that are in no file.
    missing: u64,
    /// Games that wait for the others of their file, by the file's number.
    waiting: BTreeMap<u64, Vec<GameRecord>>,
}

impl ChunkFiles {
    /// Looks at which files are there.
    fn open<R: Encode + Facts + Material>(
        generation: &Generation<'_, R>,
        part: Part,
    ) -> Result<(Self, Plan), DataError> {
        let Generation { game, config, seed, number, checkpoint, run_dir } = *generation;
        let player = config.material.player(number, checkpoint);
        let (manifest, files) = (Manifest::new(game, seed, number, player), Files::new(config));
        let folder = disk::generation_dir(run_dir, number);
        let (mut whole, mut damaged) = (BTreeSet::new(), BTreeSet::new());
        for path in disk::chunks(&folder)? {
            let Some(chunk) = disk::chunk_of(&path) else { continue };
            let games = files.games(chunk);
            if !games.is_empty() {
                if holds(&path, &manifest, &games)? { &mut whole } else { &mut damaged }.insert(chunk);
            }
        }
        let plan = Plan::new(files, part, whole);
        let missing = plan.games_missing();
        Ok((ChunkFiles { folder, manifest, files, damaged, missing, waiting: BTreeMap::new() }, plan))
    }

    fn put(&mut self, record: GameRecord) -> Result<(), DataError> {
        let chunk = self.files.of(record.index);
        let expected = self.files.games(chunk);
        let waiting = self.waiting.entry(chunk).or_default();
        waiting.push(record);
        if waiting.len() as u64 == expected.end - expected.start {
            let mut games = self.waiting.remove(&chunk).unwrap_or_default();
            games.sort_unstable_by_key(|game| game.index);
            let path = disk::chunk_path(&self.folder, chunk);
            if self.damaged.contains(&chunk) {
                data::write_games(&path, &self.manifest, &games)?;
            } else {
                // Whoever was faster wrote the same bytes.
                disk::write_new_file(&path, &data::encode_games(&self.manifest, &games)).map_err(DataError::from)?;
            }
            self.missing -= games.len() as u64;
        }
        Ok(())
    }
}

/// Whether a file with those very games is there. A damaged one is not.
///
/// # Errors
/// When the games are of other rules, another seed or another checkpoint.
pub fn holds(path: &Path, manifest: &Manifest, games: &Range<u64>) -> Result<bool, DataError> {
    let info = match data::inspect(path) {
        Ok(info) => info,
        Err(DataError::Io(error)) if error.is_not_found() => return Ok(false),
        Err(DataError::Damaged { .. }) => return Ok(false),
        Err(error) => return Err(error),
    };
    data::check_identity(&info, &manifest.ruleset, manifest.encoding)?;
    same_origin(&info, manifest)?;
    Ok((info.manifest.first_game, info.manifest.games) == (games.start, games.end - games.start))
}

fn same_origin(info: &FileInfo, manifest: &Manifest) -> Result<(), DataError> {
    let found = &info.manifest;
    let differs = |field: &str, expected: String, found: String| DataError::Foreign {
        path: info.path.clone(),
        field: field.to_owned(),
        expected,
        found,
    };
    if found.seed != manifest.seed {
        return Err(differs("seed", manifest.seed.to_string(), found.seed.to_string()));
    }
    if found.checkpoint != manifest.checkpoint {
        return Err(differs("checkpoint", manifest.checkpoint.clone(), found.checkpoint.clone()));
    }
    Ok(())
}
