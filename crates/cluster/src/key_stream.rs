//! An executor's keys: those of many records are counted before they are sent.
//!
//! Records of a release look alike, and so do the keys of a table: counting them first leaves few to send. Keys are held in
//! memory of a limited size. When it is full, and at the end, they are handed on. Where most records differ, as with notes
//! in free text, that happens often; as much is handed on as was read.

use arrow_array::RecordBatch;
use equanym_engine::error::Result;
use equanym_engine::machine::key_counts::{KeyCounts, SortedKeys};
use equanym_engine::mask::rewrite::key_batch::KeyBatch;
use equanym_engine::mask::rewrite::sort_key::ToKeys;
use equanym_engine::read::Batches;

/// The keys of batches, counted in about so many bytes.
pub(super) fn key_stream(batches: Batches, to_keys: impl ToKeys + 'static, bytes: usize) -> Batches {
    let leaving = (SortedKeys::default(), 0);
    Box::new(KeyStream { batches: Some(batches), to_keys, counts: KeyCounts::default(), bytes, leaving })
}

struct KeyStream<K> {
    batches: Option<Batches>,
    to_keys: K,
    counts: KeyCounts,
    bytes: usize,
    /// Keys on their way out, and how many of them are gone.
    leaving: (SortedKeys, usize),
}

impl<K: ToKeys> Iterator for KeyStream<K> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.leave().transpose() {
                return Some(batch);
            }
            let outcome = match self.batches.as_mut()?.next() {
                Some(Ok(batch)) => self.count(&batch),
                Some(Err(error)) => Err(error),
                None => {
                    self.batches = None;
                    self.leaving = (self.counts.take_sorted(), 0);
                    Ok(())
                }
            };
            if let Err(error) = outcome {
                self.batches = None;
                return Some(Err(error));
            }
        }
    }
}

impl<K: ToKeys> KeyStream<K> {
    fn count(&mut self, batch: &RecordBatch) -> Result<()> {
        let counts = &mut self.counts;
        self.to_keys.keys(batch, |key| counts.add(key, 1))?;
        if self.counts.bytes() > self.bytes {
            self.leaving = (self.counts.take_sorted(), 0);
        }
        Ok(())
    }

    /// The next keys that are on their way out.
    fn leave(&mut self) -> Result<Option<RecordBatch>> {
        let (keys, gone) = &mut self.leaving;
        let mut batch = KeyBatch::default();
        while let Some((key, times)) = keys.get(*gone).filter(|_| !batch.is_full()) {
            batch.push(key, times);
            *gone += 1;
        }
        if batch.is_empty() { Ok(None) } else { batch.take().map(Some) }
    }
}
