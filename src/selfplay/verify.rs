//! Whether a file of games is what it says: that the rules allow its games, that its rows are the positions of them, and
//! that the network is the one that it names.
//!
//! Rows keep what the network said of a position. Asked again it says the same, but for the last bits of another
//! arithmetic, and another network says something else; so a file can be checked on any machine, without playing its
//! games again.

use std::{
    fs, mem,
    path::{Path, PathBuf},
    sync::{Mutex, atomic::AtomicBool},
};

use arrow_array::{Array as _, BinaryArray, Float32Array, ListArray, cast::AsArray as _, types};
use thiserror::Error;

use super::{
    EvaluatorFactory, SelfPlayConfig, SelfPlayError, Shards, Statistics,
    material::{self, BY_MATERIAL},
};
use crate::{
    data::{DataError, FileInfo, GameRows, Manifest, ReplayedGame, encode_games, inspect, read_games, replay},
    disk::IoError,
    encode::{Rows, action_indices},
    game::{Encode, Facts, Game, History, Material, Notation, Wdl},
    model::{Evaluations, Evaluator, EvaluatorError},
};

/// How far the network's probabilities of win, draw and loss may be from those in a file, in the mean over its rows.
/// Above what 16 or 8 bits changed, and below what one more generation made of a network, in the run where that was
/// measured (`docs/fleet.md`).
pub const TOLERANCE: f64 = 0.003;

/// Columns that are held against the rules and the network, beside those of the replay.
const COLUMNS: [&str; 7] = ["planes", "scalars", "legal", "net_win", "net_draw", "net_loss", "chosen_prior"];

/// A file that could not be verified.
#[derive(Debug, Error)]
pub enum VerifyError {
    #[error(transparent)]
    Data(#[from] DataError),
    /// It says itself that another network played it.
    #[error("{}: checkpoint: expected {expected}, found {found}", path.display())]
    Checkpoint { path: PathBuf, expected: String, found: String },
    /// It does not hold the games that a file of such a generation has.
    #[error("{}: expected {expected} (selfplay.games_per_file), found {found}", path.display())]
    Games { path: PathBuf, expected: String, found: String },
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    #[error("stopped before the games were over")]
    Stopped,
}

/// What was found in a file whose games and rows are those of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verified {
    pub games: u64,
    /// Plies of the games.
    pub rows: u64,
    /// Rows of them that say what the network said.
    pub evaluated: u64,
    /// Mean distance of its probabilities of win, draw and loss from what it says now, over those rows; 0 without any.
    pub mean_error: f64,
    /// The largest such distance.
    pub largest_error: f64,
}

impl Verified {
    /// Whether the network said so. A file of moves without a choice alone has no row to tell it by, and is believed.
    pub fn is_of_network(&self) -> bool {
        self.mean_error <= TOLERANCE
    }
}

/// Plays the games of a file again, and says whether they are the same to the last bit. Nothing else shows that their
/// searches were made as they should; only a machine that computes as the one that played can tell.
///
/// # Errors
/// When the file cannot be read or is no file of such a generation, an evaluator fails, or `stop` is set before the end.
pub fn play_again<R: Encode + Facts + Material>(
    game: &Game<R>,
    path: &Path,
    config: &SelfPlayConfig,
    evaluators: &EvaluatorFactory<'_>,
    stop: &AtomicBool,
) -> Result<bool, VerifyError> {
    let found = fs::read(path).map_err(|error| DataError::from(IoError::at(path)(error)))?;
    let manifest = inspect(path)?.manifest;
    let file = manifest.first_game / config.games_per_file;
    let games = config.games_of_file(file);
    if (games.start, games.end - games.start) != (manifest.first_game, manifest.games) {
        let expected = format!("games {} to {}", games.start, games.end);
        let found = format!("{} from {}", manifest.games, manifest.first_game);
        return Err(VerifyError::Games { path: path.to_owned(), expected, found });
    }
    let shards = Shards { game, config, seed: manifest.seed, generation: manifest.generation };
    let (threads, mut played) = (shards.threads(manifest.games), Vec::new());
    let mut collect = |record, _: &Statistics, _: &mut Statistics| {
        played.push(record);
        Ok(())
    };
    shards.play(threads, &Mutex::new(games), evaluators, stop, &mut collect, &mut |_| ())?;
    if (played.len() as u64) < manifest.games {
        return Err(VerifyError::Stopped);
    }
    played.sort_unstable_by_key(|game| game.index);
    let player = config.material.player(manifest.generation, &manifest.checkpoint);
    Ok(encode_games(&Manifest::new(game, manifest.seed, manifest.generation, player), &played) == found)
}

