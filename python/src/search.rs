//! `search` and its `SearchResult`, with a network in Python.

use std::sync::{Arc, Mutex, PoisonError};

use maydan::{
    encode::Rows,
    evaluate::match_search,
    game::Wdl,
    model::{Evaluations, Evaluator, EvaluatorError},
    search::{Proof, SearchConfig},
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};

use crate::{
    convert::{array, numbers, runtime_error, shaped, to_table, value_error},
    games::{Found, SearchOrder},
    state::{PyAction, PyState},
};

/// Most playouts of a search.
const MOST_PLAYOUTS: u32 = 1_000_000;
/// Most positions of one call of a network.
const MOST_ROWS: usize = 4096;
/// Positions that one search waits for at once, where few searches run side by side.
const LEAVES: usize = 8;

/// What a search found. Values are seen by the side to move; arrays have an entry a legal action, in the order of
/// `actions`.
#[pyclass(name = "SearchResult", module = "maydan", frozen)]
#[derive(Clone, Debug)]
pub struct PySearchResult {
    state: PyState,
    found: Found,
}

impl PySearchResult {
    pub fn best(&self) -> PyAction {
        PyAction(self.found.actions[self.found.best].facts.clone())
    }

    fn each<'py, T: numpy::Element>(
        &self,
        py: Python<'py>,
        get: impl Fn(&crate::games::FoundAction) -> T,
    ) -> Bound<'py, PyAny> {
        array(py, self.found.actions.iter().map(get).collect()).into_any()
    }
}

/// `win`, `draw` or `loss`, when known.
fn proof_word(proof: Proof) -> Option<&'static str> {
    match proof {
        Proof::Unknown => None,
        Proof::Win(_) => Some("win"),
        Proof::Draw(_) => Some("draw"),
        Proof::Loss(_) => Some("loss"),
    }
}

#[pymethods]
impl PySearchResult {
    /// The state that was searched.
    #[getter]
    fn state(&self) -> PyState {
        self.state.clone()
    }

    /// The legal actions, in the game's order.
    #[getter]
    fn actions(&self) -> Vec<PyAction> {
        self.found.actions.iter().map(|action| PyAction(action.facts.clone())).collect()
    }

    /// The action to play.
    #[getter(best)]
    fn py_best(&self) -> PyAction {
        self.best()
    }

    /// Playouts through each action, int64.
    #[getter]
    fn visits<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.each(py, |action| i64::from(action.visits))
    }

    /// Q of each action in [-1, 1], float32: exact where proven, the mean of its playouts where visited, else a guess from
    /// the others.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.each(py, |action| action.q)
    }

    /// The network's probability of each action among the legal ones, without noise, float32.
    #[getter]
    fn prior<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.each(py, |action| action.prior)
    }

    /// The policy that a network would be taught, float32: the improved policy (`gumbel`) or the shares of visits (`puct`).
    #[getter]
    fn policy<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.each(py, |action| action.policy)
    }

    /// What is proven of each action: `win`, `draw`, `loss` or `None`.
    #[getter]
    fn proofs(&self) -> Vec<Option<&'static str>> {
        self.found.actions.iter().map(|action| proof_word(action.proof)).collect()
    }

    /// `policy` over the whole action space, float32 `[A]`, for training.
    fn dense_policy<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let mut policy = vec![0.0f32; self.state.py_game().any().layout().actions()];
        self.found.actions.iter().for_each(|action| policy[action.facts.index as usize] = action.policy);
        array(py, policy).into_any()
    }

    /// Probabilities of win, draw and loss after the search.
    #[getter]
    fn wdl(&self) -> (f32, f32, f32) {
        self.found.wdl.into()
    }

    /// Probabilities of win, draw and loss by the network alone.
    #[getter]
    fn raw_wdl(&self) -> (f32, f32, f32) {
        self.found.raw_wdl.into()
    }

    /// Win less loss, in [-1, 1].
    #[getter]
    fn value(&self) -> f32 {
        self.found.wdl[0] - self.found.wdl[2]
    }

    /// Plies until the end of the game that the search expects.
    #[getter]
    fn moves_left(&self) -> f32 {
        self.found.moves_left
    }

    /// `win`, `draw` or `loss` where the position is solved, else `None`.
    #[getter]
    fn proof(&self) -> Option<&'static str> {
        proof_word(self.found.proof)
    }

    /// Playouts that were made: fewer than asked for where the position was solved.
    #[getter]
    fn playouts(&self) -> u32 {
        self.found.playouts
    }

    /// Positions that the network was asked about.
    #[getter]
    fn evaluations(&self) -> u32 {
        self.found.evaluations
    }

    /// Strings of the principal variation, which begins with `best`.
    #[getter]
    fn principal_variation(&self) -> Vec<String> {
        self.found.variation.clone()
    }

    fn __repr__(&self) -> String {
        format!(
            "<maydan.SearchResult {} of {} actions, value {:+.3}, {} playouts>",
            self.found.actions[self.found.best].facts.text,
            self.found.actions.len(),
            self.value(),
            self.found.playouts
        )
    }
}

