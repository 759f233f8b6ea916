//! The tables of `maydan stats` and `maydan study`.

use std::{ops::RangeInclusive, path::PathBuf};

use maydan::{
    disk::ConfigChange,
    page::{Block, Cell, Section, Table},
    stats::{
        GameColumns, Runs, Skipped, StatsError, Temperature,
        compare::Compare,
        effect::Effects,
        openings::{Explore, Openings, Options},
        reserves::Reserves,
    },
    study::{Results, Study, StudyConfig},
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};

use crate::convert::{to_table, value_error};

/// Games between two looks for Ctrl-C.
const LOOK_EVERY: u64 = 256;
/// Most bands of generations.
const MOST_BANDS: usize = 100;

/// A table as Python gets it: name, title, note, columns by name.
type PyTable<'py> = (String, String, String, Bound<'py, PyDict>);

/// Tables with the number of games that were counted and what was left out.
type Counted<'py> = (u64, Vec<String>, Vec<PyTable<'py>>);

/// A question of `maydan stats` and its answer in tables.
trait Question {
    fn add(&mut self, game: &GameColumns) -> Result<(), StatsError>;
    fn tables(self: Box<Self>) -> Result<Vec<Table>, StatsError>;
}

fn tables_of(sections: Vec<Section>) -> Vec<Table> {
    let blocks = sections.into_iter().flat_map(|section| section.blocks);
    blocks.filter_map(|block| Block::table(&block).cloned()).collect()
}

impl Question for Openings {
    fn add(&mut self, game: &GameColumns) -> Result<(), StatsError> {
        Openings::add(self, game);
        Ok(())
    }

    fn tables(mut self: Box<Self>) -> Result<Vec<Table>, StatsError> {
        self.finish();
        let mut tables = vec![self.tree()];
        tables.extend(tables_of(self.sections(usize::MAX)));
        tables.extend(self.tables_for_files());
        // The page shows some of them too.
        let mut names = Vec::new();
        tables.retain(|table| {
            let is_new = !names.contains(&table.name);
            names.push(table.name.clone());
            is_new
        });
        Ok(tables)
    }
}

impl Question for Explore {
    fn add(&mut self, game: &GameColumns) -> Result<(), StatsError> {
        Explore::add(self, game);
        Ok(())
    }

    fn tables(self: Box<Self>) -> Result<Vec<Table>, StatsError> {
        Ok(vec![self.table()])
    }
}

impl Question for Reserves {
    fn add(&mut self, game: &GameColumns) -> Result<(), StatsError> {
        Reserves::add(self, game)
    }

    fn tables(self: Box<Self>) -> Result<Vec<Table>, StatsError> {
        Ok(tables_of(self.finish()?.0))
    }
}

impl Question for Effects {
    fn add(&mut self, game: &GameColumns) -> Result<(), StatsError> {
        Effects::add(self, game);
        Ok(())
    }

    fn tables(self: Box<Self>) -> Result<Vec<Table>, StatsError> {
        Ok(tables_of(vec![self.section()]))
    }
}

impl Question for Compare {
    fn add(&mut self, game: &GameColumns) -> Result<(), StatsError> {
        Compare::add(self, game);
        Ok(())
    }

    fn tables(self: Box<Self>) -> Result<Vec<Table>, StatsError> {
        Ok(tables_of(self.sections()))
    }
}

/// What a caller may ask of the games of runs, with the defaults of the command.
struct Asked {
    options: Options,
    position: Option<String>,
    drawn: Option<Temperature>,
}

impl Asked {
    fn of(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut table = to_table(arguments)?;
        let mut asked = Asked { options: Options::default(), position: None, drawn: None };
        let wrong = |name: &str, expected: &str, found: &toml::Value| {
            value_error(format!("{name}: expected {expected}, found {found}"))
        };
        let mut whole = |name: &'static str, default: u64| match table.remove(name) {
            None => Ok(default),
            Some(toml::Value::Integer(number)) if number >= 0 => Ok(number as u64),
            Some(other) => Err(wrong(name, "a whole number of at least 0", &other)),
        };
        let Options { depth, min_count, bands, max_positions, .. } = asked.options;
        asked.options.depth = whole("depth", depth as u64)? as usize;
        asked.options.min_count = whole("min_count", min_count)?;
        asked.options.bands = whole("bands", bands as u64)? as usize;
        asked.options.max_positions = whole("max_positions", max_positions as u64)? as usize;
        let plies = whole("drawn_plies", 0)?;
        if let Some(lengths) = table.remove("opening_plies") {
            let lengths: Result<Vec<usize>, _> = lengths.clone().try_into();
            asked.options.opening_plies = lengths.map_err(|error| value_error(format!("opening_plies: {error}")))?;
        }
        asked.position = match table.remove("position") {
            None => None,
            Some(toml::Value::String(text)) => Some(text),
            Some(other) => return Err(wrong("position", "a position string", &other)),
        };
        let temperature = match table.remove("temperature") {
            None => 1.0,
            Some(toml::Value::Float(t)) if t > 0.0 && t <= 100.0 => t,
            Some(toml::Value::Integer(t)) if (1..=100).contains(&t) => t as f64,
            Some(other) => return Err(wrong("temperature", "above 0 to 100", &other)),
        };
        if plies > 0 {
            let plies = u32::try_from(plies).map_err(value_error)?;
            asked.drawn = Some(Temperature { start: temperature, plies, end: 0.0 });
        }
        if let Some(unknown) = table.keys().next() {
            return Err(value_error(format!("unknown option `{unknown}`")));
        }
        if asked.options.bands > MOST_BANDS {
            return Err(value_error(format!("bands: expected at most {MOST_BANDS}, found {}", asked.options.bands)));
        }
        asked.options.validate().map_err(value_error)?;
        Ok(asked)
    }

    fn question(self, name: &str, runs: &Runs) -> Result<Box<dyn Question>, String> {
        let told = |error: StatsError| error.to_string();
        Ok(match name {
            "openings" => Box::new(Openings::new(self.options, runs).map_err(told)?),
            "explore" => {
                let position = self.position.unwrap_or_else(|| runs.rules().start());
                Box::new(Explore::new(&position, runs).map_err(|error| error.to_string())?)
            }
            "reserves" => Box::new(Reserves::new(runs, self.options.bands, None).map_err(told)?),
            "effect" => Box::new(Effects::new(runs, self.drawn).map_err(told)?),
            "compare" => Box::new(Compare::new(runs, self.options.bands)),
            _ => return Err(format!("no question `{name}`")),
        })
    }
}

