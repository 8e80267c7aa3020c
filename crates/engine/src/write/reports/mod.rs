//! The reports that come with a release: one to hand over, one for the owner's eyes.
//!
//! Each is written twice, as `report.json` for programs and as `report.html` for people: a single page without scripts
//! and without anything to fetch. A page is drawn from the same findings as its JSON and sees nothing else.
//!
//! The public reports are a function of the manifest and of the released classes. So what a version finds out about the
//! original cannot slip into them, and the audit writes them again and compares every byte. They hold no cell values, no
//! labels, no risk of the original, no loss, no checklist, and no name of a column that is not released. All are pure functions of their input: no time, no place, no duration. The same release always
//! comes with the same bytes.

mod columns;
mod drawing;
mod figure;
mod findings;
mod frequencies;
mod html;
mod in_words;
mod measures;
mod new_values;
mod owner;
mod page;
mod recipient;
mod small;

use equanym_core::mask::Mask;
use equanym_core::report::{PopulationFound, Report};
use equanym_core::risk::{self, Classes, Risk};
use serde::Serialize;

pub use findings::{
    Changed, Chosen, Course, Detail, Findings, Guaranteed, Labels, LossAmount, LossChosen, NewValueFindings,
    OwnerFindings, Recoded, ReleasedColumn,
};

pub(crate) use in_words::rule as rule_in_words;
pub(crate) use small::few;
pub use small::{ShownClasses, ShownRisk, Small};

use crate::error::Result;
use crate::write::manifest::Manifest;
use crate::write::mask_file::json;

/// The name of the report for programs.
const JSON: &str = "report.json";

/// The name of the report for people.
const HTML: &str = "report.html";

/// The reports that are safe to hand over, each with its file name: a function of what is handed over.
pub fn public(manifest: &Manifest, classes: Classes, risk: Risk) -> Result<Vec<(&'static str, String)>> {
    let findings = Findings::of(manifest, classes, risk, Small::promised(manifest));
    Ok(vec![(JSON, json(&findings)?), (HTML, recipient::page(&findings))])
}

/// The public reports of a release anew, from the bytes of its manifest and the sizes of its classes. There are none where
/// the manifest is of another version or names something that this version does not know.
#[must_use]
pub fn rebuilt(manifest: &[u8], class_sizes: &[u64]) -> Option<Vec<(&'static str, String)>> {
    let manifest: Manifest = serde_json::from_slice(manifest).ok()?;
    manifest.is_of_this_version().then_some(())?;
    public(&manifest, risk::classes(class_sizes), risk::prosecutor(class_sizes)).ok()
}

/// The reports for the owner of the data, each with its file name.
pub fn private(manifest: &Manifest, report: &Report, mask: &Mask) -> Result<Vec<(&'static str, String)>> {
    let findings = OwnerFindings::new(manifest, report, mask);
    let (population, page) = (report.population.as_ref(), owner::page(&findings, report.population.as_ref()));
    Ok(vec![(JSON, json(&Whole { findings, population })?), (HTML, page)])
}

/// The owner's findings, and what they were compared with.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    findings: OwnerFindings<'a>,
    /// The population that a model looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    population: Option<&'a PopulationFound>,
}
