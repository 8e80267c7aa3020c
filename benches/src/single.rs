//! One search in a process of its own: what it found, how long it took, how much memory the process used.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use equanym_core::frequency::Table;
use equanym_core::loss;
use equanym_engine::count::parts::KeyParts;
use equanym_engine::count::{Keys, count};
use equanym_engine::machine::{Resources, Runtime};
use equanym_engine::progress::Silent;
use equanym_engine::read::{self, Reading};
use equanym_engine::run::release::{self, ReleaseRequest};

use crate::cell::{SearchCell, SearchRun};
use crate::facts::Facts;
use crate::failure::Result;
use crate::hospital::{self, Detail};
use crate::{table, wide};

/// `one-cell FOLDER NAME K LIMIT LOSS [SECONDS | none]`: a search of a named table, or with `none` the table alone.
pub fn one_cell(arguments: &[&str]) -> Result<Facts> {
    let [folder, name, k, limit, loss, rest @ ..] = arguments else { return Err("one-cell: too few arguments".into()) };
    let table = table::named(Path::new(folder), name)?;
    let loss = loss::find(loss).ok_or_else(|| format!("there is no loss {loss}"))?.card.name;
    let cell = SearchCell { k: k.parse()?, limit: limit.parse()?, loss };
    match rest {
        ["none"] => Ok(about(&table).with_peak()),
        [seconds] => search(&table, cell, Some(Duration::try_from_secs_f64(seconds.parse()?)?)),
        _ => search(&table, cell, None),
    }
}

/// `wide COLUMNS SECONDS`: a search of a table with so many columns.
pub fn wide(arguments: &[&str]) -> Result<Facts> {
    let [columns, seconds] = arguments else { return Err("wide: two arguments".into()) };
    search(&wide::table(columns.parse()?)?, SearchCell::USUAL, Some(Duration::try_from_secs_f64(seconds.parse()?)?))
}

/// `count FOLDER`: the engine counts the hospital's records in a folder, and the keys are searched.
pub fn count_folder(arguments: &[&str]) -> Result<Facts> {
    let [folder] = arguments else { return Err("count: one argument".into()) };
    let start = Instant::now();
    let keys = counted(Path::new(folder))?;
    let seconds = start.elapsed().as_secs_f64();
    let table = hospital::table_of(&keys)?;
    drop(keys);
    Ok(search(&table, SearchCell::USUAL, None)?.with("count", seconds))
}

/// `release FOLDER OUT`: a whole release of the hospital's records in a folder.
pub fn release_folder(arguments: &[&str]) -> Result<Facts> {
    let [folder, out] = arguments else { return Err("release: two arguments".into()) };
    let released = release::release(&ReleaseRequest {
        data: Path::new(folder),
        policy: &hospital::policy()?,
        out: Path::new(out),
        folder: None,
        against: &[],
        cluster: None,
        resources: Resources { memory: 2 << 30, ..Resources::default() },
        show_values: false,
        progress: Arc::new(Silent),
    })?;
    let seconds = released.seconds;
    let facts =
        Facts::default().with("records", released.report.records).with("suppressed", released.report.suppressed);
    let facts = facts.with("count", seconds.count).with("seconds", seconds.search);
    Ok(facts.with("write", seconds.write).with("audit", seconds.audit).with_peak())
}

/// A folder for a hospital's files that goes when it is dropped.
pub struct Stay(PathBuf);

impl Stay {
    /// Writes a table of so many records.
    pub fn write(records: usize, detail: Detail) -> Result<Self> {
        let stay = Self(std::env::temp_dir().join(format!("equanym-benches-{}-{records}", std::process::id())));
        hospital::write(&stay.data(), records, detail)?;
        Ok(stay)
    }

    /// Where the files are.
    pub fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    /// Where a release may go.
    pub fn out(&self) -> PathBuf {
        self.0.join("out")
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        // What cannot be removed is left to the system that keeps temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn counted(folder: &Path) -> Result<Keys> {
    let source = Arc::new(read::open(folder, &Reading::default())?);
    let runtime = Runtime::start(&Resources::default(), None)?;
    let places = KeyParts::first(source.columns().len());
    Ok(count(&source, &places, &runtime, &Silent)?)
}

fn about(table: &Table) -> Facts {
    let facts = Facts::default().with("records", table.records).with("keys", table.keys().len());
    facts.with("variables", table.variables.len()).with("lattice", table.lattice().size())
}

fn search(table: &Table, cell: SearchCell, limit: Option<Duration>) -> Result<Facts> {
    let posed = cell.pose(table)?;
    match posed.search(equanym_core::search::DEFAULT, limit)? {
        SearchRun::Done(found, time) => Ok(about(table)
            .with("seconds", time.as_secs_f64())
            .with("nodes", found.evaluated)
            .with("levels", levels(&found.best.node.0))
            .with("loss", loss::as_number(posed.loss.as_ref(), found.best.summary.units))
            .with("gap", found.gap.unwrap_or(1.0))
            .with_peak()),
        SearchRun::Refused(reason) => Err(reason.into()),
        SearchRun::OutOfTime(_) => Err("the search was left".into()),
    }
}

/// The levels of a node, as people write them.
pub fn levels(levels: &[u8]) -> String {
    levels.iter().map(u8::to_string).collect::<Vec<_>>().join("-")
}
