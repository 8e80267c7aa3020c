//! `equanym hierarchy`: hierarchy files, made, checked and looked at.

mod build;
mod lint;
mod view;

use std::path::Path;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use equanym_engine::error::Result;
use equanym_engine::read::Reading;
use equanym_engine::run::hierarchy::{self, ColumnValues, Library, library};

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, SharedFlags};
use crate::progress;

/// Build, lint or show hierarchy files, and ladders of the library
///
/// A hierarchy file has one line per value and one column per level: value;label;broader label;*
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    arg_required_else_help = true,
    after_help = "\
Exit codes: 0 done · 1 a check failed · 2 wrong use or input · 3 environment

Example:
  equanym hierarchy build data.csv --column age --kind intervals --steps 5,10,20 --out age.csv
  equanym hierarchy lint age.csv --data data.csv --column age
  equanym hierarchy show --library icd-10 I50.14"
)]
pub struct Hierarchy {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Build(build::Build),
    Lint(lint::Lint),
    Show(view::Show),
}

impl Hierarchy {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        match &self.action {
            Action::Build(action) => action.run(shared, console),
            Action::Lint(action) => action.run(shared, console),
            Action::Show(action) => action.run(console),
        }
    }
}

/// A column of a table, and how the table is read.
struct ColumnOf<'a> {
    data: &'a Path,
    column: &'a str,
    reading: &'a ReadingFlags,
}

impl ColumnOf<'_> {
    /// Its distinct values, and how often each occurs.
    fn values(&self, shared: &SharedFlags, console: Console) -> Result<ColumnValues> {
        let reading = self.reading.over(&Reading::default())?;
        hierarchy::column_values(self.data, &reading, self.column, &shared.resources(), &progress::listen(console))
    }
}

/// A ladder of the library, by its name.
fn library_name() -> impl TypedValueParser<Value = &'static Library> {
    let names = PossibleValuesParser::new(library::ALL.iter().map(|library| library.card.name));
    names.try_map(|name| library::find(&name).ok_or("is not in the library"))
}
