//! What a release is still good for: every utility metric, on a table before and after.
//!
//! The release is read as anybody reads it, from its file: numbers are numbers, bands and ranges are ranges, `*` is unknown.
//! Every column that both tables have is compared by its values: a label counts evenly for each value of the original that
//! it may stand for. Which those are the owner's mask knows, if it lies beside the release, or the ladder of the policy, or
//! the form of the label. Columns that are numbers before and numbers or ranges after are compared as numbers, too; one that
//! is neither serves to choose groups in aggregate queries.
//!
//! Both tables are held in memory, by codes. What is shown holds no cell values unless the caller asks for them.
//!
//! Some metrics must know which released record was which original one. A release in canonical order does not tell, and
//! must not; they are measured on a release with `[output] order = "input"` that withholds nobody, or when the caller
//! vouches for the order. The others are measured always.

pub(super) mod both;
pub(super) mod cells;
mod numbers;
pub(super) mod released;

use equanym_core::card::{Parameters, Value};
use equanym_core::risk::linkage::{self, Linkage};
use equanym_core::utility::prediction::{self, MOST_CLASSES, Prediction};
use equanym_core::utility::{self, Comparison, Figure};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::machine::{Resources, Runtime};
use crate::policy::Policy;
use crate::progress::{Progress, Step};
use crate::read::{Data, Reading};
use both::{BothTables, Knowledge};
pub use both::{ComparedColumn, LabelReading};
pub use released::AfterTable;
use released::ReleasedTable;

/// The most bars of a column where values are shown.
const MOST_BARS: usize = 50;

/// What is asked.
pub struct CompareRequest<'a> {
    /// The table before.
    pub original: Data<'a>,
    /// What became of it.
    pub release: AfterTable<'a>,
    /// The policy, which says what columns mean.
    pub policy: Option<&'a Policy>,
    /// How the original is read.
    pub reading: &'a Reading,
    /// Whether the caller vouches that both have the same records in the same order.
    pub same_order: bool,
    /// The column that a model is to predict.
    pub target: Option<&'a str>,
    /// Parameters of the metrics, each for all that have one of that name. What is left out is as the release was made, where it was
    /// made in segments, or usual.
    pub parameters: Parameters,
    /// Whether what is found may name values.
    pub show_values: bool,
    /// Threads and memory.
    pub resources: Resources,
    /// Hears how far it has come.
    pub progress: &'a dyn Progress,
}

/// What was found.
#[derive(Debug, Clone, Serialize)]
pub struct ComparisonReport {
    /// How many records there were and are.
    pub records: RecordCounts,
    /// The people of the original, where the policy names a person. The release does not tell who is who.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Whether record by record comparisons could be made.
    pub aligned: bool,
    /// Why, or why not.
    pub alignment: String,
    /// The columns that were compared as numbers.
    pub columns: Vec<String>,
    /// Those of them with ranges: their middle stands for a cell, but for distortion the mean of its class where classes are known.
    pub by_middle: Vec<String>,
    /// Columns of the release that were not.
    pub left_out: Vec<String>,
    /// Columns that only the original has.
    pub dropped: Vec<String>,
    /// What became of the values of each column that both have.
    pub frequencies: Vec<ComparedColumn>,
    /// The column that queries choose groups by.
    pub category: Option<String>,
    /// Every metric.
    pub metrics: Vec<Metric>,
    /// How well the target is predicted; absent where none was named.
    pub prediction: Option<Prediction>,
    /// What somebody who knows the original finds again; absent where records are not aligned.
    pub linkage: Option<Linkage>,
}

/// How many records there were and are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RecordCounts {
    /// Before.
    pub original: u64,
    /// After.
    pub released: u64,
}

/// A metric and what it found.
#[derive(Debug, Clone, Serialize)]
pub struct Metric {
    /// Its name.
    pub metric: &'static str,
    /// What it measures.
    pub summary: &'static str,
    /// Whether it must know which record was which.
    pub needs_aligned_records: bool,
    /// Whether it was measured.
    pub measured: bool,
    /// Its numbers.
    pub figures: Vec<Figure>,
}

