//! Lattices of millions of nodes and more: the optimum, or the best node so far with the gap that is proven.

use crate::facts::{Facts, ask_child};
use crate::failure::Result;
use crate::figures::{grouped, percent, short};
use crate::markdown;
use crate::settings::Settings;

/// Data sets and limits, and whether they are searched to the end; k is 5 and the loss the usual one.
const CELLS: [(&str, &str, bool); 6] = [
    ("adult13", "0", true),
    ("adult13", "0.05", true),
    ("adult13", "1", true),
    ("mach2019", "0", true),
    ("mach2019", "0.05", false),
    ("credit", "0.05", false),
];

/// Searches them and describes what came out.
pub fn report(settings: &Settings) -> Result<String> {
    if !settings.data.is_dir() {
        return Ok("The large data sets are not there.\n".to_owned());
    }
    let seconds = if settings.quick { "4" } else { "60" };
    let cells = if settings.quick { &CELLS[1..] } else { &CELLS[..] };
    let mut rows = Vec::new();
    for (name, limit, to_the_end) in cells {
        let folder = settings.data.to_string_lossy().into_owned();
        let arguments = ["one-cell", &folder, name, "5", limit, equanym_core::loss::DEFAULT].map(str::to_owned);
        let mut arguments = arguments.to_vec();
        if settings.quick || !to_the_end {
            arguments.push(seconds.to_owned());
        }
        eprintln!("{name}, limit {limit}");
        rows.push(line(name, limit, &ask_child(&arguments)?));
    }
    let head = ["data", "limit", "variables", "nodes in all", "keys", "nodes counted", "s", "loss", "gap", "MiB"];
    let told = "k = 5, non-uniform entropy";
    Ok(format!("{told}; what is not optimal was left after {seconds} s.\n\n{}", markdown::table(&head, 1, &rows)))
}

fn line(name: &str, limit: &str, facts: &Facts) -> Vec<String> {
    let gap = |gap: f64| if gap == 0.0 { "0: optimal".to_owned() } else { percent(gap) };
    vec![
        name.to_owned(),
        limit.to_owned(),
        facts.text("variables"),
        count(facts, "lattice"),
        count(facts, "keys"),
        count(facts, "nodes"),
        facts.written("seconds", short),
        facts.written("loss", short),
        facts.written("gap", gap),
        facts.peak(),
    ]
}

/// A count with its thousands apart.
pub fn count(facts: &Facts, name: &str) -> String {
    facts.text(name).parse().map_or_else(|_| facts.text(name), grouped)
}
