//! Rewriting and sorting the records of a release on a cluster.

use equanym_engine::error::Result;
use equanym_engine::workers::{KeySink, Rewriting, SinkMaker};

use super::work::{self, Work};
use super::{ClusterWorkers, plan};

impl ClusterWorkers {
    /// The rewritten records as keys, each once and in order, handed to what `begin` makes.
    pub(super) fn rewritten<'k>(
        &self,
        records: &Rewriting<'_>,
        begin: SinkMaker<'_, 'k>,
    ) -> Result<Box<dyn KeySink + 'k>> {
        let work = Work::Rewrite {
            table: self.table.clone(),
            places: records.mask.released().map(|(place, _)| place).collect(),
            mask: records.mask.clone(),
            values: records.values.to_vec(),
            guard: records.rewriter.guard(),
        };
        let rows: Vec<Vec<u8>> = (0..self.table.parts).map(work::row).collect();
        self.run(plan::sorted(work::pack(&work)?, &rows), begin, |sink, keys| sink.take(keys))
    }
}
