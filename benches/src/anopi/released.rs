//! The examples released with the choice of the paper: no privacy model, and therefore no guarantee.

use std::path::Path;
use std::sync::Arc;

use equanym_engine::machine::Resources;
use equanym_engine::policy::Policy;
use equanym_engine::progress::Silent;
use equanym_engine::read::Reading;
use equanym_engine::run::audit::{AuditRequest, audit};
use equanym_engine::run::release::{ReleaseRequest, release};

use super::checks::Check;
use crate::failure::Result;
use crate::folder::Folder;

/// A release, as far as the page tells of it.
pub struct PageRelease {
    /// The policy.
    pub policy: String,
    /// The coding of each variable, counted from 1.
    pub codings: Vec<u8>,
    /// Records released and withheld.
    pub records: (u64, u64),
    /// The smallest class.
    pub smallest: u64,
    /// What the manifest says of guarantees.
    pub guarantee: Option<String>,
    /// How many checks the audit made, and whether all passed.
    pub checks: usize,
    pub passed: bool,
    /// What the audit says of the claims.
    pub claimed: String,
}

impl PageRelease {
    /// What must hold of it.
    pub fn checks(&self) -> Vec<Check> {
        let what = |words: &str| format!("Release by `{}`: {words}", self.policy);
        let expected = if self.codings.len() == 1 { "4" } else { "4 and 2" };
        let codings: Vec<String> = self.codings.iter().map(ToString::to_string).collect();
        vec![
            Check::derived(&what("codings"), expected, codings.join(" and ")),
            Check::derived(&what("guarantee"), "none", self.guarantee.clone().unwrap_or_default()),
            Check::derived(&what("audit"), "passed", if self.passed { "passed" } else { "failed" }.to_owned()),
        ]
    }
}

/// Releases the example by one of its policies, and audits it.
pub fn release_example(folder: &Path, name: &str) -> Result<PageRelease> {
    let policy = Policy::load(&folder.join(name))?;
    let place = Folder::new(&format!("anopi-{}", name.trim_end_matches(".toml")))?;
    let out = place.0.join("release");
    let data = folder.join("people.csv");
    let released = release(&ReleaseRequest {
        data: &data,
        policy: &policy,
        out: &out,
        folder: None,
        against: &[],
        cluster: None,
        resources: Resources::default(),
        show_values: false,
        progress: Arc::new(Silent),
    })?;
    let public = out.join("public");
    let verdict = audit(&AuditRequest {
        public: &public,
        original: Some(&data),
        reading: &Reading::default(),
        mask: Some(&out.join("private/mask.json")),
        key: None,
        known: &[],
        population: None,
        against: &[],
        progress: &Silent,
    })?;
    Ok(PageRelease {
        policy: name.to_owned(),
        codings: released.report.node.0.iter().map(|(_, level)| level + 1).collect(),
        records: (released.report.released, released.report.suppressed),
        smallest: released.report.classes.min,
        guarantee: released.manifest.guarantee.clone(),
        checks: verdict.checks.len(),
        passed: verdict.passed(),
        claimed: verdict.claimed,
    })
}
