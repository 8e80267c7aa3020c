//! `equanym release`: the main job.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use equanym_engine::error::Result;
use equanym_engine::policy::{MOST_CHOICES, Policy, day_of, duration};
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::release::{self, ReleaseRequest};

use super::Ending;
use crate::console::Console;
use crate::flags::{KeyFlags, ReadingFlags, SharedFlags};
use crate::{progress, summary};

/// Find the best safe release of a table, write it and audit it
///
/// DATA is a file (.csv, .tsv, .ndjson, also .gz and .zst; .parquet; .arrow; .xlsx), a folder of such files, or an address:
/// `postgres://user@host/database?table=name` (or `?query=`), `s3://bucket/key`, `https://host/file`. The folder DIR
/// appears only when the release passed its audit, and is never overwritten: DIR/public is handed over, DIR/private stays.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 released · 1 no safe release exists, or the audit failed · 2 wrong use, policy or input · 3 environment

Example:
  equanym release data.csv --policy policy.toml --out release"
)]
pub struct Release {
    /// The table
    data: PathBuf,
    /// The policy; `equanym draft` writes a first one
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// The folder to make, or a table to make in a database: `postgres://user@host/database?table=name`
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// With a database as --out: a folder for manifest, reports and mask, which are not kept otherwise
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The `public` folder of an earlier release of the same people: nobody may be told apart by holding both; repeatable
    #[arg(long, value_name = "OLDER", num_args = 1..)]
    against: Vec<PathBuf>,
    /// Search no longer than this, such as 10s or 2m, and take the best release found by then with its proven gap
    #[arg(long, value_name = "TIME", value_parser = time)]
    time_limit: Option<Duration>,
    /// Release another than the best safe node, by its place in what `equanym alternatives` shows
    #[arg(long, value_name = "PLACE", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_CHOICES)))]
    choose: Option<u32>,
    /// Draw random numbers from this seed instead of the system's generator: for runs that are to be repeated; whoever
    /// knows the seed can undo what was drawn. Methods that draw nothing do not need it
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Fill in the form that certain readers expect, in Markdown and HTML, in DIR/private: `equanym list form`; repeatable
    #[arg(long, value_name = "FORM")]
    form: Vec<String>,
    /// The day of the release for reports and forms, YYYY-MM-DD; without it, it is a line to fill in
    #[arg(long, value_name = "DAY")]
    date: Option<String>,
    /// Let the executors of a cluster count and rewrite, by the address of its scheduler, such as `https://node1:50050`
    #[arg(long, value_name = "URL")]
    cluster: Option<String>,
    /// Let messages show the beginnings of values that do not fit their hierarchy
    #[arg(long)]
    show_values: bool,
    #[command(flatten)]
    keys: KeyFlags,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Release {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let released = self.release(shared, console)?;
        console.document(&released)?;
        console.story(|| summary::placed(&released, &self.out, self.folder.as_deref()))?;
        Ok(Ending::Done)
    }

    fn release(&self, shared: &SharedFlags, console: Console) -> Result<FinishedRelease> {
        let mut policy = Policy::load(&self.policy)?;
        policy.data = self.reading.over(&policy.data)?;
        policy.key = self.keys.for_tokens(self.cluster.as_ref());
        policy.method.seed = self.seed.or(policy.method.seed);
        policy.method.time_limit = self.time_limit.or(policy.method.time_limit);
        policy.method.choose = self.choose.map(|place| place as usize).or(policy.method.choose);
        policy.notes.forms.extend(self.form.iter().cloned());
        if let Some(date) = &self.date {
            policy.notes.about.date = Some(day_of(date)?);
        }
        release::release(&ReleaseRequest {
            data: &self.data,
            policy: &policy,
            out: &self.out,
            folder: self.folder.as_deref(),
            against: &self.against,
            cluster: self.keys.cluster(self.cluster.as_ref())?.as_deref(),
            resources: shared.resources(),
            show_values: self.show_values,
            progress: progress::listen(console),
        })
    }
}

fn time(text: &str) -> std::result::Result<Duration, String> {
    duration(text).ok_or_else(|| "a time has a unit: 10s, 500ms, 2m".to_owned())
}
