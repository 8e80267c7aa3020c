//! Where a release comes from, what it is for, and who answers for it.
//!
//! The words are the owner's, from the policy. There is no clock in a run: a day that was not given is a line to fill in, as
//! is everything else that nobody said.

use maud::{Markup, html};

use super::findings::{OwnerFindings, ReleaseFindings};
use super::page;
use crate::write::pen::markup::paragraph;

/// What is known to anybody; nothing where the owner said nothing.
pub(super) fn for_anybody(findings: &ReleaseFindings<'_>) -> Markup {
    if findings.about.is_empty() {
        return Markup::default();
    }
    let about = findings.about;
    let lines = [
        ("Title", &about.title),
        ("Purpose", &about.purpose),
        ("Recipient", &about.recipient),
        ("Date", &about.date),
        ("Version of the policy", &about.version),
    ];
    let said = lines.into_iter().filter_map(|(term, words)| Some((term, words.as_deref()?)));
    page::section("What it is for", &facts(said.map(|(term, words)| (term, Some(words)))))
}

/// All that is known, what is to be filled in, and lines to sign.
pub(super) fn for_owner(findings: &OwnerFindings<'_>) -> Markup {
    let ReleaseFindings { about, program, .. } = findings.release;
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
    let inside = html! {
        (facts(lines.into_iter().chain(hash)))
        (paragraph("What is left open here is said in `[release]` of the policy, or by hand."))
        h3 class="sign" { "Signatures" }
        (signatures())
    };
    page::section("Provenance", &inside)
}

/// Terms with what is known of them, or a line to fill in.
pub(super) fn facts<'a>(facts: impl Iterator<Item = (&'static str, Option<&'a str>)>) -> Markup {
    html! {
        dl class="facts" {
            @for (term, words) in facts {
                dt { (term) }
                @match words {
                    Some(words) => dd { bdi { (words) } },
                    None => dd class="open" { "to be filled in" },
                }
            }
        }
    }
}

/// Who signs, and as what.
const SIGNERS: [&str; 3] = ["Prepared by", "Checked by", "Released by"];

/// Lines to sign.
pub(super) fn signatures() -> Markup {
    html! {
        dl class="signatures" { @for signer in SIGNERS { div { dt { (signer) } dd { "Name, date, signature" } } } }
    }
}
