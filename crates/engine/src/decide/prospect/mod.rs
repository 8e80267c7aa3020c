//! What a release under a policy would be, without making it.
//!
//! The answer is that of a `release` with the same policy, as far as its node, loss, suppression and risk go; nothing is
//! written, and what only a written release shows is not told.
//!
//! An answer to a higher suppression limit is often the answer to a lower one, too: where nothing else differs, every node that is
//! safe under the lower limit is safe under the higher one. So if the best of those withholds few enough, it is the best
//! of these, and no search is made. On the 24 points of adult that spares ten searches by discernibility, and none by the usual loss,
//! whose best nodes use their limits up.

mod detail;

use equanym_core::card::Promise;
use equanym_core::frequency::RollUp;
use equanym_core::loss::JudgedClasses;
use equanym_core::report::{LossFindings, NamedLevels, Report};
use equanym_core::risk::linkage::WorstLinkage;
use equanym_core::risk::{ClassTotals, Risk};
use equanym_core::search::{self, SearchAnswer};
use serde::Serialize;

use super::WrittenFacts;
use super::fit::{choice, describe, released};
use super::fitting::Fitting;
use super::search::{Answer, find, limited};
use crate::count::counted_table::Case;
use crate::error::{Error, Kind, Result};
use crate::policy::Policy;

/// What asking for a release gives.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A safe release.
    Safe(Box<Prospect>),
    /// There is none.
    Unsafe(Refusal),
}

/// What a release would be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prospect {
    /// The level of each recoded variable; empty where classes have labels of their own.
    pub node: NamedLevels,
    /// What it loses; absent where no search minimises a loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<LossFindings>,
    /// How much of its columns' values a label covers, withheld records counting as all: the mean over columns and records.
    /// Absent where columns get new values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail_lost: Option<f64>,
    /// Records released.
    pub released: u64,
    /// Records withheld.
    pub suppressed: u64,
    /// People of whom a record is withheld, where a person is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons_suppressed: Option<u64>,
    /// Its classes.
    pub classes: ClassTotals,
    /// Its risk.
    pub risk: Risk,
    /// The attack that finds the most records again, of those that were tried.
    pub linkage: WorstLinkage,
    /// Whether privacy models bound what all of its columns give away: not where columns get new values.
    pub guaranteed: bool,
}

/// Why there is no safe release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The reason.
    pub why_not: String,
    /// What would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What kind of error a release would be.
    #[serde(skip)]
    pub kind: Kind,
}

impl Refusal {
    /// What a release would say.
    #[must_use]
    pub fn as_error(&self) -> Error {
        Error { kind: self.kind, message: self.why_not.clone(), hint: self.hint.clone() }
    }
}

impl Outcome {
    /// A release, or that there is none under this policy; failures of the machine stay failures.
    pub(crate) fn from_release(release: Result<Prospect>) -> Result<Self> {
        match release {
            Ok(release) => Ok(Self::Safe(Box::new(release))),
            Err(Error { kind: kind @ (Kind::Unsafe | Kind::Input), message, hint }) => {
                Ok(Self::Unsafe(Refusal { why_not: message, hint, kind }))
            }
            Err(error) => Err(error),
        }
    }
}

impl Prospect {
    /// What a report says of a release that was made.
    pub(crate) fn of_report(report: &Report) -> Self {
        Self {
            node: report.node.clone(),
            loss: report.choice.as_ref().map(|choice| choice.loss.clone()),
            detail_lost: report.local.as_ref().map(|local| detail::of_classes(local, report)),
            released: report.released,
            suppressed: report.suppressed,
            persons_suppressed: report.persons_suppressed,
            classes: report.classes,
            risk: report.risk,
            linkage: worst(report),
            guaranteed: report.new_values.is_none(),
        }
    }
}

/// The worst of the attacks on classes and on new values. The mean risk is that of either.
fn worst(report: &Report) -> WorstLinkage {
    let by_class = WorstLinkage::by_class(report.risk.prosecutor_mean);
    let on_new_values = report.new_values.as_ref().map(|found| found.linkage.worst());
    on_new_values.filter(|one| one.share >= by_class.share).unwrap_or(by_class)
}

/// An answer that is proved to be the best.
pub(crate) struct ProvenAnswer {
    /// All that the search looked at but for the limit.
    asked: String,
    limit: f64,
    found: SearchAnswer,
}

/// What the release of the best node would be.
pub(crate) fn of_levels(case: &Case<'_>, fitting: &Fitting, known: &mut Vec<ProvenAnswer>) -> Result<Prospect> {
    let (policy, Fitting { table, guard, .. }) = (case.policy, fitting);
    let allowance = policy.suppression_allowance(limited(guard.limits(), table));
    let shared = known.iter().find(|known| known.answers(policy, allowance)).map(|known| known.found.clone());
    let answer = match shared {
        Some(found) => Answer { found, sought: None },
        None => find(case, fitting)?,
    };
    if is_proved(policy, &answer) {
        let (asked, limit) = (but_for_limit(policy), policy.method.suppression_limit);
        known.push(ProvenAnswer { asked, limit, found: answer.found.clone() });
    }
    let RollUp { set, .. } = table.roll_up(table.keys(), &answer.found.best.node);
    let verdict = released(table, &set, &guard.judge(&set), answer.sought.as_ref());
    let found = describe(table, &set, &verdict, Vec::new())?;
    let count = JudgedClasses { set: &set, verdict: &verdict, finer: None };
    let loss = Some(choice(policy, table, &count, &answer)?.loss);
    let detail_lost = Some(detail::of_levels(&case.columns, table, &count));
    Ok(Prospect {
        loss,
        detail_lost,
        guaranteed: !policy.privacy.is_empty(),
        ..Prospect::of_report(&found.report(&policy.method.name, WrittenFacts::default()))
    })
}

/// Whether no safe node is better, by a search that looks at nothing but their loss.
fn is_proved(policy: &Policy, answer: &Answer) -> bool {
    let is_exact = |member: &search::SearchMember| member.card.promises.contains(&Promise::Exact);
    let is_best = answer.sought.is_none() && policy.method.choose.is_none() && answer.found.is_optimal();
    is_best && search::find(&policy.method.search).is_some_and(is_exact)
}

impl ProvenAnswer {
    /// Whether it is the answer to a policy with the same or a lower limit, too.
    fn answers(&self, policy: &Policy, allowance: u64) -> bool {
        let is_lower = policy.method.choose.is_none() && policy.method.suppression_limit <= self.limit;
        is_lower && self.found.best.limited <= allowance && self.asked == but_for_limit(policy)
    }
}

/// What a search by the loss looks at in a policy, but for the limit.
fn but_for_limit(policy: &Policy) -> String {
    let models: Vec<_> = policy.privacy.iter().map(|model| (&model.model, &model.parameters)).collect();
    let method = &policy.method;
    format!("{models:?} {} {} {:?} {:?}", method.search, method.loss, method.loss_parameters, method.limit_unit)
}
