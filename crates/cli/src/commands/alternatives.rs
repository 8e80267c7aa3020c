//! `equanym alternatives`: the safe releases to choose from.

use std::path::PathBuf;

use clap::Args;
use equanym_engine::error::Result;
use equanym_engine::policy::{MOST_CHOICES, Policy};
use equanym_engine::run::alternatives::{
    self, Alternative, Alternatives as Choices, AlternativesRequest, LevelPrice, VariablePrices,
};

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, SharedFlags};
use crate::progress;
use crate::show;

/// Show the best safe releases in their order, and what each level of each column would cost
///
/// Both are exact. Nothing is released. What is shown depends on records that a release withholds: keep it to yourself.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 found · 1 no safe release · 2 wrong use, policy or input · 3 environment

Example:
  equanym alternatives data.csv --policy policy.toml --count 5
  equanym release data.csv --policy policy.toml --choose 2 --out release"
)]
pub struct Alternatives {
    /// The table: a file or a folder
    data: PathBuf,
    /// The policy
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// How many safe releases to show
    #[arg(long, value_name = "NUMBER", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_CHOICES)))]
    count: u32,
    /// Let messages show the beginnings of values that do not fit their hierarchy
    #[arg(long)]
    show_values: bool,
    /// The key of dates that move, as `release` is given it: levels may depend on it
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Alternatives {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let mut policy = Policy::load(&self.policy)?;
        policy.data = self.reading.over(&policy.data)?;
        policy.key.clone_from(&self.key);
        let found = alternatives::alternatives(&AlternativesRequest {
            data: (&self.data).into(),
            policy: &policy,
            count: self.count as usize,
            resources: &shared.resources(),
            show_values: self.show_values,
            progress: &progress::listen(console),
        })?;
        console.result(&found, || self.text(&found))?;
        Ok(Ending::Done)
    }

    fn text(&self, found: &Choices) -> String {
        let nodes = show::count(found.lattice);
        let heading = match found.alternatives.len() {
            count if count < self.count as usize => format!("{count} of {nodes} nodes are safe"),
            1 => format!("The best safe one of {nodes} nodes"),
            count => format!("The {count} best safe ones of {nodes} nodes"),
        };
        let prices = show::strong("What each level costs: the best safe node with it");
        let [data, policy] = [&self.data, &self.policy].map(|path| show::shell_word(path));
        let next = show::command(&format!("equanym release {data} --policy {policy} --choose 2 --out DIR"));
        format!(
            "{}; by {}\n\n{}\n{prices}\n\n{}\nTake another than the first: {next}\n",
            show::strong(&heading),
            show::plain(&found.minimised),
            order(found),
            levels(found),
        )
    }
}

/// The nodes in their order, with the level of each variable.
fn order(found: &Choices) -> String {
    let names = found.variables.iter().map(|variable| format!(">{}", show::name(&variable.name)));
    let header: Vec<String> =
        [">place", ">loss", ">withheld", ">smallest"].map(str::to_owned).into_iter().chain(names).collect();
    let row = |(place, node): (usize, &Alternative)| {
        let smallest = node.found.map_or_else(String::new, |found| show::count(found.classes.min));
        let mut row = vec![place.to_string(), loss(node), show::count(node.suppressed), smallest];
        row.extend(node.node.0.iter().map(|(_, level)| level.to_string()));
        row
    };
    show::table(&header, &(1..).zip(&found.alternatives).map(row).collect::<Vec<_>>())
}

/// The levels of each variable with their prices.
fn levels(found: &Choices) -> String {
    let header = ["variable", ">level", "what is released", ">loss", "withheld"];
    let rows = found.variables.iter().flat_map(|variable| variable.levels.iter().map(|level| row(variable, level)));
    show::table(&header, &rows.collect::<Vec<_>>())
}

fn row(variable: &VariablePrices, level: &LevelPrice) -> Vec<String> {
    let is_first = variable.levels.first().is_some_and(|first| first.level == level.level);
    let name = if is_first { show::name(&variable.name) } else { String::new() };
    let (loss, withheld) = match (&level.best, &level.why_not) {
        (Some(node), _) => (loss(node), show::count(node.suppressed)),
        (None, Some(why_not)) => ("–".to_owned(), format!("not safe: {why_not}")),
        (None, None) => Default::default(),
    };
    vec![name, level.level.to_string(), show::plain(&level.labels), loss, withheld]
}

/// What a node loses, and how that compares with the best.
fn loss(node: &Alternative) -> String {
    match node.of_best {
        Some(share) if share > 1.0 => format!("{} (+{})", show::measure(node.loss), show::percent(share - 1.0)),
        _ => show::measure(node.loss),
    }
}
