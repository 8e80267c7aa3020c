//! New values are put back by record number.
//!
//! The table must be read in its order, and each cell is compared with what the first reading found there.

use equanym_core::walk::WalkColumn;

/// The columns with new values, in record order.
#[derive(Debug)]
pub struct NewValues {
    columns: Vec<(WalkColumn, Vec<Option<i128>>)>,
}

impl NewValues {
    /// For each column what it was, and the new values in units of its last digit.
    pub(crate) fn new(columns: Vec<(WalkColumn, Vec<Option<i128>>)>) -> Self {
        Self { columns }
    }

    /// Each column as it was, with its new values.
    pub(crate) fn columns(&self) -> impl Iterator<Item = (&WalkColumn, &[Option<i128>])> {
        self.columns.iter().map(|(column, values)| (column, values.as_slice()))
    }

    /// The new cell of a record in the column of this number; `None` when the old one is not what was read before.
    #[must_use]
    pub(crate) fn text(&self, place: usize, record: usize, old: &str) -> Option<String> {
        let (column, values) = self.columns.get(place)?;
        let was = column.values.get(record)?;
        let is = if old.is_empty() { None } else { Some(column.position(old)?) };
        (*was == is).then(|| values.get(record).map(|value| column.text(*value))).flatten()
    }
}
