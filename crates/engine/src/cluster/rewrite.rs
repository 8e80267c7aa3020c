//! Rewriting and sorting the records of a release on a cluster.

use arrow_array::RecordBatch;
use equanym_core::mask::Mask;

use super::work::{self, Work};
use super::{Cluster, plan};
use crate::error::Result;
use crate::mask::rewrite::formula::Guard;

impl Cluster {
    /// The rewritten records as keys, each once and in order, handed to what `begin` makes.
    pub(crate) fn rewrite<T>(
        &self,
        mask: &Mask,
        values: &[Vec<String>],
        guard: Option<Guard>,
        begin: impl FnMut() -> Result<T>,
        take: impl FnMut(&mut T, RecordBatch) -> Result<()>,
    ) -> Result<T> {
        let work = Work::Rewrite {
            table: self.table.clone(),
            places: mask.released().map(|(place, _)| place).collect(),
            mask: mask.clone(),
            values: values.to_vec(),
            guard,
        };
        let rows: Vec<Vec<u8>> = (0..self.table.parts).map(work::row).collect();
        self.run(plan::sorted(work::pack(&work)?, &rows), begin, take)
    }
}