/// Compares a table before and after.
pub fn compare(request: &CompareRequest<'_>) -> Result<ComparisonReport> {
    utility::check(&request.parameters).map_err(|error| Error::input(error.to_string()))?;
    let released = ReleasedTable::find(request.release)?;
    let original = request.original.open(request.reading)?;
    let after = released.open()?;
    let found = BothTables::read(
        &original,
        &after,
        &Knowledge {
            policy: request.policy,
            masked: &released.masked,
            labelled: &released.labelled(request.policy),
            target: request.target,
            bars: if request.show_values { MOST_BARS } else { 0 },
            // Two tables share it.
            memory: request.resources.memory / 2,
            progress: request.progress,
        },
    )?;
    check_target(request.target, &found)?;
    let (aligned, alignment) = alignment(request, &released, &found)?;
    let runtime = Runtime::start(&request.resources, None)?;
    let pair =
        Comparison::new(&found.before, &found.after, aligned).map_err(|error| Error::environment(error.to_string()))?;
    let parameters = released.parameters(&request.parameters, request.policy);
    let metrics = runtime.side_by_side(|| measure(&pair, &parameters, request.progress))?;
    let prediction = runtime.side_by_side(|| prediction::predict(&pair));
    let dropped = original.columns().iter().filter(|name| !after.columns().contains(name)).cloned().collect();
    let segment = segment_of(&parameters);
    let linkage = aligned.then(|| runtime.side_by_side(|| link(&found, segment)));
    Ok(ComparisonReport {
        records: found.records,
        persons: found.persons,
        aligned,
        alignment,
        columns: found.before.columns.iter().map(|column| column.name.clone()).collect(),
        by_middle: found.by_middle(),
        left_out: found.left_out,
        dropped,
        frequencies: found.frequencies,
        category: found.category,
        metrics,
        prediction,
        linkage,
    })
}

/// Refuses a target that cannot be predicted.
fn check_target(target: Option<&str>, found: &BothTables) -> Result<()> {
    let Some(name) = target else { return Ok(()) };
    let shown = name.escape_debug();
    let Some(column) = found.before.target.and_then(|place| found.before.categories.get(place)) else {
        return Err(Error::input(format!("there is no column `{shown}` in both tables"))
            .hint("--target names a column of the release that the original has, too"));
    };
    if column.values > MOST_CLASSES {
        let message = format!("column `{shown}` has {} values, a target has {MOST_CLASSES} at most", column.values);
        return Err(Error::input(message).hint("choose a column with fewer values"));
    }
    Ok(())
}

/// Whether records can be compared one by one, and why.
fn alignment(request: &CompareRequest<'_>, released: &ReleasedTable, found: &BothTables) -> Result<(bool, String)> {
    let RecordCounts { original, released: after } = found.records;
    let same_count = original == after;
    if request.same_order && !same_count {
        return Err(Error::input(format!(
            "{original} original records cannot stand in the same order as {after} released"
        ))
        .hint("leave out --same-order: metrics that need no aligned records are measured all the same"));
    }
    Ok(match (request.same_order, released.order.as_deref()) {
        (true, _) => (true, "the caller vouches for the order of the records".to_owned()),
        (false, Some("input")) if same_count => (true, "the release keeps the order of the input".to_owned()),
        (false, Some("input")) => (false, "the release keeps the order of the input, but withholds records".to_owned()),
        (false, Some(_)) => {
            (false, "the release is in canonical order, which does not tell which record was which".to_owned())
        }
        (false, None) => (false, "nothing says that the tables are in the same order".to_owned()),
    })
}

fn measure(pair: &Comparison<'_>, parameters: &Parameters, progress: &dyn Progress) -> Result<Vec<Metric>> {
    let one = |(done, member): (u64, &'static utility::MetricMember)| {
        progress.at(Step::Measure, done);
        let measured = pair.aligned || !member.needs_alignment;
        let figures = if measured { member.measure(pair, &member.own(parameters)) } else { Ok(Vec::new()) };
        Ok(Metric {
            metric: member.card.name,
            summary: member.card.summary,
            needs_aligned_records: member.needs_alignment,
            measured,
            figures: figures.map_err(|error| Error::environment(error.to_string()))?,
        })
    };
    (0..).zip(utility::ALL).map(one).collect()
}

/// How many neighbouring records were treated together, where that is known.
pub(in crate::run) fn segment_of(parameters: &Parameters) -> Option<usize> {
    let is_by_record = parameters.get("segment_order").is_none_or(|order| *order == Value::Text("record".to_owned()));
    match parameters.get("segment") {
        Some(Value::Integer(length)) if is_by_record => usize::try_from(*length).ok(),
        _ => None,
    }
}

fn link(found: &BothTables, segment: Option<usize>) -> Linkage {
    let names: Vec<&str> = found.before.columns.iter().map(|column| column.name.as_str()).collect();
    let pairs = found.before.columns.iter().zip(&found.after.columns);
    let pairs = pairs.map(|(before, after)| (before.values.as_slice(), after.values.as_slice()));
    let (before, after): (Vec<&[f64]>, Vec<&[f64]>) = pairs.unzip();
    linkage::linkage(&names, &before, &after, segment)
}
