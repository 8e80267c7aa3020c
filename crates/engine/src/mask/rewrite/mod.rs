//! A mask over batches: the rewriting half of the sandwich.
//!
//! Everything that depends on values is worked out once per distinct value before the first record is rewritten; a record
//! then costs a few look-ups. Columns are rebuilt cell by cell, so no raw value survives in a buffer, a dictionary or
//! behind a filter. A value that was not counted means that the input changed meanwhile: an error, not a guess.
//!
//! Local recoding ([`local`]) looks up the class of a record by its key; new values ([`new_values`]) go to
//! records by their number, so the table must then be read in its order.

pub mod formula;
pub mod key_batch;
pub mod local;
pub mod new_values;
pub mod quota;
pub mod sort_key;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use equanym_core::mask::{ColumnChange, ColumnMask, Mask, Recoding};
use hashbrown::{HashMap, HashSet};

use crate::count::canonical;
use crate::error::{Error, Result};
use crate::read::cells::{column_as, text};
use formula::Guard;
use local::LocalRecoding;
use new_values::NewValues;
use quota::Quotas;

/// A mask made ready for a table whose values are known.
pub struct Rewriter {
    columns: Vec<ColumnRewrite>,
    suppressed: HashSet<Vec<u32>>,
    schema: SchemaRef,
    /// What guards cells that a spreadsheet would take for formulas, where that is needed.
    guard: Option<Guard>,
    neutralised: AtomicU64,
    local: Option<Arc<LocalRecoding>>,
    new_values: Option<Arc<NewValues>>,
    /// How many records were given new values so far.
    renewed: AtomicUsize,
}

/// What happens to one released column.
enum ColumnRewrite {
    /// Values stay; numbers are written in one way.
    Keep { number: bool },
    /// Values become labels.
    Recode { label_of: HashMap<String, u32>, labels: Vec<WrittenCell> },
    /// Records get the label of their class; the number counts the columns of this kind.
    Local(usize),
    /// Records get new values; the number counts the columns of this kind.
    Renew(usize),
}

/// A cell as it is written.
#[derive(Clone)]
struct WrittenCell {
    text: String,
    neutralised: bool,
}

/// The values of the recoded columns, in the order of the mask's columns.
pub type Values<'a> = &'a [Vec<String>];

/// What happens to single records, which a mask does not say.
#[derive(Debug, Clone, Default)]
pub struct ByRecord {
    /// The classes of local recoding.
    pub local: Option<Arc<LocalRecoding>>,
    /// New values, in record order.
    pub new_values: Option<Arc<NewValues>>,
    /// How many records of each class are written, where they were drawn.
    pub quotas: Option<Arc<Quotas>>,
}

impl Rewriter {
    /// Works out the label of each value. `guard` keeps cells from being taken for formulas.
    pub fn new(mask: &Mask, values: Values<'_>, by_record: &ByRecord, guard: Option<Guard>) -> Result<Self> {
        let mut recoded = values.iter();
        let mut columns = Vec::new();
        let mut numbers = Vec::new();
        let (mut local, mut renewed) = (0.., 0..);
        for (_, column) in mask.released() {
            columns.push(match (&column.recoding, column.change) {
                (None, None) => ColumnRewrite::Keep { number: column.number },
                (_, Some(ColumnChange::NewValue)) => ColumnRewrite::Renew(renewed.next().unwrap_or_default()),
                (_, Some(ColumnChange::Range | ColumnChange::AnyLevel)) => {
                    ColumnRewrite::Local(local.next().unwrap_or_default())
                }
                (Some(recoding), None) => {
                    let distinct = recoded.next().map_or(&[][..], Vec::as_slice);
                    let (made, numbering) = recode(column, recoding, distinct, guard)?;
                    numbers.push(numbering);
                    made
                }
            });
        }
        // The names of columns are hostile: inside the run they are numbers.
        let field = |place: usize| Field::new(place.to_string(), DataType::Utf8, true);
        let schema = Arc::new(Schema::new((0..columns.len()).map(field).collect::<Vec<_>>()));
        let suppressed = mask.suppressed.iter().filter_map(|key| numbered(key, &numbers)).collect();
        Ok(Self {
            columns,
            suppressed,
            schema,
            guard,
            neutralised: AtomicU64::new(0),
            local: by_record.local.clone(),
            new_values: by_record.new_values.clone(),
            renewed: AtomicUsize::new(0),
        })
    }

    /// What keeps cells from being taken for formulas.
    pub fn guard(&self) -> Option<Guard> {
        self.guard
    }

    /// Whether what becomes of a cell depends on its value alone, and not on its record.
    #[must_use]
    pub(crate) fn is_by_value(&self) -> bool {
        self.new_values.is_none() && self.local.is_none()
    }

    /// How many cells were neutralised so far.
    #[must_use]
    pub(crate) fn neutralised(&self) -> u64 {
        self.neutralised.load(Ordering::Relaxed)
    }

    /// Forgets how many cells were neutralised: the work is begun anew.
    pub(crate) fn begin_anew(&self) {
        self.neutralised.store(0, Ordering::Relaxed);
    }

