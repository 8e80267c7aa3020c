//! Questions as values, and who answers them.
//!
//! A question first says what it cannot serve; all that is refused for everybody was said before.

use equanym_core::checklist::ChecklistLine;
use equanym_core::method;
use equanym_core::minimality::Minimality;
use equanym_core::report::Report;

use super::{Inquiry, Ladders, admit};
use crate::count::counted_table::{Case, CountedTable};
use crate::decide::alternatives::{Alternatives, PricedLevels, alternatives};
use crate::decide::balance::{self, BalanceSolution, Sweep};
use crate::decide::ceiling::ceiling;
use crate::decide::checklist::ChoiceEvidence;
use crate::decide::dial::NewValueOffers;
use crate::decide::prospect::{self, Prospect, ProvenAnswer};
use crate::decide::{Decision, divides, fit, local, recode, regain, sample, search};
use crate::error::{Error, Result};
use crate::machine::Runtime;
use crate::mask::StoredMask;
use crate::policy::Policy;
use crate::progress::Step;

/// A question to a table.
pub(crate) trait Question {
    /// What it is answered.
    type Answer;

    /// Answers it.
    fn ask(self, inquiry: &Inquiry<'_>) -> Result<Self::Answer>;
}

/// The best release: that of the best safe node, or of the classes that the method finds.
pub(crate) struct Best;

impl Question for Best {
    type Answer = Decision;

    fn ask(self, inquiry: &Inquiry<'_>) -> Result<Decision> {
        let Inquiry { case, fitting, rows, runtime } = inquiry;
        let Some(fitting) = fitting else { return unguarded(case, runtime) };
        if let (Some(divide), Some(rows)) = (divides(case.policy), rows) {
            let divided = runtime.side_by_side(|| local::fit(case, rows, fitting, divide));
            case.watch.lap(|seconds| &mut seconds.search);
            return divided;
        }
        let answer = runtime.side_by_side(|| search::find(case, fitting))?;
        case.watch.lap(|seconds| &mut seconds.search);
        let worth = runtime.side_by_side(|| regain::worth(case, fitting, &answer))?;
        case.watch.lap(|seconds| &mut seconds.worth);
        // Whoever hears it may have no use for the answer any more.
        case.progress.at(Step::Search, answer.found.evaluated);
        let decision = runtime.side_by_side(|| fit::fit(case, fitting, &answer, worth))?;
        let setting = match &answer.sought {
            Some(sought) => fitting.new_values.choose(case.policy, Some(&sought.balance))?,
            None => None,
        };
        case.watch.lap(|seconds| &mut seconds.fit);
        Ok(Decision { setting, ..decision })
    }
}

/// What the choice of levels of the best release tells whoever knows all quasi-identifiers; nothing where no model looks at sensitive
/// values, or where there are no levels.
pub(crate) struct EvidenceOfChoice;

impl Question for EvidenceOfChoice {
    type Answer = Option<Minimality>;

    fn ask(self, inquiry: &Inquiry<'_>) -> Result<Self::Answer> {
        let Inquiry { case, fitting, runtime, .. } = inquiry;
        let Some(fitting) = fitting.as_ref().filter(|_| case.policy.method.has_nodes()) else { return Ok(None) };
        let telling = runtime.side_by_side(|| {
            let answer = search::find(case, fitting)?;
            search::told(case, fitting, &answer)
        })?;
        Ok(match telling {
            ChoiceEvidence::Told(told) => Some(told),
            ChoiceEvidence::Nothing => Some(Minimality::default()),
            ChoiceEvidence::Unguarded | ChoiceEvidence::Elsewhere(_) => None,
        })
    }
}

/// A release that recodes nothing; its new values may be balanced all the same.
fn unguarded(case: &Case<'_>, runtime: &Runtime) -> Result<Decision> {
    let decision = fit::unguarded(case);
    let setting = if is_balanced(case.policy) { new_values(case, runtime)?.choose(case.policy, None)? } else { None };
    Ok(Decision { setting, ..decision })
}

/// Whether a release is found by preferences.
pub(super) fn is_balanced(policy: &Policy) -> bool {
    equanym_core::search::find(&policy.method.search).is_some_and(|member| member.by_preferences)
}

/// What variables with new values offer a balance.
pub(super) fn new_values(case: &Case<'_>, runtime: &Runtime) -> Result<NewValueOffers> {
    runtime.side_by_side(|| NewValueOffers::measure(case.policy, case.source, runtime.memory, case.progress))
}

/// The best release, to be looked at before it is made.
pub(crate) struct Preview;

impl Question for Preview {
    type Answer = Report;

