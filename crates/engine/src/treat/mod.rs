//! Cells change as they are read: what the policy says beside a column happens before anything is counted or written.
//!
//! Both readings of a table pass through here, so whatever is counted, decided, rewritten or applied again sees treated
//! cells only. What a treatment looks at besides its own cell is read as collected, whether it is released or not.
//!
//! A cell that a treatment cannot read is an error: it must not be released as it was. A value that cannot be told becomes
//! missing, and the owner's report says how many did. Arrays are built anew: no collected cell stays in a buffer.

pub mod key;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use equanym_core::treatment::{Cell, Treatment, UntreatedCell};

use crate::error::{Error, Result};
use crate::read::cells::{column_as, text};
use crate::read::missing::is_blank;
use crate::read::{CellChange, Source};
use key::Key;

/// What happens to the columns of a table.
#[derive(Debug)]
pub(crate) struct Treatments {
    /// By their place in the table.
    columns: BTreeMap<usize, TreatedColumn>,
    key: Key,
}

#[derive(Debug)]
struct TreatedColumn {
    name: String,
    steps: Vec<TreatmentStep>,
    /// Cells that became missing since somebody asked.
    lost: AtomicU64,
}

/// A treatment, and the place of the other column that it looks at.
#[derive(Debug)]
struct TreatmentStep {
    treatment: Treatment,
    other: Option<usize>,
}

/// A column and what happens to it.
pub(crate) type ColumnTreatments<'a> = (&'a str, &'a [Treatment]);

/// Whether one of these needs a key.
pub(crate) fn are_keyed<'a>(wanted: impl IntoIterator<Item = ColumnTreatments<'a>>) -> bool {
    wanted.into_iter().flat_map(|(_, treatments)| treatments).any(Treatment::is_keyed)
}

/// The table with its cells treated as they are read.
pub(crate) fn treated<'a>(
    source: Source,
    wanted: impl IntoIterator<Item = ColumnTreatments<'a>>,
    key: Key,
) -> Result<(Source, Arc<Treatments>)> {
    let place = |name: &str| source.columns().iter().position(|column| column == name).ok_or_else(|| absent(name));
    let step = |treatment: &Treatment| {
        Ok(TreatmentStep { treatment: treatment.clone(), other: treatment.other().map(place).transpose()? })
    };
    let mut columns = BTreeMap::new();
    for (name, treatments) in wanted.into_iter().filter(|(_, treatments)| !treatments.is_empty()) {
        let steps = treatments.iter().map(step).collect::<Result<_>>()?;
        columns.insert(place(name)?, TreatedColumn { name: name.to_owned(), steps, lost: AtomicU64::new(0) });
    }
    let treatments = Arc::new(Treatments { columns, key });
    Ok((source.changed_by(Arc::<Treatments>::clone(&treatments)), treatments))
}

fn absent(name: &str) -> Error {
    Error::input(format!("the data have no column `{}`, which a treatment looks at", name.escape_debug()))
}

impl Treatments {
    /// The key.
    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    /// Begins to count anew what becomes missing.
    pub(crate) fn count_anew(&self) {
        self.columns.values().for_each(|column| column.lost.store(0, Ordering::Relaxed));
    }

    /// What became missing, for the owner.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let lost = self.columns.values().map(|column| (column, column.lost.load(Ordering::Relaxed)));
        let warn = |(column, lost): (&TreatedColumn, u64)| {
            let (name, why) = (column.name.escape_debug(), column.steps.iter().find_map(TreatmentStep::why_lost)?);
            Some(format!("column `{name}`: {lost} values became missing, because {why}"))
        };
        lost.filter(|(_, lost)| *lost > 0).filter_map(warn).collect()
    }
}

impl CellChange for Treatments {
    fn to_read(&self, projection: &[usize]) -> Option<Vec<usize>> {
        let treated = || projection.iter().filter_map(|place| self.columns.get(place));
        treated().next()?;
        let others = treated().flat_map(|column| &column.steps).filter_map(|step| step.other);
        Some(projection.iter().copied().chain(others).collect())
    }

    fn changed(&self, batch: &RecordBatch, places: &[usize], wanted: usize) -> Result<RecordBatch> {
        let lost = |_| Error::internal();
        let fields: Vec<usize> = (0..wanted).collect();
        let schema = Arc::new(batch.schema().project(&fields).map_err(lost)?);
        let change = |(place, array): (&usize, &ArrayRef)| match self.columns.get(place) {
            Some(column) => column.changed(array, batch, places, &self.key),
            None => Ok(Arc::clone(array)),
        };
        let arrays = places.iter().zip(batch.columns()).take(wanted).map(change).collect::<Result<Vec<_>>>()?;
        RecordBatch::try_new(schema, arrays).map_err(lost)
    }
}

impl TreatedColumn {
    /// The cells after all treatments.
    fn changed(&self, cells: &ArrayRef, batch: &RecordBatch, places: &[usize], key: &Key) -> Result<ArrayRef> {
        let mut cells = Arc::clone(cells);
        for TreatmentStep { treatment, other } in &self.steps {
            let other = match other.and_then(|other| places.iter().position(|place| *place == other)) {
                Some(place) => Some(column_as::<StringArray>(batch.column(place))?),
                None => None,
            };
            cells = self.treated(treatment, column_as::<StringArray>(&cells)?, other, key)?;
        }
        Ok(cells)
    }

    fn treated(
        &self,
        treatment: &Treatment,
        cells: &StringArray,
        others: Option<&StringArray>,
        key: &Key,
    ) -> Result<ArrayRef> {
        let mut builder = StringBuilder::new();
        let (mut lost, mut unreadable) = (0, 0_u64);
        for record in 0..cells.len() {
            let cell = Cell {
                column: &self.name,
                text: unless_blank(text(cells, record)),
                other: others.map_or("", |others| unless_blank(text(others, record))),
            };
            let treated = treatment.treat(cell, key).unwrap_or_else(|why| {
                *(if why == UntreatedCell::Lost { &mut lost } else { &mut unreadable }) += 1;
                String::new()
            });
            builder.append_option((!treated.is_empty()).then_some(treated));
        }
        if unreadable > 0 {
            return Err(self.unreadable(treatment, unreadable));
        }
        self.lost.fetch_add(lost, Ordering::Relaxed);
        Ok(Arc::new(builder.finish()))
    }

    fn unreadable(&self, treatment: &Treatment, cells: u64) -> Error {
        let what = match treatment {
            Treatment::Shift(shift) => format!("no dates {}", shift.format.name()),
            Treatment::Derive(age) => {
                let other =
                    age.at.column().map(|other| format!(", or those of `{}` beside them", other.escape_debug()));
                format!("no dates {}{}", age.format.name(), other.unwrap_or_default())
            }
            _ => "no decimal numbers".to_owned(),
        };
        let (name, key) = (self.name.escape_debug(), treatment.card().name);
        Error::input(format!("column `{name}`: `{key}` cannot read {cells} cells or more: they are {what}"))
            .hint("correct them, name them in `[data] missing`, or say how they are written with `format`")
    }
}

impl TreatmentStep {
    /// Why values become missing.
    fn why_lost(&self) -> Option<&'static str> {
        match self.treatment {
            Treatment::Shift(_) => Some("their records have no id to move by, or they would leave the calendar"),
            Treatment::Derive(_) => Some("the date that ages are counted to is missing or earlier than birth"),
            _ => None,
        }
    }
}

/// Blanks alone are a missing value.
fn unless_blank(cell: &str) -> &str {
    if cell.chars().all(is_blank) { "" } else { cell }
}
