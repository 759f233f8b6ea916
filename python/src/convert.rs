//! Values and errors from one language to the other.

use std::fmt::Display;

use maydan::game::Outcome;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::{
    exceptions::{PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};

/// Tables in tables beyond which options are refused.
const DEEPEST: usize = 16;

/// What pickling makes of an object: a function that restores it, and its arguments.
pub type Reduced<'py, A> = (Bound<'py, PyAny>, A);

/// What a caller got wrong.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What failed through no fault of the caller.
pub fn runtime_error(error: impl Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// Keyword arguments as a table of options.
///
/// # Errors
/// Names an argument that no TOML can hold.
pub fn to_table(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<toml::Table> {
    let mut table = toml::Table::new();
    for (name, value) in arguments.into_iter().flatten() {
        let name: String = name.extract()?;
        let value = to_toml(&value, DEEPEST).map_err(|problem| value_error(format!("`{name}`: {problem}")))?;
        table.insert(name, value);
    }
    Ok(table)
}

fn to_toml(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<toml::Value> {
    let too_deep = || value_error("expected fewer lists and dicts in one another");
    if value.is_instance_of::<PyBool>() {
        Ok(toml::Value::Boolean(value.extract()?))
    } else if value.is_instance_of::<PyInt>() {
        Ok(toml::Value::Integer(value.extract()?))
    } else if value.is_instance_of::<PyFloat>() {
        Ok(toml::Value::Float(value.extract()?))
    } else if value.is_instance_of::<PyString>() {
        Ok(toml::Value::String(value.extract()?))
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
        let values: PyResult<Vec<toml::Value>> = value.try_iter()?.map(|value| to_toml(&value?, depth)).collect();
        Ok(toml::Value::Array(values?))
    } else if let Ok(dict) = value.cast::<PyDict>() {
        let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
        let mut table = toml::Table::new();
        for (name, value) in dict {
            table.insert(name.extract()?, to_toml(&value, depth)?);
        }
        Ok(toml::Value::Table(table))
    } else {
        Err(PyTypeError::new_err(format!("expected a bool, int, float, str, list or dict, found {}", value.get_type())))
    }
}

/// A table of options as a dict.
pub fn to_dict<'py>(py: Python<'py>, table: &toml::Table) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in table {
        dict.set_item(name, from_toml(py, value)?)?;
    }
    Ok(dict)
}

fn from_toml<'py>(py: Python<'py>, value: &toml::Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        toml::Value::String(text) => text.into_pyobject(py)?.into_any(),
        toml::Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        toml::Value::Float(number) => number.into_pyobject(py)?.into_any(),
        toml::Value::Boolean(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        toml::Value::Datetime(time) => time.to_string().into_pyobject(py)?.into_any(),
        toml::Value::Array(values) => {
            let list = PyList::empty(py);
            for value in values {
                list.append(from_toml(py, value)?)?;
            }
            list.into_any()
        }
        toml::Value::Table(table) => to_dict(py, table)?.into_any(),
    })
}

/// A result for White: 1, 0 or -1.
pub fn white_score(outcome: Outcome) -> f32 {
    outcome.value_for(maydan::game::Side::White)
}

/// Numbers as an array of one dimension, in its own memory.
pub fn array<'py, T: numpy::Element>(py: Python<'py>, numbers: Vec<T>) -> Bound<'py, PyArray1<T>> {
    numbers.into_pyarray(py)
}

/// Numbers of 32 bits as an array of this shape.
pub fn shaped<'py>(py: Python<'py>, numbers: Vec<f32>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    Ok(numbers.into_pyarray(py).reshape(shape.to_vec())?.into_any())
}

/// What a caller gave for an array of whole numbers, one a game: anything that numpy takes for one.
///
/// # Errors
/// When it is none, or of another length.
pub fn whole_numbers(py: Python<'_>, given: &Bound<'_, PyAny>, name: &str, expected: usize) -> PyResult<Vec<i64>> {
    let wrong = |found: String| value_error(format!("{name}: expected {expected} whole numbers, found {found}"));
    let numpy = py.import("numpy")?;
    let given = numpy.call_method1("asarray", (given,))?;
    let kind: String = given.getattr("dtype")?.getattr("kind")?.extract()?;
    let shape: Vec<usize> = given.getattr("shape")?.extract()?;
    if shape != [expected] || !"iu".contains(&kind) && expected > 0 {
        return Err(wrong(format!("an array of {} and shape {shape:?}", given.getattr("dtype")?)));
    }
    let given = given.call_method1("astype", ("int64",))?;
    let given = given.cast::<PyArray1<i64>>().map_err(|_| wrong("no array".to_owned()))?;
    debug_assert_eq!(given.len(), expected);
    Ok(given.to_vec()?)
}

/// What a caller gave for an array of numbers of this shape.
///
/// # Errors
/// When it is none.
pub fn numbers(py: Python<'_>, given: &Bound<'_, PyAny>, name: &str, expected: &[usize]) -> PyResult<Vec<f32>> {
    let numpy = py.import("numpy")?;
    let options = PyDict::new(py);
    options.set_item("dtype", "float32")?;
    let given = numpy.call_method("ascontiguousarray", (given,), Some(&options))?;
    let shape: Vec<usize> = given.getattr("shape")?.extract()?;
    if shape != expected {
        return Err(value_error(format!("{name}: expected an array of shape {expected:?}, found {shape:?}")));
    }
    let flat = given.call_method1("reshape", (-1,))?;
    let flat = flat.cast::<PyArray1<f32>>().map_err(PyErr::from)?;
    Ok(flat.to_vec()?)
}