    fn ask(self, inquiry: &Inquiry<'_>) -> Result<Report> {
        inquiry.case.policy.refuse_sampling("there is nothing to look at before it is released")?;
        inquiry.ask(Best).map(Decision::into_report)
    }
}

/// The release of the policy: the best, of a random sample where a promise rests on one. Nothing that follows the draw sees the other
/// records.
pub(crate) fn release(mut counted: CountedTable<'_>, runtime: &Runtime) -> Result<Decision> {
    let Some(sampling) = counted.case.policy.sampling() else {
        return Inquiry::new(counted, Ladders::Policy(None), runtime)?.ask(Best);
    };
    admit::records(&counted)?;
    let sample = runtime.side_by_side(|| sample::draw(&mut counted, sampling))?;
    let drawn = counted.with_policy(&sample.policy);
    let decision = Inquiry::new(drawn, Ladders::Policy(None), runtime)?.ask(Best)?;
    Ok(sample.tell(decision))
}

/// A stored mask on other data.
pub(crate) struct Recode {
    pub stored: StoredMask,
    /// What else its owner should look at.
    pub told: Option<ChecklistLine>,
}

impl Question for Recode {
    type Answer = Decision;

    fn ask(self, inquiry: &Inquiry<'_>) -> Result<Decision> {
        let Inquiry { case, fitting, rows, runtime } = inquiry;
        let (Some(fitting), Some(rows)) = (fitting, rows) else { return Err(Error::internal()) };
        let decision = runtime.side_by_side(|| recode::decide(case, rows, fitting, (self.stored, self.told)));
        case.watch.lap(|seconds| &mut seconds.fit);
        decision
    }
}

/// The best safe nodes in their order, and what each level costs.
pub(crate) struct SafeNodes {
    /// How many nodes of the order are named, at least one.
    pub most: usize,
    /// Which levels have a price.
    pub priced: PricedLevels,
}

impl Question for SafeNodes {
    type Answer = Alternatives;

    fn ask(self, inquiry: &Inquiry<'_>) -> Result<Alternatives> {
        let Inquiry { case, fitting, runtime, .. } = inquiry;
        case.policy.refuse_sampling("there is nothing to choose from")?;
        if !case.policy.method.has_nodes() {
            let name = &case.policy.method.name;
            let message = format!("the method `{name}` gives each class labels of its own: it has no nodes");
            return Err(Error::input(message).hint(format!("use name = \"{}\"", method::DEFAULT)));
        }
        let nothing = || Error::input("the policy has no quasi-identifying variable: there is nothing to choose");
        let fitting = fitting.as_ref().ok_or_else(nothing)?;
        runtime.side_by_side(|| alternatives(case, fitting, self.most, self.priced))
    }
}

/// How high each column must be allowed to climb; none where no release is safe.
pub(crate) struct Ceiling;

impl Question for Ceiling {
    type Answer = Option<Vec<(String, u8)>>;

    fn ask(self, inquiry: &Inquiry<'_>) -> Result<Self::Answer> {
        let Inquiry { case, fitting, runtime, .. } = inquiry;
        Ok(fitting.as_ref().and_then(|fitting| runtime.side_by_side(|| ceiling(case, fitting))))
    }
}

/// What the policy's preferences balance.
pub(crate) struct Goods<'s> {
    /// What is varied.
    pub sweeps: &'s [Sweep],
}

impl Question for Goods<'_> {
    type Answer = BalanceSolution;

    fn ask(self, inquiry: &Inquiry<'_>) -> Result<BalanceSolution> {
        let Inquiry { case, fitting, runtime, .. } = inquiry;
        let measured = new_values(case, runtime)?;
        match fitting {
            Some(fitting) => balance::of_table(case.policy, &fitting.table, &measured, self.sweeps),
            None => balance::solve(case.policy, case.records, &[], &measured, self.sweeps),
        }
    }
}

/// What the release would be, without making it; with proven answers to policies that are like this one.
pub(crate) struct Outlook<'k>(pub &'k mut Vec<ProvenAnswer>);

impl Question for Outlook<'_> {
    type Answer = Prospect;

    fn ask(self, inquiry: &Inquiry<'_>) -> Result<Prospect> {
        let Inquiry { case, fitting, rows, runtime } = inquiry;
        let Some(fitting) = fitting else { return Err(Error::internal()) };
        runtime.side_by_side(|| match (divides(case.policy), rows) {
            (Some(divide), Some(rows)) => {
                local::fit(case, rows, fitting, divide).map(|decision| Prospect::of_report(&decision.into_report()))
            }
            _ => prospect::of_levels(case, fitting, self.0),
        })
    }
}
