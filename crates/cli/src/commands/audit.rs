//! `equanym audit`: checks each claim of a release from its bytes.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use equanym_audit::{Check, ValueMeaning, Verdict};
use equanym_engine::error::Result;
use equanym_engine::mask::StoredMask;
use equanym_engine::policy::Policy;
use equanym_engine::read::{Reading, text_file};
use equanym_engine::run::audit::{AuditRequest, audit, known_by_policy};
use serde_json::json;

use super::Ending;
use crate::console::Console;
use crate::flags::ReadingFlags;
use crate::progress;
use crate::show;

/// Check each claim of a release from the released bytes
///
/// The audit shares no code with what made the release. It reads the `public` folder as a stranger would. With the
/// original, it recodes every record as claimed and compares; with the mask, columns whose labels stand in a list too. Promises
/// about people, and about how sensitive values spread where records are withheld, are checked with the original only; those
/// about a population with the population.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 every claim that could be checked holds · 1 a claim does not hold · 2 there is nothing to audit · 3 environment

Example:
  equanym audit release/public --original data.csv --mask release/private/mask.json"
)]
#[command(group(ArgGroup::new("beside").args(["original", "population"]).multiple(true)))]
#[command(group(ArgGroup::new("masked").args(["original", "population", "against"]).multiple(true)))]
pub struct Audit {
    /// The `public` folder of a release
    public: PathBuf,
    /// Compare with the table that the release was made from, in any format that `release` takes
    #[arg(long, value_name = "DATA")]
    original: Option<PathBuf>,
    /// The population that the table was taken from: promises about it are checked with it only
    #[arg(long, value_name = "DATA")]
    population: Option<PathBuf>,
    /// The stored mask of the release, `private/mask.json`: it has listed labels, orders and ladders, and how the table was read
    #[arg(long, value_name = "FILE", requires = "masked")]
    mask: Option<PathBuf>,
    /// The key of the release, `private/key` or what --key named: ids and dates are then compared with tokens and moved dates
    #[arg(long, value_name = "FILE", requires = "beside")]
    key: Option<PathBuf>,
    /// The policy of the release: its [data] says how the table was read, its [variables] the orders and ladders of sensitive
    /// values, where no mask does
    #[arg(long, value_name = "FILE", requires = "beside", conflicts_with = "mask")]
    policy: Option<PathBuf>,
    /// The `public` folder of an earlier release of the same people: nobody may be told apart by holding both; repeatable
    #[arg(long, value_name = "OLDER", num_args = 1..)]
    against: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Audit {
    pub fn run(&self, console: Console) -> Result<Ending> {
        let (reading, known) = self.as_released()?;
        let verdict = audit(&AuditRequest {
            public: &self.public,
            original: self.original.as_deref(),
            population: self.population.as_deref(),
            reading: &reading,
            mask: self.mask.as_deref(),
            key: self.key.as_deref(),
            known: &known,
            against: &self.against,
            progress: progress::listen(console).as_ref(),
        })?;
        console.result(&document(&verdict), || text(&verdict, console.quiet))?;
        Ok(if verdict.passed() { Ending::Done } else { Ending::CheckFailed })
    }

    /// How the original is read, as the mask or the policy says, except where a flag says otherwise; and what the policy says
    /// of sensitive values.
    fn as_released(&self) -> Result<(Reading, Vec<ValueMeaning>)> {
        let Some(mask) = &self.mask else {
            let policy = self.policy.as_deref().map(Policy::load).transpose()?;
            let known = policy.as_ref().map(known_by_policy).unwrap_or_default();
            return Ok((self.reading.over_policy(policy.as_ref())?, known));
        };
        Ok((self.reading.over(&StoredMask::from_json(&text_file::read(mask)?)?.data)?, Vec::new()))
    }
}

/// The verdict for programs.
pub fn document(verdict: &Verdict) -> serde_json::Value {
    let Verdict { claimed, privacy, checks, .. } = verdict;
    let mut document = json!({ "passed": verdict.passed(), "claimed": claimed, "privacy": privacy, "checks": checks });
    if let Some(word) = verdict.guarantee {
        document["guarantee"] = json!(word);
    }
    document
}

/// The verdict in one sentence.
pub fn sentence(verdict: &Verdict) -> String {
    let checks = verdict.checks.len();
    match verdict.failures().count() {
        0 if verdict.guarantee.is_some() => {
            format!(
                "{} Nothing is guaranteed: no privacy model is claimed.",
                show::good(&format!("All {checks} checks passed."))
            )
        }
        0 => {
            let passed = show::good(&format!("All {checks} checks passed."));
            match verdict.unchecked().count() {
                0 => passed,
                1 => format!("{passed} 1 promise was not checked."),
                open => format!("{passed} {open} promises were not checked."),
            }
        }
        failed => show::alarm(&format!("{failed} of {checks} checks failed: do not hand this release over.")),
    }
}

fn text(verdict: &Verdict, only_failures: bool) -> String {
    let shown = verdict.checks.iter().filter(|check| !only_failures || !check.passed);
    let rows: Vec<Vec<String>> = shown.map(row).collect();
    if only_failures && rows.is_empty() {
        return String::new();
    }
    let header = ["check", "", "claimed", "found"];
    let claimed = show::paragraph(&show::plain(&verdict.claimed), 0);
    format!("{}\n{claimed}{}\n", show::table(&header, &rows), sentence(verdict))
}

fn row(check: &Check) -> Vec<String> {
    let verdict = if check.passed { "passed" } else { "FAILED" };
    vec![check.name.to_owned(), verdict.to_owned(), show::plain(&check.claim), show::plain(&check.found)]
}
