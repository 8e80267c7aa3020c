//! `equanym._equanym`: what the Python package calls.
//!
//! Python sees data frames, policies and results; it is given them by the modules beside this crate, in `python/equanym`. Here is the
//! seam: tables come in through the Arrow C stream (`arrow.rs`), runs happen on a thread of their own without the interpreter's
//! lock (`job.rs`), findings go out as JSON, failures as exceptions (`failure.rs`). Nothing is decided here.

mod arrow;
mod failure;
mod job;
mod maps;
mod policy;
mod runs;

use std::ffi::OsString;

use pyo3::prelude::*;
use pyo3::types::PyModule;

/// Runs the program with these arguments, its own name the first; gives the exit code.
#[pyfunction]
fn program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| equanym_cli::run(&arguments))
}

/// The families and the cards of their members, as JSON.
#[pyfunction]
fn families() -> PyResult<String> {
    failure::json(&equanym_cli::families())
}

/// The extension module.
#[pymodule]
fn _equanym(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // Of this module alone, which has a standard library of its own: what a panic says may hold values.
    std::panic::set_hook(Box::new(|_| {}));
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<arrow::Table>()?;
    module.add_class::<runs::Release>()?;
    module.add_class::<maps::Map>()?;
    module.add_class::<job::Options>()?;
    module.add_function(wrap_pyfunction!(program, module)?)?;
    module.add_function(wrap_pyfunction!(families, module)?)?;
    module.add_function(wrap_pyfunction!(policy::check, module)?)?;
    module.add_function(wrap_pyfunction!(policy::parsed, module)?)?;
    module.add_function(wrap_pyfunction!(policy::edited, module)?)?;
    module.add_function(wrap_pyfunction!(runs::draft, module)?)?;
    module.add_function(wrap_pyfunction!(runs::risk, module)?)?;
    module.add_function(wrap_pyfunction!(runs::release, module)?)?;
    module.add_function(wrap_pyfunction!(runs::apply, module)?)?;
    module.add_function(wrap_pyfunction!(runs::balance, module)?)?;
    module.add_function(wrap_pyfunction!(runs::compare, module)?)?;
    module.add_function(wrap_pyfunction!(runs::attack, module)?)?;
    module.add_function(wrap_pyfunction!(runs::audit, module)?)?;
    module.add_function(wrap_pyfunction!(maps::map, module)?)?;
    module.add_function(wrap_pyfunction!(maps::order, module)?)?;
    Ok(())
}
