//! `equanym report`: forms about a finished release.

use std::path::PathBuf;

use clap::Args;
use equanym_engine::error::Result;
use equanym_engine::run::report::{ReportRequest, report};

use super::Ending;
use crate::console::Console;
use crate::{progress, show};

/// Fill in forms about a finished release
///
/// The release is audited first. Where its private part lies beside the public one, a form is filled in as `release --form`
/// would have done it; from the public part alone, what only the owner knows is left open and marked.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 written · 1 the release does not pass its audit · 2 wrong use, or no release of this version · 3 environment

Example:
  equanym report release --form ema-0070 --date 2026-11-18 --out forms"
)]
pub struct Report {
    /// The folder of a release, or its `public` folder
    release: PathBuf,
    /// The form, in Markdown and HTML: `equanym list form`; repeatable
    #[arg(long, value_name = "FORM", required = true)]
    form: Vec<String>,
    /// The day of the release, YYYY-MM-DD, where the release does not tell it
    #[arg(long, value_name = "DAY")]
    date: Option<String>,
    /// The folder to make; where the private part was at hand, keep it to yourself
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Report {
    pub fn run(&self, console: Console) -> Result<Ending> {
        let reported = report(&ReportRequest {
            release: &self.release,
            forms: &self.form,
            date: self.date.as_deref(),
            out: &self.out,
            progress: progress::listen(console).as_ref(),
        })?;
        console.document(&reported)?;
        console.story(|| {
            let files = reported.files.join(", ");
            let from = if reported.private {
                "They tell of the original: keep them to yourself until you decide otherwise."
            } else {
                "The private part of the release was not at hand: what only its owner knows is left open."
            };
            format!("Written to {}: {files}.\n{from}\n", show::path(&self.out))
        })?;
        Ok(Ending::Done)
    }
}
