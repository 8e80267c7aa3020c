//! `bench walk`: how fast samplers walk, and what their steps are worth.
//!
//! Every sampler walks the same regions in the same run, and hopsy with them where Python has it. Steps alone say little: a
//! step may be cheap and lead nowhere. Effective samples per second count.

pub mod census;
mod efficiency;
mod hopsy;
mod large;
mod polytope;
pub mod totals;

use std::time::Duration;

use equanym_core::walk::{self, DEFAULT};

use crate::failure::Result;
use crate::figures::{grouped, short};
use crate::markdown;
use crate::settings::Settings;
use efficiency::{Efficiency, Rate};
use hopsy::{Hopsy, Outcome};

/// The sampler that others are compared with.
const LITERAL: &str = "paper";

/// Rows of a polytope beyond which hopsy, which keeps it dense, is not asked.
const DENSE_ROWS: usize = 100_000;

/// What was measured on one region.
struct WalkCell {
    size: usize,
    share: f64,
    rows: usize,
    ours: Vec<(&'static str, Efficiency)>,
    theirs: Vec<Outcome>,
}

/// Measures everything; the text has a table for each question.
pub fn report(settings: &Settings) -> Result<String> {
    let hopsy = Hopsy::find();
    let mut cells = Vec::new();
    for size in polytope::SIZES {
        for share in polytope::SHARES {
            eprintln!("n {size} theta {share}");
            cells.push(measure(size, share, hopsy.as_ref(), settings)?);
        }
    }
    let compared = match &hopsy {
        Some(hopsy) => format!(
            "### Against hopsy {}\n\nThe polytope as it is:\n\n{}\nThe polytope rounded first, the time for that left out:\n\n{}\n{}",
            hopsy.version,
            verdict(&cells, &|cell| best_of_hopsy(cell, false)),
            verdict(&cells, &|cell| best_of_hopsy(cell, true)),
            theirs(&cells)
        ),
        None => {
            "### Against hopsy\n\nhopsy is not importable here (`pip install hopsy`; `PYTHON` names the interpreter).\n"
                .to_owned()
        }
    };
    Ok(format!(
        "`cargo xtask bench walk{}`, one thread for each walk:\n\n### Samplers\n\n{}\n{}\n{compared}\n### A whole table\n\n{}",
        settings.flags(),
        verdict(&cells, &literal),
        ours(&cells),
        large::report(settings.quick)?
    ))
}

fn measure(size: usize, share: f64, hopsy: Option<&Hopsy>, settings: &Settings) -> Result<WalkCell> {
    let region = polytope::region(size, share);
    let budget = if settings.quick { 0.5 } else { 4.0 };
    let ours =
        walk::ALL.iter().map(|member| (member.card.name, efficiency::measure(&region, member, budget))).collect();
    let rows = region.blocks.iter().map(|block| block.localities.len()).sum();
    let mut theirs = Vec::new();
    for sampler in hopsy::SAMPLERS {
        let is_small = rows < DENSE_ROWS && size <= limit_of(sampler, settings.quick);
        if let Some(hopsy) = hopsy.filter(|_| is_small) {
            let limit = if settings.quick { Duration::from_secs(10) } else { Duration::from_mins(3) };
            theirs.extend(hopsy.measure(&region, sampler, budget * 2.0, limit)?);
        }
    }
    Ok(WalkCell { size, share, rows, ours, theirs })
}

/// The largest region that a sampler of hopsy is asked about: rounding one of 900 values would take hours.
fn limit_of(sampler: &str, quick: bool) -> usize {
    if quick || sampler.starts_with(hopsy::ROUNDED) { 100 } else { usize::MAX }
}

impl WalkCell {
    fn own(&self, name: &str) -> Option<&Efficiency> {
        self.ours.iter().find(|(own, _)| *own == name).map(|(_, efficiency)| efficiency)
    }
}

fn literal(cell: &WalkCell) -> Option<(&'static str, Rate)> {
    Some((LITERAL, cell.own(LITERAL)?.least()))
}

/// The best of hopsy's samplers, on the polytope as it is or rounded.
fn best_of_hopsy(cell: &WalkCell, rounded: bool) -> Option<(&'static str, Rate)> {
    let asked = cell.theirs.iter().filter(|outcome| outcome.sampler.starts_with(hopsy::ROUNDED) == rounded);
    let rates = asked.map(|outcome| (outcome.sampler, outcome.efficiency.least()));
    rates.reduce(|best, other| if other.1.value > best.1.value { other } else { best })
}

/// The default against another, cell by cell.
fn verdict(cells: &[WalkCell], other: &dyn Fn(&WalkCell) -> Option<(&'static str, Rate)>) -> String {
    let ratio = |cell: &WalkCell| {
        let (name, rate) = other(cell)?;
        let own = cell.own(DEFAULT)?.least();
        let sign = if rate.is_limit { "more than " } else { "" };
        let times = short(own.value / rate.value);
        Some(format!(
            "- n = {}, theta = {}: {sign}{times} times the effective samples per second of `{name}`.\n",
            cell.size, cell.share
        ))
    };
    cells.iter().filter_map(ratio).collect()
}

const HEAD: [&str; 9] = ["n", "theta", "rows", "sampler", "steps/s", "least coordinate", "mean", "spread", "shape"];

fn ours(cells: &[WalkCell]) -> String {
    let rows: Vec<Vec<String>> =
        cells.iter().flat_map(|cell| cell.ours.iter().map(|(name, efficiency)| line(cell, name, efficiency))).collect();
    format!(
        "Effective samples per second of processor time; `<` marks an upper limit.\n\n{}",
        markdown::table(&HEAD, 0, &rows)
    )
}

fn theirs(cells: &[WalkCell]) -> String {
    let head: Vec<&str> = HEAD.into_iter().chain(["set-up, s"]).collect();
    let row = |cell: &WalkCell, outcome: &Outcome| {
        let mut row = line(cell, outcome.sampler, &outcome.efficiency);
        row.push(short(outcome.setup));
        row
    };
    let rows: Vec<Vec<String>> =
        cells.iter().flat_map(|cell| cell.theirs.iter().map(move |outcome| row(cell, outcome))).collect();
    markdown::table(&head, 0, &rows)
}

fn line(cell: &WalkCell, name: &str, efficiency: &Efficiency) -> Vec<String> {
    let rate = |rate: Rate| format!("{}{}", if rate.is_limit { "< " } else { "" }, short(rate.value));
    vec![
        cell.size.to_string(),
        cell.share.to_string(),
        grouped(cell.rows as u128),
        format!("`{name}`"),
        short(efficiency.steps_per_second),
        rate(efficiency.coordinate),
        rate(efficiency.mean),
        rate(efficiency.spread),
        rate(efficiency.shape),
    ]
}
