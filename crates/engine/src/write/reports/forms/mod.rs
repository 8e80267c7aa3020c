//! Forms: the report on an anonymisation as certain readers expect it, filled from the run.
//!
//! A form follows the structure that its readers published, in our own words, and cites them. What the run knows is filled
//! in. What a person must judge is left open and marked: a program that filled it in would sign for somebody. A form is written
//! twice, in Markdown to go on writing and as a page to print, and stays with the owner: it tells of the original.
//!
//! Limit: a form is no legal advice and no approval, and says so.

mod document;
mod ema_0070;
mod facts;
mod hipaa_expert;
mod markdown;
mod page;
mod wp216;

use equanym_core::card::Card;

use super::ForOwner;
use super::findings::OwnerFindings;
use crate::error::{Error, Result};
use crate::policy::nearest::nearest;
use document::FormPart;

/// A form.
pub struct ReportForm {
    /// How it introduces itself.
    pub card: Card,
    /// The title of the report.
    title: &'static str,
    /// What it holds.
    parts: fn(&OwnerFindings<'_>) -> Vec<FormPart>,
}

impl std::fmt::Debug for ReportForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.card.name)
    }
}

/// Every form.
pub const ALL: &[&ReportForm] = &[&ema_0070::FORM, &hipaa_expert::FORM, &wp216::FORM];

/// The form of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static ReportForm> {
    ALL.iter().copied().find(|form| form.card.name == name)
}

/// The forms of these names, each once; a name that nobody has is an error.
pub fn chosen(names: &[String]) -> Result<Vec<&'static ReportForm>> {
    for name in names {
        if find(name).is_none() {
            let known = || ALL.iter().map(|form| form.card.name);
            let hint = match nearest(name, known()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("forms: {}", known().collect::<Vec<_>>().join(", ")),
            };
            return Err(Error::input(format!("there is no form `{}`", name.escape_debug())).hint(hint));
        }
    }
    Ok(ALL.iter().copied().filter(|form| names.iter().any(|name| form.card.name == name)).collect())
}

impl ReportForm {
    /// The form filled in, in Markdown and as a page, each with its file name.
    #[must_use]
    pub fn write(&self, owner: &ForOwner<'_>) -> Vec<(String, String)> {
        self.filled(&OwnerFindings::new(owner.manifest, owner.report, owner.stored, owner.audit))
    }

    /// The same from what is known, whoever knows it.
    #[must_use]
    pub fn filled(&self, findings: &OwnerFindings<'_>) -> Vec<(String, String)> {
        let parts = (self.parts)(findings);
        let lead = if findings.of_public { OF_PUBLIC } else { OF_RUN };
        vec![
            (format!("{}.md", self.card.name), markdown::written(self, lead, &parts)),
            (format!("{}.html", self.card.name), page::written(self, lead, &findings.release, &parts)),
        ]
    }
}

/// What a form says of itself.
const OF_RUN: &str = "Filled in by the program from one run; what is marked as open is for people to judge. This form is no legal \
                      advice and no approval. It tells of the original: it stays with the owner of the data until they decide \
                      otherwise.";
const OF_PUBLIC: &str = "Filled in by the program from the public part of a release; what is marked as open is for people to judge, or \
                         known to the owner of the data alone. This form is no legal advice and no approval.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_found_by_name_and_others_are_refused() {
        let names: Vec<String> = ALL.iter().map(|form| form.card.name.to_owned()).collect();
        assert_eq!(chosen(&names).unwrap().len(), ALL.len());
        assert_eq!(chosen(&["wp216".into(), "wp216".into()]).unwrap().len(), 1);
        let error = chosen(&["ema-70\u{1b}".into()]).unwrap_err().to_string();
        assert!(error.contains("there is no form") && !error.contains('\u{1b}'), "{error}");
        assert!(ALL.iter().all(|form| !form.card.source.is_empty()));
    }
}
