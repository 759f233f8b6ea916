//! `State` and `Action`: a game under way.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyInt, PyString},
};

use crate::{
    convert::{Reduced, shaped, value_error, white_score},
    game::PyGame,
    line::{ActionFacts, AnyLine},
};

/// Deepest perft: no game has one that ends.
const DEEPEST: u32 = 20;

/// An action: `str(action)` is its string, `int(action)` its index, so `policy[action]` is its entry in an array.
///
/// Indices are seen by the side to move, like planes: the same index is another action for the other side.
#[pyclass(name = "Action", module = "maydan", frozen)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PyAction(pub ActionFacts);

#[pymethods]
impl PyAction {
    /// Index in the action space.
    #[getter]
    fn index(&self) -> u32 {
        self.0.index
    }

    /// One of the game's kinds of action.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind
    }

    fn __index__(&self) -> u32 {
        self.0.index
    }

    fn __int__(&self) -> u32 {
        self.0.index
    }

    fn __str__(&self) -> &str {
        &self.0.text
    }

    fn __repr__(&self) -> String {
        format!("<maydan.Action {} ({}, index {})>", self.0.text, self.0.kind, self.0.index)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyAction>().is_ok_and(|other| *other.get() == *self)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.index, &self.0.text).hash(&mut hasher);
        hasher.finish()
    }
}

/// A game under way: a position with what came before it. It never changes: `apply` gives another state.
///
/// `str(state)` is the position string, which `Game.parse` reads. Two states are equal when their games are, their
/// positions, and how often those occurred before.
#[pyclass(name = "State", module = "maydan", frozen)]
#[derive(Clone, Debug)]
pub struct PyState {
    game: PyGame,
    line: Arc<dyn AnyLine>,
}

impl PyState {
    pub fn new(game: PyGame, line: Box<dyn AnyLine>) -> Self {
        PyState { game, line: line.into() }
    }

    pub fn any(&self) -> &dyn AnyLine {
        &*self.line
    }

    pub fn py_game(&self) -> &PyGame {
        &self.game
    }

    fn identity(&self) -> (&str, String, u32) {
        (&self.game.any().ruleset().hash, self.line.position(), self.line.repetitions())
    }

    /// Place of an action among the legal ones.
    fn place(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        let illegal = |named: String| {
            let position = self.line.position();
            value_error(format!("{named} is not a legal action of `{position}`"))
        };
        if let Ok(action) = action.cast::<PyAction>() {
            let text = &action.get().0.text;
            return self.line.by_text(text).ok_or_else(|| illegal(format!("`{text}`")));
        }
        if action.is_instance_of::<PyString>() {
            let text: String = action.extract()?;
            return self.line.by_text(&text).ok_or_else(|| illegal(format!("`{}`", shortened(&text))));
        }
        // Whole numbers of numpy too.
        if action.is_instance_of::<PyInt>() || action.hasattr("__index__")? {
            let number = action.call_method0("__index__")?;
            let place = number.extract::<u32>().ok().and_then(|index| self.line.by_index(index));
            return place.ok_or_else(|| illegal(format!("index {}", shortened(&number.to_string()))));
        }
        Err(PyTypeError::new_err(format!("expected an Action, a str or an int, found {}", action.get_type())))
    }
}

/// As much of a text as a message has room for.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST).chain("...".chars()).collect() }
}

#[pymethods]
impl PyState {
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    /// The legal actions, in the game's order; none where the game is over.
    #[getter]
    fn legal_actions(&self) -> Vec<PyAction> {
        if self.line.outcome().is_some() {
            return Vec::new();
        }
        self.line.legal().into_iter().map(PyAction).collect()
    }

    /// The state after an action: an `Action`, its string or its index.
    fn apply(&self, action: &Bound<'_, PyAny>) -> PyResult<PyState> {
        if let Some(outcome) = self.line.outcome() {
            return Err(value_error(format!("the game is over ({outcome}) at `{}`", self.line.position())));
        }
        let place = self.place(action)?;
        Ok(PyState::new(self.game.clone(), self.line.after(place)))
    }

