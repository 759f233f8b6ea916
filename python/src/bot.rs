//! `Bot`: a network that plays, in Rust alone.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use maydan::{
    encode::Rows,
    export::{Alternatives, read_network},
    model::{
        Checkpoint, Evaluations, Evaluator, EvaluatorError,
        backend::{self, BackendConfig},
    },
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    convert::{shaped, value_error},
    game::PyGame,
    games::SearchOrder,
    search::{PySearchResult, Raised, evaluator_error, search_states, settings},
    state::{PyAction, PyState},
};

/// Rows of one call of the network.
const BATCH: usize = 16;
/// Positions that a search of one state waits for at once.
const LEAVES: usize = 4;
/// Playouts between two looks for Ctrl-C.
const LOOK_EVERY: usize = 32;

/// A network that plays: a bundle (`*.maydan`), a checkpoint or the newest of a run.
///
/// It computes on one core, without libtorch.
#[pyclass(name = "Bot", module = "maydan", frozen)]
pub struct PyBot {
    game: PyGame,
    /// Made once: making it takes longer than a short search.
    network: SharedEvaluator,
    id: String,
    generation: u64,
    name: String,
}

#[pymethods]
impl PyBot {
    /// The bot in a file or folder.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let open = || -> PyResult<(Checkpoint, Box<dyn Evaluator>)> {
            let checkpoint = read_network(&path, Alternatives::default()).map_err(value_error)?;
            let network = backend::open(Arc::new(checkpoint.clone()), BackendConfig::default()).map_err(value_error)?;
            Ok((checkpoint, network.evaluator(BATCH).map_err(evaluator_error)?))
        };
        let (checkpoint, network) = py.detach(open)?;
        let metadata = checkpoint.metadata();
        let game = PyGame::open(&metadata.ruleset.game, &metadata.ruleset.options)?;
        if game.any().layout().version != metadata.network.encoding {
            return Err(value_error(format!(
                "{}: encoding: expected {}, found {}",
                path.display(),
                game.any().layout().version,
                metadata.network.encoding
            )));
        }
        Ok(PyBot {
            game,
            network: Arc::new(Mutex::new(network)),
            id: metadata.id.clone(),
            generation: metadata.generation,
            name: path.display().to_string(),
        })
    }

    /// The game that it plays, with the options that it was trained on.
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    /// First 16 hexadecimal digits of SHA-256 over its weights.
    #[getter]
    fn id(&self) -> &str {
        &self.id
    }

    /// The generation that it plays in its run.
    #[getter]
    fn generation(&self) -> u64 {
        self.generation
    }

    /// The action that it plays.
    #[pyo3(signature = (state, playouts = 200, *, seed = 0, **settings))]
    fn play(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyState>,
        playouts: u32,
        seed: u64,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyAction> {
        Ok(self.analyse(py, state, playouts, seed, settings)?.best())
    }

    /// What a search finds: actions, visits, values, policy, principal variation. Settings are those of `search`.
    #[pyo3(signature = (state, playouts = 200, *, seed = 0, **settings))]
    fn analyse(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyState>,
        playouts: u32,
        seed: u64,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PySearchResult> {
        let config = self::settings(playouts, settings)?;
        let state = state.get().clone();
        self.check(&state)?;
        let raised = Raised::default();
        let evaluator = Box::new(Interruptible { network: self.network.clone(), rows: 0, raised: raised.clone() });
        let order = SearchOrder { config: &config, seed, leaves: LEAVES, evaluator };
        Ok(search_states(py, &[state], order, &raised)?.remove(0))
    }

    /// What the network alone says of states: policy logits `[B, A]`, probabilities of win, draw and loss `[B, 3]` by the
    /// side to move, plies left `[B]`, all float32.
    fn evaluate<'py>(&self, py: Python<'py>, states: Vec<PyRef<'py, PyState>>) -> PyResult<Answer<'py>> {
        let layout = self.game.any().layout();
        let mut rows = Vec::new();
        for state in &states {
            self.check(state)?;
            rows.push(state.any().row());
        }
        let evaluate = || -> Result<_, EvaluatorError> {
            let (mut policy, mut wdl, mut moves_left) = (Vec::new(), Vec::new(), Vec::new());
            let mut answer = Evaluations::default();
            for chunk in rows.chunks(BATCH) {
                let mut batch = Rows::new(layout);
                for row in chunk {
                    batch.push_packed(row.bits(0), row.scalars(0)).expect("a row of this layout");
                }
                lock(&self.network).evaluate(&batch, &mut answer)?;
                (0..batch.len()).for_each(|row| policy.extend(answer.logits.to_vec(row)));
                wdl.extend(answer.wdl.iter().flat_map(|wdl| wdl.to_array()));
                moves_left.extend_from_slice(&answer.moves_left);
            }
            Ok((policy, wdl, moves_left))
        };
        let (policy, wdl, moves_left) = py.detach(evaluate).map_err(evaluator_error)?;
        let b = rows.len();
        Ok((shaped(py, policy, &[b, layout.actions()])?, shaped(py, wdl, &[b, 3])?, shaped(py, moves_left, &[b])?))
    }

    fn __repr__(&self) -> String {
        format!("<maydan.Bot {} of {}, generation {}>", self.name, self.game.any().ruleset(), self.generation)
    }
}

impl PyBot {
    /// # Errors
    /// When the state is of other rules.
    fn check(&self, state: &PyState) -> PyResult<()> {
        let (found, expected) = (state.py_game().any().ruleset(), self.game.any().ruleset());
        if found == expected {
            return Ok(());
        }
        Err(value_error(format!("{}: expected a state of {expected}, found one of {found}", self.name)))
    }
}

/// Policy, chances and plies left of a batch.
type Answer<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// An evaluator that threads take in turns: an answer depends on its row alone.
type SharedEvaluator = Arc<Mutex<Box<dyn Evaluator>>>;

fn lock(network: &SharedEvaluator) -> MutexGuard<'_, Box<dyn Evaluator>> {
    network.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A network that looks for Ctrl-C as it goes.
struct Interruptible {
    network: SharedEvaluator,
    /// Evaluated since the last look.
    rows: usize,
    raised: Raised,
}

impl Evaluator for Interruptible {
    fn batch_size(&self) -> usize {
        BATCH
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        self.rows += rows.len();
        if self.rows >= LOOK_EVERY {
            self.rows = 0;
            Python::attach(|py| py.check_signals()).map_err(|error| self.raised.keep(error))?;
        }
        lock(&self.network).evaluate(rows, out)
    }
}