/// Settings of a search: those of matches, with the caller's laid over them.
///
/// # Errors
/// Names a setting that is unknown or out of range.
pub fn settings(playouts: u32, changes: Option<&Bound<'_, PyDict>>) -> PyResult<SearchConfig> {
    if !(1..=MOST_PLAYOUTS).contains(&playouts) {
        return Err(value_error(format!("playouts: expected 1 to {MOST_PLAYOUTS}, found {playouts}")));
    }
    match_search(playouts).changed(&to_table(changes)?).map_err(value_error)
}

/// Searches of states with any network.
///
/// `states` is one state or a list of states of one game; `evaluate` takes planes, float32 `[B, C, H, W]`, and gives
/// policy logits `[B, A]`, logits of win, draw and loss `[B, 3]` by the side to move, and, if it likes, plies left `[B]`.
/// Anything that numpy takes for arrays will do. Searches run side by side, so that many states fill large batches.
///
/// Settings are those of the `[selfplay.search]` table of a configuration. Without any the search is that of matches: PUCT
/// without noise. `mode="gumbel", gumbel_scale=1.0` is the search of self-play.
///
/// Gives a `SearchResult` for one state, and a list for a list. The same arguments give the same results, as long as
/// `evaluate` does.
#[pyfunction]
#[pyo3(signature = (states, evaluate, *, playouts = 200, seed = 0, batch_size = 256, **settings))]
pub fn search<'py>(
    py: Python<'py>,
    states: &Bound<'py, PyAny>,
    evaluate: Py<PyAny>,
    playouts: u32,
    seed: u64,
    batch_size: usize,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let config = self::settings(playouts, settings)?;
    if !(1..=MOST_ROWS).contains(&batch_size) {
        return Err(value_error(format!("batch_size: expected 1 to {MOST_ROWS}, found {batch_size}")));
    }
    let one = states.cast::<PyState>().is_ok();
    let states: Vec<PyState> = match states.cast::<PyState>() {
        Ok(state) => vec![state.get().clone()],
        Err(_) => {
            let states = states.try_iter()?.map(|state| Ok(state?.cast::<PyState>()?.get().clone()));
            states.collect::<PyResult<_>>()?
        }
    };
    let raised = Raised::default();
    let evaluator = Box::new(PythonEvaluator { evaluate, batch_size, raised: raised.clone() });
    // Alone, a search fills its calls by itself.
    let leaves = if states.len() < LEAVES { LEAVES.min(batch_size) } else { 1 };
    let order = SearchOrder { config: &config, seed, leaves, evaluator };
    let mut results = search_states(py, &states, order, &raised)?;
    if one {
        return Ok(results.remove(0).into_pyobject(py)?.into_any());
    }
    Ok(results.into_pyobject(py)?.into_any())
}

/// An exception that came up in an evaluator.
#[derive(Clone, Debug, Default)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Keeps the exception for the caller of the search, and ends the search.
    pub fn keep(&self, error: PyErr) -> EvaluatorError {
        let problem = error.to_string();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        EvaluatorError::Refused(problem)
    }

    fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Searches states of one game, without the interpreter's lock.
