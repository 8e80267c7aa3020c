//! Hierarchy files: made from a column, checked, and looked at; ladders of the library, looked at.
//!
//! [`build`] writes the ladder of a column's values in the layout of ARX. [`lint`] lists what is wrong or doubtful in a file.
//! [`show`] says what a file makes of its values, [`climb`] what a ladder of the library makes of one value.
//!
//! A hierarchy file lists values of the data, so it belongs to the data owner. Only counts and a few labels of it are shown,
//! never a value: labels that are values, too, are left out.

use std::path::Path;
use std::sync::Arc;

use equanym_core::hierarchy::csv::HierarchyFile;
use equanym_core::hierarchy::{Hierarchy, HierarchyError, Severity, TOP, lint as core_lint};
use hashbrown::HashSet;
use serde::Serialize;

pub use equanym_core::hierarchy::auto::propose;
pub use equanym_core::hierarchy::library::{self, Library};
pub use equanym_core::hierarchy::{Builder, DateFormat, DateGrain, LadderFinding, OTHER};

use crate::count::values::{ValueTally, read_columns};
use crate::error::{Error, Result};
use crate::machine::Resources;
use crate::policy::nearest::nearest;
use crate::progress::Progress;
use crate::read::text_file;
use crate::read::{self, Reading};

/// What a hierarchy file makes of its values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LadderView {
    /// What separates the cells of the file.
    pub separator: char,
    /// The number of values listed.
    pub values: usize,
    /// Whether each level is a coarser coding of the one below.
    pub nested: bool,
    /// The first level that splits a label of the one below.
    pub first_unnested: Option<usize>,
    /// The levels, the values as collected first; a top is added where the file has none.
    pub levels: Vec<LevelView>,
}

/// One level of a ladder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LevelView {
    /// Its number.
    pub level: usize,
    /// How many labels it has.
    pub labels: usize,
    /// The first few of them; none that is also a value.
    pub examples: Vec<String>,
}

/// The most labels shown of a level.
const EXAMPLES: usize = 5;

/// The distinct values of a column, sorted, and how many records have each; the missing value is the empty text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnValues {
    /// The values.
    pub values: Vec<String>,
    /// The records of each.
    pub records: Vec<u64>,
}

/// The values of a column. Where all are numbers in the notation of the table, they are plain decimals.
pub fn column_values(
    data: &Path,
    reading: &Reading,
    column: &str,
    resources: &Resources,
    progress: &Arc<dyn Progress>,
) -> Result<ColumnValues> {
    let source = read::open(data, reading)?;
    let place = source.columns().iter().position(|name| name == column);
    let place = place.ok_or_else(|| no_column(column, source.columns()))?;
    let mut counts = ValueTally::default();
    read_columns(&source, &[place], progress.as_ref(), |_, cells| {
        counts.add_cells(cells);
        if counts.bytes() > resources.memory { Err(too_many(counts.len())) } else { Ok(()) }
    })?;
    let counts = reading.notation.plain_column(counts.sorted().into_iter().collect());
    let (values, records) = counts.into_iter().unzip();
    Ok(ColumnValues { values, records })
}

fn too_many(values: usize) -> Error {
    Error::environment(format!("more than {values} distinct values do not fit the memory limit"))
        .hint("raise --memory; a column with that many values is better made coarser by intervals or a prefix")
}

fn no_column(wanted: &str, columns: &[String]) -> Error {
    let error = Error::input(format!("the data has no column `{}`", wanted.escape_debug()));
    match nearest(wanted, columns.iter().map(String::as_str)) {
        Some(name) => error.hint(format!("did you mean `{}`?", name.escape_debug())),
        None => error.hint(format!("it has {} columns", columns.len())),
    }
}

