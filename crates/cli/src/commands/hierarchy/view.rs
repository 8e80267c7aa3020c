//! `equanym hierarchy show`: what a hierarchy file makes of its values.

use std::path::PathBuf;

use clap::Args;
use equanym_engine::error::Result;
use equanym_engine::run::hierarchy::{self, LadderView, LevelView};

use crate::commands::Ending;
use crate::console::Console;
use crate::show::{self, Align};

/// Show what a hierarchy file makes of its values: levels, labels, nesting
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 shown · 2 the file cannot be used · 3 environment\n\nExample:\n  equanym hierarchy show age.csv"
)]
pub struct Show {
    /// The hierarchy file
    file: PathBuf,
}

impl Show {
    pub fn run(&self, console: Console) -> Result<Ending> {
        let ladder = hierarchy::show(&self.file)?;
        console.result(&ladder, || text(&ladder))?;
        Ok(Ending::Done)
    }
}

fn text(ladder: &LadderView) -> String {
    let header = [("level", Align::Right), ("labels", Align::Right), ("for example", Align::Left)];
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
