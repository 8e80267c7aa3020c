//! The second reading of the table: records are rewritten, and handed on sorted or in their order.
//!
//! Where what becomes of a cell depends on its value alone, parts of the table are rewritten side by side and equal records
//! become one key before they are sorted. Otherwise records are rewritten one part after the other, in their order.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::RecordBatch;
use equanym_core::mask::Mask;

use super::rewrite::key_batch::KeyBatch;
use super::rewrite::sort_key::{RecordKeys, SortKeys, ToKeys};
use super::rewrite::{ByRecord, Rewriter};
use crate::error::Result;
use crate::machine::Runtime;
use crate::machine::sorter::Sorter;
use crate::progress::{Progress, Step};
use crate::read::Source;
use crate::read::ahead::read_ahead;

/// The second reading of the table.
pub struct SecondReading<'s> {
    source: &'s Source,
    /// The released columns, and after them those by which records are found.
    places: Vec<usize>,
    progress: &'s dyn Progress,
    records: AtomicU64,
    /// Bytes that were read of the table before, and bytes it has.
    before: u64,
    total: u64,
}

impl<'s> SecondReading<'s> {
    pub(crate) fn new(source: &'s Source, mask: &Mask, by_record: &ByRecord, progress: &'s dyn Progress) -> Self {
        let hidden = by_record.local.iter().flat_map(|local| local.hidden());
        let hidden = hidden.filter_map(|name| source.columns().iter().position(|column| column == name));
        Self {
            source,
            places: mask.released().map(|(place, _)| place).chain(hidden).collect(),
            progress,
            records: AtomicU64::new(0),
            before: source.bytes_read(),
            total: source.bytes(),
        }
    }

    fn tell(&self, batch: &RecordBatch) {
        let records = batch.num_rows() as u64;
        self.progress.at(Step::Write, self.records.fetch_add(records, Ordering::Relaxed) + records);
        self.progress.bytes(Step::Write, self.source.bytes_read().saturating_sub(self.before), self.total);
    }

    /// Rewrites the records by value, side by side, and hands them on as keys in order.
    pub(crate) fn sorted_keys(
        &self,
        rewriter: &Arc<Rewriter>,
        runtime: &Runtime,
        take: impl FnMut(RecordBatch) -> Result<()>,
    ) -> Result<()> {
        let sort_keys = Arc::new(SortKeys::new(rewriter)?);
        let parts = self.source.parts();
        let sorter = runtime.sorter(parts);
        runtime.each(parts, |part| {
            let (mut keys, mut record_keys) = (sorter.part(), RecordKeys::new(&sort_keys));
            let batches = self.source.read_dictionaries(part, &self.places)?;
            read_ahead(parts, batches, |batch| {
                self.tell(&batch);
                record_keys.keys(&batch, |key| keys.add(key, 1))
            })?;
            keys.finish();
            Ok(())
        })?;
        in_batches(sorter, take)
    }

    /// Rewrites the records in their order, and hands them on so.
    pub(crate) fn in_record_order(
        &self,
        rewriter: &Rewriter,
        mut take: impl FnMut(RecordBatch) -> Result<()>,
    ) -> Result<()> {
        for part in 0..self.source.parts() {
            for batch in self.source.read(part, &self.places)? {
                let batch = batch?;
                self.tell(&batch);
                take(rewriter.rewrite(&batch)?)?;
            }
        }
        Ok(())
    }
}

/// Hands on what is sorted, in batches of keys and how often each stands there.
pub(crate) fn in_batches(sorter: Sorter<'_>, mut take: impl FnMut(RecordBatch) -> Result<()>) -> Result<()> {
    let mut batch = KeyBatch::default();
    sorter.for_each(|key, times| {
        batch.push(key, times);
        if batch.is_full() { take(batch.take()?) } else { Ok(()) }
    })?;
    if batch.is_empty() { Ok(()) } else { take(batch.take()?) }
}