    /// `white` or `black`.
    #[getter]
    fn side_to_move(&self) -> &'static str {
        self.line.side().name()
    }

    /// `white`, `black` or `draw` once the game is over, else `None`.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.line.outcome().map(|outcome| outcome.result_name())
    }

    /// Why the game is over: `checkmate`, `repetition`, ...; `None` where it goes on.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.line.outcome().map(|outcome| outcome.reason.name())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.line.outcome().is_some()
    }

    /// 1 where White has won, 0 for a draw, -1 where Black has; `None` where the game goes on.
    #[getter]
    fn white_score(&self) -> Option<f32> {
        self.line.outcome().map(white_score)
    }

    /// Plies since the start of the game, by the position's own counters.
    #[getter]
    fn ply(&self) -> u32 {
        self.line.ply()
    }

    /// How often the position occurred before.
    #[getter]
    fn repetitions(&self) -> u32 {
        self.line.repetitions()
    }

    /// The position string that the state began with.
    #[getter]
    fn start(&self) -> String {
        self.line.start()
    }

    /// Strings of the actions since.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.line.actions()
    }

    /// `{"white": {"P": 8, ...}, "black": ...}`: the pieces of each zone by kind, empty for a game without zones.
    #[getter]
    fn zones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let zones = PyDict::new(py);
        for (side, zone) in ["white", "black"].into_iter().zip(self.line.zones()) {
            let pieces = PyDict::new(py);
            for (letter, count) in self.game.any().zone_kinds().chars().zip(zone) {
                pieces.set_item(letter, count)?;
            }
            zones.set_item(side, pieces)?;
        }
        Ok(zones)
    }

    /// The position as networks see it, float32 `[C, H, W]`, by the side to move.
    fn encode<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let layout = self.game.any().layout();
        let shape = [layout.channels(), layout.height, layout.width];
        let mut planes = vec![0.0; shape.iter().product()];
        self.line.row().unpack(0, &mut planes);
        shaped(py, planes, &shape)
    }

    /// Which actions are legal, bool `[A]`; none where the game is over.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let mut mask = vec![false; self.game.any().layout().actions()];
        if self.line.outcome().is_none() {
            self.line.legal().iter().for_each(|action| mask[action.index as usize] = true);
        }
        crate::convert::array(py, mask).into_any()
    }

    /// Whether the rules are symmetric left to right here, so that a mirrored row teaches the same.
    #[getter]
    fn mirror_applies(&self) -> bool {
        self.line.mirror_applies()
    }

    /// Board and zones drawn as text, White below.
    fn draw(&self) -> String {
        self.line.draw()
    }

    /// Board, pieces with their marks, and zones as an SVG document, White below. Notebooks show a state so.
    fn svg(&self) -> PyResult<String> {
        self.game.any().picture(&self.line.position()).map_err(value_error)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg()
    }

    /// Number of sequences of legal actions of this length. Adjudicated draws do not end them.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth == 0 {
            return Ok(1);
        }
        Ok(self.divided(py, depth)?.iter().map(|(_, leaves)| leaves).sum())
    }

    /// `perft` of each legal action, by its string.
    fn divide<'py>(&self, py: Python<'py>, depth: u32) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        if depth > 0 {
            for (action, leaves) in self.divided(py, depth)? {
                counts.set_item(action, leaves)?;
            }
        }
        Ok(counts)
    }

    fn __str__(&self) -> String {
        self.line.position()
    }

    fn __repr__(&self) -> String {
        format!("<maydan.State {} `{}`>", self.game.any().ruleset().game, self.line.position())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyState>().is_ok_and(|other| other.get().identity() == self.identity())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.identity().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (PyGame, String, Vec<String>)>> {
        let restore = py.import("maydan._maydan")?.getattr("_restore_state")?;
        Ok((restore, (self.game.clone(), self.line.start(), self.line.actions())))
    }
}

impl PyState {
    /// Counts without the interpreter's lock, and looks for Ctrl-C now and then.
    fn divided(&self, py: Python<'_>, depth: u32) -> PyResult<Vec<(String, u64)>> {
        if depth > DEEPEST {
            return Err(value_error(format!("depth: expected at most {DEEPEST}, found {depth}")));
        }
        let mut interrupted = None;
        let counts = py.detach(|| {
            self.line.divide(depth, &mut || {
                // A count of few plies is over before anyone could ask.
                interrupted = (depth > 3).then(|| Python::attach(|py| py.check_signals()).err()).flatten();
                interrupted.is_some()
            })
        });
        match (counts, interrupted) {
            (Some(counts), _) => Ok(counts),
            (None, Some(error)) => Err(error),
            (None, None) => unreachable!("a count stops when it is interrupted alone"),
        }
    }
}

/// A pickled state.
#[pyfunction(name = "_restore_state")]
pub fn restore_state(game: PyRef<'_, PyGame>, start: &str, actions: Vec<String>) -> PyResult<PyState> {
    let mut line = game.any().line(Some(start)).map_err(value_error)?;
    for action in actions {
        let place = if line.outcome().is_none() { line.by_text(&action) } else { None };
        let illegal = || format!("`{}` is not a legal action of `{}`", shortened(&action), line.position());
        let place = place.ok_or_else(|| value_error(illegal()))?;
        line = line.after(place);
    }
    Ok(PyState::new(game.clone(), line))
}
