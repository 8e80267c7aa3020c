//! The runs of the engine, as Python calls them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use arrow_array::RecordBatch;
use equanym_core::card::{Parameters, Value};
use equanym_engine::error::Error;
use equanym_engine::mask::StoredMask;
use equanym_engine::read::Reading;
use equanym_engine::run::apply::Adjustment;
use equanym_engine::run::attack::AttackRequest;
use equanym_engine::run::audit::{AuditRequest, known_by_policy};
use equanym_engine::run::balance::{BalanceRequest, Sweep, plots};
use equanym_engine::run::compare::{AfterTable, CompareRequest};
use equanym_engine::run::draft::DraftRequest;
use equanym_engine::run::in_memory::{ApplyBatchesRequest, BatchesRequest, ReleaseInMemory};
use equanym_engine::run::{self};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::{TableInput, capsule};
use crate::failure::{json, of_policy, raised};
use crate::job::{self, Options};
use crate::policy::{self, PolicyText};

fn read(py: Python<'_>, policy: &PolicyText) -> PyResult<equanym_engine::policy::Policy> {
    policy::read(py, &policy.0, &policy.1)
}

/// A draft, as JSON.
#[pyfunction]
pub(crate) fn draft(py: Python<'_>, data: TableInput, folder: PathBuf, options: &Options) -> PyResult<String> {
    let found = job::run(py, options, |progress| {
        let (data, folder, reading) = (data.data(), folder.as_path(), &Reading::default());
        let (resources, progress) = (&options.resources, &progress);
        run::draft::draft(&DraftRequest { data, reading, folder, resources, progress })
    })?;
    json(&found)
}

/// The risk of a table, as JSON.
#[pyfunction]
#[pyo3(signature = (data, policy, options))]
pub(crate) fn risk(
    py: Python<'_>,
    data: TableInput,
    policy: Option<PolicyText>,
    options: &Options,
) -> PyResult<String> {
    let policy = policy.map(|policy| read(py, &policy)).transpose()?;
    let found = job::run(py, options, |progress| {
        let reading = policy.as_ref().map(|policy| policy.data.clone()).unwrap_or_default();
        run::risk::risk(data.data(), policy.as_ref(), &reading, &options.resources, &progress)
    })?;
    json(&found)
}

/// What a release is asked beside its policy.
#[derive(FromPyObject)]
pub(crate) struct ReleaseArguments {
    #[pyo3(item)]
    against: Vec<PathBuf>,
    #[pyo3(item)]
    seed: Option<u64>,
    #[pyo3(item)]
    time_limit: Option<String>,
    #[pyo3(item)]
    key: Option<PathBuf>,
    #[pyo3(item)]
    show_values: bool,
}

/// A release in memory.
#[pyfunction]
pub(crate) fn release(
    py: Python<'_>,
    data: TableInput,
    policy: PolicyText,
    asked: ReleaseArguments,
    options: &Options,
) -> PyResult<Release> {
    let mut policy = read(py, &policy)?;
    let limit = asked.time_limit.as_deref().map(policy::time_limit).transpose();
    policy.method.time_limit = limit.map_err(|error| of_policy(py, &error))?.or(policy.method.time_limit);
    policy.method.seed = asked.seed.or(policy.method.seed);
    policy.key = asked.key;
    policy.require_release().map_err(|error| of_policy(py, &error))?;
    let made = job::run(py, options, |progress| {
        run::in_memory::release_batches(&BatchesRequest {
            data: data.data(),
            policy: &policy,
            against: &asked.against,
            resources: options.resources.clone(),
            show_values: asked.show_values,
            progress,
        })
    })?;
    Ok(Release::of(made))
}

/// What is to be otherwise than a mask says.
#[derive(FromPyObject)]
pub(crate) struct MaskChanges {
    #[pyo3(item)]
    suppression_limit: Option<f64>,
    #[pyo3(item)]
    levels: BTreeMap<String, u8>,
    #[pyo3(item)]
    against: Vec<PathBuf>,
    #[pyo3(item)]
    key: Option<PathBuf>,
    #[pyo3(item)]
    show_values: bool,
    #[pyo3(item)]
    population: Option<PathBuf>,
}

