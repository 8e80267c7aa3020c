//! Policies: text that is read by the engine, shown as data, and edited with its comments.

use std::path::{Path, PathBuf};
use std::time::Duration;

use equanym_engine::error::{Error, Result};
use equanym_engine::policy::{self, Policy};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use toml_edit::{DocumentMut, Item, TableLike, Value};

use crate::failure::of_policy;

/// A policy as Python hands it over: its text, and the folder that its files are named from.
pub(crate) type PolicyText = (String, PathBuf);

/// Reads a policy; hierarchy files are looked for from a folder.
pub(crate) fn read(py: Python<'_>, text: &str, folder: &Path) -> PyResult<Policy> {
    py.detach(|| Policy::in_folder(text, folder)).map_err(|error| of_policy(py, &error))
}

/// How long a search may take.
pub(crate) fn time_limit(text: &str) -> Result<Duration> {
    policy::duration(text).ok_or_else(|| Error::input("a time limit has a unit: \"10s\", \"500ms\", \"2m\""))
}

/// Refuses a text that is no policy.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, text: &str, folder: PathBuf) -> PyResult<()> {
    read(py, text, &folder).map(drop)
}

/// The keys and values of a policy, in their order.
#[pyfunction]
pub(crate) fn parsed<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyDict>> {
    table(py, document(py, text)?.as_table())
}

/// The text with another value at a path of keys; no value removes the key.
#[pyfunction]
#[pyo3(signature = (text, path, value))]
pub(crate) fn edited(py: Python<'_>, text: &str, path: Vec<String>, value: Option<&str>) -> PyResult<String> {
    let mut document = document(py, text)?;
    let refused = |what: &str| of_policy(py, &Error::input(what.to_owned()));
    let Some((key, folders)) = path.split_last() else { return Err(refused("a key is missing")) };
    let mut place: &mut dyn TableLike = document.as_table_mut();
    for folder in folders {
        let item = place.entry(folder).or_insert_with(toml_edit::table);
        place = item.as_table_like_mut().ok_or_else(|| refused("a key is no table"))?;
    }
    match value {
        None => drop(place.remove(key)),
        Some(text) => {
            let mut value: Value = text.parse().map_err(|_| refused("a value cannot be written as TOML"))?;
            // What stands before and behind the old one, comments among it, stays.
            if let Some(old) = place.get(key).and_then(Item::as_value) {
                *value.decor_mut() = old.decor().clone();
            }
            match place.get_mut(key) {
                Some(old) => *old = Item::Value(value),
                None => drop(place.insert(key, Item::Value(value))),
            }
        }
    }
    Ok(document.to_string())
}

fn document(py: Python<'_>, text: &str) -> PyResult<DocumentMut> {
    // The engine says where a text is no TOML.
    text.parse().map_err(|_| read(py, text, Path::new("")).err().unwrap_or_else(|| of_policy(py, &Error::internal())))
}

fn table<'py>(py: Python<'py>, from: &dyn TableLike) -> PyResult<Bound<'py, PyDict>> {
    let made = PyDict::new(py);
    for (key, item) in from.iter() {
        made.set_item(key, object(py, item)?)?;
    }
    Ok(made)
}

fn object<'py>(py: Python<'py>, item: &Item) -> PyResult<Bound<'py, PyAny>> {
    Ok(match item {
        Item::None => py.None().into_bound(py),
        Item::Table(inner) => table(py, inner)?.into_any(),
        Item::ArrayOfTables(tables) => {
            let tables = tables.iter().map(|inner| table(py, inner)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, tables)?.into_any()
        }
        Item::Value(inner) => value(py, inner)?,
    })
}

fn value<'py>(py: Python<'py>, from: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match from {
        Value::String(text) => text.value().into_pyobject(py)?.into_any(),
        Value::Integer(number) => number.value().into_pyobject(py)?.into_any(),
        Value::Float(number) => number.value().into_pyobject(py)?.into_any(),
        Value::Boolean(truth) => truth.value().into_pyobject(py)?.to_owned().into_any(),
        Value::Datetime(moment) => moment.value().to_string().into_pyobject(py)?.into_any(),
        Value::Array(list) => {
            let list = list.iter().map(|inner| value(py, inner)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, list)?.into_any()
        }
        Value::InlineTable(inner) => table(py, inner)?.into_any(),
    })
}
