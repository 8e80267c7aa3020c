//! `equanym sql`: the release as SQL for another engine.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use equanym_engine::error::{Error, Result};
use equanym_engine::policy::Policy;
use equanym_engine::run::sql::{self, SqlRequest};
use equanym_engine::sql::dialect::{self, Dialect};
use equanym_engine::sql::{StatementForm, Statements, Target};

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, SharedFlags};
use crate::{newfile, progress};

/// Write the best safe release as SQL for another engine, with a statement that checks it there
///
/// The table is counted here and rewritten there. The first statement makes the release: mapping tables and withheld keys
/// inline. The second returns a row for each promise that does not hold, and no row when all do.
/// The text holds values of the table: it stays with its owner.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 done · 1 no safe release exists · 2 wrong use, policy or input · 3 environment

Example:
  equanym sql people.parquet --policy policy.toml --dialect duckdb --table people > release.sql"
)]
pub struct Sql {
    /// The table
    data: PathBuf,
    /// The policy
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// The engine that shall run it; `equanym list dialect` tells more
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    dialect: &'static Dialect,
    /// What the table is called there, such as people or clinic.people [default: the name of DATA]
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// What the release shall be called there [default: the table's name and _release]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Make a view, which follows the table, instead of a table
    #[arg(long)]
    view: bool,
    /// The file to make [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Sql {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let statements = self.statements(shared, console)?;
        match &self.out {
            Some(path) => {
                newfile::create(path, &statements.script())?;
                console.document(&statements)?;
            }
            None => console.result(&statements, || statements.script())?,
        }
        Ok(Ending::Done)
    }

    fn statements(&self, shared: &SharedFlags, console: Console) -> Result<Statements> {
        let mut policy = Policy::load(&self.policy)?;
        policy.data = self.reading.over(&policy.data)?;
        let table = match &self.table {
            Some(table) => table.clone(),
            None => stem(&self.data)?,
        };
        let name = self.name.clone().unwrap_or_else(|| format!("{table}_release"));
        let form = if self.view { StatementForm::View } else { StatementForm::Table };
        sql::sql(&SqlRequest {
            data: &self.data,
            policy: &policy,
            dialect: self.dialect,
            target: Target { table, name, form },
            resources: shared.resources(),
            progress: progress::listen(console),
        })
    }
}

/// The name of a file without what follows its first dot.
fn stem(data: &Path) -> Result<String> {
    let name = data.file_name().and_then(|name| name.to_str()).and_then(|name| name.split('.').next());
    let name = name.filter(|name| !name.is_empty());
    name.map(str::to_owned)
        .ok_or_else(|| Error::input("DATA has no name to take over").hint("name the table with --table"))
}

fn dialects() -> impl TypedValueParser<Value = &'static Dialect> {
    let names = PossibleValuesParser::new(dialect::ALL.iter().map(|dialect| dialect.card.name));
    names.try_map(|name| dialect::find(&name).ok_or("no such dialect"))
}
