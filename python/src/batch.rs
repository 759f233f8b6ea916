//! `Batch`: many games side by side.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use numpy::PyArrayMethods;
use pyo3::{exceptions::PyIndexError, prelude::*};

use crate::{
    convert::{array, shaped, value_error, white_score, whole_numbers},
    game::PyGame,
    positions::AnyPositions,
    state::PyState,
};

/// Many games side by side, on all cores, without the interpreter's lock. Arrays have an entry a game.
///
/// ```python
/// batch = game.batch(1024, seed=1)
/// while not batch.is_over.all():
///     batch.step(batch.random_actions())
/// print(batch.outcomes().mean())
/// ```
#[pyclass(name = "Batch", module = "maydan", frozen)]
#[derive(Debug)]
pub struct PyBatch {
    game: PyGame,
    positions: RwLock<Box<dyn AnyPositions>>,
}

impl PyBatch {
    pub fn new(game: PyGame, positions: Box<dyn AnyPositions>) -> Self {
        PyBatch { game, positions: RwLock::new(positions) }
    }

    fn read(&self) -> RwLockReadGuard<'_, Box<dyn AnyPositions>> {
        self.positions.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Box<dyn AnyPositions>> {
        self.positions.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyBatch {
    #[getter]
    fn game(&self) -> PyGame {
        self.game.clone()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().len())
    }

    /// One of the games as a state.
    fn __getitem__(&self, py: Python<'_>, game: isize) -> PyResult<PyState> {
        let line = py.detach(|| {
            let positions = self.read();
            let games = positions.len();
            let place = if game < 0 { game.checked_add_unsigned(games) } else { Some(game) };
            let place = place.and_then(|place| usize::try_from(place).ok()).filter(|place| *place < games);
            place.map(|place| positions.line(place)).ok_or(games)
        });
        let line = line.map_err(|games| PyIndexError::new_err(format!("expected below {games}, found {game}")))?;
        Ok(PyState::new(self.game.clone(), line))
    }

    /// Which actions are legal, bool `[n, A]`; none in games that are over.
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (mask, games) = py.detach(|| {
            let positions = self.read();
            let mut mask = vec![false; positions.len() * positions.layout().actions()];
            positions.legal_mask(&mut mask);
            (mask, positions.len())
        });
        Ok(array(py, mask).reshape([games, self.game.any().layout().actions()])?.into_any())
    }

    /// A legal action of each game drawn evenly, int64 `[n]`; -1 in games that are over.
    fn random_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        array(py, py.detach(|| self.write().random_actions())).into_any()
    }

    /// Plays an action in each game, whole numbers `[n]`. Games that are over stay as they are, whatever is given for
    /// them. An illegal action raises `ValueError`, and no game is played on then.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let games = self.__len__(py);
        let actions = whole_numbers(py, actions, "actions", games)?;
        py.detach(|| self.write().step(&actions)).map_err(|illegal| {
            value_error(format!(
                "game {}: index {} is not a legal action of `{}`",
                illegal.game, illegal.index, illegal.position
            ))
        })
    }

    /// The positions as networks see them, `[n, C, H, W]`, each by its side to move, in float32 or another type of numpy.
    #[pyo3(signature = (dtype = None))]
    fn planes<'py>(&self, py: Python<'py>, dtype: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let layout = self.game.any().layout();
        let (planes, games) = py.detach(|| {
            let positions = self.read();
            let mut planes = vec![0.0; positions.len() * layout.channels() * layout.squares()];
            positions.planes(&mut planes);
            (planes, positions.len())
        });
        let planes = shaped(py, planes, &[games, layout.channels(), layout.height, layout.width])?;
        match dtype {
            None => Ok(planes),
            Some(dtype) => {
                let options = pyo3::types::PyDict::new(py);
                options.set_item("copy", false)?;
                planes.call_method("astype", (dtype,), Some(&options))
            }
        }
    }

    /// Results for White, float32 `[n]`: 1 won, 0 drawn, -1 lost, NaN where the game goes on.
    fn outcomes<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let outcomes = py.detach(|| self.read().outcomes());
        array(py, outcomes.into_iter().map(|outcome| outcome.map_or(f32::NAN, white_score)).collect()).into_any()
    }

    /// Why each game is over, `None` where it goes on.
    fn reasons(&self, py: Python<'_>) -> Vec<Option<&'static str>> {
        let outcomes = py.detach(|| self.read().outcomes());
        outcomes.into_iter().map(|outcome| outcome.map(|outcome| outcome.reason.name())).collect()
    }

    /// Which games are over, bool `[n]`.
    #[getter]
    fn is_over<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let outcomes = py.detach(|| self.read().outcomes());
        array(py, outcomes.iter().map(Option::is_some).collect::<Vec<bool>>()).into_any()
    }

    /// Whose turn it is, int8 `[n]`: 0 White's, 1 Black's. The same side may act twice in a row.
    #[getter]
    fn side_to_move<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let sides = py.detach(|| self.read().sides());
        array(py, sides.into_iter().map(|side| side.index() as i8).collect::<Vec<i8>>()).into_any()
    }

    /// Plies since the start of each game, int64 `[n]`.
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let plies = py.detach(|| self.read().plies());
        array(py, plies.into_iter().map(i64::from).collect::<Vec<i64>>()).into_any()
    }

    /// Begins games anew: all, or those where the array of bools `which`, `[n]`, says so, as in
    /// `batch.reset(batch.is_over)`.
    #[pyo3(signature = (which = None))]
    fn reset(&self, py: Python<'_>, which: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let games = self.__len__(py);
        let which = match which {
            None => vec![true; games],
            Some(which) => {
                let wrong = || value_error(format!("which: expected {games} bools"));
                let which = py.import("numpy")?.call_method1("asarray", (which,))?;
                let which = which.cast::<numpy::PyArray1<bool>>().map_err(|_| wrong())?.to_vec()?;
                if which.len() == games { which } else { return Err(wrong()) }
            }
        };
        py.detach(|| self.write().reset(&which));
        Ok(())
    }

    /// The same games once more, which go their own way.
    fn copy(&self, py: Python<'_>) -> PyBatch {
        PyBatch::new(self.game.clone(), py.detach(|| self.read().copy()))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<maydan.Batch of {} games of {}>", self.__len__(py), self.game.any().ruleset().game)
    }
}
