//! The answer to a policy, to be looked at: what `decide` finds, with what drawings need, and nothing to write.
//!
//! Counted keys are asked again and again, so they are borrowed, never used up. Otherwise the way is that of a release, step
//! by step: same table, same policy, same node.
//!
//! Limit: new values are made when records are rewritten; until then a release with some shows what is recoded.

use equanym_core::frequency::{RollUp, Table};
use equanym_core::lattice::Node;
use equanym_core::method::{self, Work};
use equanym_core::report::Report;

use super::fitting::Fitting;
use super::{Counted, fit, local, regain, search};
use crate::error::{Error, Result};
use crate::machine::Runtime;
use crate::progress::Step;

/// What a release would be.
pub(crate) struct Answered {
    /// What was found.
    pub report: Report,
    /// How many people, or records, each class has: before, and of those that are kept after. The latter only where each
    /// variable has one level.
    pub sizes: (Vec<u64>, Option<Vec<u64>>),
}

/// What the policy of a counted table would release.
pub(crate) fn answer(counted: &Counted<'_>, runtime: &Runtime) -> Result<Answered> {
    if counted.keys.counts.is_empty() {
        return Err(Error::unsafe_release("0 records: nothing to release"));
    }
    counted.columns.people(&counted.keys)?;
    if counted.columns.quasi.is_empty() {
        return Ok(Answered { report: fit::unguarded(counted).report, sizes: Default::default() });
    }
    let fitting = runtime.side_by_side(|| Fitting::of(counted))?;
    let before = fitting.table.keys().people().to_vec();
    if let Some(Work::Classes(divide)) = method::find(&counted.policy.method.name).map(|member| &member.work) {
        let tell = |classes| counted.progress.at(Step::Search, classes);
        let fitted = runtime.side_by_side(|| local::fit(counted, &fitting, *divide, &tell))?;
        return Ok(Answered { report: fitted.report, sizes: (before, None) });
    }
    runtime.side_by_side(|| {
        let answer = search::find(counted, &fitting)?;
        let worth = regain::worth(counted, &fitting, &answer)?;
        let report = fit::fit(counted, &fitting, &answer, worth)?.report;
        let after = kept(&fitting, &fitting.table, &answer.found.best.node);
        Ok(Answered { report, sizes: (before, Some(after)) })
    })
}

/// The sizes of the classes that the models let pass.
fn kept(fitting: &Fitting, table: &Table, node: &Node) -> Vec<u64> {
    let RollUp { set, .. } = table.roll_up(table.keys(), node);
    let verdict = fitting.guard.judge(&set);
    set.people().iter().zip(&verdict.kept).filter(|(_, kept)| **kept).map(|(size, _)| *size).collect()
}
