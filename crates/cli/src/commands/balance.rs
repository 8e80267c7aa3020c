//! `equanym balance`: price theory on a table.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use equanym_core::report::{GoodsAmounts, RationFindings};
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;
use equanym_engine::run::balance::{
    self, BalanceReport, BalanceRequest, BalanceSolution, LevelReading, MarketLevel, MarketVariable, PointsCell,
    SweptPiece, SweptPoints, SweptRatio, Totals, plots,
};

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, SharedFlags};
use crate::progress;
use crate::show;

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
    /// Show what each level of each variable gives
    #[arg(long)]
    levels: bool,
    /// Show how optimum and choice move; can be given several times
    #[arg(long, value_name = "WHAT")]
    sweep: Vec<Sweep>,
    /// Draw levels and optimum, and both over preferences and points, into a new folder
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
    /// The weight of utility, from 0 to 1, with that of privacy being the rest
    Alpha,
    /// The ratio of both weights, from 1 : 9 to 9 : 1
    Ratio,
    /// The user points of each variable against its intruder points
    Points,
}

impl From<Sweep> for balance::Sweep {
    fn from(sweep: Sweep) -> Self {
        match sweep {
            Sweep::Alpha => Self::Alpha,
            Sweep::Ratio => Self::Ratio,
            Sweep::Points => Self::Points,
        }
    }
}

impl Balance {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let mut policy = Policy::load(&self.policy)?;
        policy.data = self.reading.over(&policy.data)?;
        let solved = balance::balance(&BalanceRequest {
            data: (&self.data).into(),
            policy: &policy,
            memory: shared.resources().memory,
            show_values: self.show_values,
            sweeps: &self.sweep.iter().map(|&sweep| sweep.into()).collect::<Vec<_>>(),
            progress: progress::listen(console).as_ref(),
        })?;
        if let Some(folder) = &self.plot {
            plots::write(&solved, folder, &self.data)?;
        }
        console.result(&solved.report, || self.text(&solved))?;
        Ok(Ending::Done)
    }

    fn text(&self, solved: &BalanceSolution) -> String {
        let report = &solved.report;
        let mut text = text(report);
        let mut section = |heading: &str, body: String| {
            // A `String` takes everything.
            let _ = write!(text, "\n{}\n{body}", show::strong(heading));
        };
        if self.levels {
            section("What each level gives", levels(report));
        }
        if !report.sweeps.sweep.is_empty() {
            section("From privacy alone to utility alone", over_alpha(report));
        }
        if !report.sweeps.ratios.is_empty() {
            section("Over the ratio of alpha to beta", over_ratios(&report.sweeps.ratios));
        }
        for swept in &report.sweeps.points {
            let heading = format!("Level, x* and y* of {} over its points", show::name(&swept.variable));
            section(&heading, over_points(swept));
        }
        if self.sweep.contains(&Sweep::Points) && report.sweeps.points.is_empty() {
            section("Over points", "A single variable has all points: there is nothing to share.\n".to_owned());
        }
        if let Some(folder) = &self.plot {
            let _ = write!(text, "\nThe plots are in {}.\n", show::path(folder));
        }
        text
    }
}

fn text(report: &BalanceReport) -> String {
    let records = show::counted(report.records, "record", "records");
    let quasi = show::counted(report.variables.len() as u64, "quasi-identifier", "quasi-identifiers");
    let heading = show::strong(&format!("{records}, {quasi}"));
    format!("{heading}, entropy in {}\n\n{}\n{}", report.unit, variables(report), facts(report))
}

fn variables(report: &BalanceReport) -> String {
    let header = [
        "variable",
        ">entropy",
        ">points q",
        ">r",
        ">price 1/q",
        ">1/r",
        ">optimum x",
        ">y",
        ">level",
        ">utility",
        ">protection",
        ">satisfaction",
    ];
    show::table(&header, &report.variables.iter().map(row).collect::<Vec<_>>())
}

