//! `equanym compare`: what a release is still good for.

use std::path::PathBuf;

use clap::Args;
use equanym_core::card::{Parameters, Value};
use equanym_core::risk::linkage::{ColumnLinkage, Linkage};
use equanym_core::utility::Figure;
use equanym_core::utility::bars::{Bar, ColumnFrequencies};
use equanym_core::utility::prediction::Prediction;
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;
use equanym_engine::run::compare::{self, CompareRequest, ComparisonReport, Metric};

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, SharedFlags};
use crate::progress;
use crate::show;

/// The most rows of a measure in the table, so that tables with many columns stay readable.
const MOST_ROWS: usize = 12;

/// Measure what a release is still good for: utility metrics, before and after
///
/// RELEASE is the folder of a release, its `public` folder, or a table. Every column that both tables have is compared
/// by the frequencies of its values, and pairs of columns by their association; a label counts evenly for each value
/// that it may stand for, and `*` for none. What a label stands for is read from the mask in the folder of the release,
/// from the ladder in --policy, or from its form (`20-24`, `>= 60`, `[20, 25[`, `123**`). Columns of numbers are compared
/// as numbers, too. With --target a simple model learns that column from the release and is tested on the original.
/// Metrics that need to know which released record was which original one are measured when the release keeps the
/// order of the input ([output] order = "input") and withholds nobody, or with --same-order. Nothing is written.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 measured · 1 there are no records · 2 wrong use, policy or input · 3 environment

Examples:
  equanym compare data.csv release --policy policy.toml
  equanym compare data.csv release --target diagnosis --json"
)]
pub struct Compare {
    /// The table before
    original: PathBuf,
    /// The release: its folder, its `public` folder, or a table
    release: PathBuf,
    /// The policy: says which columns are codes and which are numbers, and which one is sensitive
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Learn to predict this column, from the release and from the original, and test both on the original
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
    /// How many groups `clustering` looks for [default: 5]
    #[arg(long, value_name = "NUMBER")]
    clusters: Option<i64>,
    /// How often `clustering` starts anew [default: 5]
    #[arg(long, value_name = "NUMBER")]
    starts: Option<i64>,
    /// How many questions `queries` asks about each column [default: 1000]
    #[arg(long, value_name = "NUMBER")]
    queries: Option<i64>,
    /// How many neighbouring records `localities` and linkage by rank look at together [default: as the release was made, or 100]
    #[arg(long, value_name = "RECORDS")]
    segment: Option<i64>,
    /// Show the values of each column with their frequencies; otherwise no value of the data is shown
    #[arg(long)]
    show_values: bool,
    /// Vouch that both tables hold the same records in the same order
    #[arg(long)]
    same_order: bool,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Compare {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let policy = self.policy.as_deref().map(Policy::load).transpose()?;
        let reading = self.reading.over_policy(policy.as_ref())?;
        let compared = compare::compare(&CompareRequest {
            original: (&self.original).into(),
            release: self.release.as_path().into(),
            policy: policy.as_ref(),
            reading: &reading,
            same_order: self.same_order,
            target: self.target.as_deref(),
            parameters: self.parameters(),
            show_values: self.show_values,
            resources: shared.resources(),
            progress: progress::listen(console).as_ref(),
        })?;
        console.result(&compared, || text(&compared))?;
        Ok(Ending::Done)
    }
}

impl Compare {
    /// The parameters of metrics that were given.
    fn parameters(&self) -> Parameters {
        let given = [
            ("clusters", self.clusters),
            ("starts", self.starts),
            ("queries", self.queries),
            ("segment", self.segment),
        ];
        given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Value::Integer(value?)))).collect()
    }
}

