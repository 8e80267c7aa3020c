//! The anonymisation report that goes with clinical data under Policy 0070 of the European Medicines Agency.
//!
//! Its readers look for the methodology, the variables, the risk with its threshold, and what is left of the data's utility.
//! Health Canada's public release of clinical information expects the same.

use equanym_core::card::{Card, Promise};

use super::document::{FormPart, text};
use super::{ReportForm, facts};
use crate::write::reports::findings::OwnerFindings;

pub(super) const FORM: ReportForm = ReportForm {
    card: Card {
        name: "ema-0070",
        summary: "anonymisation report on clinical data: methodology, variables, risk and threshold, utility",
        about: "For releases under Policy 0070 of the European Medicines Agency, and for Health Canada's public release of \
                clinical information. Filled in: columns and what became of them, models, risk before and after, the threshold \
                of 0.09, detail kept. Open: who might attack and how likely that is, whether the quasi-identifiers are all of \
                them, which threshold applies, whether the conclusions of the study still follow.",
        promises: &[Promise::InWords("what a person must judge is left open and marked")],
        parameters: &[],
        source: "European Medicines Agency, External guidance on the implementation of the policy on the publication of \
                 clinical data, EMA/90915/2016, on the anonymisation report",
    },
    title: "Anonymisation report, Policy 0070",
    parts,
};

fn parts(findings: &OwnerFindings<'_>) -> Vec<FormPart> {
    let mut parts = vec![
        FormPart::Heading("1 The release"),
        facts::provenance(findings),
        facts::records(findings),
        FormPart::Open(
            "Which study, product and procedure is this, and which documents or data sets does this report cover?",
        ),
        FormPart::Heading("2 Anonymisation methodology"),
        text(
            "The approach is quantitative: the risk of recognition is measured on the released records and kept below a \
             threshold by recoding and by withholding records.",
        ),
    ];
    parts.extend(facts::method(findings));
    parts.extend([
        facts::models(findings),
        FormPart::Open("Why is this method fit for these data and this reader, rather than another?"),
        FormPart::Heading("3 Identification of data variables"),
        facts::columns(findings),
        FormPart::Open(
            "Who decided which columns identify directly, which do so together with others, and which do not? What would a \
             reader of the study know, by observation, from registries or from the press?",
        ),
        facts::checklist(findings),
        FormPart::Heading("4 Risk of re-identification"),
        text(
            "The release is treated as public: the intruder is taken to know that a person is among the participants, and to \
             know all quasi-identifiers of that person. No control of access lowers the risk that is reported here.",
        ),
        facts::risk(findings),
    ]);
    parts.extend(facts::risk_picture(findings));
    parts.extend([
        facts::thresholds(findings),
        FormPart::Open(
            "Which threshold applies, and why? For publication the guidance proposes 0.09. If the highest risk exceeds it, what \
             justifies the release?",
        ),
        FormPart::Open(
            "Which attacks are plausible: on purpose, by somebody who knows a participant, or to demonstrate that it can be done? \
             How rare is the disease, how many participants and sites are there?",
        ),
        FormPart::Heading("5 Data utility"),
    ]);
    parts.extend(facts::utility(findings));
    parts.extend(facts::groups(findings));
    parts.extend([
        FormPart::Open(
            "Do the analyses and conclusions of the study still follow from the released data? What can a reader no longer \
             answer, and could another way have kept it?",
        ),
        FormPart::Heading("6 Verification and conclusion"),
        facts::audit(findings),
        FormPart::Open("Conclusion: is the remaining risk acceptable for publication?"),
        FormPart::Signatures,
    ]);
    parts
}
