//! The three questions of the Article 29 Working Party: can a person be singled out, linked, or inferred about?
//!
//! Its opinion on anonymisation techniques judges a release by them. Each is answered as far as the models reach; an answer of
//! the program is never "no risk".

use equanym_core::card::{Card, Promise};

use super::document::{FormPart, text};
use super::{ReportForm, facts};
use crate::write::reports::figure;
use crate::write::reports::findings::OwnerFindings;

pub(super) const FORM: ReportForm = ReportForm {
    card: Card {
        name: "wp216",
        summary: "the three risks of an anonymisation: singling out, linkability, inference",
        about: "For data protection officers in Europe. Filled in for each of the three risks: what the release shows, and what \
                the models do and do not bound. Open: what others hold that could be linked, whether inference about a group \
                harms its members, whether the remaining risks are acceptable, and when they are looked at again.",
        promises: &[Promise::InWords("what a person must judge is left open and marked")],
        parameters: &[],
        source: "Article 29 Data Protection Working Party, Opinion 05/2014 on Anonymisation Techniques, WP216",
    },
    title: "Assessment of the three risks",
    parts,
};

fn parts(findings: &OwnerFindings<'_>) -> Vec<FormPart> {
    let mut parts = vec![
        FormPart::Heading("1 The release and its context"),
        facts::provenance(findings),
        facts::records(findings),
        FormPart::Open(
            "What is the purpose, and could it be met with less? Who gets the release, who could get it later, and what means are \
             they reasonably likely to use?",
        ),
        facts::columns(findings),
    ];
    parts.extend(facts::method(findings));
    parts.extend([
        facts::models(findings),
        FormPart::Heading("2 Singling out"),
        text("Can the records of one person be isolated?"),
        singling_out(findings),
        facts::risk(findings),
    ]);
    parts.extend(facts::risk_picture(findings));
    parts.extend([
        FormPart::Open("Are all columns by which somebody could be isolated among the quasi-identifiers?"),
        FormPart::Heading("3 Linkability"),
        text("Can records of one person or group be linked, within the release or with other data?"),
        linkability(findings),
        FormPart::Open(
            "Which other data hold the same people and the same columns? Was an earlier release of them made, and was this one \
             compared with it (`--against`)?",
        ),
        FormPart::Heading("4 Inference"),
        text("Can the value of a column be deduced from others with significant probability?"),
        inference(findings),
        FormPart::Open(
            "What can be learnt about a group, and would that harm its members, whether they are in the table or not?",
        ),
        FormPart::Heading("5 What remains"),
        facts::thresholds(findings),
        facts::checklist(findings),
    ]);
    parts.extend(facts::groups(findings));
    parts.extend(facts::utility(findings));
    parts.extend([
        facts::audit(findings),
        FormPart::Open("Are the remaining risks acceptable in this context? By which controls are they kept so?"),
        FormPart::Open("When are they looked at again? An anonymised table is not released and forgotten."),
        FormPart::Signatures,
    ]);
    parts
}

fn singling_out(findings: &OwnerFindings<'_>) -> FormPart {
    let (unit, smallest) = (findings.release.unit(), findings.release.classes.min.unwrap_or(0));
    if findings.release.new_values.is_some() {
        return text(
            "Columns have new values, which no model covers: what somebody who knows the original finds again is in `report.html`.",
        );
    }
    if smallest < 2 {
        return text(
            "A combination of quasi-identifying labels may belong to one person: the release does not bound this risk.",
        );
    }
    text(format!(
        "By quasi-identifiers alone, no: the smallest class holds {} that look alike. Columns that are not quasi-identifiers are \
         released as collected, and rare values of them may still point to somebody.",
        format_args!("{} {unit}", figure::count(smallest))
    ))
}

fn linkability(findings: &OwnerFindings<'_>) -> FormPart {
    let has_tokens = findings.release.columns_of(equanym_core::variable::Role::Pseudonym).next().is_some();
    let tokens = if has_tokens {
        "Tokens link the records of a person within the release, on purpose. With other data"
    } else {
        "Ids are not released. With other data"
    };
    text(format!(
        "{tokens}, somebody who knows the quasi-identifiers of a person finds the class and not the record: a link is right with \
         the risk that is reported above. Records of one class can be linked as a group."
    ))
}

/// What guards sensitive columns.
fn inference(findings: &OwnerFindings<'_>) -> FormPart {
    let sensitive = findings.release.columns_of(equanym_core::variable::Role::Sensitive).count();
    let is_guarded = |one: &&super::super::findings::GuaranteeWords<'_>| one.parameters.contains_key("variable");
    let guarding = findings.release.privacy.iter().filter(is_guarded).map(|one| format!("`{}`", one.model));
    let guarding: Vec<String> = guarding.collect();
    let columns = figure::counted(sensitive as u64, "column is sensitive", "columns are sensitive");
    text(if guarding.is_empty() {
        format!(
            "{columns}, and no model bounds what a class tells about them: where all of a class share a value, it is known of each."
        )
    } else {
        format!(
            "{columns}. What a class tells about them is bounded by {}; a sensitive column that no model names is not guarded.",
            guarding.join(", ")
        )
    })
}
