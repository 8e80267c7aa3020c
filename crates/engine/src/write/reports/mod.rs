//! The reports that come with a release: one to hand over, one for the owner's eyes.
//!
//! Each is written twice, as `report.json` for programs and as `report.html` for people: a single page without scripts
//! and without anything to fetch. A page is drawn from the same findings as its JSON and sees nothing else, and the
//! findings that are handed over are picked one by one. So what a later version finds out about the original does not
//! slip into a public report.
//!
//! The public report holds no cell values, no labels, no risk of the original, no warnings and no name of a column that
//! is not released. Both are pure functions of their input: no time, no place, no duration. The same release always
//! comes with the same bytes.

mod columns;
mod drawing;
mod figure;
mod findings;
mod html;
mod in_words;
mod measures;
mod new_values;
mod owner;
mod page;
mod recipient;

use equanym_core::mask::Mask;
use equanym_core::report::Report;

pub use findings::{
    Changed, Chosen, Findings, Guaranteed, Labels, LossChosen, NewValueFindings, OwnerFindings, Recoded, ReleasedColumn,
};

use crate::error::Result;
use crate::write::mask_file::json;

/// The name of the report for programs.
const JSON: &str = "report.json";

/// The name of the report for people.
const HTML: &str = "report.html";

/// The reports that are safe to hand over, each with its file name.
pub fn public(report: &Report, mask: &Mask) -> Result<Vec<(&'static str, String)>> {
    let findings = Findings::new(report, mask);
    Ok(vec![(JSON, json(&findings)?), (HTML, recipient::page(&findings))])
}

/// The reports for the owner of the data, each with its file name.
pub fn private(report: &Report, mask: &Mask) -> Result<Vec<(&'static str, String)>> {
    let findings = OwnerFindings::new(report, mask);
    Ok(vec![(JSON, json(&findings)?), (HTML, owner::page(&findings))])
}
