//! Where a release comes from, what it is for, and who answers for it.
//!
//! The words are the owner's, from the policy. There is no clock in a run: a day that was not given is a line to fill in, as
//! is everything else that nobody said.

use super::findings::{Findings, OwnerFindings};
use super::page;
use crate::write::pen::markup::Html;

/// What is known to anybody; nothing where the owner said nothing.
pub(super) fn for_anybody(html: &mut Html, findings: &Findings<'_>) {
    if findings.about.is_empty() {
        return;
    }
    page::section(html, "What it is for", |html| {
        let about = findings.about;
        let lines = [
            ("Title", &about.title),
            ("Purpose", &about.purpose),
            ("Recipient", &about.recipient),
            ("Date", &about.date),
            ("Version of the policy", &about.version),
        ];
        let said = lines.into_iter().filter_map(|(term, words)| Some((term, words.as_deref()?)));
        facts(html, said.map(|(term, words)| (term, Some(words))));
    });
}

/// All that is known, what is to be filled in, and lines to sign.
pub(super) fn for_owner(html: &mut Html, findings: &OwnerFindings<'_>) {
    let Findings { about, program, .. } = findings.release;
    page::section(html, "Provenance", |html| {
        let lines = [
            ("Title", about.title.as_deref()),
            ("Table", findings.table),
            ("Purpose", about.purpose.as_deref()),
            ("Recipient", about.recipient.as_deref()),
            ("Date", about.date.as_deref()),
            ("Version of the policy", about.version.as_deref()),
            ("Program", Some(program)),
        ];
        let hash = findings.policy_sha256.as_deref().map(|hash| ("Policy, SHA-256", Some(hash)));
        facts(html, lines.into_iter().chain(hash));
        html.paragraph("What is left open here is said in `[release]` of the policy, or by hand.");
        html.leaf("h3", &[("class", "sign")], "Signatures");
        signatures(html);
    });
}

/// Terms with what is known of them, or a line to fill in.
pub(super) fn facts<'a>(html: &mut Html, facts: impl Iterator<Item = (&'static str, Option<&'a str>)>) {
    html.element("dl", &[("class", "facts")], |html| {
        for (term, words) in facts {
            html.leaf("dt", &[], term);
            match words {
                Some(words) => html.element("dd", &[], |html| html.leaf("bdi", &[], words)),
                None => html.leaf("dd", &[("class", "open")], "to be filled in"),
            }
        }
    });
}

/// Who signs, and as what.
const SIGNERS: [&str; 3] = ["Prepared by", "Checked by", "Released by"];

/// Lines to sign.
pub(super) fn signatures(html: &mut Html) {
    html.element("dl", &[("class", "signatures")], |html| {
        for signer in SIGNERS {
            html.element("div", &[], |html| {
                html.leaf("dt", &[], signer);
                html.leaf("dd", &[], "Name, date, signature");
            });
        }
    });
}