/// The comparison in words.
fn text(compared: &ComparisonReport) -> String {
    let (before, after) = (compared.records.original, compared.records.released);
    let people = compared.persons.map(|persons| format!(" of {}", show::counted(persons, "person", "people")));
    let people = people.unwrap_or_default();
    let records =
        format!("{}{people} before, {} after", show::counted(before, "record", "records"), show::count(after));
    let mut text = format!("{}; {}.\n", show::strong(&records), compared.alignment);
    let category = compared.category.as_ref().map(|name| format!("Queries choose groups by {}.\n", show::name(name)));
    text += &category.unwrap_or_default();
    text += "\n";
    text += &columns(compared);
    text += "\n";
    text += &metrics(&compared.metrics);
    text += &by_middle(&compared.by_middle);
    text += &compared.prediction.as_ref().map(prediction).unwrap_or_default();
    text += &absent(compared);
    text += &compared.linkage.as_ref().map(linkage).unwrap_or_default();
    text
}

fn metrics(metrics: &[Metric]) -> String {
    let header = ["metric", "column", "measure", ">original", ">released", ">difference"];
    let rows: Vec<Vec<String>> =
        metrics.iter().flat_map(|one| shown(one).into_iter().map(|figure| row(one.metric, figure))).collect();
    let hidden = |one: &Metric| {
        let more = one.figures.len().saturating_sub(shown(one).len());
        (more > 0).then(|| format!("{} has {} more, all of them smaller", one.metric, show::count(more as u64)))
    };
    let hidden: Vec<String> = metrics.iter().filter_map(hidden).collect();
    let table = show::table(&header, &rows);
    if hidden.is_empty() {
        return table;
    }
    let words = format!("The largest differences are shown: {}; --json has them.", hidden.join(", "));
    format!("{table}\n{}", show::paragraph(&words, 0))
}

/// What stands for a range.
fn by_middle(columns: &[String]) -> String {
    if columns.is_empty() {
        return String::new();
    }
    let names: Vec<String> = columns.iter().map(|name| show::name(name)).collect();
    let words = format!(
        "Ranges of {} count as their middle, but for distortion as the mean of their class, where it is known who shares one.",
        names.join(", ")
    );
    format!("\n{}", show::paragraph(&words, 0))
}

/// The figures of a metric that are shown: all of them, or the largest of each measure.
fn shown(metric: &Metric) -> Vec<&Figure> {
    let mut figures: Vec<&Figure> = metric.figures.iter().collect();
    if figures.len() > MOST_ROWS {
        figures.sort_by(|one, other| one.name.cmp(other.name).then(other.value.abs().total_cmp(&one.value.abs())));
        figures = figures
            .chunk_by(|one, other| one.name == other.name)
            .flat_map(|same| &same[..same.len().min(MOST_ROWS)])
            .copied()
            .collect();
    }
    figures
}

/// What became of the values of each column.
fn columns(compared: &ComparisonReport) -> String {
    let header = ["column", ">values", ">labels", ">exact", ">in groups", ">*", ">unmatched", ">withheld"];
    let found = || compared.frequencies.iter().map(|column| &column.frequencies);
    let row = |one: &ColumnFrequencies| {
        let counts = [one.values, one.labels].map(|count| show::count(count as u64));
        let shares = [one.exact, one.grouped, one.unknown, one.unmatched, one.withheld].map(show::percent);
        [show::name(&one.column)].into_iter().chain(counts).chain(shares).collect()
    };
    let mut text = show::table(&header, &found().map(row).collect::<Vec<Vec<String>>>());
    if !compared.dropped.is_empty() {
        let names: Vec<String> = compared.dropped.iter().map(|name| show::name(name)).collect();
        text += "\n";
        text += &show::paragraph(&format!("Not released: {}.", names.join(", ")), 0);
    }
    found().filter(|column| !column.bars.is_empty()).for_each(|column| text += &values(column));
    text
}

