//! The grid: data set × k × limit × loss, every search on every cell.

use std::path::Path;

use equanym_core::frequency::Table;
use equanym_core::loss::{self, CountedNode};

use crate::cell::SearchCell;
use crate::duel::{Duel, Patience, baselines, duel};
use crate::facts::ask_child;
use crate::failure::Result;
use crate::figures::{grouped, short};
use crate::settings::Settings;
use crate::single::levels;
use crate::{markdown, oracle, summary, table};

/// The data sets whose lattices can be walked node by node.
const SETS: [&str; 4] = ["adult", "cup", "fars10pct", "ss13acs5"];
/// Those of the quick run.
const QUICK_SETS: [&str; 2] = ["adult", "ss13acs5"];
/// Where there are no published data: the demo's hospital at several sizes.
const STAND_INS: [&str; 3] = ["hospital-1000", "hospital-10000", "hospital-100000"];
/// Its 45,000 nodes of up to 63,441 classes take minutes; only the complete run looks at each.
const SLOW: &str = "cup";

const LOSSES: [&str; 3] = ["iyengar", "non-uniform-entropy", "discernibility-star"];

/// One cell with all that was measured.
pub struct Row {
    /// The data set.
    pub data: String,
    /// The cell.
    pub cell: SearchCell,
    /// How the searches did.
    pub duel: Duel,
    /// The loss of the optimum.
    pub value: f64,
    /// Peak memory in MiB.
    peak: String,
    /// Whether the answer is that of every node looked at.
    pub checked: Option<bool>,
}

impl Row {
    /// Whether the exact search claims the optimum, and it is this node.
    fn is_answered_by(&self, answer: &CountedNode) -> bool {
        let best = &self.duel.found.best;
        let is_same = answer.summary.units == best.summary.units && answer.suppressed == best.suppressed;
        self.duel.found.is_optimal() && is_same && answer.node == best.node
    }
}

/// All cells that are asked.
pub fn cells(quick: bool) -> Vec<SearchCell> {
    let ks: &[u32] = if quick { &[5] } else { &[2, 5, 10] };
    let limits = [0.0, 0.05, 1.0];
    let of = |k: u32| limits.into_iter().flat_map(move |limit| LOSSES.map(|loss| SearchCell { k, limit, loss }));
    ks.iter().copied().flat_map(of).collect()
}

/// Measures the grid and describes it.
pub fn report(settings: &Settings) -> Result<String> {
    let sets: &[&str] = match (settings.data.is_dir(), settings.quick) {
        (true, true) => &QUICK_SETS,
        (true, false) => &SETS,
        (false, true) => &STAND_INS[..2],
        (false, false) => &STAND_INS,
    };
    let mut rows = Vec::new();
    for &name in sets {
        rows.extend(measure(settings, name)?);
    }
    Ok(format!("{}\n{}", summary::text(&rows), describe(&rows)))
}

fn measure(settings: &Settings, name: &str) -> Result<Vec<Row>> {
    let table = table::named(&settings.data, name)?;
    eprintln!("{name}: {} records, {} keys, {} nodes", table.records, table.keys().len(), table.lattice().size());
    let cells = cells(settings.quick);
    let walked = name != SLOW || settings.complete;
    let answers = if walked { oracle::answers(&table, &cells)? } else { vec![None; cells.len()] };
    let mut rows = Vec::new();
    for (cell, answer) in cells.into_iter().zip(answers) {
        let mut row = row(settings, name, &table, cell)?;
        row.checked = walked.then(|| answer.is_some_and(|answer| row.is_answered_by(&answer)));
        rows.push(row);
    }
    Ok(rows)
}

fn row(settings: &Settings, name: &str, table: &Table, cell: SearchCell) -> Result<Row> {
    let posed = cell.pose(table)?;
    let duel = duel(&posed, &if settings.quick { Patience::SHORT } else { Patience::LONG })?;
    let value = loss::as_number(posed.loss.as_ref(), duel.found.best.summary.units);
    let peak = peak(&settings.data, name, cell)?;
    eprintln!("  k {} limit {} {}: {} ms", cell.k, cell.limit, cell.loss, short(duel.fastest()));
    Ok(Row { data: name.to_owned(), cell, duel, value, peak, checked: None })
}

/// Peak memory of a process that makes the table and searches it once.
fn peak(folder: &Path, name: &str, cell: SearchCell) -> Result<String> {
    let folder = folder.to_string_lossy().into_owned();
    let arguments = [
        "one-cell".to_owned(),
        folder,
        name.to_owned(),
        cell.k.to_string(),
        cell.limit.to_string(),
        cell.loss.to_owned(),
    ];
    Ok(ask_child(&arguments)?.peak())
}

fn describe(rows: &[Row]) -> String {
    let names: Vec<&str> = baselines().collect();
    let mut head = vec!["data", "loss", "k", "limit", "levels", "value", "suppressed", "ms", "median", "nodes"];
    head.extend(&names);
    head.extend(["MiB", "= every node"]);
    markdown::table(&head, 2, &rows.iter().map(line).collect::<Vec<_>>())
}

fn line(row: &Row) -> Vec<String> {
    let best = &row.duel.found.best;
    let mut cells = vec![
        row.data.clone(),
        row.cell.loss.to_owned(),
        row.cell.k.to_string(),
        row.cell.limit.to_string(),
        levels(&best.node.0),
        decimal(row.value),
        grouped(best.suppressed.into()),
        short(row.duel.fastest()),
        short(row.duel.middle()),
        grouped(row.duel.found.evaluated.into()),
    ];
    cells.extend(row.duel.ratios());
    cells.push(row.peak.clone());
    cells.push(match row.checked {
        Some(true) => "yes".to_owned(),
        Some(false) => "NO".to_owned(),
        None => "not asked".to_owned(),
    });
    cells
}

/// A loss, with six decimals where it is below one and three elsewhere.
fn decimal(value: f64) -> String {
    let text = if value < 1.0 { format!("{value:.6}") } else { format!("{value:.3}") };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
