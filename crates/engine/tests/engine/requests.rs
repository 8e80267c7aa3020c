//! What runs are asked, with nothing special in it. A suite names what it varies and takes the rest from here, so that a
//! request with another field is one edit.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use equanym_core::card::Parameters;
use equanym_engine::machine::Resources;
use equanym_engine::mask::StoredMask;
use equanym_engine::policy::{FrontierPolicy, Policy};
use equanym_engine::progress::{Progress, Silent};
use equanym_engine::read::{Data, Reading};
use equanym_engine::run::alternatives::AlternativesRequest;
use equanym_engine::run::apply::{Adjustment, ApplyRequest};
use equanym_engine::run::audit::AuditRequest;
use equanym_engine::run::balance::BalanceRequest;
use equanym_engine::run::compare::{AfterTable, CompareRequest};
use equanym_engine::run::draft::DraftRequest;
use equanym_engine::run::frontier::FrontierRequest;
use equanym_engine::run::in_memory::{ApplyBatchesRequest, BatchesRequest};
use equanym_engine::run::release::ReleaseRequest;
use equanym_engine::run::sql::SqlRequest;
use equanym_engine::sql::{StatementForm, Target, dialect};

static RESOURCES: LazyLock<Resources> = LazyLock::new(|| threads(2));
static SILENT: LazyLock<Arc<dyn Progress>> = LazyLock::new(silent);
static USUAL: LazyLock<Reading> = LazyLock::new(Reading::default);

/// So many threads, and the usual memory.
pub fn threads(threads: usize) -> Resources {
    Resources { threads, ..Resources::default() }
}

fn silent() -> Arc<dyn Progress> {
    Arc::new(Silent)
}

pub fn release<'a>(data: &'a Path, policy: &'a Policy, out: &'a Path) -> ReleaseRequest<'a> {
    ReleaseRequest {
        data,
        policy,
        out,
        folder: None,
        against: &[],
        cluster: None,
        resources: threads(2),
        show_values: false,
        progress: silent(),
    }
}

pub fn release_in_memory<'a>(data: impl Into<Data<'a>>, policy: &'a Policy) -> BatchesRequest<'a> {
    BatchesRequest {
        data: data.into(),
        policy,
        against: &[],
        resources: threads(2),
        show_values: false,
        progress: silent(),
    }
}

pub fn apply<'a>(data: &'a Path, stored: StoredMask, out: &'a Path) -> ApplyRequest<'a> {
    ApplyRequest {
        data,
        stored,
        adjustment: Adjustment::default(),
        out,
        folder: None,
        against: &[],
        cluster: None,
        resources: threads(2),
        progress: silent(),
    }
}

pub fn apply_in_memory<'a>(data: impl Into<Data<'a>>, stored: StoredMask) -> ApplyBatchesRequest<'a> {
    ApplyBatchesRequest {
        data: data.into(),
        stored,
        adjustment: Adjustment::default(),
        against: &[],
        resources: threads(2),
        progress: silent(),
    }
}

pub fn alternatives<'a>(data: impl Into<Data<'a>>, policy: &'a Policy, count: usize) -> AlternativesRequest<'a> {
    AlternativesRequest {
        data: data.into(),
        policy,
        count,
        resources: &RESOURCES,
        show_values: false,
        progress: &SILENT,
    }
}

/// The map of a policy's text, whose hierarchy files lie in a folder.
pub fn frontier<'a>(
    data: impl Into<Data<'a>>,
    text: &'a str,
    folder: &'a Path,
    files: &'a dyn Fn(&str) -> equanym_engine::error::Result<String>,
) -> FrontierRequest<'a> {
    FrontierRequest {
        data: data.into(),
        text,
        folder,
        files,
        reading: &|reading| Ok(reading.clone()),
        sweeps: FrontierPolicy::default(),
        seed: None,
        key: None,
        resume: None,
        resources: threads(2),
        show_values: false,
        progress: silent(),
    }
}

/// As SQL of a dialect; the table is called `data`.
pub fn sql<'a>(data: &'a Path, policy: &'a Policy, name: &str) -> SqlRequest<'a> {
    let dialect = dialect::find(name).unwrap_or_else(|| panic!("there is no dialect {name}"));
    let target = Target { table: "data".to_owned(), name: "data_release".to_owned(), form: StatementForm::Table };
    SqlRequest { data, policy, dialect, target, resources: threads(2), progress: silent() }
}

pub fn balance<'a>(data: impl Into<Data<'a>>, policy: &'a Policy) -> BalanceRequest<'a> {
    BalanceRequest {
        data: data.into(),
        policy,
        memory: RESOURCES.memory,
        show_values: false,
        sweeps: &[],
        progress: &Silent,
    }
}

/// A folder `public`, by itself.
pub fn audit(public: &Path) -> AuditRequest<'_> {
    AuditRequest {
        public,
        original: None,
        reading: &USUAL,
        mask: None,
        key: None,
        known: &[],
        population: None,
        against: &[],
        progress: &Silent,
    }
}

pub fn compare<'a>(original: impl Into<Data<'a>>, release: impl Into<AfterTable<'a>>) -> CompareRequest<'a> {
    CompareRequest {
        original: original.into(),
        release: release.into(),
        policy: None,
        reading: &USUAL,
        same_order: false,
        target: None,
        parameters: Parameters::new(),
        show_values: false,
        resources: threads(2),
        progress: &Silent,
    }
}

pub fn draft<'a>(data: impl Into<Data<'a>>, folder: &'a Path) -> DraftRequest<'a> {
    DraftRequest { data: data.into(), reading: &USUAL, folder, resources: &RESOURCES, progress: &SILENT }
}
