//! `PlayedGame`, `Window` and `Batches`: the games of a run, and what training draws from them.

use std::{fs, ops::Range, path::PathBuf, sync::Arc, sync::Mutex, sync::PoisonError};

use maydan::{
    data::{Prefetch, ReplayBuffer, Sampler, SamplerConfig, TrainingBatch, WindowConfig},
    disk::{chunks, generation_dir, generations as generations_in},
    encode::Rows,
    game::{
        Wdl,
        record::{RecordedMove, write_record},
    },
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    convert::{array, shaped, to_dict, to_table, value_error, white_score},
    game::PyGame,
    games::PlayedGame,
    state::PyState,
};

/// Most bytes of a configuration that are read.
const LONGEST: u64 = 1 << 20;
/// Most rows of a batch.
const MOST_ROWS: usize = 65_536;

/// A TOML file as a dict.
#[pyfunction(name = "_read_config")]
pub fn read_config(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let at = |problem: String| value_error(format!("{}: {problem}", path.display()));
    let length = fs::metadata(&path).map_err(|error| at(error.to_string()))?.len();
    if length > LONGEST {
        return Err(at(format!("expected at most {LONGEST} bytes, found {length}")));
    }
    let text = fs::read_to_string(&path).map_err(|error| at(error.to_string()))?;
    let table = text.parse::<toml::Table>().map_err(|error| at(error.message().replace('\n', " ")))?;
    to_dict(py, &table)
}

/// The generations that a folder of checkpoints or of games holds, in order.
#[pyfunction(name = "_generations")]
pub fn generations(folder: PathBuf) -> PyResult<Vec<u64>> {
    generations_in(&folder).map_err(value_error)
}

/// The games of one generation in a run's folder of games.
#[pyfunction(name = "_read_games")]
pub fn read_games(
    py: Python<'_>,
    game: &Bound<'_, PyGame>,
    folder: PathBuf,
    generation: u64,
) -> PyResult<Vec<PyPlayedGame>> {
    let game = game.get();
    let read = || -> Result<Vec<PlayedGame>, String> {
        let mut games = Vec::new();
        let folder = generation_dir(&folder, generation);
        for path in chunks(&folder).map_err(|error| error.to_string())? {
            games.extend(game.any().replay(&path).map_err(|error| error.to_string())?);
        }
        Ok(games)
    };
    let games = py.detach(read).map_err(value_error)?;
    Ok(games.into_iter().map(|played| PyPlayedGame { game: game.clone(), played }).collect())
}

/// A game of a run as it was played.
#[pyclass(name = "PlayedGame", module = "maydan", frozen)]
#[derive(Clone, Debug)]
pub struct PyPlayedGame {
    game: PyGame,
    played: PlayedGame,
}

#[pymethods]
impl PyPlayedGame {
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    /// The generation whose network played it.
    #[getter]
    fn generation(&self) -> u64 {
        self.played.generation
    }

    /// Index within the generation.
    #[getter]
    fn index(&self) -> u64 {
        self.played.index
    }

    /// The position string that it began with.
    #[getter]
    fn start(&self) -> &str {
        &self.played.start
    }

    /// Strings of its actions.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.played.actions.clone()
    }

    /// `white`, `black` or `draw`.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.played.outcome.result_name()
    }

    /// Why it ended: `checkmate`, `resignation`, `cut_off`, ...
    #[getter]
    fn reason(&self) -> &'static str {
        self.played.outcome.reason.name()
    }

    /// 1 where White has won, 0 for a draw, -1 where Black has.
    #[getter]
    fn white_score(&self) -> f32 {
        white_score(self.played.outcome)
    }

    /// Every state of the game, the last one too: one more than it has actions.
    fn states(&self) -> PyResult<Vec<PyState>> {
        let mut line = self.game.any().line(Some(&self.played.start)).map_err(value_error)?;
        let mut states = Vec::with_capacity(self.played.actions.len() + 1);
        for action in &self.played.actions {
            let place = line.by_text(action).ok_or_else(|| value_error(format!("`{action}` is not legal")))?;
            let next = line.after(place);
            states.push(PyState::new(self.game.clone(), line));
            line = next;
        }
        states.push(PyState::new(self.game.clone(), line));
        Ok(states)
    }

    /// The game as text, like PGN: tags, then the actions by number. `maydan analyse` and the page read it.
    fn to_text(&self) -> PyResult<String> {
        let states = self.states()?;
        let moves = self.played.actions.iter().zip(&states);
        let moves = moves.map(|(action, state)| RecordedMove { action, side: state.any().side(), value: None });
        let first = states[0].any().ply() / 2 + 1;
        let outcome = self.played.outcome.to_string();
        Ok(write_record(self.game.any().ruleset(), &self.played.start, moves, first, Some(&outcome)))
    }

    fn __len__(&self) -> usize {
        self.played.actions.len()
    }

    fn __repr__(&self) -> String {
        let PlayedGame { generation, index, actions, outcome, .. } = &self.played;
        format!("<maydan.PlayedGame {index} of generation {generation}: {} plies, {outcome}>", actions.len())
    }
}

