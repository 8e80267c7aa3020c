//! The answer to a policy, to be looked at: what `decide` finds, with what drawings need, and nothing to write.
//!
//! Counted keys are asked again and again, so they are borrowed, never used up. Otherwise the way is that of a release, step
//! by step: same table, same policy, same node.
//!
//! Limit: new values are made when records are rewritten; until then a release with some shows what is recoded.

use equanym_core::method::{self, MethodWork};
use equanym_core::report::Report;

use super::fitting::Fitting;
use super::{Counted, fit, local, regain, search};
use crate::error::{Error, Result};
use crate::machine::Runtime;
use crate::progress::Step;

/// What the policy of a counted table would release.
pub(crate) fn answer(counted: &Counted<'_>, runtime: &Runtime) -> Result<Report> {
    if counted.keys.counts.is_empty() {
        return Err(Error::unsafe_release("0 records: nothing to release"));
    }
    counted.columns.people(&counted.keys)?;
    if counted.columns.quasi.is_empty() {
        return Ok(fit::unguarded(counted).report);
    }
    let fitting = runtime.side_by_side(|| Fitting::of(counted))?;
    if let Some(MethodWork::Classes(divide)) = method::find(&counted.policy.method.name).map(|member| &member.work) {
        let tell = |classes| counted.progress.at(Step::Search, classes);
        return runtime.side_by_side(|| local::fit(counted, &fitting, *divide, &tell)).map(|fitted| fitted.report);
    }
    runtime.side_by_side(|| {
        let answer = search::find(counted, &fitting)?;
        let worth = regain::worth(counted, &fitting, &answer)?;
        // Whoever hears it may have no use for the answer any more.
        counted.progress.at(Step::Search, answer.found.evaluated);
        fit::fit(counted, &fitting, &answer, worth).map(|fitted| fitted.report)
    })
}
