//! Local recoding: each record finds its class again by its key, and gets the labels of its class.
//!
//! Where a method shares the records of one key between classes, which record goes where is decided by the order in which
//! they are read.

use std::sync::Mutex;

use arrow_array::{RecordBatch, StringArray};
use equanym_core::mask::Mask;
use equanym_core::method::partition::{Partition, Placement};
use hashbrown::HashMap;

use super::changed;
use crate::error::{Error, Result};
use crate::read::cells::{column_as, text};

/// The class of each record, found by its key.
#[derive(Debug)]
pub struct LocalRecoding {
    /// The labels of each class.
    labels: Vec<Vec<String>>,
    /// The columns that make up a key: their places among the columns that are read, and the number of each value.
    columns: Vec<(usize, HashMap<String, u32>)>,
    /// Columns of a key that are not released: they are read after those that are.
    hidden: Vec<String>,
    number_of: HashMap<Box<[u32]>, u32>,
    /// For each key where its pieces begin.
    starts: Vec<usize>,
    placements: Vec<Placement>,
    /// For each key how many of its records were met; used where a key has several pieces.
    met: Option<Mutex<Vec<u64>>>,
}

/// A column by which a record finds its class again.
pub(crate) struct KeyColumn<'k> {
    pub name: &'k str,
    /// Its distinct values.
    pub values: &'k [String],
    /// For each key the place of its value.
    pub codes: &'k [u32],
}

impl LocalRecoding {
    /// For keys of these columns.
    pub(crate) fn new(partition: Partition, mask: &Mask, key: &[KeyColumn<'_>]) -> Self {
        let released: Vec<&str> = mask.released().map(|(_, column)| column.name.as_str()).collect();
        let mut hidden = Vec::new();
        let numbered = |column: &KeyColumn<'_>| {
            let place = released.iter().position(|name| *name == column.name).unwrap_or_else(|| {
                hidden.push(column.name.to_owned());
                released.len() + hidden.len() - 1
            });
            (place, column.values.iter().cloned().zip(0..).collect())
        };
        let numbered: Vec<_> = key.iter().map(numbered).collect();
        let distinct = key.first().map_or(0, |column| column.codes.len());
        let key = |row: usize| key.iter().map(|column| column.codes[row]).collect::<Box<[u32]>>();
        let shared = partition.placements.windows(2).any(|pair| pair[0].key == pair[1].key);
        let mut starts = vec![0; distinct + 1];
        partition.placements.iter().for_each(|piece| starts[piece.key as usize + 1] += 1);
        (0..distinct).for_each(|key| starts[key + 1] += starts[key]);
        Self {
            labels: partition.classes.into_iter().map(|class| class.labels).collect(),
            number_of: (0..distinct).map(key).zip(0..).collect(),
            columns: numbered,
            hidden,
            starts,
            placements: partition.placements,
            met: shared.then(|| Mutex::new(vec![0; distinct])),
        }
    }

    /// The columns that are read after the released ones, because records are found by them.
    pub(crate) fn hidden(&self) -> &[String] {
        &self.hidden
    }

    /// The label of a class in the column of this number.
    #[must_use]
    pub(crate) fn label(&self, class: u32, place: usize) -> Option<&str> {
        self.labels.get(class as usize)?.get(place).map(String::as_str)
    }

    /// The class of each record of a batch of the released columns and the hidden ones; none for a record that is withheld.
    pub(crate) fn classes_of(&self, batch: &RecordBatch) -> Result<Vec<Option<u32>>> {
        let columns = self.columns.iter().map(|(place, _)| column_as::<StringArray>(batch.column(*place)));
        let columns: Vec<&StringArray> = columns.collect::<Result<_>>()?;
        let mut key = Vec::with_capacity(columns.len());
        let mut classes = Vec::with_capacity(batch.num_rows());
        for record in 0..batch.num_rows() {
            key.clear();
            for (column, (_, numbers)) in columns.iter().zip(&self.columns) {
                key.push(*numbers.get(text(column, record)).ok_or_else(changed)?);
            }
            let number = *self.number_of.get(key.as_slice()).ok_or_else(changed)?;
            classes.push(self.class_of(number as usize)?);
        }
        Ok(classes)
    }

    /// The class of the next record of a key.
    fn class_of(&self, key: usize) -> Result<Option<u32>> {
        let pieces =
            self.starts.get(key).zip(self.starts.get(key + 1)).and_then(|(from, to)| self.placements.get(*from..*to));
        let pieces = pieces.ok_or_else(changed)?;
        let [several @ .., last] = pieces else { return Ok(None) };
        let Some(met) = &self.met else { return Ok(Some(last.class)) };
        let mut met = met.lock().map_err(|_| Error::environment("a writing thread failed"))?;
        let mut before = met[key];
        met[key] += 1;
        for piece in several {
            if before < piece.records {
                return Ok(Some(piece.class));
            }
            before -= piece.records;
        }
        Ok(Some(last.class))
    }
}
