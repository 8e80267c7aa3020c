//! What releases under many policies would be, from one count of the table.
//!
//! [`Releases`] is asked for one policy after the other. They may differ in parameters of the models, limits, preferences and
//! methods that recode; which columns are counted for what must be among those that were. Ladders are fitted once for each kind of
//! work. Each answer is that of a `release` with the same policy, as far as its node, loss, suppression and risk go; nothing is
//! written, and what only a written release shows is not told.
//!
//! An answer to a higher suppression limit is often the answer to a lower one, too: where nothing else differs, every node that is
//! safe under the lower limit is safe under the higher one. So if the best of those withholds few enough, it is the best
//! of these, and no search is made. On the 24 points of adult that spares ten searches by discernibility, and none by the usual loss,
//! whose best nodes use their limits up.
//!
//! Limit: methods that make new values need the records, not their counts; they are released in memory instead (`run::frontier`).

mod detail;

use std::borrow::Cow;

use equanym_core::card::Promise;
use equanym_core::frequency::RollUp;
use equanym_core::loss::JudgedClasses;
use equanym_core::method::{self, MethodWork};
use equanym_core::privacy::ModelNeeds;
use equanym_core::report::{LossFindings, NamedLevels, Report};
use equanym_core::risk::{ClassTotals, Risk};
use equanym_core::search::{self, SearchAnswer};
use serde::Serialize;

use super::columns::{Columns, guard};
use super::fit::{choice, describe, released};
use super::fitting::Fitting;
use super::search::{Answer, find, limited};
use super::{Counted, Looked, local};
use crate::count::Keys;
use crate::error::{Error, Kind, Result};
use crate::machine::Runtime;
use crate::policy::Policy;
use crate::progress::Step;

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
}

/// Why there is no safe release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The reason.
    pub why_not: String,
    /// What would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Outcome {
    /// A safe release, or that there is none; other failures stay failures.
    pub(crate) fn of(release: Result<Prospect>) -> Result<Self> {
        match release {
            Ok(release) => Ok(Self::Safe(Box::new(release))),
            Err(Error { kind: Kind::Unsafe, message, hint }) => Ok(Self::Unsafe(Refusal { why_not: message, hint })),
            Err(error) => Err(error),
        }
    }
}

impl Prospect {
    /// What a report says of a release that was made.
    pub(crate) fn of(report: &Report) -> Self {
        Self {
            node: report.node.clone(),
            loss: report.choice.as_ref().map(|choice| choice.loss.clone()),
            detail_lost: report.local.as_ref().map(|local| detail::of_classes(local, report)),
            released: report.released,
            suppressed: report.suppressed,
            persons_suppressed: report.persons_suppressed,
            classes: report.classes,
            risk: report.risk,
        }
    }
}

/// A counted table that is asked for one release after the other.
pub(crate) struct Releases<'a> {
    counted: &'a Counted<'a>,
    runtime: &'a Runtime,
    stages: Vec<Stage<'a>>,
}

/// The table for one kind of work.
struct Stage<'a> {
    kind: Kinship,
    keys: Cow<'a, Keys>,
    fitting: Fitting,
    /// Answers that others may share.
    known: Vec<Known>,
}

/// Policies that share ladders and counts.
#[derive(Debug, PartialEq)]
struct Kinship {
    /// Whether classes have labels of their own.
    is_local: bool,
    /// The counted columns.
    places: Vec<usize>,
    /// What the models look at.
    needs: Vec<ModelNeeds>,
}

/// An answer that is proved to be the best.
struct Known {
    /// All that the search looked at but for the limit.
    asked: String,
    limit: f64,
    found: SearchAnswer,
}

impl<'a> Releases<'a> {
    /// Nothing is fitted before it is asked for.
    pub(crate) fn of(counted: &'a Counted<'a>, runtime: &'a Runtime) -> Self {
        Self { counted, runtime, stages: Vec::new() }
    }

    /// What a release under this policy would be. Higher suppression limits are best asked for first.
    pub(crate) fn under(&mut self, policy: &Policy) -> Result<Outcome> {
        let place = self.stage(policy)?;
        let (counted, runtime) = (self.counted, self.runtime);
        let Some(stage) = self.stages.get_mut(place) else { return Err(Error::internal()) };
        Outcome::of(runtime.side_by_side(|| stage.release(counted, policy)))
    }

