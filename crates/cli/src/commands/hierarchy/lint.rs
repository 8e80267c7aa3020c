//! `equanym hierarchy lint`: what is wrong or doubtful in a hierarchy file.

use std::path::PathBuf;

use clap::Args;
use equanym_core::hierarchy::Severity;
use equanym_engine::error::Result;
use equanym_engine::run::hierarchy::{self, LadderFinding};
use serde_json::json;

use super::ColumnOf;
use crate::commands::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, SharedFlags};
use crate::show;

/// Check a hierarchy file, alone or against a column
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 the file can be used · 1 it has errors · 2 wrong use or input · 3 environment

Example:
  equanym hierarchy lint age.csv --data data.csv --column age")]
pub struct Lint {
    /// The hierarchy file
    file: PathBuf,
    /// Also look for values of a column that the file does not list: the table
    #[arg(long, value_name = "DATA", requires = "column")]
    data: Option<PathBuf>,
    /// The column of that table
    #[arg(long, value_name = "NAME", requires = "data")]
    column: Option<String>,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Lint {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let values = match (&self.data, &self.column) {
            (Some(data), Some(column)) => {
                Some(ColumnOf { data, column, reading: &self.reading }.values(shared, console)?.values)
            }
            _ => None,
        };
        let findings = hierarchy::lint(&self.file, values.as_deref())?;
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        let warnings = findings.len() - errors;
        let document = json!({ "passed": errors == 0, "errors": errors, "warnings": warnings, "findings": findings });
        console.result(&document, || text(&findings, errors, warnings))?;
        Ok(if errors == 0 { Ending::Done } else { Ending::CheckFailed })
    }
}

fn text(findings: &[LadderFinding], errors: usize, warnings: usize) -> String {
    if findings.is_empty() {
        return show::good("No findings.") + "\n";
    }
    let header = ["", "finding", "lines", "what it is"];
    let rows: Vec<Vec<String>> = findings.iter().map(row).collect();
    let [errors, warnings] = [(errors, "error"), (warnings, "warning")]
        .map(|(number, word)| show::counted(number as u64, word, &format!("{word}s")));
    format!("{}\n{errors}, {warnings}\n", show::table(&header, &rows))
}

fn row(finding: &LadderFinding) -> Vec<String> {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let lines: Vec<String> = finding.lines.iter().map(ToString::to_string).collect();
    vec![severity.to_owned(), finding.code.to_owned(), lines.join(", "), show::plain(&finding.message)]
}
