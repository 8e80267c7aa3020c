//! `equanym schema`: what a policy may say, for editors and for people.

use clap::Args;
use equanym_engine::error::Result;
use equanym_engine::policy::{reference, schema};
use serde_json::json;

use super::Ending;
use crate::console::Console;

/// Print a JSON schema of policies, with which editors complete and check them
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 done · 2 wrong use

Example:
  equanym schema > policy.schema.json       then let the first line of a policy say: #:schema ./policy.schema.json
  equanym schema --page                     every key with its meaning, as Markdown")]
pub struct Schema {
    /// The same as a page to read, in Markdown
    #[arg(long)]
    page: bool,
}

impl Schema {
    pub fn run(&self, console: Console) -> Result<Ending> {
        let (schema, page) = (schema(), reference::page());
        if self.page {
            console.result(&json!({ "page": page }), || page.clone())?;
        } else {
            console.result(&schema, || format!("{schema:#}\n"))?;
        }
        Ok(Ending::Done)
    }
}
