//! `equanym risk`: how likely somebody in a table is recognised, as it is.

use std::path::PathBuf;

use clap::Args;
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;
use equanym_engine::run::risk::{self, QuasiChoice, RiskReport, SizeBand, VariableRisk};

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, SharedFlags};
use crate::show;
use crate::{progress, summary};

/// Measure the re-identification risk of a table as it is
///
/// Nothing is written. With a policy its quasi-identifiers count; without one those that a draft would propose.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 measured · 1 there are no records · 2 wrong use, policy or input · 3 environment

Example:
  equanym risk data.csv --policy policy.toml"
)]
pub struct Risk {
    /// The table: a file or a folder
    data: PathBuf,
    /// The policy that says which columns are quasi-identifying
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Risk {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let policy = self.policy.as_deref().map(Policy::load).transpose()?;
        let reading = self.reading.over_policy(policy.as_ref())?;
        let resources = shared.resources();
        let report = risk::risk(&self.data, policy.as_ref(), &reading, &resources, &progress::listen(console))?;
        console.result(&report, || text(&report))?;
        Ok(Ending::Done)
    }
}

/// The risk in words.
pub fn text(report: &RiskReport) -> String {
    let records = show::counted(report.records, "record", "records");
    let records = match report.persons {
        Some(persons) => format!("{records} of {}", show::counted(persons, "person", "people")),
        None => records,
    };
    let chosen = match report.chosen_by {
        QuasiChoice::Policy => "as the policy says",
        QuasiChoice::Draft => "as a draft would propose; a policy may say otherwise",
    };
    let quasi = show::counted(report.quasi_identifiers.len() as u64, "quasi-identifier", "quasi-identifiers");
    let heading = show::strong(&format!("{records}, {quasi}"));
    let people = report.person.as_ref().map(|column| {
        let column = show::name(column);
        let counted =
            format!("People are counted, told apart by `{column}`; whoever is in several classes counts in each.");
        show::paragraph(&format!("{counted} {}", summary::SEVERAL_RECORDS), 0)
    });
    let people = people.unwrap_or_default();
    let warnings = summary::warnings(&report.warnings);
    format!("{heading}, {chosen}\n{people}\n{}\n{}\n{}{warnings}", variables(report), facts(report), sizes(report))
}

/// The measures that matter most, one per line.
pub fn facts(report: &RiskReport) -> String {
    let measures = &report.risk.measures;
    let classes = &report.classes;
    let (unit, one) = if report.persons.is_some() { ("people", "person") } else { ("records", "record") };
    let unique = match report.uniques.persons {
        Some(persons) => show::counted(persons, "class holds one person", "classes hold one person"),
        None => show::counted(report.uniques.records, "record stands", "records stand"),
    };
    let sizes =
        format!("{} to {} {unit}, {:.1} on average", show::count(classes.min), show::count(classes.max), classes.mean);
    let threshold = show::percent(report.risk.threshold);
    let facts = [
        ("classes", format!("{} of {sizes}", show::count(classes.count))),
        ("uniques", format!("{unique} alone ({})", show::percent(report.uniques.share))),
        (
            "highest risk",
            format!("{} for the {one} that is easiest to recognise", show::percent(measures.prosecutor_max)),
        ),
        (
            "mean risk",
            format!(
                "{} of the {unit} would be recognised by somebody who knows them",
                show::percent(measures.prosecutor_mean)
            ),
        ),
        (
            "at risk",
            format!("{} of the {unit} are above a risk of {threshold}", show::percent(measures.records_at_risk)),
        ),
    ];
    show::facts(&facts)
}

fn variables(report: &RiskReport) -> String {
    let header = ["quasi-identifier", ">distinct values", ">pairs told apart"];
    let row = |variable: &VariableRisk| {
        vec![show::name(&variable.name), show::count(variable.distinct), show::percent(variable.separation)]
    };
    show::table(&header, &report.quasi_identifiers.iter().map(row).collect::<Vec<_>>())
}

fn sizes(report: &RiskReport) -> String {
    let mut header = vec!["class size", ">classes"];
    header.extend(report.persons.map(|_| ">people"));
    header.push(">records");
    let row = |band: &SizeBand| {
        let size = match band.to {
            Some(to) if to == band.from => band.from.to_string(),
            Some(to) => format!("{} to {to}", band.from),
            None => format!("{} and more", band.from),
        };
        let people = band.persons.map(show::count);
        [size, show::count(band.classes)].into_iter().chain(people).chain([show::count(band.records)]).collect()
    };
    show::table(&header, &report.sizes.iter().map(row).collect::<Vec<_>>())
}
