//! The jobs as the engine asks for them.
//!
//! A cluster counts, and looks at no cells: what must be looked at, this machine reads. So it does with tables in databases.

use std::path::Path;
use std::sync::atomic::Ordering;

use equanym_core::method::values::{ChangedColumns, ValueMethod, ValueTask};
use equanym_engine::count::counter::Counter;
use equanym_engine::count::parts::KeyParts;
use equanym_engine::count::{Keys, Places};
use equanym_engine::error::Result;
use equanym_engine::machine::Runtime;
use equanym_engine::progress::Progress;
use equanym_engine::read::{Reading, Source};
use equanym_engine::workers::{Cluster, KeySink, Rewriting, SinkMaker, Workers};

use super::work::SharedTable;
use super::{ClusterAccess, ClusterWorkers};

impl Cluster for ClusterAccess {
    fn join(&self, table: &Path, reading: &Reading, runtime: Runtime) -> Result<Box<dyn Workers>> {
        Ok(Box::new(ClusterWorkers::join(self, table, reading, runtime)?))
    }
}

impl Counter for ClusterWorkers {
    fn sees_cells(&self) -> bool {
        false
    }

    fn count(&self, source: &Source, places: Places<'_>, progress: &dyn Progress) -> Result<Keys> {
        let (keys, filled) = self.count_table(&self.table, places.keys, progress)?;
        if places.lookout.is_none() {
            source.note_filled(filled);
            return Ok(keys);
        }
        // This machine looks, for which it needs nothing of the keys but the person.
        let person = KeyParts { person: places.keys.person, ..KeyParts::default() };
        let watched = self.here.count(source, Places { keys: &person, ..places }, progress)?.watched;
        Ok(Keys { watched, ..keys })
    }

    fn count_beside(
        &self,
        lies: (&Path, &Reading),
        source: &Source,
        places: &KeyParts<usize>,
        progress: &dyn Progress,
    ) -> Result<Keys> {
        match SharedTable::beside(lies.0, lies.1)? {
            Some(table) => Ok(self.count_table(&table, places, progress)?.0),
            None => self.here.count_beside(lies, source, places, progress),
        }
    }
}

impl Workers for ClusterWorkers {
    fn runtime(&self) -> &Runtime {
        &self.here
    }

    fn rewrite<'k>(&self, records: &Rewriting<'_>, begin: SinkMaker<'_, 'k>) -> Result<Box<dyn KeySink + 'k>> {
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
