//! `equanym apply`: does to new data what a release did to the old.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use equanym_engine::error::{Error, Result};
use equanym_engine::reapply::{self, Request};
use equanym_engine::stored::StoredMask;

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, Shared};
use crate::{progress, show, summary};

/// Re-apply a stored mask to new data; prove the guarantees again or refuse
///
/// Levels are taken from the mask; which records must be withheld is found anew. Nothing is searched: when the levels
/// do not suffice for the new data, there is no release.
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
    /// The folder to make
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Apply {
    pub fn run(&self, shared: &Shared, console: Console) -> Result<Ending> {
        let mut stored = load(&self.mask)?;
        stored.data = self.reading.over(&stored.data);
        let resources = shared.resources();
        let progress = progress::listen(console);
        let released = reapply::apply(Request { data: &self.data, stored, out: &self.out, resources, progress })?;
        console.document(&released)?;
        console.story(|| summary::text(&released, &self.out))?;
        Ok(Ending::Done)
    }
}

/// Reads a stored mask.
pub fn load(path: &Path) -> Result<StoredMask> {
    let name = show::path(path);
    let text = fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::input(format!("there is no file {name}")),
        ErrorKind::IsADirectory => Error::input(format!("{name} is a folder, not a file")),
        ErrorKind::InvalidData => Error::input(format!("{name} is not UTF-8 text")),
        kind => Error::environment(format!("{name} cannot be read: {kind}")),
    })?;
    StoredMask::from_json(&text)
}
