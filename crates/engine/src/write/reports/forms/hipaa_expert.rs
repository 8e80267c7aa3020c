//! The documentation of an expert determination under the Privacy Rule of HIPAA.
//!
//! A person with the right knowledge determines that the risk is very small, and documents methods and results. The program
//! documents what it did; it is no such person, so the determination itself is open.

use equanym_core::card::{Card, Promise};

use super::document::{FormCell, FormPart, FormTable, text};
use super::{ReportForm, facts};
use crate::write::reports::findings::OwnerFindings;

pub(super) const FORM: ReportForm = ReportForm {
    card: Card {
        name: "hipaa-expert",
        summary: "documentation of an expert determination: methods, results, and what the expert answers for",
        about: "For health information in the United States that is de-identified by expert determination, not by the list of \
                Safe Harbor. Filled in: what the table holds, what was done, risk before and after. Open: who the expert is, who \
                the anticipated recipient is and what they could combine, how replicable, available and distinguishing each \
                feature is, for how long the determination holds, and that the risk is very small.",
        promises: &[Promise::InWords("what a person must judge is left open and marked")],
        parameters: &[],
        source: "45 CFR 164.514(b)(1); US Department of Health and Human Services, Guidance Regarding Methods for \
                 De-identification of Protected Health Information in Accordance with the HIPAA Privacy Rule, 2012",
    },
    title: "Expert determination: methods and results",
    parts,
};

fn parts(findings: &OwnerFindings<'_>) -> Vec<FormPart> {
    let mut parts = vec![
        FormPart::Heading("1 The expert"),
        FormPart::Open(
            "Who is the expert, and which knowledge of and experience with statistical and scientific methods for rendering \
             information not individually identifiable do they have?",
        ),
        FormPart::Heading("2 The information and its recipient"),
        facts::provenance(findings),
        facts::records(findings),
        FormPart::Open(
            "Who is the anticipated recipient, under which agreement and controls, and which other information is reasonably \
             available to them, alone or in combination?",
        ),
        FormPart::Heading("3 How identifiable the information was"),
        text(
            "Three questions are asked of each feature: does it stay the same for a person, is it found in sources that others \
             can reach, and how far does it tell people apart? The run answers the third one alone.",
        ),
        features(findings),
        facts::columns(findings),
        facts::checklist(findings),
        FormPart::Heading("4 Methods"),
    ];
    parts.extend(facts::method(findings));
    parts.extend([facts::models(findings), FormPart::Heading("5 Results"), facts::risk(findings)]);
    parts.extend(facts::risk_picture(findings));
    parts.push(facts::thresholds(findings));
    parts.extend(facts::utility(findings));
    parts.extend([
        facts::audit(findings),
        FormPart::Open(
            "The rule names no number for a very small risk. Which one does the expert take in this environment, and on what \
             precedent?",
        ),
        FormPart::Heading("6 Determination"),
        FormPart::Open(
            "The expert determines that the risk is very small that the information could be used, alone or in combination with \
             other reasonably available information, by an anticipated recipient to identify an individual who is a subject of it.",
        ),
        FormPart::Open("For how long does the determination hold, and what ends it earlier: new sources, new recipients, new data?"),
        FormPart::Signatures,
    ]);
    parts
}

/// The quasi-identifiers, with what the run does not know left open.
fn features(findings: &OwnerFindings<'_>) -> FormPart {
    let lost = |name: &str| findings.frequencies.iter().find(|one| one.column == name);
    let rows = findings.release.columns_of(equanym_core::variable::Role::QuasiIdentifying).map(|column| {
        let values = lost(column.name).map(|one| format!("{} values, now {} labels", one.values, one.labels));
        vec![
            FormCell::name(column.name),
            FormCell::Open,
            FormCell::Open,
            FormCell::words(values.unwrap_or_else(|| "not counted".to_owned())),
        ]
    });
    FormPart::Table(FormTable {
        caption: "Features that may be known elsewhere.",
        headings: vec!["Feature", "Replicable", "Available", "Distinguishes"],
        rows: rows.collect(),
    })
}
