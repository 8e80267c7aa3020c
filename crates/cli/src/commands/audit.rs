//! `equanym audit`: checks each claim of a release from its bytes.

use std::path::PathBuf;

use clap::Args;
use equanym_audit::{Check, Options, Verdict};
use equanym_engine::error::Result;
use serde_json::json;

use super::Ending;
use crate::console::Console;
use crate::failure;
use crate::flags::ReadingFlags;
use crate::show::{self, Align};

/// Check each claim of a release from the released bytes
///
/// The audit shares no code with what made the release. It reads the `public` folder as a stranger would.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 every claim holds · 1 a claim does not hold · 2 there is nothing to audit · 3 environment

Example:
  equanym audit release/public --original data.csv"
)]
pub struct Audit {
    /// The `public` folder of a release
    public: PathBuf,
    /// Compare with the table that the release was made from: one CSV or Parquet file
    #[arg(long, value_name = "DATA")]
    original: Option<PathBuf>,
    /// The `public` folder of an earlier release of the same people: nobody may be told apart by holding both; repeatable
    #[arg(long, value_name = "OLDER", num_args = 1..)]
    against: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Audit {
    pub fn run(&self, console: Console) -> Result<Ending> {
        let options = Options {
            original: self.original.as_deref(),
            delimiter: self.reading.delimiter,
            reports: Some(equanym_engine::write::reports::rebuilt),
            against: &self.against,
        };
        let verdict = equanym_audit::audit(&self.public, &options).map_err(|error| failure::of_audit(&error))?;
        console.result(&document(&verdict), || text(&verdict, console.quiet))?;
        Ok(if verdict.passed() { Ending::Done } else { Ending::CheckFailed })
    }
}

/// The verdict for programs.
pub fn document(verdict: &Verdict) -> serde_json::Value {
    json!({ "passed": verdict.passed(), "checks": verdict.checks })
}

/// The verdict in one sentence.
pub fn sentence(verdict: &Verdict) -> String {
    let checks = verdict.checks.len();
    match verdict.failures().count() {
        0 => show::good(&format!("All {checks} checks passed.")),
        failed => show::alarm(&format!("{failed} of {checks} checks failed: do not hand this release over.")),
    }
}

fn text(verdict: &Verdict, only_failures: bool) -> String {
    let shown = verdict.checks.iter().filter(|check| !only_failures || !check.passed);
    let rows: Vec<Vec<String>> = shown.map(row).collect();
    if only_failures && rows.is_empty() {
        return String::new();
    }
    let header = [("check", Align::Left), ("", Align::Left), ("claimed", Align::Left), ("found", Align::Left)];
    format!("{}\n{}\n", show::table(&header, &rows), sentence(verdict))
}

fn row(check: &Check) -> Vec<String> {
    let verdict = if check.passed { "passed" } else { "FAILED" };
    vec![check.name.to_owned(), verdict.to_owned(), show::plain(&check.claim), show::plain(&check.found)]
}