fn row(variable: &MarketVariable) -> Vec<String> {
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
    let total = |of: fn(&GoodsAmounts) -> f64| {
        let Totals { chosen, optimum, as_collected, at_the_top } = &report.total;
        let most = of(as_collected).max(of(at_the_top));
        format!("{:.2} in all with these levels, {:.2} at the optimum, {most:.2} at most", of(chosen), of(optimum))
    };
    facts.push(("utility", total(|goods| goods.utility)));
    facts.push(("protection", total(|goods| goods.protection)));
    facts.extend(report.rations.iter().map(|ration| ("ration", cost(ration))));
    facts.extend(report.variables.iter().filter_map(new_values).map(|words| ("new values", words)));
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

/// What is read of new values at the chosen setting, and by whom.
fn new_values(variable: &MarketVariable) -> Option<String> {
    let level = variable.levels.iter().find(|level| level.level == variable.level)?;
    let (setting, LevelReading { grid, ranks }) = (level.setting.as_ref()?, level.reading?);
    let name = show::name(&variable.name);
    let bits = |found: f64, error: f64| format!("{found:.3} (± {error:.3})");
    Some(format!(
        "{name} at {setting}: a user reads {}; a grid leaves {} and ranks in a segment leave {}",
        bits(grid.told, grid.told_error),
        bits(grid.untold, grid.untold_error),
        bits(ranks.untold, ranks.untold_error)
    ))
}

/// The budget line: what each unit costs, and what there is to spend.
fn budget(report: &BalanceReport) -> String {
    const SHOWN: usize = 3;
    let term = |variable: &MarketVariable| {
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

/// What a ration costs at the optimum.
fn cost(ration: &RationFindings) -> String {
    let whose = ration.variable.as_deref().map_or_else(|| "all variables".to_owned(), show::name);
    let RationFindings { bound, amount, satisfaction_without, .. } = ration;
    let price = match ration.price {
        None => "without a price, because the satisfaction vanishes".to_owned(),
        Some(price) if price > 0.0 => {
            let looser = if bound.starts_with("min") { "less" } else { "more" };
            let gain = 100.0 * price;
            format!("a unit {looser} of it gains {gain:.2}% of satisfaction; {satisfaction_without:.3} without it")
        }
        Some(_) => "costs nothing".to_owned(),
    };
    format!("{whose} {bound} {amount:.2}: {price}")
}

fn levels(report: &BalanceReport) -> String {
    let header = ["variable", ">level", ">entropy", ">utility", ">protection", ">satisfaction", ""];
    let row = |variable: &MarketVariable, level: &MarketLevel| {
        let note = match (level.level == variable.level, level.allowed) {
            (true, _) => "chosen",
            (_, false) => "not allowed",
            _ => "",
        };
        let note = [level.setting.as_deref().unwrap_or_default(), note].into_iter().filter(|words| !words.is_empty());
        vec![
            show::name(&variable.name),
            level.level.to_string(),
            format!("{:.4}", level.entropy),
            format!("{:.2}", level.utility),
            format!("{:.2}", level.protection),
            format!("{:.3}", level.satisfaction),
            note.collect::<Vec<_>>().join(", "),
        ]
    };
    let rows = report.variables.iter().flat_map(|one| one.levels.iter().map(move |level| row(one, level)));
    show::table(&header, &rows.collect::<Vec<_>>())
}

/// Stretches of one choice; a line for each variable, with the optimum at both ends.
fn over_alpha(report: &BalanceReport) -> String {
    let header = [">alpha from", ">to", "variable", ">level", ">x* from", ">to", ">y* from", ">to"];
    let rows = |piece: &SweptPiece| {
        let mut lines: Vec<Vec<String>> = Vec::new();
        let goods = piece.optimum_from.iter().zip(&piece.optimum_to);
        for ((name, level), (from, to)) in piece.node.0.iter().zip(goods) {
            let [begin, end] = [piece.from, piece.to].map(|alpha| format!("{alpha:.4}"));
            let stretch = if lines.is_empty() { [begin, end] } else { [String::new(), String::new()] };
            let amounts = [from.utility, to.utility, from.protection, to.protection];
            let amounts = amounts.map(|amount| format!("{amount:.2}"));
            lines.push(stretch.into_iter().chain([show::name(name), level.to_string()]).chain(amounts).collect());
        }
        lines
    };
    show::table(&header, &report.sweeps.sweep.iter().flat_map(rows).collect::<Vec<_>>())
}

/// A line for each variable and ratio, and one for all variables together.
fn over_ratios(ratios: &[SweptRatio]) -> String {
    let header = [">alpha : beta", "variable", ">x*", ">y*", ">level", ">utility", ">protection"];
    let line = |[ratio, name, level]: [String; 3], optimum: GoodsAmounts, goods: GoodsAmounts| {
        let amounts = [optimum.utility, optimum.protection, goods.utility, goods.protection];
        let [x, y, utility, protection] = amounts.map(|amount| format!("{amount:.2}"));
        vec![ratio, name, x, y, level, utility, protection]
    };
    let rows = |ratio: &SweptRatio| {
        let words = format!("{:.0} : {:.0}", 10.0 * ratio.alpha, 10.0 * ratio.beta);
        let mut lines: Vec<Vec<String>> = Vec::new();
        for variable in &ratio.variables {
            let ratio = if lines.is_empty() { words.clone() } else { String::new() };
            let names = [ratio, show::name(&variable.name), variable.level.to_string()];
            lines.push(line(names, variable.optimum, variable.goods));
        }
        if lines.len() > 1 {
            lines.push(line([String::new(), "in all".to_owned(), String::new()], ratio.optimum, ratio.total));
        }
        lines
    };
    show::table(&header, &ratios.iter().flat_map(rows).collect::<Vec<_>>())
}

/// Intruder points downwards, user points to the right, in steps of twenty; `--json` has every ten.
fn over_points(swept: &SweptPoints) -> String {
    let steps = [0.0, 20.0, 40.0, 60.0, 80.0, 100.0];
    let heads = steps.iter().map(|points| format!(">q {points}"));
    let header: Vec<String> = std::iter::once(">".to_owned()).chain(heads).collect();
    let at = |user: f64, intruder: f64| {
        let is_here = |cell: &&PointsCell| (cell.user - user).abs() < 1e-9 && (cell.intruder - intruder).abs() < 1e-9;
        swept.cells.iter().find(is_here)
    };
    let words = |cell: &PointsCell| match (cell.level, cell.optimum) {
        (Some(level), Some(optimum)) => format!("{level}  {:.1}/{:.1}", optimum.utility, optimum.protection),
        _ => "–".to_owned(),
    };
    let row = |&intruder: &f64| {
        let cells = steps.iter().map(|&user| at(user, intruder).map(words).unwrap_or_default());
        std::iter::once(format!("r {intruder}")).chain(cells).collect::<Vec<String>>()
    };
    show::table(&header, &steps.iter().map(row).collect::<Vec<_>>())
}
