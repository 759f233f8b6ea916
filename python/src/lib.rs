//! The Python module `maydan._maydan`: the library behind classes that Python knows. `python/maydan/` has what is
//! written in Python itself.
//!
//! Layout, lowest first:
//!
//! - `convert`: values and errors from one language to the other.
//! - `line`, `positions`, `games`: games whose type is known only at run time.
//! - `game`: `Game`, the rules.
//! - `state`: `State` and `Action`, a game under way.
//! - `batch`: `Batch`, many games side by side.
//! - `search`: `search` and its `SearchResult`, with a network in Python.
//! - `bot`: `Bot`, a network in Rust.
//! - `stats`: the tables of statistics.
//! - `data`: `PlayedGame`, `Window` and `Batches`: the games of a run, and what training draws from them.

mod batch;
mod bot;
mod convert;
mod data;
mod game;
mod games;
mod line;
mod positions;
mod search;
mod state;
mod stats;

use pyo3::prelude::*;

#[pymodule]
fn _maydan(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("GAMES", maydan::game::registry::IDS.to_vec())?;
    module.add_class::<game::PyGame>()?;
    module.add_class::<state::PyState>()?;
    module.add_class::<state::PyAction>()?;
    module.add_class::<batch::PyBatch>()?;
    module.add_class::<search::PySearchResult>()?;
    module.add_class::<bot::PyBot>()?;
    module.add_class::<data::PyPlayedGame>()?;
    module.add_class::<data::PyWindow>()?;
    module.add_class::<data::PyBatches>()?;
    module.add_function(wrap_pyfunction!(search::search, module)?)?;
    module.add_function(wrap_pyfunction!(data::read_games, module)?)?;
    module.add_function(wrap_pyfunction!(data::read_config, module)?)?;
    module.add_function(wrap_pyfunction!(data::generations, module)?)?;
    module.add_function(wrap_pyfunction!(stats::stats, module)?)?;
    module.add_function(wrap_pyfunction!(stats::study, module)?)?;
    module.add_function(wrap_pyfunction!(game::restore_game, module)?)?;
    module.add_function(wrap_pyfunction!(state::restore_state, module)?)
}
