//! Failures as the exceptions of `equanym._errors`.

use equanym_engine::error::{Error, Kind};
use pyo3::prelude::*;
use serde::Serialize;

/// The exception for a failure.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error.kind {
        Kind::Unsafe => "UnsafeReleaseError",
        Kind::Input => "InputError",
        Kind::Environment => "EnvironmentError",
    };
    of_class(py, class, error)
}

/// The exception for a policy that cannot be.
pub(crate) fn of_policy(py: Python<'_>, error: &Error) -> PyErr {
    match error.kind {
        Kind::Input => of_class(py, "PolicyError", error),
        _ => raised(py, error),
    }
}

fn of_class(py: Python<'_>, class: &str, error: &Error) -> PyErr {
    let made = py
        .import("equanym._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1((error.message.as_str(), error.hint.as_deref())));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Findings as JSON.
pub(crate) fn json(findings: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(findings).map_err(|_| Python::attach(|py| raised(py, &Error::internal())))
}
