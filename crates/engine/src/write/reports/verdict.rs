//! What the audit found before the release appeared.
//!
//! The owner's report is written after the audit has read the public files back, and before the folder is put in place. So a
//! report that shows a verdict belongs to the bytes beside it; a release that fails has no report.

use equanym_audit::Verdict;

use maud::{Markup, html};

use super::{figure, in_words, page};
use crate::write::pen::markup::{paragraph, short};

/// The verdict and its checks.
pub(super) fn section(verdict: &Verdict) -> Markup {
    let passed = verdict.checks.iter().filter(|check| check.passed).count() as u64;
    let checks = figure::counted(verdict.checks.len() as u64, "check", "checks");
    let (class, word) = if verdict.passed() { ("holds", "passed") } else { ("fails", "failed") };
    let rows = verdict.checks.iter().map(|check| {
        let word = if check.passed { "passed" } else { "failed" };
        let sentences = [&check.claim, &check.found].map(|words| in_words::sentence(words));
        page::row(check.name, [word, &*short(&sentences[0]), &*short(&sentences[1])])
    });
    html! {
        p class="claim" { (figure::count(passed)) " of " (checks) " " span class=(class) { (word) } }
        p class="long" { (in_words::sentence(&verdict.claimed)) }
        @for open in verdict.unchecked() {
            (paragraph(&format!("Not shown by the released files alone: `{}`. It was proved on the table.", open.model)))
        }
        (paragraph(
            "The audit read the public files back before the folder appeared, with code of its own. Run it again at any time: \
             `equanym audit DIR/public`, with `--original` for what only the table shows.",
        ))
        details {
            summary { "The checks, one by one" }
            (page::table("checks", "", &["Check", "Verdict", "Claimed", "Found"], rows))
        }
    }
}
