//! `equanym compare`: what a release is still good for.

use std::path::PathBuf;

use clap::Args;
use equanym_core::risk::linkage::{ColumnLinkage, Linkage};
use equanym_core::utility::Figure;
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;
use equanym_engine::run::compare::{self, CompareRequest, Compared, Metric};

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, Shared};
use crate::show::{self, Align};

/// Measure what a release is still good for: utility metrics, before and after
///
/// RELEASE is the folder of a release, its `public` folder, or a table. Numeric columns are compared; ranges count as
/// such. Metrics that need to know which released record was which original one are measured when the release keeps the
/// order of the input ([output] order = "input") and withholds nobody, or with --same-order. Nothing is written.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 measured · 1 there are no records · 2 wrong use, policy or input · 3 environment

Example:
  equanym compare data.csv release --policy policy.toml"
)]
pub struct Compare {
    /// The table before
    original: PathBuf,
    /// The release: its folder, its `public` folder, or a table
    release: PathBuf,
    /// The policy: says which columns are codes and which are numbers, and which one is sensitive
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Vouch that both tables hold the same records in the same order
    #[arg(long)]
    same_order: bool,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Compare {
    pub fn run(&self, shared: &Shared, console: Console) -> Result<Ending> {
        let policy = self.policy.as_deref().map(Policy::load).transpose()?;
        let reading = self.reading.over_policy(policy.as_ref());
        let compared = compare::compare(&CompareRequest {
            original: &self.original,
            release: &self.release,
            policy: policy.as_ref(),
            reading: &reading,
            same_order: self.same_order,
            resources: shared.resources(),
        })?;
        console.result(&compared, || text(&compared))?;
        Ok(Ending::Done)
    }
}

/// The comparison in words.
fn text(compared: &Compared) -> String {
    let (before, after) = (compared.records.original, compared.records.released);
    let people = compared.persons.map(|persons| format!(" of {}", show::counted(persons, "person", "people")));
    let people = people.unwrap_or_default();
    let records =
        format!("{}{people} before, {} after", show::counted(before, "record", "records"), show::count(after));
    let mut text = format!("{}; {}.\n", show::strong(&records), compared.alignment);
    let category = compared.category.as_ref().map(|name| format!("Queries choose groups by {}.\n", show::name(name)));
    text += &category.unwrap_or_default();
    text += "\n";
    text += &metrics(&compared.metrics);
    text += &absent(compared);
    text += &compared.linkage.as_ref().map(linkage).unwrap_or_default();
    text
}

fn metrics(metrics: &[Metric]) -> String {
    let header = [
        ("metric", Align::Left),
        ("column", Align::Left),
        ("measure", Align::Left),
        ("original", Align::Right),
        ("released", Align::Right),
        ("difference", Align::Right),
    ];
    let rows: Vec<Vec<String>> =
        metrics.iter().flat_map(|one| one.figures.iter().map(|figure| row(one.metric, figure))).collect();
    show::table(&header, &rows)
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
fn absent(compared: &Compared) -> String {
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
    let header = [
        ("what an intruder finds again", Align::Left),
        ("by rank", Align::Right),
        ("interval", Align::Right),
        ("unchanged", Align::Right),
    ];
    let row = |one: &ColumnLinkage| {
        vec![show::name(&one.name), show::percent(one.rank), show::percent(one.interval), show::percent(one.unchanged)]
    };
    let table = show::table(&header, &found.columns.iter().map(row).collect::<Vec<_>>());
    let tried = show::counted(found.distance.tried, "record", "records");
    format!(
        "\n{table}\n  by distance: {} of {tried} are nearest to their own original\n",
        show::percent(found.distance.share)
    )
}
