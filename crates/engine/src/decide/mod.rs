//! From counted keys to a release that only has to be written.
//!
//! The core decides; here its questions are put together and its answers become a mask and findings. Nothing is written.
//!
//! | File | Idea |
//! |---|---|
//! | `columns` | which columns are counted, and why |
//! | `fitting` | ladders and models for the table |
//! | `fitted` | tables with fitted ladders, kept for the next question |
//! | `sensitive` | what models see of the sensitive variables |
//! | `sample` | draws records, and levels, where a promise rests on chance |
//! | `search` | asks the core for the best node |
//! | `alternatives` | asks it for the best nodes in their order, and for the price of each level |
//! | `ceiling` | asks it how high each column must be allowed to climb |
//! | `fit` | the chosen node as a mask, with findings |
//! | `frontier` | what releases under many policies would be, from one count |
//! | `frequencies` | what became of the values of the counted columns |
//! | `drawn` | counts that the reports draw pictures from |
//! | `balance` | what a search by preferences minimises, and what a guarantee cost |
//! | `local` | classes with labels of their own |
//! | `nearest` | what could be attained by whoever asked for too much |
//! | `new_values` | new values for numeric columns |
//! | `live` | what a release would be, to be looked at |
//! | `ladder_gap` | says which values a ladder has no place for |
//! | `preset` | columns that break what a preset asks of them |
//! | `look_alike` | values that only blanks, case or Unicode form tell apart |
//! | `regain` | what a release is worth, what would buy detail back, and what stands around it |
//! | `checklist` | what an owner should look at before handing it over |

pub(crate) mod alternatives;
pub(crate) mod balance;
mod ceiling;
pub(crate) mod checklist;
pub(crate) mod columns;
pub(crate) mod fit;
mod fitted;
mod fitting;
pub(crate) mod frequencies;
pub(crate) mod frontier;
pub(crate) mod ladder_gap;
pub(crate) mod live;
mod local;
mod look_alike;
mod nearest;
pub(crate) mod new_values;
mod pictured;
pub(crate) mod preset;
pub(crate) mod regain;
pub(crate) mod sample;
pub(crate) mod search;
pub(crate) mod sensitive;

use std::borrow::Cow;
use std::collections::BTreeSet;

use equanym_core::method::{self, MethodWork};
use equanym_core::report::Report;

use crate::count::Keys;
use crate::count::population::Population;
use crate::error::{Error, Result};
use crate::machine::Runtime;
use crate::machine::stopwatch::Stopwatch;
use crate::mask::StoredMask;
use crate::mask::rewrite::ByRecord;
use crate::policy::Policy;
use crate::progress::{Progress, Step};
use crate::read::Source;
pub(crate) use ceiling::ceiling;
pub(crate) use checklist::Looked;
use columns::Columns;
pub(crate) use fitted::FittedTables;
use fitting::Fitting;

/// A table whose keys are counted, and what is asked of it.
pub(crate) struct Counted<'a> {
    pub policy: &'a Policy,
    pub source: &'a Source,
    pub columns: Columns<'a>,
    pub keys: Cow<'a, Keys>,
    /// The population that it was taken from, where a model asks for it.
    pub population: Option<Cow<'a, Population>>,
    /// Tables that earlier questions fitted to the same keys, where they are kept.
    pub fitted: Option<&'a FittedTables>,
    /// What was seen of the columns that are not recoded.
    pub looked: Looked,
    /// Whether messages may show the beginnings of values that do not fit.
    pub show_values: bool,
    /// Hears how far it has come.
    pub progress: &'a dyn Progress,
}

/// A release that is fitted but not written.
pub(crate) struct Fitted {
    /// The mask with what is needed to apply it again.
    pub stored: StoredMask,
    /// The raw values of the recoded columns.
    pub values: Vec<Vec<String>>,
    /// The labels that occur in each recoded column of the release.
    pub labels: Vec<BTreeSet<String>>,
    /// What was found.
    pub report: Report,
    /// What happens to single records.
    pub by_record: ByRecord,
}

/// Decides what happens to a table, as its method works.
pub(crate) fn decide(mut counted: Counted<'_>, runtime: &Runtime, watch: &mut Stopwatch) -> Result<Fitted> {
    if counted.keys.counts.is_empty() {
        return Err(Error::unsafe_release("0 records: nothing to release"));
    }
    // Records without an id are refused before anything is looked at.
    counted.columns.people(&counted.keys)?;
    let (quasi, guarded) = (counted.columns.quasi.len(), counted.columns.sensitive.len());
    counted.looked.look_at_guarded(&counted.keys, quasi, guarded);
    if counted.columns.quasi.is_empty() {
        preset::check(&counted, None)?;
        return Ok(fit::unguarded(&counted));
    }
    let fitting = runtime.side_by_side(|| Fitting::of(&counted))?;
    preset::check(&counted, Some(&fitting.table))?;
    watch.lap(|seconds| &mut seconds.fit);
    if let Some(MethodWork::Classes(divide)) = method::find(&counted.policy.method.name).map(|member| &member.work) {
        refuse_population(&counted)?;
        let tell = |classes| counted.progress.at(Step::Search, classes);
        let divided = runtime.side_by_side(|| local::fit(&counted, &fitting, *divide, &tell));
        watch.lap(|seconds| &mut seconds.search);
        return divided;
    }
    // The table has them now; for a search every byte counts.
    counted.keys.to_mut().columns = Vec::new();
    counted.population.iter_mut().for_each(|population| population.to_mut().forget_keys());
    let answer = runtime.side_by_side(|| search::find(&counted, &fitting))?;
    watch.lap(|seconds| &mut seconds.search);
    let worth = runtime.side_by_side(|| regain::worth(&counted, &fitting, &answer))?;
    watch.lap(|seconds| &mut seconds.worth);
    let fitted = runtime.side_by_side(|| fit::fit(&counted, &fitting, &answer, worth));
    watch.lap(|seconds| &mut seconds.fit);
    fitted
}

/// Classes with labels of their own have no place for those who are not in the table.
fn refuse_population(counted: &Counted<'_>) -> Result<()> {
    let Some(model) = counted.policy.population_models().next() else { return Ok(()) };
    let method = &counted.policy.method.name;
    let message = format!(
        "policy line {}: the method `{method}` knows no population, and `{}` needs one",
        model.line, model.model
    );
    Err(Error::input(message).hint(format!("use name = \"{}\"", method::DEFAULT)))
}