///
/// # Errors
/// When the states are of several games, one of them is over, or the evaluator fails or `raised`.
pub fn search_states(
    py: Python<'_>,
    states: &[PyState],
    order: SearchOrder<'_>,
    raised: &Raised,
) -> PyResult<Vec<PySearchResult>> {
    let Some(first) = states.first() else { return Ok(Vec::new()) };
    let game = first.py_game();
    for (i, state) in states.iter().enumerate() {
        let (found, expected) = (state.py_game().any().ruleset(), game.any().ruleset());
        if found != expected {
            return Err(value_error(format!("state {i}: expected a state of {expected}, found one of {found}")));
        }
        if let Some(outcome) = state.any().outcome() {
            return Err(value_error(format!("state {i}: the game is over ({outcome}), there is nothing to search")));
        }
    }
    let found = py.detach(|| {
        let lines: Vec<_> = states.iter().map(PyState::any).collect();
        game.any().search(&lines, order)
    });
    if let Some(error) = raised.take() {
        return Err(error);
    }
    let found = found.map_err(evaluator_error)?;
    Ok(states.iter().cloned().zip(found).map(|(state, found)| PySearchResult { state, found }).collect())
}

/// What an evaluator in Rust could not do.
pub fn evaluator_error(error: EvaluatorError) -> PyErr {
    match error {
        EvaluatorError::Refused(problem) => value_error(problem),
        EvaluatorError::Fault(fault) => runtime_error(fault),
    }
}

/// A network in Python behind the seam that every search asks.
struct PythonEvaluator {
    evaluate: Py<PyAny>,
    batch_size: usize,
    raised: Raised,
}

impl Evaluator for PythonEvaluator {
    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        Python::attach(|py| self.ask(py, rows, out)).map_err(|error| self.raised.keep(error))
    }
}

impl PythonEvaluator {
    fn ask(&self, py: Python<'_>, rows: &Rows, out: &mut Evaluations) -> PyResult<()> {
        py.check_signals()?;
        let (layout, b) = (rows.layout(), rows.len());
        let mut planes = vec![0.0; b * layout.channels() * layout.squares()];
        rows.unpack_all(&mut planes);
        let planes = shaped(py, planes, &[b, layout.channels(), layout.height, layout.width])?;
        let answer = self.evaluate.bind(py).call1((planes,))?;
        let answer = answer.cast::<PyTuple>().map_err(|_| {
            value_error(format!(
                "evaluate: expected a tuple of policy, wdl and moves_left, found {}",
                answer.get_type()
            ))
        })?;
        if !(2..=3).contains(&answer.len()) {
            return Err(value_error(format!("evaluate: expected a tuple of 2 or 3, found {}", answer.len())));
        }
        let policy = numbers(py, &answer.get_item(0)?, "evaluate: policy", &[b, layout.actions()])?;
        let wdl = numbers(py, &answer.get_item(1)?, "evaluate: wdl", &[b, 3])?;
        let moves_left = match answer.len() {
            2 => vec![0.0; b],
            _ => numbers(py, &answer.get_item(2)?, "evaluate: moves_left", &[b])?,
        };
        for (name, values) in [("policy", &policy), ("wdl", &wdl), ("moves_left", &moves_left)] {
            if !values.iter().all(|value| value.is_finite()) {
                return Err(value_error(format!("evaluate: {name}: expected finite numbers, found others")));
            }
        }
        out.logits.in_order(layout.actions()).extend_from_slice(&policy);
        out.wdl.clear();
        out.wdl.extend(wdl.as_chunks::<3>().0.iter().map(|&logits| softmax(logits)));
        out.moves_left = moves_left;
        Ok(())
    }
}

fn softmax(logits: [f32; 3]) -> Wdl {
    let largest = logits.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let powers = logits.map(|logit| (logit - largest).exp());
    let sum: f32 = powers.iter().sum();
    Wdl::from(powers.map(|power| power / sum))
}
