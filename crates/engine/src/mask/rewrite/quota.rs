//! How many records of each class are written, where they were drawn at random.
//!
//! All records of a class look alike when they are rewritten, so as many of them are written as were drawn, whichever they are. A
//! class of which none was drawn, or too few, is not written.

use std::collections::BTreeMap;

use arrow_array::{BinaryArray, RecordBatch, StringArray, UInt64Array};
use hashbrown::HashMap;

use super::changed;
use super::formula::Guard;
use super::key_batch::KeyBatch;
use crate::error::Result;
use crate::read::cells::{column_as, text};

/// For each class, by its labels, how many of its records are written.
pub type Quotas = BTreeMap<Vec<String>, u64>;

/// The same by the labels as they are written.
pub(crate) struct GuardedQuotas(HashMap<Vec<String>, u64>);

impl GuardedQuotas {
    /// With labels guarded as the file guards them.
    pub(crate) fn new(quotas: &Quotas, guard: Option<Guard>) -> Self {
        let guarded = |label: &String| guard.map_or_else(|| label.clone(), |guard| guard.guarded(label).into_owned());
        Self(quotas.iter().map(|(labels, &quota)| (labels.iter().map(guarded).collect(), quota)).collect())
    }

    /// Of a batch of keys and how often each stands there, those that are written, and how often; `texts` are their labels.
    pub(crate) fn thinned(&self, batch: &RecordBatch, texts: &RecordBatch) -> Result<Option<RecordBatch>> {
        let (keys, times) = (column_as::<BinaryArray>(batch.column(0))?, column_as::<UInt64Array>(batch.column(1))?);
        let columns = texts.columns().iter().map(column_as::<StringArray>).collect::<Result<Vec<_>>>()?;
        let mut thinned = KeyBatch::default();
        for (class, &times) in times.values().iter().enumerate() {
            let labels: Vec<String> = columns.iter().map(|column| text(column, class).to_owned()).collect();
            match self.0.get(&labels) {
                Some(&quota) if quota > times => return Err(changed()),
                Some(&quota) => thinned.push(keys.value(class), quota),
                None => {}
            }
        }
        if thinned.is_empty() { Ok(None) } else { thinned.take().map(Some) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_schema::{DataType, Field, Schema};

    use super::*;

    fn batch(keys: &[(&str, u64)]) -> RecordBatch {
        let mut batch = KeyBatch::default();
        for (key, times) in keys {
            batch.push(key.as_bytes(), *times);
        }
        batch.take().unwrap()
    }

    fn texts(labels: &[Option<&str>]) -> RecordBatch {
        let schema = Arc::new(Schema::new(vec![Field::new("0", DataType::Utf8, true)]));
        RecordBatch::try_new(schema, vec![Arc::new(StringArray::from(labels.to_vec()))]).unwrap()
    }

    #[test]
    fn a_class_is_written_as_often_as_it_was_drawn() {
        let quotas = Quotas::from([(vec!["=a".to_owned()], 3), (vec![String::new()], 2)]);
        let written = GuardedQuotas::new(&quotas, Some(Guard::new(',')));
        let found =
            written.thinned(&batch(&[("x", 2), ("y", 9), ("z", 5)]), &texts(&[None, Some("b"), Some("'=a")])).unwrap();
        assert_eq!(found.unwrap(), batch(&[("x", 2), ("z", 3)]));
        assert!(written.thinned(&batch(&[("y", 9)]), &texts(&[Some("b")])).unwrap().is_none());
        assert!(written.thinned(&batch(&[("x", 1)]), &texts(&[None])).is_err(), "fewer than were counted");
    }
}