    /// Rewrites a batch of the released columns.
    pub(crate) fn rewrite(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let codes = self.codes(batch)?;
        let mut kept = self.kept(&codes, batch.num_rows());
        let classes = self.local.as_ref().map(|local| local.classes_of(batch)).transpose()?;
        if let Some(classes) = &classes {
            kept.retain(|&record| classes.get(record).is_some_and(Option::is_some));
        }
        let class_of = |record: usize| classes.as_ref().and_then(|classes| classes.get(record).copied().flatten());
        let first = self.renewed.fetch_add(kept.len(), Ordering::Relaxed);
        let mut recoded = codes.iter();
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.columns.len());
        for (column, values) in self.columns.iter().zip(batch.columns()) {
            let mut builder = StringBuilder::new();
            match column {
                ColumnRewrite::Recode { labels, .. } => {
                    let codes = recoded.next().map_or(&[][..], Vec::as_slice);
                    for &record in &kept {
                        self.write(&labels[codes[record] as usize], &mut builder);
                    }
                }
                ColumnRewrite::Local(place) => {
                    let local = self.local.as_ref().ok_or_else(changed)?;
                    for &record in &kept {
                        let label =
                            class_of(record).and_then(|class| local.label(class, *place)).ok_or_else(changed)?;
                        self.write(&written(label.to_owned(), self.guard), &mut builder);
                    }
                }
                ColumnRewrite::Renew(place) => {
                    let new_values = self.new_values.as_ref().ok_or_else(changed)?;
                    let values = column_as::<StringArray>(values)?;
                    for (number, &record) in (first..).zip(&kept) {
                        let cell = new_values.text(*place, number, text(values, record)).ok_or_else(changed)?;
                        self.write_value(&cell, false, &mut builder);
                    }
                }
                ColumnRewrite::Keep { number } => {
                    let values = column_as::<StringArray>(values)?;
                    for &record in &kept {
                        self.write_value(text(values, record), *number, &mut builder);
                    }
                }
            }
            arrays.push(Arc::new(builder.finish()));
        }
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
            .map_err(|_| Error::environment("an internal step failed"))
    }

    /// Which records of a batch of the released columns are not withheld.
    pub(crate) fn kept_records(&self, batch: &RecordBatch) -> Result<Vec<usize>> {
        Ok(self.kept(&self.codes(batch)?, batch.num_rows()))
    }

    /// For each recoded column the label of each record.
    fn codes(&self, batch: &RecordBatch) -> Result<Vec<Vec<u32>>> {
        let mut codes = Vec::new();
        for (column, values) in self.columns.iter().zip(batch.columns()) {
            if let ColumnRewrite::Recode { label_of, .. } = column {
                let values = column_as::<StringArray>(values)?;
                let code = |record| label_of.get(text(values, record)).copied().ok_or_else(changed);
                codes.push((0..values.len()).map(code).collect::<Result<Vec<u32>>>()?);
            }
        }
        Ok(codes)
    }

    fn kept(&self, codes: &[Vec<u32>], records: usize) -> Vec<usize> {
        let mut key = Vec::with_capacity(codes.len());
        let mut is_kept = |&record: &usize| {
            key.clear();
            key.extend(codes.iter().map(|column| column[record]));
            !self.suppressed.contains(&key)
        };
        (0..records).filter(|record| self.suppressed.is_empty() || is_kept(record)).collect()
    }

    fn write(&self, cell: &WrittenCell, builder: &mut StringBuilder) {
        if cell.neutralised {
            self.neutralised.fetch_add(1, Ordering::Relaxed);
        }
        builder.append_option((!cell.text.is_empty()).then_some(&cell.text));
    }

    fn write_value(&self, value: &str, number: bool, builder: &mut StringBuilder) {
        if number {
            return self.write(&written(canonical(value, number), self.guard), builder);
        }
        let cell = self.guard.map_or(Cow::Borrowed(value), |guard| guard.guarded(value));
        if matches!(cell, Cow::Owned(_)) {
            self.neutralised.fetch_add(1, Ordering::Relaxed);
        }
        builder.append_option((!cell.is_empty()).then_some(cell));
    }
}

/// The labels of one column, and the number of each label before it was made safe to write.
fn recode(
    column: &ColumnMask,
    recoding: &Recoding,
    values: &[String],
    guard: Option<Guard>,
) -> Result<(ColumnRewrite, HashMap<String, u32>)> {
    let mut numbering: HashMap<String, u32> = HashMap::new();
    let mut labels = Vec::new();
    let mut label_of = HashMap::with_capacity(values.len());
    let mut unknown = 0;
    for value in values {
        let Ok(label) = recoding.label(&canonical(value, column.number)) else {
            unknown += 1;
            continue;
        };
        let next = u32::try_from(labels.len()).unwrap_or(u32::MAX);
        let number = *numbering.entry_ref(&label).or_insert_with(|| {
            labels.push(written(label.clone(), guard));
            next
        });
        label_of.insert(value.clone(), number);
    }
    if unknown > 0 {
        return Err(unlabelled(&column.name, unknown));
    }
    Ok((ColumnRewrite::Recode { label_of, labels }, numbering))
}

fn numbered(key: &[String], numbers: &[HashMap<String, u32>]) -> Option<Vec<u32>> {
    key.iter().zip(numbers).map(|(label, numbers)| numbers.get(label).copied()).collect()
}

fn written(text: String, guard: Option<Guard>) -> WrittenCell {
    match guard.map_or(Cow::Borrowed(text.as_str()), |guard| guard.guarded(&text)) {
        Cow::Owned(guarded) => WrittenCell { text: guarded, neutralised: true },
        Cow::Borrowed(_) => WrittenCell { text, neutralised: false },
    }
}

/// The error for values without a label.
pub(crate) fn unlabelled(column: &str, values: usize) -> Error {
    Error::input(format!("column `{}`: {values} distinct values have no label in the ladder", column.escape_debug()))
        .hint("extend the ladder and run `equanym release` anew; new_values in [method] says what a mask does with unknown values")
}

pub(crate) fn changed() -> Error {
    Error::environment("the input changed while it was read").hint("run again once nobody writes to it")
}