/// The replay window of a run, in memory: the rows that a training draws from.
#[pyclass(name = "Window", module = "maydan", frozen)]
#[derive(Debug)]
pub struct PyWindow {
    game: PyGame,
    buffer: ReplayBuffer,
    generation: u64,
    complaints: Vec<String>,
}

#[pymethods]
impl PyWindow {
    /// The window that ends with the games of `generation` in the folder of a run's games. `window` has keys of the
    /// table `[window]` of a configuration, `value_lambda` is that of `[train]`.
    #[new]
    #[pyo3(signature = (game, folder, generation, *, window = None, value_lambda = 0.95))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyGame>,
        folder: PathBuf,
        generation: u64,
        window: Option<&Bound<'_, PyDict>>,
        value_lambda: f32,
    ) -> PyResult<Self> {
        if !(0.0..=1.0).contains(&value_lambda) {
            return Err(value_error(format!("value_lambda: expected 0 to 1, found {value_lambda}")));
        }
        let game = game.get().clone();
        let config: WindowConfig =
            to_table(window)?.try_into().map_err(|error: toml::de::Error| value_error(error.message()))?;
        config.validate().map_err(|error| value_error(error.within("window")))?;
        let (ruleset, layout) = (game.any().ruleset().clone(), game.any().layout());
        let mut buffer = ReplayBuffer::new(ruleset, layout, config, value_lambda);
        let complaints = py.detach(|| buffer.refresh(&folder, generation)).map_err(value_error)?;
        let complaints = complaints.iter().map(ToString::to_string).collect();
        Ok(PyWindow { game, buffer, generation, complaints })
    }

    /// Rows to draw from.
    fn __len__(&self) -> usize {
        self.buffer.rows()
    }

    /// Rows of the newest generation: a training of the loop takes `passes` times as many.
    #[getter]
    fn new_rows(&self) -> usize {
        self.buffer.rows_of(self.generation)
    }

    /// The oldest generation in the window.
    #[getter]
    fn oldest_generation(&self) -> Option<u64> {
        self.buffer.oldest_generation()
    }

    /// What was wrong with files that had to be left out.
    #[getter]
    fn complaints(&self) -> Vec<String> {
        self.complaints.clone()
    }

    /// The batches `first..last` of a training, as the loop's own training draws them with this seed.
    #[pyo3(signature = (first, last, *, batch_size, seed, mirror = true, prefetch = 8))]
    fn batches(
        &self,
        first: u64,
        last: u64,
        batch_size: usize,
        seed: u64,
        mirror: bool,
        prefetch: usize,
    ) -> PyResult<PyBatches> {
        if !(1..=MOST_ROWS).contains(&batch_size) {
            return Err(value_error(format!("batch_size: expected 1 to {MOST_ROWS}, found {batch_size}")));
        }
        let config = SamplerConfig { mirror, prefetch, ..SamplerConfig::default() };
        config.validate().map_err(value_error)?;
        let sampler = self.game.any().sampler(&self.buffer, config, batch_size, seed, self.generation);
        let sampler = sampler.ok_or_else(|| {
            let hint = self.complaints.first().map_or(String::new(), |first| format!(" ({first})"));
            value_error(format!("expected games to train on up to generation {}, found none{hint}", self.generation))
        })?;
        Ok(PyBatches::new(Arc::new(sampler), first..last, prefetch))
    }

    /// The newest of the rows that are held out of training, at most `most`, in batches.
    fn held_out<'py>(&self, py: Python<'py>, most: usize, batch_size: usize) -> PyResult<Vec<Bound<'py, PyDict>>> {
        if !(1..=MOST_ROWS).contains(&batch_size) {
            return Err(value_error(format!("batch_size: expected 1 to {MOST_ROWS}, found {batch_size}")));
        }
        let batches = py.detach(|| {
            let batches = self.buffer.held_out(most, batch_size);
            batches.iter().map(Unpacked::new).collect::<Vec<_>>()
        });
        batches.into_iter().map(|batch| batch.into_dict(py)).collect()
    }

    fn __repr__(&self) -> String {
        format!("<maydan.Window of {} rows up to generation {}>", self.buffer.rows(), self.generation)
    }
}