/// The hierarchy file for these values.
pub fn build(builder: &Builder, column: &ColumnValues) -> Result<String> {
    let ColumnValues { values, records } = column;
    if values.is_empty() {
        return Err(Error::unsafe_release("0 records: there are no values to build a hierarchy on"));
    }
    if builder.codes_ends() {
        return Err(Error::input("a hierarchy file starts with the values as collected, and this ladder has none")
            .hint("write it into the policy: hierarchy = { … }"));
    }
    let text = builder.fit_counted(values, records).map_err(|error| refused(&error))?.to_csv();
    // Whatever is written must be read back as it was meant.
    let reread = HierarchyFile::parse(&text).and_then(|rows| rows.fit(values));
    reread.map_err(|error| Error::input(format!("such values cannot stand in a hierarchy file: {error}")))?;
    Ok(text)
}

/// What is wrong or doubtful in a hierarchy file; with the values of a column also those that it does not list.
pub fn lint(path: &Path, values: Option<&[String]>) -> Result<Vec<LadderFinding>> {
    Ok(match HierarchyFile::parse(&text_file::read(path)?) {
        Ok(rows) => core_lint(&rows, values),
        Err(error) => vec![unreadable(&error)],
    })
}

/// A file that cannot be cut into rows has this one finding.
fn unreadable(error: &HierarchyError) -> LadderFinding {
    let lines = match error {
        HierarchyError::UnclosedQuote { line }
        | HierarchyError::TextAfterQuote { line }
        | HierarchyError::Nul { line } => vec![*line],
        _ => Vec::new(),
    };
    LadderFinding { severity: Severity::Error, code: "unreadable", lines, message: error.to_string() }
}

/// What a ladder of the library makes of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Climb {
    /// The ladder.
    pub library: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// The levels, from the value to the top.
    pub levels: Vec<ClimbStep>,
}

/// A level of a climb.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClimbStep {
    /// Its number.
    pub level: usize,
    /// What it tells.
    pub step: &'static str,
    /// The label of the value.
    pub label: String,
}

/// What a ladder of the library makes of a value.
pub fn climb(library: &'static Library, value: &str) -> Result<Climb> {
    if value.is_empty() {
        return Err(Error::input("the missing value stays missing up to the top"));
    }
    let ladder = Builder::Library(library).fit(&[value.to_owned()]).map_err(|error| refused(&error))?;
    let steps = ["as collected"].into_iter().chain(library.steps.iter().copied()).chain(["top"]);
    let label = |level| ladder.label(level, 0).unwrap_or(TOP).to_owned();
    let levels = steps.enumerate().map(|(level, step)| ClimbStep { level, step, label: label(level) });
    Ok(Climb { library: library.card.name, summary: library.card.summary, levels: levels.collect() })
}

/// What a hierarchy file makes of its values.
pub fn show(path: &Path) -> Result<LadderView> {
    let rows = HierarchyFile::parse(&text_file::read(path)?).map_err(|error| refused(&error))?;
    let ladder = rows.fit(&[]).map_err(|error| refused(&error))?;
    Ok(LadderView {
        separator: rows.separator,
        values: ladder.values().len(),
        nested: ladder.is_nested(),
        first_unnested: ladder.first_unnested(),
        levels: levels(&ladder),
    })
}

fn levels(ladder: &Hierarchy) -> Vec<LevelView> {
    let values: HashSet<&str> = ladder.values().iter().map(String::as_str).collect();
    let examples = |labels: &[String]| {
        let labels = labels.iter().filter(|label| !values.contains(label.as_str()));
        labels.take(EXAMPLES).cloned().collect()
    };
    let view = |(level, one): (usize, &equanym_core::hierarchy::Level)| LevelView {
        level,
        labels: one.labels.len(),
        examples: examples(&one.labels),
    };
    ladder.levels().iter().enumerate().map(view).collect()
}

fn refused(error: &HierarchyError) -> Error {
    let refusal = Error::input(error.to_string());
    match error.hint() {
        Some(hint) => refusal.hint(hint),
        None => refusal,
    }
}