/// A stored mask, applied in memory.
#[pyfunction]
pub(crate) fn apply(
    py: Python<'_>,
    data: TableInput,
    mask: String,
    otherwise: MaskChanges,
    options: &Options,
) -> PyResult<Release> {
    let MaskChanges { suppression_limit, levels, against, key, show_values, population } = otherwise;
    let made = job::run(py, options, |progress| {
        run::in_memory::apply_batches(ApplyBatchesRequest {
            data: data.data(),
            stored: StoredMask { key, ..StoredMask::from_json(&mask)? },
            adjustment: Adjustment {
                suppression_limit,
                levels: levels.into_iter().collect(),
                show_values,
                population,
                ..Adjustment::default()
            },
            against: &against,
            resources: options.resources.clone(),
            progress,
        })
    })?;
    Ok(Release::of(made))
}

/// A balance: its report as JSON, and its plots by name.
#[pyfunction]
pub(crate) fn balance(
    py: Python<'_>,
    data: TableInput,
    policy: PolicyText,
    sweeps: Vec<String>,
    options: &Options,
) -> PyResult<(String, BTreeMap<&'static str, String>)> {
    let policy = read(py, &policy)?;
    let sweep = |name: &String| match name.as_str() {
        "alpha" => Ok(Sweep::Alpha),
        "ratio" => Ok(Sweep::Ratio),
        "points" => Ok(Sweep::Points),
        _ => Err(raised(py, &Error::input("there is no such sweep").hint("sweeps: alpha, ratio, points"))),
    };
    let sweeps = sweeps.iter().map(sweep).collect::<PyResult<Vec<_>>>()?;
    let (report, plots) = job::run(py, options, |progress| {
        let solved = run::balance::balance(&BalanceRequest {
            data: data.data(),
            policy: &policy,
            memory: options.resources.memory,
            show_values: false,
            sweeps: &sweeps,
            progress: progress.as_ref(),
        })?;
        let plots = plots::plot(&solved).into_iter().collect();
        Ok((solved.report, plots))
    })?;
    Ok((json(&report)?, plots))
}

/// What became of a table.
#[derive(FromPyObject)]
pub(crate) enum TableOutcome<'py> {
    Release(Bound<'py, Release>),
    Table(TableInput),
}

impl TableOutcome<'_> {
    fn after(&self) -> AfterTable<'_> {
        match self {
            Self::Release(release) => AfterTable::Release(&release.get().made),
            Self::Table(TableInput::At(path)) => AfterTable::At(path),
            Self::Table(TableInput::Memory(table)) => AfterTable::Table(table),
        }
    }
}

/// A comparison, as JSON.
#[allow(clippy::too_many_arguments)] // they are those of the Python function
#[pyfunction]
#[pyo3(signature = (original, release, policy, target, same_order, parameters, options))]
pub(crate) fn compare(
    py: Python<'_>,
    original: TableInput,
    release: TableOutcome<'_>,
    policy: Option<PolicyText>,
    target: Option<String>,
    same_order: bool,
    parameters: BTreeMap<String, i64>,
    options: &Options,
) -> PyResult<String> {
    let policy = policy.map(|policy| read(py, &policy)).transpose()?;
    let release = release.after();
    let parameters: Parameters = parameters.into_iter().map(|(name, value)| (name, Value::Integer(value))).collect();
    let found = job::run(py, options, |progress| {
        let reading = policy.as_ref().map(|policy| policy.data.clone()).unwrap_or_default();
        run::compare::compare(&CompareRequest {
            original: original.data(),
            release,
            policy: policy.as_ref(),
            reading: &reading,
            same_order,
            target: target.as_deref(),
            parameters: parameters.clone(),
            show_values: false,
            resources: options.resources.clone(),
            progress: progress.as_ref(),
        })
    })?;
    json(&found)
}