/// Batches one after the other, made ready ahead on a thread of their own.
#[pyclass(name = "Batches", module = "maydan", frozen)]
pub struct PyBatches {
    items: Mutex<Prefetch<Unpacked>>,
}

impl PyBatches {
    fn new(sampler: Arc<Sampler>, steps: Range<u64>, prefetch: usize) -> Self {
        let items = sampler.batches(steps).map(|batch| Unpacked::new(&batch));
        PyBatches { items: Mutex::new(Prefetch::new(prefetch, items)) }
    }
}

#[pymethods]
impl PyBatches {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let next = py.detach(|| self.items.lock().unwrap_or_else(PoisonError::into_inner).next());
        next.map(|batch| batch.into_dict(py)).transpose()
    }
}

/// A batch of B rows as numbers; L is the most legal actions that one of them has.
struct Unpacked {
    shape: [usize; 4],
    planes: Vec<f32>,
    longest: usize,
    legal: Vec<i64>,
    is_legal: Vec<bool>,
    policy: Vec<f32>,
    policy_mask: Vec<f32>,
    wdl: Vec<f32>,
    search_wdl: Vec<f32>,
    has_result: Vec<bool>,
    moves_left: Vec<f32>,
    moves_left_mask: Vec<f32>,
    ply: Vec<i64>,
}

impl Unpacked {
    fn new(batch: &TrainingBatch) -> Self {
        let (layout, rows) = (batch.rows.layout(), batch.len());
        let shape = [rows, layout.channels(), layout.height, layout.width];
        let longest = batch.offsets.windows(2).map(|row| row[1] - row[0]).max().unwrap_or(0);
        let (mut legal, mut is_legal) = (vec![0; rows * longest], vec![false; rows * longest]);
        let mut policy = vec![0.0; rows * longest];
        for (row, entries) in batch.offsets.windows(2).enumerate() {
            for (at, entry) in (row * longest..).zip(entries[0]..entries[1]) {
                (legal[at], is_legal[at], policy[at]) = (i64::from(batch.legal[entry]), true, batch.policy[entry]);
            }
        }
        let chances = |wdl: &[Wdl]| wdl.iter().flat_map(|wdl| wdl.to_array()).collect();
        Unpacked {
            shape,
            planes: unpacked(&batch.rows),
            longest,
            legal,
            is_legal,
            policy,
            policy_mask: batch.policy_mask.clone(),
            wdl: chances(&batch.wdl),
            search_wdl: chances(&batch.search_wdl),
            has_result: batch.has_result.clone(),
            moves_left: batch.moves_left.clone(),
            moves_left_mask: batch.moves_left_mask.clone(),
            ply: batch.plies.iter().copied().map(i64::from).collect(),
        }
    }

    fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        use numpy::PyArrayMethods as _;
        let [rows, ..] = self.shape;
        let wide = [rows, self.longest];
        let dict = PyDict::new(py);
        dict.set_item("planes", shaped(py, self.planes, &self.shape)?)?;
        dict.set_item("legal", array(py, self.legal).reshape(wide)?)?;
        dict.set_item("is_legal", array(py, self.is_legal).reshape(wide)?)?;
        dict.set_item("policy", shaped(py, self.policy, &wide)?)?;
        dict.set_item("policy_mask", array(py, self.policy_mask))?;
        dict.set_item("wdl", shaped(py, self.wdl, &[rows, 3])?)?;
        dict.set_item("search_wdl", shaped(py, self.search_wdl, &[rows, 3])?)?;
        dict.set_item("has_result", array(py, self.has_result))?;
        dict.set_item("moves_left", array(py, self.moves_left))?;
        dict.set_item("moves_left_mask", array(py, self.moves_left_mask))?;
        dict.set_item("ply", array(py, self.ply))?;
        Ok(dict)
    }
}

fn unpacked(rows: &Rows) -> Vec<f32> {
    let layout = rows.layout();
    let mut planes = vec![0.0; rows.len() * layout.channels() * layout.squares()];
    rows.unpack_all(&mut planes);
    planes
}
