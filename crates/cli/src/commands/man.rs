//! `equanym man`: the help of all commands as manual pages.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_mangen::Man;
use equanym_engine::error::{Error, Result};
use serde_json::json;

use super::Ending;
use crate::Program;
use crate::console::Console;
use crate::{newfile, show};

/// Write manual pages, one for the program and one for each command
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 written · 2 wrong use, or a page exists · 3 environment

Example:
  equanym man --out ~/.local/share/man/man1")]
pub struct ManualPages {
    /// The folder for the pages; it is made where there is none, and a page that exists is never overwritten
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// A page with the name of its file.
struct Page {
    file: String,
    text: String,
}

impl ManualPages {
    pub fn run(&self, console: Console) -> Result<Ending> {
        let mut program = Program::command().disable_help_subcommand(true);
        program.build();
        let pages = pages(&program)?;
        refuse_existing(&pages, &self.out)?;
        newfile::folder(&self.out)?;
        for page in &pages {
            newfile::create(&self.out.join(&page.file), &page.text)?;
        }
        let files: Vec<&str> = pages.iter().map(|page| page.file.as_str()).collect();
        console.document(&json!({ "folder": self.out.display().to_string(), "pages": files }))?;
        console.story(|| format!("{} pages are in {}.\n", pages.len(), show::path(&self.out)))?;
        Ok(Ending::Done)
    }
}

/// The page of a command, and those of its own commands.
fn pages(command: &clap::Command) -> Result<Vec<Page>> {
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    let failed = || Error::environment("the manual pages cannot be made");
    man.render(&mut text).map_err(|_| failed())?;
    let mut all = vec![Page { file: man.get_filename(), text: String::from_utf8(text).map_err(|_| failed())? }];
    for inner in command.get_subcommands() {
        all.extend(pages(inner)?);
    }
    Ok(all)
}

/// Refuses before anything is written: some pages of one version and some of another would help nobody.
fn refuse_existing(pages: &[Page], out: &Path) -> Result<()> {
    let existing = pages.iter().map(|page| out.join(&page.file)).find(|path| path.symlink_metadata().is_ok());
    existing.map_or(Ok(()), |path| {
        let message = format!("{} exists already and is never overwritten", show::path(&path));
        Err(Error::input(message).hint("name another folder with --out, or remove the old pages"))
    })
}
