//! Instructions that a search takes: they do not depend on what else the machine does.
//!
//! A process that makes a table and searches it once is run under `valgrind --tool=callgrind`, and one that makes the table
//! alone; the difference is the search. One thread, because waiting would be counted, too.

use std::path::Path;
use std::process::Command;

use crate::failure::Result;
use crate::figures::{grouped, short};
use crate::markdown;
use crate::settings::Settings;

const CELLS: [[&str; 4]; 3] = [
    ["adult", "5", "0", "non-uniform-entropy"],
    ["adult", "5", "0.05", "discernibility-star"],
    ["fars10pct", "5", "0.05", "iyengar"],
];
const STAND_INS: [[&str; 4]; 3] = [
    ["hospital-10000", "5", "0", "non-uniform-entropy"],
    ["hospital-10000", "5", "0.05", "discernibility-star"],
    ["hospital-10000", "5", "0.05", "iyengar"],
];

/// Counts, where valgrind is there.
pub fn report(settings: &Settings) -> Result<Option<String>> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return Ok(None);
    }
    let mut rows = Vec::new();
    for cell in if settings.data.is_dir() { CELLS } else { STAND_INS } {
        eprintln!("{}", cell.join(" "));
        let (both, nodes) = count(&settings.data, &cell, false)?;
        let (table, _) = count(&settings.data, &cell, true)?;
        let search = both.saturating_sub(table);
        let each = nodes.map_or_else(|| "–".to_owned(), |nodes| grouped(u128::from(search / nodes.max(1))));
        let nodes = nodes.map_or_else(|| "–".to_owned(), |nodes| grouped(nodes.into()));
        let millions = |count: u64| short(count as f64 / 1e6);
        let mut row: Vec<String> = cell.iter().map(ToString::to_string).collect();
        row.extend([millions(table), millions(search), nodes, each]);
        rows.push(row);
    }
    let head = ["data", "k", "limit", "loss", "the table, millions", "the search, millions", "nodes counted", "a node"];
    Ok(Some(markdown::table(&head, 1, &rows)))
}

/// The instructions of a process, and the nodes that it counted.
fn count(folder: &Path, cell: &[&str; 4], without_search: bool) -> Result<(u64, Option<u64>)> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(std::env::current_exe()?);
    command.arg("one-cell").arg(folder).args(cell).args(without_search.then_some("none"));
    let output = command.env("RAYON_NUM_THREADS", "1").output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let total = said.lines().find_map(collected).ok_or_else(|| format!("valgrind told no total: {}", output.status))?;
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    let nodes = found.lines().find_map(|line| line.strip_prefix("nodes=")?.parse().ok());
    Ok((total, nodes))
}

/// The total in a line such as `==1== Collected : 123`.
fn collected(line: &str) -> Option<u64> {
    line.split_once("Collected :")?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read() {
        assert_eq!(collected("==42== Collected : 1234567"), Some(1_234_567));
        assert_eq!(collected("==42== Events    : Ir"), None);
    }
}