/// The tables of `maydan stats QUESTION` over the folders of games `runs`.
#[pyfunction(name = "_stats")]
#[pyo3(signature = (question, runs, first, last, options = None))]
pub fn stats<'py>(
    py: Python<'py>,
    question: &str,
    runs: Vec<PathBuf>,
    first: u64,
    last: Option<u64>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Counted<'py>> {
    let asked = Asked::of(options)?;
    let generations: RangeInclusive<u64> = first..=last.unwrap_or(u64::MAX);
    let runs: Vec<String> = runs.iter().map(|run| run.display().to_string()).collect();
    let mut interrupted = None;
    let count = || -> Result<Option<(u64, Skipped, Vec<Table>)>, String> {
        let told = |error: StatsError| error.to_string();
        let runs = Runs::open("".as_ref(), &runs, generations).map_err(told)?;
        let runs = if question == "effect" { runs.with_searches() } else { runs };
        let mut counting = asked.question(question, &runs)?;
        let mut games = 0;
        /// Why the reading of games ended before its time.
        enum Ended {
            Interrupted,
            Failed(StatsError),
        }
        let skipped = runs.for_each(&mut |_| {}, |game| {
            games += 1;
            if games % LOOK_EVERY == 0 {
                interrupted = Python::attach(|py| py.check_signals()).err();
            }
            if interrupted.is_some() { Err(Ended::Interrupted) } else { counting.add(&game).map_err(Ended::Failed) }
        });
        match skipped {
            Ok(skipped) => Ok(Some((games, skipped, counting.tables().map_err(told)?))),
            Err(Ended::Interrupted) => Ok(None),
            Err(Ended::Failed(error)) => Err(told(error)),
        }
    };
    let counted = py.detach(count).map_err(value_error)?;
    let Some((games, skipped, tables)) = counted else {
        return Err(interrupted.expect("only Ctrl-C ends a count without an error"));
    };
    let skipped = skipped.0.iter().map(ToString::to_string).collect();
    Ok((games, skipped, tables.iter().map(|table| to_python(py, table)).collect::<PyResult<_>>()?))
}

/// The tables of `maydan study FILE` over the games of its arms that are there.
#[pyfunction(name = "_study")]
pub fn study<'py>(py: Python<'py>, file: PathBuf, root: PathBuf, set: Vec<String>) -> PyResult<Counted<'py>> {
    let count = || -> Result<(u64, Vec<String>, Vec<Table>), String> {
        let name = file.file_stem().and_then(|stem| stem.to_str());
        let name = name.ok_or_else(|| format!("{}: no name for a study in it", file.display()))?;
        let config = StudyConfig::load(&file, &set).map_err(|error| error.to_string())?;
        let study = Study::open(config, name, &root, ConfigChange::Refuse).map_err(|error| error.to_string())?;
        let tallies = study.count().map_err(|error| error.to_string())?;
        let skipped = tallies.iter().flat_map(|tally| &tally.skipped.0).map(ToString::to_string).collect();
        let tables: Vec<Table> = Results::new(&study, &tallies).page().tables().cloned().collect();
        Ok((tallies.iter().map(|tally| tally.games()).sum(), skipped, tables))
    };
    let (games, skipped, tables) = py.detach(count).map_err(value_error)?;
    Ok((games, skipped, tables.iter().map(|table| to_python(py, table)).collect::<PyResult<_>>()?))
}

fn to_python<'py>(py: Python<'py>, table: &Table) -> PyResult<PyTable<'py>> {
    let columns = PyDict::new(py);
    for (at, column) in table.columns.iter().enumerate() {
        let values = PyList::empty(py);
        for row in &table.rows {
            match &row[at] {
                Cell::Empty => values.append(py.None())?,
                Cell::Text(text) => values.append(text)?,
                Cell::Words(words) => values.append(&words.en)?,
                Cell::Count(count) => values.append(count)?,
                cell @ (Cell::AtLeast(_) | Cell::Number(_)) => values.append(cell.number())?,
            }
        }
        columns.set_item(&column.name, values)?;
    }
    Ok((table.name.clone(), table.title.en.clone(), table.note.en.clone(), columns))
}
