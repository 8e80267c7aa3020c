//! The reports that come with a release: one to hand over, one for the owner's eyes.
//!
//! Each is written twice, as `report.json` for programs and as `report.html` for people: a single page without scripts
//! and without anything to fetch. A page is made from the same findings as its JSON and sees nothing else.
//!
//! The public reports are a function of the manifest and of what can be counted in the release. So what a version finds out
//! about the original cannot slip into them, and the audit writes them again and compares every byte. They hold no cell values, no
//! labels, no risk of the original, no loss, no checklist, and no name of a column that is not released. All are pure functions of their input: no time, no place, no duration. The same release always
//! comes with the same bytes.

mod columns;
mod findings;
pub mod forms;
mod frequencies;
mod gallery;
mod in_words;
pub(crate) mod map;
mod measures;
mod new_values;
mod owner;
mod page;
pub mod pictures;
mod provenance;
mod recipient;
mod small;
mod surroundings;
mod verdict;

use equanym_audit::{ReleaseCounts, Verdict};
use equanym_core::report::{ClassFindings, LabelCounts, PublicCounts, Report};
use equanym_core::risk;

pub use findings::{
    ChoiceFindings, ChosenLoss, ColumnRecoding, Course, Detail, GuaranteeWords, KeptShare, LabelSpread, Labels,
    LadderWords, LossAmount, NewValueFindings, OtherChange, OwnerFindings, ReleaseFindings, ReleasedColumn, RungWords,
};

pub use small::{ShownClasses, ShownRisk, Small};

use crate::error::Result;
use crate::mask::StoredMask;
use crate::words::{figure, json};
use crate::write::manifest::Manifest;

/// The name of the report for programs.
const JSON: &str = "report.json";

/// The name of the report for people.
const HTML: &str = "report.html";

/// The reports that are safe to hand over, each with its file name: a function of what is handed over.
pub fn public(manifest: &Manifest, found: ClassFindings, told: &PublicCounts) -> Result<Vec<(&'static str, String)>> {
    let findings = ReleaseFindings::new(manifest, found, told, Small::promised(manifest));
    Ok(vec![(JSON, json(&findings)?), (HTML, recipient::page(&findings))])
}

/// The public reports of a release anew, from the bytes of its manifest and what the audit counted. There are none where
/// the manifest is of another version or names something that this version does not know.
#[must_use]
pub fn rebuilt(manifest: &[u8], counted: &ReleaseCounts) -> Option<Vec<(&'static str, String)>> {
    let manifest: Manifest = serde_json::from_slice(manifest).ok()?;
    manifest.is_of_this_version().then_some(())?;
    let labels = counted.label_counts.iter();
    let told = PublicCounts {
        sizes: risk::sizes(&counted.class_sizes),
        labels: labels.map(|(column, counts)| LabelCounts::new(column, counts.iter().copied())).collect(),
    };
    public(&manifest, ClassFindings::from_sizes(&counted.class_sizes), &told).ok()
}

/// What the owner's files are written from, once the release is audited.
#[derive(Clone, Copy)]
pub struct ForOwner<'a> {
    /// What is claimed.
    pub manifest: &'a Manifest,
    /// What was found.
    pub report: &'a Report,
    /// The mask, with what was asked.
    pub stored: &'a StoredMask,
    /// What the audit found; none before it ran.
    pub audit: Option<&'a Verdict>,
}

/// The reports for the owner of the data, each with its file name.
pub fn private(owner: &ForOwner<'_>) -> Result<Vec<(&'static str, String)>> {
    let ForOwner { manifest, report, stored, audit } = *owner;
    let findings = OwnerFindings::new(manifest, report, stored, audit);
    Ok(vec![(JSON, json(&findings)?), (HTML, owner::page(&findings))])
}