/// The values of a column, where they may be shown.
fn values(column: &ColumnFrequencies) -> String {
    let name = format!("<{}", show::name(&column.column));
    let header = [name.as_str(), ">original", ">released"];
    let label = |bar: &Bar| match (&bar.value, &bar.to) {
        (None, _) => show::counted(bar.values as u64, "other value", "other values"),
        (Some(value), None) if value.is_empty() => "(missing)".to_owned(),
        (Some(value), None) => show::name(value),
        (Some(from), Some(to)) => format!("{} – {}", show::name(from), show::name(to)),
    };
    let row = |bar: &Bar| vec![label(bar), show::percent(bar.original), show::percent(bar.released)];
    let unknown = [("*", column.unknown), ("unmatched", column.unmatched), ("withheld", column.withheld)];
    let unknown = unknown.into_iter().filter(|(_, share)| *share > 0.0);
    let unknown = unknown.map(|(name, share)| vec![name.to_owned(), String::new(), show::percent(share)]);
    format!("\n{}", show::table(&header, &column.bars.iter().map(row).chain(unknown).collect::<Vec<_>>()))
}

fn prediction(found: &Prediction) -> String {
    let Prediction { released, original, unseen, commonest, .. } = *found;
    let mut words = format!(
        "Predicting {} on {} of the original: {} right after learning from the release, {} from all of the original, {} from \
         the other half of the original, {} by always answering the commonest value. The release holds the tested records, \
         too, so compare it with all of the original.",
        show::name(&found.target),
        show::counted(found.tested, "record", "records"),
        show::percent(released),
        show::percent(original),
        show::percent(unseen),
        show::percent(commonest),
    );
    if !found.left_out.is_empty() {
        let names: Vec<String> = found.left_out.iter().map(|name| show::name(name)).collect();
        words.extend([" Not learnt from, because of too many values: ", &names.join(", "), "."]);
    }
    format!("\n{}", show::paragraph(&words, 0))
}

fn row(metric: &str, figure: &Figure) -> Vec<String> {
    let number = |number: Option<f64>| number.map(short).unwrap_or_default();
    let of = figure.of.as_deref().map_or("all".to_owned(), show::name);
    let (before, after) = (number(figure.original), number(figure.released));
    vec![metric.to_owned(), of, figure.name.to_owned(), before, after, short(figure.value)]
}

/// Four digits that matter.
fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 1000.0 => format!("{number:.0}"),
        size if size >= 1.0 => format!("{number:.2}"),
        _ => format!("{number:.4}"),
    }
}

/// What was not measured, and why.
fn absent(compared: &ComparisonReport) -> String {
    let absent: Vec<&str> = compared.metrics.iter().filter(|one| !one.measured).map(|one| one.metric).collect();
    let mut text = String::new();
    if !absent.is_empty() {
        let remedy = if compared.records.original == compared.records.released {
            " Release with [output] order = \"input\" for your own eyes, or vouch for the order with --same-order."
        } else {
            ""
        };
        let why = &compared.alignment;
        let words = format!("Not measured: {}. They compare record by record, and {why}.{remedy}", absent.join(", "));
        text += "\n";
        text += &show::paragraph(&words, 0);
    }
    if !compared.left_out.is_empty() {
        let names: Vec<String> = compared.left_out.iter().map(|name| show::name(name)).collect();
        text += "\n";
        text += &show::paragraph(&format!("Not compared as numbers: {}.", names.join(", ")), 0);
    }
    text
}

fn linkage(found: &Linkage) -> String {
    let has_segments = found.columns.iter().any(|one| one.rank_within_segments.is_some());
    let mut header = vec!["what an intruder finds again", ">by rank", ">interval", ">unchanged"];
    header.splice(2..2, has_segments.then_some(">in segments"));
    let row = |one: &ColumnLinkage| {
        let share = |share: Option<f64>| share.map(show::percent).unwrap_or_default();
        let mut row = vec![show::name(&one.name)];
        row.extend([Some(one.rank), Some(one.interval), Some(one.unchanged)].map(share));
        row.splice(2..2, has_segments.then(|| share(one.rank_within_segments)));
        row
    };
    let table = show::table(&header, &found.columns.iter().map(row).collect::<Vec<_>>());
    let tried = show::counted(found.distance.tried, "record", "records");
    format!(
        "\n{table}\n  by distance: {} of {tried} are nearest to their own original\n",
        show::percent(found.distance.share)
    )
}
