//! How the levels were chosen, and what the privacy models mean.

use equanym_core::card::Parameters;
use equanym_core::report::{CheckBasis, LossFindings, NodeChoice};
use equanym_core::{loss, privacy, search};
use serde::Serialize;

use crate::write::manifest::{ChoiceClaim, LossClaim, PrivacyClaim};
use crate::write::reports::in_words;

/// How the levels were chosen.
#[derive(Debug, Clone, Serialize)]
pub struct ChoiceFindings<'a> {
    /// The search.
    pub search: &'a str,
    /// Whether none that is safe is better.
    pub optimal: bool,
    /// Whether the search was after the balance of utility and privacy, and the loss is measured only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_preferences: bool,
    /// What was made as small as possible.
    pub loss: ChosenLoss<'a>,
    /// How the search went, for the owner.
    #[serde(flatten)]
    pub course: Option<Course>,
}

/// How a search went: computed from the table.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Course {
    /// How many combinations of levels there were.
    pub lattice: u128,
    /// How many of them had their classes counted.
    pub evaluated: u64,
    /// How much of the loss might be avoidable, as a share: 0 where it is optimal, and none where a balance is not.
    pub gap: Option<f64>,
}

/// What was made as small as possible.
#[derive(Debug, Clone, Serialize)]
pub struct ChosenLoss<'a> {
    /// The loss.
    pub name: &'a str,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: &'a Parameters,
    /// What it measures, in one line.
    pub summary: &'static str,
    /// How much was lost, for the owner.
    #[serde(flatten)]
    pub amount: Option<LossAmount>,
}

/// How much was lost: computed from the table.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct LossAmount {
    /// Its value.
    pub value: f64,
    /// Its share of what the fully generalised table loses.
    pub share: f64,
}

/// A privacy model, and what it means.
#[derive(Debug, Clone, Serialize)]
pub struct GuaranteeWords<'a> {
    /// The model.
    pub model: &'a str,
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: &'a Parameters,
    /// Whether it was found to hold.
    pub holds: bool,
    /// What it counts, where that is not records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'a str>,
    /// What shows it to whoever checks.
    pub checked: CheckBasis,
    /// What it says, with the numbers filled in.
    pub summary: String,
    /// What it protects against, and what not.
    pub about: &'static str,
}

impl<'a> ChoiceFindings<'a> {
    pub(super) fn new(claim: &'a ChoiceClaim) -> Self {
        let ChoiceClaim { search, optimal, by_preferences, loss } = claim;
        Self { search, optimal: *optimal, by_preferences: *by_preferences, loss: ChosenLoss::new(loss), course: None }
    }

    /// Adds what was measured on the table.
    pub(super) fn measured(&mut self, choice: &NodeChoice) {
        let NodeChoice { lattice, evaluated, gap, loss: LossFindings { value, share, .. }, .. } = choice;
        self.course = Some(Course { lattice: *lattice, evaluated: *evaluated, gap: *gap });
        self.loss.amount = Some(LossAmount { value: *value, share: *share });
    }

    /// What the search does, in one line.
    pub(in crate::write::reports) fn search_summary(&self) -> &'static str {
        search::find(self.search).map_or("", |member| member.card.summary)
    }
}

impl<'a> ChosenLoss<'a> {
    fn new(claim: &'a LossClaim) -> Self {
        let LossClaim { name, parameters } = claim;
        Self { name, parameters, summary: loss::find(name).map_or("", |member| member.card.summary), amount: None }
    }

    /// When to use it, and its limits.
    pub(in crate::write::reports) fn about(&self) -> &'static str {
        loss::find(self.name).map_or("", |member| member.card.about)
    }
}

impl<'a> GuaranteeWords<'a> {
    /// A claim of a manifest: a release that breaks it is never put in place, and fails the audit.
    pub(super) fn new(claim: &'a PrivacyClaim) -> Self {
        let PrivacyClaim { model, unit, checked, parameters } = claim;
        let card = privacy::find(model).map(|member| &member.card);
        let summary = card.map_or_else(String::new, |card| in_words::with_numbers(card.summary, parameters));
        // Cards speak of people; without a person to tell them apart they are records.
        let summary = if unit.is_some() { summary } else { summary.replace("people", "records") };
        let (unit, about, holds) =
            (unit.as_deref(), card.map_or("", |card| card.about), !privacy::is_void(model, parameters));
        Self { model, parameters, holds, unit, checked: *checked, summary, about }
    }
}