    /// The place of the stage for a policy.
    fn stage(&mut self, policy: &Policy) -> Result<usize> {
        let columns = Columns::of(policy, self.counted.source);
        let is_local = divides(policy).is_some();
        let needs = policy.privacy.iter().map(crate::policy::PrivacyPolicy::needs).collect();
        let kind = Kinship { is_local, places: columns.places.clone(), needs };
        if let Some(place) = self.stages.iter().position(|stage| stage.kind == kind) {
            return Ok(place);
        }
        let counted = &self.counted.columns.places;
        let places = kind.places.iter().map(|wanted| counted.iter().position(|one| one == wanted));
        let Some(places) = places.collect::<Option<Vec<_>>>() else {
            return Err(Error::input("the table was not counted by the columns that this policy recodes"));
        };
        let is_all = places.iter().copied().eq(0..self.counted.columns.places.len());
        let all: &'a Keys = &self.counted.keys;
        let mut keys = if is_all { Cow::Borrowed(all) } else { Cow::Owned(all.of_columns(&places)) };
        let mut counted = self.counted.under(policy, Cow::Borrowed(keys.as_ref()));
        counted.fitted = self.counted.fitted.filter(|_| is_all);
        counted.columns.people(&counted.keys)?;
        let fitting = self.runtime.side_by_side(|| Fitting::of(&counted))?;
        drop(counted);
        if let (false, Cow::Owned(keys)) = (is_local, &mut keys) {
            // The table has them now; for a search every byte counts.
            keys.columns = Vec::new();
        }
        self.stages.push(Stage { kind, keys, fitting, known: Vec::new() });
        Ok(self.stages.len() - 1)
    }
}

impl Counted<'_> {
    /// The same table under another policy, with these keys.
    fn under<'b>(&'b self, policy: &'b Policy, keys: Cow<'b, Keys>) -> Counted<'b> {
        Counted {
            policy,
            source: self.source,
            columns: Columns::of(policy, self.source),
            keys,
            population: self.population.as_deref().map(Cow::Borrowed),
            fitted: None,
            looked: Looked::default(),
            show_values: self.show_values,
            progress: self.progress,
        }
    }
}

/// The method that divides the table into classes with labels of their own, if it is one.
fn divides(policy: &Policy) -> Option<equanym_core::method::partition::PartitionFit> {
    match method::find(&policy.method.name)?.work {
        MethodWork::Classes(fit) => Some(fit),
        _ => None,
    }
}

impl Stage<'_> {
    fn release(&mut self, counted: &Counted<'_>, policy: &Policy) -> Result<Prospect> {
        let models = policy.privacy.iter().map(|model| (model.model.as_str(), &model.parameters));
        self.fitting.guard = guard(models, &self.fitting.sensitive)?.limiting(policy.method.limit_unit.unit());
        let own = counted.under(policy, Cow::Borrowed(self.keys.as_ref()));
        match divides(policy) {
            Some(fit) => {
                let tell = |classes| own.progress.at(Step::Search, classes);
                local::fit(&own, &self.fitting, fit, &tell).map(|fitted| Prospect::of(&fitted.report))
            }
            None => of_levels(&own, &self.fitting, &mut self.known),
        }
    }
}

/// What the release of the best node would be.
fn of_levels(counted: &Counted<'_>, fitting: &Fitting, known: &mut Vec<Known>) -> Result<Prospect> {
    let (policy, Fitting { table, guard, .. }) = (counted.policy, fitting);
    let allowance = policy.suppression_allowance(limited(guard.limits(), table));
    let shared = known.iter().find(|known| known.answers(policy, allowance)).map(|known| known.found.clone());
    let answer = match shared {
        Some(found) => Answer { found, sought: None },
        None => find(counted, fitting)?,
    };
    if is_proved(policy, &answer) {
        let (asked, limit) = (but_for_limit(policy), policy.method.suppression_limit);
        known.push(Known { asked, limit, found: answer.found.clone() });
    }
    let RollUp { set, .. } = table.roll_up(table.keys(), &answer.found.best.node);
    let verdict = released(table, &set, &guard.judge(&set), &answer);
    let report = describe(table, &set, &verdict, &policy.method.name, Vec::new())?;
    let count = JudgedClasses { set: &set, verdict: &verdict, finer: None };
    let loss = Some(choice(policy, table, &count, &answer)?.loss);
    let detail_lost = Some(detail::of_levels(&counted.columns, table, &count));
    Ok(Prospect { loss, detail_lost, ..Prospect::of(&report) })
}

/// Whether no safe node is better, by a search that looks at nothing but their loss.
fn is_proved(policy: &Policy, answer: &Answer) -> bool {
    let is_exact = |member: &search::SearchMember| member.card.keeps(Promise::Exact);
    let is_best = answer.sought.is_none() && policy.method.choose.is_none() && answer.found.is_optimal();
    is_best && search::find(&policy.method.search).is_some_and(is_exact)
}

impl Known {
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
