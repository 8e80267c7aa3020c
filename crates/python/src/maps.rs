//! What there is to choose from, as Python asks for it: the map of risk and loss, and the best safe nodes.

use std::path::{Path, PathBuf};

use equanym_engine::error::{Error, Result};
use equanym_engine::policy::{FrontierPolicy, LossAxis, ParameterSweep, RiskAxis};
use equanym_engine::read::{Data, text_file};
use equanym_engine::run::alternatives::{self, AlternativesRequest};
use equanym_engine::run::frontier::{self, Frontier, FrontierRequest};
use pyo3::prelude::*;

use crate::arrow::TableInput;
use crate::failure::{json, of_policy, raised};
use crate::job::{self, Options};
use crate::policy::{self, PolicyText};

/// What a map goes over, where it is otherwise than the policy says.
#[derive(FromPyObject)]
pub(crate) struct MapArguments {
    #[pyo3(item)]
    k: Vec<i64>,
    #[pyo3(item)]
    limits: Vec<f64>,
    #[pyo3(item)]
    methods: Vec<String>,
    #[pyo3(item)]
    alpha: Vec<f64>,
    #[pyo3(item)]
    sweep: Vec<String>,
    #[pyo3(item)]
    risk: Option<String>,
    #[pyo3(item)]
    loss: Option<String>,
    #[pyo3(item)]
    seed: Option<u64>,
    #[pyo3(item)]
    resume: Option<PathBuf>,
    #[pyo3(item)]
    show_values: bool,
}

impl MapArguments {
    /// The same over what a policy says.
    fn over(&self, policy: FrontierPolicy) -> Result<FrontierPolicy> {
        fn or<T: Clone>(given: &[T], policy: Vec<T>) -> Vec<T> {
            if given.is_empty() { policy } else { given.to_vec() }
        }
        let parameters = self.sweep.iter().map(|text| {
            ParameterSweep::parse(text).ok_or_else(|| {
                Error::input("a sweep names a member and a parameter").hint("sweep={\"t-closeness.t\": [0.1, 0.2]}")
            })
        });
        let parameters: Vec<ParameterSweep> = parameters.collect::<Result<_>>()?;
        let words = RiskAxis::names();
        let risk = self.risk.as_deref().map(|name| RiskAxis::named(name).ok_or_else(|| unknown("risk", &words)));
        let names = LossAxis::names();
        let loss = self.loss.as_deref().map(|name| LossAxis::named(name).ok_or_else(|| unknown("loss", &names)));
        if let Some(share) = self.limits.iter().chain(&self.alpha).find(|share| !(0.0..=1.0).contains(*share)) {
            return Err(Error::input(format!("{share} is no share between 0 and 1")));
        }
        if let Some(k) = self.k.iter().find(|k| **k < 1) {
            return Err(Error::input(format!("k must be at least 1, found {k}")));
        }
        Ok(FrontierPolicy {
            k: or(&self.k, policy.k),
            limits: or(&self.limits, policy.limits),
            methods: or(&self.methods, policy.methods),
            alpha: or(&self.alpha, policy.alpha),
            parameters: or(&parameters, policy.parameters),
            risk: risk.transpose()?.or(policy.risk),
            loss: loss.transpose()?.or(policy.loss),
        })
    }
}

fn unknown(what: &str, words: &[&str]) -> Error {
    Error::input(format!("there is no such {what}")).hint(format!("one of: {}", words.join(", ")))
}

/// A risk–utility map.
#[pyfunction]
pub(crate) fn map(
    py: Python<'_>,
    data: TableInput,
    policy: PolicyText,
    swept: MapArguments,
    options: &Options,
) -> PyResult<Map> {
    let (text, folder) = policy;
    let given = policy::read(py, &text, &folder)?;
    let sweeps = swept.over(given.frontier).map_err(|error| of_policy(py, &error))?;
    let found = job::run(py, options, |progress| {
        frontier::frontier(&FrontierRequest {
            data: data.data(),
            text: &text,
            folder: &folder,
            files: &|name| text_file::read(&folder.join(name)),
            reading: &|reading| Ok(reading.clone()),
            sweeps,
            seed: swept.seed,
            key: None,
            resume: swept.resume.as_deref(),
            resources: options.resources.clone(),
            show_values: swept.show_values,
            progress,
        })
    })?;
    let from = data.data().path().map(Path::to_path_buf);
    Ok(Map { found, folder, from })
}

/// The best safe nodes and the prices of levels, as JSON.
#[pyfunction]
pub(crate) fn order(
    py: Python<'_>,
    data: TableInput,
    policy: PolicyText,
    count: usize,
    options: &Options,
) -> PyResult<String> {
    let policy = policy::read(py, &policy.0, &policy.1)?;
    policy.require_release().map_err(|error| of_policy(py, &error))?;
    let found = job::run(py, options, |progress| {
        alternatives::alternatives(&AlternativesRequest {
            data: data.data(),
            policy: &policy,
            count,
            resources: &options.resources,
            show_values: false,
            progress: &progress,
        })
    })?;
    json(&found)
}

/// A risk–utility map.
#[pyclass(frozen, module = "equanym._equanym")]
pub(crate) struct Map {
    found: Frontier,
    /// Where hierarchy files are named from.
    folder: PathBuf,
    /// Where the table lies, if it does.
    from: Option<PathBuf>,
}

#[pymethods]
impl Map {
    /// What was found, as JSON.
    fn report(&self) -> PyResult<String> {
        json(&self.found)
    }

    /// The drawing.
    fn svg(&self) -> String {
        self.found.picture().file()
    }

    /// The text of the policy of each point, and the folder that its files are named from.
    fn policies(&self) -> (Vec<String>, PathBuf) {
        (self.found.policies.clone(), self.folder.clone())
    }

    /// Writes the folder that the program writes.
    fn save(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        let nowhere = PathBuf::new();
        let data = Data::At(self.from.as_ref().unwrap_or(&nowhere));
        py.detach(|| self.found.write(&folder, data, &self.folder)).map_err(|error| raised(py, &error))
    }
}