/// Verifies a file against the rules and against the network `player`, which `evaluator` computes. Where the player is
/// [`BY_MATERIAL`], values are held against the material, and the evaluator is not asked.
///
/// # Errors
/// When the file cannot be read, names another player, or one of its rows is not that of its game; when the
/// evaluator fails.
pub fn verify<R: Encode + Notation + Material>(
    game: &Game<R>,
    path: &Path,
    player: &str,
    evaluator: &mut dyn Evaluator,
) -> Result<Verified, VerifyError> {
    let replayed = replay(game, path)?;
    let (info, rows) = read_games(path, &COLUMNS)?;
    if info.manifest.checkpoint != player {
        let (expected, found) = (player.to_owned(), info.manifest.checkpoint);
        return Err(VerifyError::Checkpoint { path: path.to_owned(), expected, found });
    }
    let mut asked = Asked::new(game, evaluator);
    let mut verified = Verified { games: info.manifest.games, ..Verified::default() };
    for (game_rows, replayed) in rows.zip(&replayed) {
        let game_rows = game_rows?;
        let first = verified.rows as usize;
        verified.rows += game_rows.plies() as u64;
        hold(game, &info, first, &game_rows, replayed, &mut asked)?;
    }
    asked.ask()?;
    let Asked { evaluated, sum, largest, .. } = asked;
    Ok(Verified { evaluated, mean_error: sum / evaluated.max(1) as f64, largest_error: largest, ..verified })
}

/// Holds the rows of a game against its positions, and hands on what the network said of them.
fn hold<R: Encode + Notation + Material>(
    game: &Game<R>,
    info: &FileInfo,
    first: usize,
    rows: &GameRows,
    replayed: &ReplayedGame<R>,
    asked: &mut Asked<'_>,
) -> Result<(), VerifyError> {
    let planes: &BinaryArray = rows.column("planes");
    let [scalars, legal]: [&ListArray; 2] = ["scalars", "legal"].map(|name| rows.column(name));
    let said: [&Float32Array; 3] = ["net_win", "net_draw", "net_loss"].map(|name| rows.column(name));
    let (mut position, mut actions, mut indices) = (replayed.start, Vec::new(), Vec::new());
    let mut history = History::new(game, &position);
    let mut encoded = Rows::new(game.layout());
    let by_material = info.manifest.checkpoint == BY_MATERIAL;
    for (row, &action) in replayed.actions.iter().enumerate() {
        let fault =
            |field: &'static str, expected: &str| DataError::row(&info.path, first + row, field, expected.to_owned());
        encoded.clear();
        encoded.push(game, &position, history.repetitions(game, &position));
        let words: Vec<u8> = encoded.bits(0).iter().flat_map(|word| word.to_le_bytes()).collect();
        if planes.value(row) != words.as_slice() {
            return Err(fault("planes", "expected those of the position, found others").into());
        }
        if scalars.value(row).as_primitive::<types::Float32Type>().values() != encoded.scalars(0) {
            return Err(fault("scalars", "expected those of the position, found others").into());
        }
        game.legal_actions(&position, &mut actions);
        action_indices(game, &position, &actions, &mut indices);
        if legal.value(row).as_primitive::<types::UInt32Type>().values() != indices.as_slice() {
            return Err(fault("legal", "expected the legal actions, found others").into());
        }
        if said.iter().all(|column| column.is_valid(row)) {
            let said = said.map(|column| column.value(row));
            if by_material {
                asked.compare(said, material::wdl(game, &position));
            } else {
                asked.push(&encoded, said)?;
            }
        } else if actions.len() > 1 {
            // Only a move without a choice is played unasked; else a file could keep what would give it away.
            return Err(fault("net_win", "expected what the network said, found null").into());
        }
        game.apply(&mut position, action);
        history.push(game, &position);
    }
    Ok(())
}

/// Rows that the network is asked about, a batch at a time, with what it is said to have answered.
struct Asked<'a> {
    evaluator: &'a mut dyn Evaluator,
    rows: Rows,
    said: Vec<[f32; 3]>,
    answers: Evaluations,
    evaluated: u64,
    sum: f64,
    largest: f64,
}

impl<'a> Asked<'a> {
    fn new<R: Encode>(game: &Game<R>, evaluator: &'a mut dyn Evaluator) -> Self {
        let rows = Rows::new(game.layout());
        Asked {
            evaluator,
            rows,
            said: Vec::new(),
            answers: Evaluations::default(),
            evaluated: 0,
            sum: 0.0,
            largest: 0.0,
        }
    }

    fn push(&mut self, row: &Rows, said: [f32; 3]) -> Result<(), EvaluatorError> {
        self.rows.push_packed(row.bits(0), row.scalars(0)).expect("a row of the same layout");
        self.said.push(said);
        if self.rows.len() == self.evaluator.batch_size() { self.ask() } else { Ok(()) }
    }

    fn ask(&mut self) -> Result<(), EvaluatorError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        self.evaluator.evaluate(&self.rows, &mut self.answers)?;
        let (said, answers) = (mem::take(&mut self.said), mem::take(&mut self.answers));
        for (&said, &answer) in said.iter().zip(&answers.wdl) {
            self.compare(said, answer);
        }
        (self.said, self.answers) = (said, answers);
        self.said.clear();
        self.rows.clear();
        Ok(())
    }

    /// Counts how far apart the two are.
    fn compare(&mut self, said: [f32; 3], answer: Wdl) {
        let errors = said.iter().zip(answer.to_array()).map(|(said, answer)| f64::from((said - answer).abs()));
        let error = errors.sum::<f64>() / 3.0;
        // What is no number is as far off as can be.
        let error = if error.is_finite() { error } else { 1.0 };
        self.sum += error;
        self.largest = self.largest.max(error);
        self.evaluated += 1;
    }
}
