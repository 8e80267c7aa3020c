//! What the audit found before the release appeared.
//!
//! The owner's report is written after the audit has read the public files back, and before the folder is put in place. So a
//! report that shows a verdict belongs to the bytes beside it; a release that fails has no report.

use equanym_audit::Verdict;

use super::{figure, in_words, page};
use crate::write::pen::markup::{Html, short};

/// The verdict and its checks.
pub(super) fn section(html: &mut Html, verdict: &Verdict) {
    let passed = verdict.checks.iter().filter(|check| check.passed).count() as u64;
    let checks = verdict.checks.len() as u64;
    html.element("p", &[("class", "claim")], |html| {
        let (class, word) = if verdict.passed() { ("holds", "passed") } else { ("fails", "failed") };
        html.text(&format!("{} of {} ", figure::count(passed), figure::counted(checks, "check", "checks")));
        html.leaf("span", &[("class", class)], word);
    });
    html.element("p", &[("class", "long")], |html| html.text(&in_words::sentence(&verdict.claimed)));
    for open in verdict.unchecked() {
        html.paragraph(&format!(
            "Not shown by the released files alone: `{}`. It was proved on the table.",
            open.model
        ));
    }
    html.paragraph(
        "The audit read the public files back before the folder appeared, with code of its own. Run it again at any time: \
         `equanym audit DIR/public`, with `--original` for what only the table shows.",
    );
    html.element("details", &[], |html| {
        html.element("summary", &[], |html| html.text("The checks, one by one"));
        page::table(html, "checks", "", &["Check", "Verdict", "Claimed", "Found"], |html| {
            for check in &verdict.checks {
                html.element("tr", &[], |html| {
                    html.leaf("th", &[("scope", "row")], check.name);
                    html.leaf("td", &[], if check.passed { "passed" } else { "failed" });
                    html.leaf("td", &[], &short(&in_words::sentence(&check.claim)));
                    html.leaf("td", &[], &short(&in_words::sentence(&check.found)));
                });
            }
        });
    });
}
