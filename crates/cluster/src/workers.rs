//! The jobs as the engine asks for them.
//!
//! A cluster counts, and looks at no cells: what must be looked at, this machine reads. So it does with tables in databases.

use std::path::Path;
use std::sync::atomic::Ordering;

use equanym_core::method::values::{ChangedColumns, ValueMethod, ValueTask};
use equanym_engine::count::{Keys, Places};
use equanym_engine::error::Result;
use equanym_engine::machine::Runtime;
use equanym_engine::progress::Progress;
use equanym_engine::read::{Reading, Source};
use equanym_engine::workers::{Begin, Cluster, KeySink, Rewriting, Workers};

use super::work::SharedTable;
use super::{ClusterAccess, ClusterWorkers};

impl Cluster for ClusterAccess {
    fn join(&self, table: &Path, reading: &Reading, runtime: Runtime) -> Result<Box<dyn Workers>> {
        Ok(Box::new(ClusterWorkers::join(self, table, reading, runtime)?))
    }
}

impl Workers for ClusterWorkers {
    fn runtime(&self) -> &Runtime {
        &self.here
    }

    fn sees_cells(&self) -> bool {
        false
    }

    fn count(&self, source: &Source, places: Places<'_>, progress: &dyn Progress) -> Result<Keys> {
        let (keys, filled) = self.count_table(&self.table, places.keys, progress)?;
        let Some(lookout) = places.lookout else {
            source.note_filled(filled);
            return Ok(keys);
        };
        // The person stands last among the columns that are counted.
        let person = places.keys.len().saturating_sub(usize::from(lookout.tells_people));
        let watching = Places { keys: &places.keys[person..], ..places };
        Ok(Keys { watched: self.here.count(source, watching, progress)?.watched, ..keys })
    }

    fn count_beside(
        &self,
        (data, reading): (&Path, &Reading),
        source: &Source,
        columns: &[usize],
        progress: &dyn Progress,
    ) -> Result<Keys> {
        match SharedTable::beside(data, reading)? {
            Some(table) => Ok(self.count_table(&table, columns, progress)?.0),
            None => self.here.count(source, Places::from(&columns), progress),
        }
    }

    fn rewrite<'k>(&self, records: &Rewriting<'_>, begin: Begin<'_, 'k>) -> Result<Box<dyn KeySink + 'k>> {
        self.rewritten(records, begin)
    }

    fn change(&self, values: &ValueMethod, task: &ValueTask<'_>) -> Result<ChangedColumns> {
        match values.elsewhere.as_ref().filter(|elsewhere| (elsewhere.fits)(task)) {
            Some(elsewhere) => self.walk(elsewhere, task),
            None => self.here.change(values, task),
        }
    }

    fn spilled(&self) -> u64 {
        self.here.spilled() + self.spilled.load(Ordering::Relaxed)
    }
}
