//! Counting the keys of a table on a cluster.
//!
//! Executors know no common numbers for values, so keys travel as texts; they get numbers here.

use arrow_array::{BinaryArray, RecordBatch, UInt64Array};
use equanym_engine::count::encode::Dictionary;
use equanym_engine::count::parts::KeyParts;
use equanym_engine::count::{FlatKeys, Keys, beyond_memory};
use equanym_engine::error::{Error, Result};
use equanym_engine::progress::{Progress, Step};
use equanym_engine::read::cells::column_as;

use super::work::{self, KeyMeaning, SharedTable, Work};
use super::{ClusterWorkers, plan};

impl ClusterWorkers {
    /// Counts the keys of the columns of a table at these places, and says how many of its short records were filled.
    pub(super) fn count_table(
        &self,
        table: &SharedTable,
        places: &KeyParts<usize>,
        progress: &dyn Progress,
    ) -> Result<(Keys, u64)> {
        progress.at(Step::Count, 0);
        let columns: Vec<usize> = places.iter().copied().collect();
        let packed = work::pack(&Work::Count { table: table.clone(), columns: columns.clone() })?;
        let rows: Vec<Vec<u8>> = (0..table.parts).map(work::row).collect();
        let counted = self.run(
            plan::grouped(packed, &rows),
            || Ok(KeysFromElsewhere::new(columns.len(), self.here.memory)),
            |counted, batch| {
                counted.take(&batch)?;
                progress.at(Step::Count, counted.records);
                Ok(())
            },
        )?;
        let filled = counted.filled;
        Ok((counted.keys()?.of_parts(places), filled))
    }
}

/// Keys that came back so far.
struct KeysFromElsewhere {
    dictionaries: Vec<Dictionary>,
    keys: FlatKeys,
    records: u64,
    filled: u64,
    memory: usize,
}

impl KeysFromElsewhere {
    fn new(columns: usize, memory: usize) -> Self {
        let dictionaries = (0..columns).map(|_| Dictionary::default()).collect();
        let keys = FlatKeys { columns: vec![Vec::new(); columns], ..FlatKeys::default() };
        Self { dictionaries, keys, records: 0, filled: 0, memory }
    }

    fn take(&mut self, batch: &RecordBatch) -> Result<()> {
        let (keys, times) = (column_as::<BinaryArray>(batch.column(0))?, column_as::<UInt64Array>(batch.column(1))?);
        let mut texts: Vec<Vec<&str>> = vec![Vec::with_capacity(batch.num_rows()); self.dictionaries.len()];
        for (key, &times) in keys.iter().zip(times.values()) {
            match key.and_then(|key| work::met(key, self.dictionaries.len())) {
                Some(KeyMeaning::Key(cells)) => {
                    texts.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
                    self.keys.counts.push(times);
                    self.records += times;
                }
                Some(KeyMeaning::Filled) => self.filled += times,
                None => return Err(Error::environment("an executor sent keys that are none")),
            }
        }
        let mut codes = Vec::new();
        for ((texts, dictionary), column) in texts.into_iter().zip(&self.dictionaries).zip(&mut self.keys.columns) {
            dictionary.encode(texts.into_iter(), &mut codes)?;
            column.extend_from_slice(&codes);
        }
        if self.dictionaries.iter().map(Dictionary::bytes).sum::<usize>() > self.memory {
            return Err(beyond_memory("the distinct values do"));
        }
        self.keys.check(self.keys.counts.len(), self.memory)
    }

    fn keys(self) -> Result<FlatKeys> {
        let values = self.dictionaries.into_iter().map(Dictionary::into_values).collect::<Result<_>>()?;
        Ok(FlatKeys { values, ..self.keys })
    }
}
