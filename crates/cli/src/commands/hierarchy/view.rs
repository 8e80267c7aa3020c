//! `equanym hierarchy show`: what a hierarchy file makes of its values, or a ladder of the library of one.

use std::path::PathBuf;

use clap::Args;
use equanym_engine::error::{Error, Result};
use equanym_engine::run::hierarchy::{self, Climb, LadderView, LevelView, Library};

use super::library_name;
use crate::commands::Ending;
use crate::console::Console;
use crate::show;

/// Show what a hierarchy file makes of its values: levels, labels, nesting. Or the ladder of a value, from the library
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 shown · 2 the file or the value cannot be used · 3 environment

Example:
  equanym hierarchy show age.csv
  equanym hierarchy show --library icd-10 I50.14")]
pub struct Show {
    /// The hierarchy file; with --library a value
    #[arg(value_name = "FILE|VALUE")]
    what: PathBuf,
    /// A ladder of the library; `equanym list hierarchy` shows them
    #[arg(long, value_name = "NAME", value_parser = library_name())]
    library: Option<&'static Library>,
}

impl Show {
    pub fn run(&self, console: Console) -> Result<Ending> {
        if let Some(library) = self.library {
            let value = self.what.to_str().ok_or_else(|| Error::input("the value is not UTF-8"))?;
            let climb = hierarchy::climb(library, value)?;
            console.result(&climb, || drawn(&climb))?;
            return Ok(Ending::Done);
        }
        let ladder = hierarchy::show(&self.what)?;
        console.result(&ladder, || text(&ladder))?;
        Ok(Ending::Done)
    }
}

/// The ladder of a value, level by level.
fn drawn(climb: &Climb) -> String {
    let header = [">level", "step", "label"];
    let row = |rung: &hierarchy::ClimbStep| vec![rung.level.to_string(), rung.step.to_owned(), show::name(&rung.label)];
    let rows: Vec<Vec<String>> = climb.levels.iter().map(row).collect();
    format!("{}  {}\n\n{}", show::strong(climb.library), climb.summary, show::table(&header, &rows))
}

fn text(ladder: &LadderView) -> String {
    let header = [">level", ">labels", "for example"];
    let rows: Vec<Vec<String>> = ladder.levels.iter().map(row).collect();
    let values = show::strong(&show::counted(ladder.values as u64, "value", "values"));
    let nesting = match ladder.first_unnested {
        None => "Nested: each level joins labels of the one below.".to_owned(),
        Some(level) => format!("Not nested: level {level} splits labels of the one below, which some searches refuse."),
    };
    format!("{values}, {} levels\n\n{}\n{nesting}\n", ladder.levels.len(), show::table(&header, &rows))
}

fn row(level: &LevelView) -> Vec<String> {
    let examples: Vec<String> = level.examples.iter().map(|label| show::name(label)).collect();
    let more = if level.labels > examples.len() && !examples.is_empty() { ", …" } else { "" };
    let words = if level.level == 0 { "values as collected".to_owned() } else { examples.join(", ") + more };
    vec![level.level.to_string(), show::count(level.labels as u64), words]
}
