//! `equanym balance`: price theory on a table.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;
use equanym_engine::run::balance::{self, BalanceReport, BalanceRequest, Solved, SweptPiece, VariableFound, figures};

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, Shared};
use crate::progress;
use crate::show::{self, Align};

/// Balance utility and privacy: prices, budget, optimum, nearest levels
///
/// Users and intruders share 100 points each among the quasi-identifiers of the policy; [preferences] weighs utility
/// against privacy. Nothing is released and nothing is guaranteed: `release` with search = "balance" does both.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 balanced · 1 there are no records · 2 wrong use, policy or input, or rations that cannot be met · 3 environment

Example:
  equanym balance data.csv --policy policy.toml --sweep alpha --plot plots"
)]
pub struct Balance {
    /// The table: a file or a folder
    data: PathBuf,
    /// The policy, with points for its quasi-identifiers; it needs no [[privacy]] and no [method]
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// Show how the choice moves from privacy alone to utility alone
    #[arg(long, value_name = "WHAT")]
    sweep: Option<Sweep>,
    /// Draw levels and optimum, and the optimum over preferences and points, into a new folder
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
    /// Let messages show the beginnings of values that do not fit their hierarchy
    #[arg(long)]
    show_values: bool,
    #[command(flatten)]
    reading: ReadingFlags,
}

/// What is varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sweep {
    /// The weight of utility, with that of privacy being the rest
    Alpha,
}

impl Balance {
    pub fn run(&self, shared: &Shared, console: Console) -> Result<Ending> {
        let mut policy = Policy::load(&self.policy)?;
        policy.data = self.reading.over(&policy.data);
        let solved = balance::balance(&BalanceRequest {
            data: &self.data,
            policy: &policy,
            memory: shared.resources().memory,
            show_values: self.show_values,
            sweep: self.sweep.is_some(),
            progress: progress::listen(console).as_ref(),
        })?;
        if let Some(folder) = &self.plot {
            figures::write(&solved, folder, &self.data)?;
        }
        console.result(&solved.report, || self.text(&solved))?;
        Ok(Ending::Done)
    }

    fn text(&self, solved: &Solved) -> String {
        let mut text = text(&solved.report);
        if let Some(folder) = &self.plot {
            // A `String` takes everything.
            let _ = write!(text, "\nThe plots are in {}.\n", show::path(folder));
        }
        text
    }
}

fn text(report: &BalanceReport) -> String {
    let records = show::counted(report.records, "record", "records");
    let quasi = show::counted(report.variables.len() as u64, "quasi-identifier", "quasi-identifiers");
    let heading = show::strong(&format!("{records}, {quasi}"));
    let mut text = format!("{heading}, entropy in {}\n\n{}\n{}", report.unit, variables(report), facts(report));
    if !report.sweep.is_empty() {
        let _ = write!(text, "\n{}\n{}", show::strong("From privacy alone to utility alone"), sweep(report));
    }
    text
}

fn variables(report: &BalanceReport) -> String {
    let header = [
        ("variable", Align::Left),
        ("entropy", Align::Right),
        ("points q", Align::Right),
        ("r", Align::Right),
        ("price 1/q", Align::Right),
        ("1/r", Align::Right),
        ("optimum x", Align::Right),
        ("y", Align::Right),
        ("level", Align::Right),
        ("utility", Align::Right),
        ("protection", Align::Right),
        ("satisfaction", Align::Right),
    ];
    show::table(&header, &report.variables.iter().map(row).collect::<Vec<_>>())
}

fn row(variable: &VariableFound) -> Vec<String> {
    let price = |price: Option<f64>| price.map_or_else(|| "–".to_owned(), |price| format!("{price:.4}"));
    let beyond = if variable.optimum.attainable { "" } else { "!" };
    let last = variable.levels.len().saturating_sub(1);
    vec![
        show::name(&variable.name),
        format!("{:.3}", variable.entropy),
        show::measure(variable.points.user),
        show::measure(variable.points.intruder),
        price(variable.price.utility),
        price(variable.price.protection),
        format!("{:.2}{beyond}", variable.optimum.x),
        format!("{:.2}{beyond}", variable.optimum.y),
        format!("{} of {last}", variable.level),
        format!("{:.2}", variable.utility),
        format!("{:.2}", variable.protection),
        format!("{:.3}", variable.satisfaction),
    ]
}

fn facts(report: &BalanceReport) -> String {
    let BalanceReport { alpha, beta, target, distance, satisfaction, optimum_satisfaction, unit, .. } = report;
    let share = if *optimum_satisfaction > 0.0 { satisfaction / optimum_satisfaction } else { 1.0 };
    let mut facts = vec![
        ("preferences", format!("alpha {alpha}, beta {beta}, target {target}, distance {distance}")),
        ("budget", budget(report)),
        (
            "satisfaction",
            format!(
                "{satisfaction:.3} with these levels, {optimum_satisfaction:.3} at the optimum ({})",
                show::percent(share)
            ),
        ),
    ];
    if report.variables.iter().any(|variable| !variable.optimum.attainable) {
        let words = format!("!: the optimum takes more {unit} than the variable has; one budget for all allows that");
        facts.push(("note", words));
    }
    if *satisfaction <= 0.0 {
        let words = "a level that shows all or nothing makes the product 0; target max-satisfaction avoids such levels";
        facts.push(("note", words.to_owned()));
    }
    show::facts(&facts)
}

/// The budget line: what each unit costs, and what there is to spend.
fn budget(report: &BalanceReport) -> String {
    const SHOWN: usize = 3;
    let term = |variable: &VariableFound| {
        let name = show::name(&variable.name);
        let good =
            |letter: char, points: f64| (points > 0.0).then(|| format!("{letter}({name})/{}", show::measure(points)));
        [good('x', variable.points.user), good('y', variable.points.intruder)].into_iter().flatten().collect::<Vec<_>>()
    };
    let mut terms: Vec<String> = report.variables.iter().take(SHOWN).flat_map(term).collect();
    if report.variables.len() > SHOWN {
        terms.push("…".to_owned());
    }
    format!("{} = {:.4} {}", terms.join(" + "), report.income, report.unit)
}

fn sweep(report: &BalanceReport) -> String {
    let names: Vec<String> = report.node.0.iter().map(|(name, _)| show::name(name)).collect();
    let mut header = vec![("alpha from", Align::Right), ("to", Align::Right)];
    header.extend(names.iter().map(|name| (name.as_str(), Align::Right)));
    let row = |piece: &SweptPiece| {
        let levels = piece.node.0.iter().map(|(_, level)| level.to_string());
        [format!("{:.4}", piece.from), format!("{:.4}", piece.to)].into_iter().chain(levels).collect()
    };
    show::table(&header, &report.sweep.iter().map(row).collect::<Vec<_>>())
}
