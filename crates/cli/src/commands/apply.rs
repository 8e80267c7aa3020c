//! `equanym apply`: does to new data what a release did to the old.

use std::path::PathBuf;

use clap::Args;
use equanym_engine::error::Result;
use equanym_engine::mask::StoredMask;
use equanym_engine::read::text_file;
use equanym_engine::run::apply::{self, Adjustment, ApplyRequest};

use super::Ending;
use crate::console::Console;
use crate::flags::{KeyFlags, ReadingFlags, SharedFlags};
use crate::{progress, summary};

/// Re-apply a stored mask to new data; prove the guarantees again or refuse
///
/// Levels are taken from the mask; which records must be withheld is found anew. When the levels do not suffice for the
/// new data, there is no release: the message says which model fails by how much, and which levels would be safe.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 released · 1 not safe on these data, or the audit failed · 2 wrong use, mask or input · 3 environment

Example:
  equanym apply april.csv --mask march/private/mask.json --out april"
)]
pub struct Apply {
    /// The table, with the columns that the mask was fitted to
    data: PathBuf,
    /// The stored mask: `private/mask.json` of a release
    #[arg(long, value_name = "FILE")]
    mask: PathBuf,
    /// The folder to make, or a table to make in a database: `postgres://user@host/database?table=name`
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// With a database as --out: a folder for manifest, reports and mask, which are not kept otherwise
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The `public` folder of an earlier release of the same people: nobody may be told apart by holding both; repeatable
    #[arg(long, value_name = "OLDER", num_args = 1..)]
    against: Vec<PathBuf>,
    /// Withhold at most this share instead of what the mask says, such as 0.02
    #[arg(long, value_name = "SHARE")]
    suppression_limit: Option<f64>,
    /// Another level for a column than the mask has, as COLUMN=LEVEL; repeatable
    #[arg(long, value_name = "COLUMN=LEVEL", value_parser = level)]
    level: Vec<(String, u8)>,
    /// The population of these data, where the mask's models look at one
    #[arg(long, value_name = "DATA")]
    population: Option<PathBuf>,
    /// Fill in this form, too, besides those of the mask: `equanym list form`; repeatable
    #[arg(long, value_name = "FORM")]
    form: Vec<String>,
    /// The day of this release for reports and forms, YYYY-MM-DD; without it, it is a line to fill in
    #[arg(long, value_name = "DAY")]
    date: Option<String>,
    /// Let a refusal show the labels of the classes that an earlier release would single out
    #[arg(long)]
    show_values: bool,
    /// Let the executors of a cluster count and rewrite, by the address of its scheduler, such as `https://node1:50050`
    #[arg(long, value_name = "URL")]
    cluster: Option<String>,
    #[command(flatten)]
    keys: KeyFlags,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Apply {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let mut stored = StoredMask::from_json(&text_file::read(&self.mask)?)?;
        stored.key = self.keys.for_tokens(self.cluster.as_ref());
        stored.data = self.reading.over(&stored.data)?;
        let resources = shared.resources();
        let progress = progress::listen(console);
        let (data, out, against) = (self.data.as_path(), self.out.as_path(), self.against.as_slice());
        let (folder, cluster) = (self.folder.as_deref(), self.keys.cluster(self.cluster.as_ref())?);
        let cluster = cluster.as_deref();
        let adjustment = Adjustment {
            suppression_limit: self.suppression_limit,
            levels: self.level.clone(),
            show_values: self.show_values,
            population: self.population.clone(),
            date: self.date.clone(),
            forms: self.form.clone(),
        };
        let request = ApplyRequest { data, stored, adjustment, out, folder, against, cluster, resources, progress };
        let released = apply::apply(request)?;
        console.document(&released)?;
        console.story(|| summary::placed(&released, &self.out, self.folder.as_deref()))?;
        Ok(Ending::Done)
    }
}

/// A column and its level; the last `=` parts them, because names may hold one.
fn level(text: &str) -> std::result::Result<(String, u8), String> {
    let parts = text.rsplit_once('=').and_then(|(name, level)| Some((name.to_owned(), level.parse().ok()?)));
    parts.ok_or_else(|| "a level is a whole number after the name of a column: age=2".to_owned())
}
