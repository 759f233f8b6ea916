//! `Game`: the rules.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use maydan::{
    game::{Layout, PlaneInfo},
    model::{ModuleNote, NetworkShape},
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    batch::PyBatch,
    convert::{Reduced, to_dict, to_table, value_error},
    games::{self, AnyGame},
    state::PyState,
};

/// Most games of a batch: beyond, a slip of the pen would take all memory.
const MOST_GAMES: usize = 1 << 20;

/// The rules of one game, with its options settled.
///
/// `Game("shatara")` has the options of the game's preset, `Game("shatara", repetition=0)` all but one of them. Two games
/// are equal when all their options are.
#[pyclass(name = "Game", module = "maydan", frozen)]
#[derive(Clone, Debug)]
pub struct PyGame {
    game: Arc<dyn AnyGame>,
}

impl PyGame {
    /// # Errors
    /// Names an unknown game or option.
    pub fn open(name: &str, options: &toml::Table) -> PyResult<Self> {
        Ok(PyGame { game: games::open(name, options).map_err(value_error)? })
    }

    pub fn any(&self) -> &dyn AnyGame {
        &*self.game
    }
}

fn planes(planes: &[PlaneInfo]) -> Vec<String> {
    planes.iter().map(|plane| plane.name.clone()).collect()
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (name, **options))]
    fn new(name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        PyGame::open(name, &to_table(options)?)
    }

    /// The game's id, one of `maydan.GAMES`.
    #[getter]
    fn name(&self) -> &str {
        &self.game.ruleset().game
    }

    /// Every option with its value.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, &self.game.ruleset().options)
    }

    /// Identity of the game and its options, as files of games and networks carry it.
    #[getter]
    fn ruleset(&self) -> &str {
        &self.game.ruleset().hash
    }

    /// Size A of the action space.
    #[getter]
    fn num_actions(&self) -> usize {
        self.game.layout().actions()
    }

    /// Shape `(C, H, W)` of a position as networks see it.
    #[getter]
    fn planes_shape(&self) -> (usize, usize, usize) {
        let layout = self.game.layout();
        (layout.channels(), layout.height, layout.width)
    }

    /// Names of the planes, C of them.
    #[getter]
    fn planes(&self) -> Vec<String> {
        let Layout { bit_planes, scalars, .. } = self.game.layout();
        [planes(bit_planes), planes(scalars)].concat()
    }

    /// Names of the planes of actions: action `plane * H * W + row * W + column`.
    #[getter]
    fn action_planes(&self) -> Vec<String> {
        planes(&self.game.layout().action_planes)
    }

    /// Version of the planes and action indices.
    #[getter]
    fn encoding(&self) -> u32 {
        self.game.layout().version
    }

    /// What the file of a network says that it plays, as JSON: the rules, and the shapes of input and output.
    /// `maydan.torch.export` writes it into the file.
    fn network_note(&self) -> String {
        let (ruleset, network) = (self.game.ruleset().clone(), NetworkShape::from(self.game.layout()));
        serde_json::to_string(&ModuleNote { ruleset, network }).expect("a note serialises")
    }

    /// Names of the kinds of action.
    #[getter]
    fn action_kinds(&self) -> Vec<&'static str> {
        self.game.action_kinds().to_vec()
    }

    /// Letters of the kinds of pieces that a zone holds.
    #[getter]
    fn zone_kinds(&self) -> &'static str {
        self.game.zone_kinds()
    }

    /// The rules in words, as Markdown.
    #[getter]
    fn rules_text(&self) -> &'static str {
        self.game.rules_text()
    }

    /// The planes and the actions in words, as Markdown.
    #[getter]
    fn planes_text(&self) -> String {
        self.game.planes_text()
    }

    /// The mirrored index of every action, `[A]`: `policy[game.mirror_actions]` is a policy seen in a mirror.
    #[getter]
    fn mirror_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let actions = self.game.mirror_actions().into_iter().map(i64::from).collect();
        crate::convert::array(py, actions).into_any()
    }

    /// The state in which every game starts.
    fn start(&self) -> PyState {
        let line = self.game.line(None).expect("a game has a start");
        PyState::new(self.clone(), line)
    }

    /// The state at a position string.
    fn parse(&self, position: &str) -> PyResult<PyState> {
        let line = self.game.line(Some(position)).map_err(value_error)?;
        Ok(PyState::new(self.clone(), line))
    }

    /// So many games side by side, all at their start.
    #[pyo3(signature = (n, seed = 0))]
    fn batch(&self, py: Python<'_>, n: usize, seed: u64) -> PyResult<PyBatch> {
        if n > MOST_GAMES {
            return Err(value_error(format!("n: expected at most {MOST_GAMES}, found {n}")));
        }
        Ok(PyBatch::new(self.clone(), py.detach(|| self.game.positions(n, seed))))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyGame>().is_ok_and(|other| other.get().game.ruleset() == self.game.ruleset())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.game.ruleset().hash.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("<maydan.Game {}>", self.game.ruleset())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (String, Bound<'py, PyDict>)>> {
        let restore = py.import("maydan._maydan")?.getattr("_restore_game")?;
        Ok((restore, (self.name().to_owned(), self.options(py)?)))
    }
}

/// A pickled game.
#[pyfunction(name = "_restore_game")]
pub fn restore_game(name: &str, options: &Bound<'_, PyDict>) -> PyResult<PyGame> {
    PyGame::open(name, &to_table(Some(options))?)
}