/// What the attacks on a release find, as JSON.
#[pyfunction]
#[pyo3(signature = (release, original, control, policy, options))]
pub(crate) fn attack(
    py: Python<'_>,
    release: TableOutcome<'_>,
    original: TableInput,
    control: Option<TableInput>,
    policy: Option<PolicyText>,
    options: &Options,
) -> PyResult<String> {
    let policy = policy.map(|policy| read(py, &policy)).transpose()?;
    let release = release.after();
    let found = job::run(py, options, |progress| {
        run::attack::attack(&AttackRequest {
            release,
            original: original.data(),
            control: control.as_ref().map(TableInput::data),
            policy: policy.as_ref(),
            reading: &policy.as_ref().map(|policy| policy.data.clone()).unwrap_or_default(),
            resources: options.resources.clone(),
            progress: progress.as_ref(),
        })
    })?;
    json(&found)
}

/// What an audit may look at besides the folder.
#[derive(FromPyObject)]
pub(crate) struct Evidence {
    #[pyo3(item)]
    original: Option<PathBuf>,
    #[pyo3(item)]
    population: Option<PathBuf>,
    #[pyo3(item)]
    mask: Option<PathBuf>,
    #[pyo3(item)]
    key: Option<PathBuf>,
    #[pyo3(item)]
    policy: Option<PolicyText>,
    #[pyo3(item)]
    against: Vec<PathBuf>,
}

/// The verdict of an audit, as JSON, and whether all checks passed.
#[pyfunction]
pub(crate) fn audit(
    py: Python<'_>,
    public: PathBuf,
    evidence: Evidence,
    options: &Options,
) -> PyResult<(String, bool)> {
    let policy = evidence.policy.as_ref().map(|policy| read(py, policy)).transpose()?;
    let verdict = job::run(py, options, |progress| {
        let reading = match (&evidence.mask, &policy) {
            (Some(mask), _) => StoredMask::from_json(&equanym_engine::read::text_file::read(mask)?)?.data,
            (None, policy) => policy.as_ref().map(|policy| policy.data.clone()).unwrap_or_default(),
        };
        run::audit::audit(&AuditRequest {
            public: &public,
            original: evidence.original.as_deref(),
            population: evidence.population.as_deref(),
            reading: &reading,
            mask: evidence.mask.as_deref(),
            key: evidence.key.as_deref(),
            known: &policy.as_ref().map(known_by_policy).unwrap_or_default(),
            against: &evidence.against,
            progress: progress.as_ref(),
        })
    })?;
    Ok((json(&verdict)?, verdict.passed()))
}

/// A release in memory.
#[pyclass(frozen, module = "equanym._equanym")]
pub(crate) struct Release {
    made: ReleaseInMemory,
    /// The released records, once they were asked for.
    batches: Mutex<Option<Vec<RecordBatch>>>,
}

impl Release {
    fn of(made: ReleaseInMemory) -> Self {
        Self { made, batches: Mutex::new(None) }
    }

    fn batches(&self, py: Python<'_>) -> PyResult<Vec<RecordBatch>> {
        let read = py.detach(|| {
            let mut held = self.batches.lock().map_err(|_| Error::internal())?;
            if held.is_none() {
                *held = Some(self.made.batches()?);
            }
            Ok(held.clone().unwrap_or_default())
        });
        read.map_err(|error: Error| raised(py, &error))
    }
}

#[pymethods]
impl Release {
    /// The released records, as the Arrow `PyCapsule` interface asks for them; the caller's wish for a schema is not heard.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        capsule(py, &self.batches(py)?)
    }

    /// What was found, as JSON.
    fn report(&self) -> PyResult<String> {
        json(&self.made.released)
    }

    /// The released columns and their Arrow types.
    fn types(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let batches = self.batches(py)?;
        let fields = batches.first().map(RecordBatch::schema);
        let fields = fields.iter().flat_map(|schema| schema.fields().iter());
        Ok(fields.map(|field| (field.name().clone(), field.data_type().to_string())).collect())
    }

    /// The files to hand over, by name.
    fn public(&self) -> BTreeMap<String, Vec<u8>> {
        self.made.public().into_iter().map(|(name, bytes)| (name, bytes.to_vec())).collect()
    }

    /// The files for the owner's eyes, by name.
    fn private(&self) -> BTreeMap<String, Vec<u8>> {
        self.made.private().into_iter().map(|(name, bytes)| (name, bytes.to_vec())).collect()
    }

    /// Writes the folder that the program writes.
    fn save(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        py.detach(|| self.made.save(Path::new(&folder))).map_err(|error| raised(py, &error))
    }
}
