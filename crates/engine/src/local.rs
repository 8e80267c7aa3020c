//! Local recoding: classes with labels of their own, from counted keys to rewritten records.
//!
//! The core divides the counted keys; here they are handed over in its numbering, and each record finds its class again by
//! its key. Where a method shares the records of one key between classes, which record goes where is decided by the order
//! in which they are read.

use std::collections::BTreeSet;
use std::sync::Mutex;

use arrow::array::StringArray;
use arrow::record_batch::RecordBatch;
use equanym_core::frequency::Table;
use equanym_core::mask::{Change, ColumnMask, Mask};
use equanym_core::method::partition::{Dimension, Fit, Partition, PartitionError, Piece, Rows};
use equanym_core::privacy::Guard;
use equanym_core::report::{Levels, LocalFound, Lost, Original, Report};
use equanym_core::risk;
use equanym_core::variable::{Role, Variable};
use hashbrown::HashMap;

use crate::apply::{Beside, changed};
use crate::count::{Keys, typed};
use crate::encode::text;
use crate::error::{Error, Result};
use crate::fit::held;
use crate::policy::{Policy, ValueKind, VariablePolicy};
use crate::publish::Fitted;
use crate::release::Columns;
use crate::source::Source;
use crate::stored::{Promise, StoredMask};
use crate::tabulate::{ranked, recode};
use crate::warnings;

/// The class of each record, found by its key.
#[derive(Debug)]
pub struct LocalRecoding {
    /// The labels of each class.
    labels: Vec<Vec<String>>,
    /// The columns that make up a key: their places among the released columns, and the number of each value.
    columns: Vec<(usize, HashMap<String, u32>)>,
    row_of: HashMap<Box<[u32]>, u32>,
    /// For each row where its pieces begin.
    starts: Vec<usize>,
    pieces: Vec<Piece>,
    /// For each row how many of its records were met; used where a row has several pieces.
    met: Option<Mutex<Vec<u64>>>,
}

impl LocalRecoding {
    fn new(partition: Partition, mask: &Mask, columns: &Columns<'_>, keys: &Keys) -> Result<Self> {
        let names =
            columns.quasi.iter().map(|one| one.name.as_str()).chain(columns.sensitive.iter().map(String::as_str));
        let released: Vec<&str> = mask.released().map(|(_, column)| column.name.as_str()).collect();
        let numbered = |(name, values): (&str, &Vec<String>)| {
            let place = released.iter().position(|column| *column == name)?;
            Some((place, values.iter().cloned().zip(0..).collect()))
        };
        let numbered: Option<Vec<_>> = names.zip(&keys.values).map(numbered).collect();
        let numbered = numbered.ok_or_else(|| Error::environment("an internal step lost a column"))?;
        let key =
            |row: usize| keys.columns.iter().take(numbered.len()).map(|column| column[row]).collect::<Box<[u32]>>();
        let rows = keys.counts.len();
        let shared = partition.pieces.windows(2).any(|pair| pair[0].row == pair[1].row);
        let mut starts = vec![0; rows + 1];
        partition.pieces.iter().for_each(|piece| starts[piece.row as usize + 1] += 1);
        (0..rows).for_each(|row| starts[row + 1] += starts[row]);
        Ok(Self {
            labels: partition.classes.into_iter().map(|class| class.labels).collect(),
            row_of: (0..rows).map(key).zip(0..).collect(),
            columns: numbered,
            starts,
            pieces: partition.pieces,
            met: shared.then(|| Mutex::new(vec![0; rows])),
        })
    }

    /// The label of a class in the column of this number.
    #[must_use]
    pub fn label(&self, class: u32, place: usize) -> Option<&str> {
        self.labels.get(class as usize)?.get(place).map(String::as_str)
    }

    /// The class of each row of a batch of the released columns; none for a record that is withheld.
    pub fn classes_of(&self, batch: &RecordBatch) -> Result<Vec<Option<u32>>> {
        let columns = self.columns.iter().map(|(place, _)| typed::<StringArray>(batch.column(*place)));
        let columns: Vec<&StringArray> = columns.collect::<Result<_>>()?;
        let mut key = Vec::with_capacity(columns.len());
        let mut classes = Vec::with_capacity(batch.num_rows());
        for record in 0..batch.num_rows() {
            key.clear();
            for (column, (_, numbers)) in columns.iter().zip(&self.columns) {
                key.push(*numbers.get(text(column, record)).ok_or_else(changed)?);
            }
            let row = *self.row_of.get(key.as_slice()).ok_or_else(changed)?;
            classes.push(self.class_of(row as usize)?);
        }
        Ok(classes)
    }

    /// The class of the next record of a row.
    fn class_of(&self, row: usize) -> Result<Option<u32>> {
        let pieces =
            self.starts.get(row).zip(self.starts.get(row + 1)).and_then(|(from, to)| self.pieces.get(*from..*to));
        let pieces = pieces.ok_or_else(changed)?;
        let [several @ .., last] = pieces else { return Ok(None) };
        let Some(met) = &self.met else { return Ok(Some(last.class)) };
        let mut met = met.lock().map_err(|_| Error::environment("a writing thread failed"))?;
        let mut before = met[row];
        met[row] += 1;
        for piece in several {
            if before < piece.records {
                return Ok(Some(piece.class));
            }
            before -= piece.records;
        }
        Ok(Some(last.class))
    }
}

/// The classes that a method finds, as a release that only has to be written.
pub(crate) fn fit(
    policy: &Policy,
    fit: Fit,
    columns: &Columns<'_>,
    (table, guard): (&Table, &Guard),
    keys: &Keys,
    source: &Source,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Fitted> {
    let rows = rows(columns, table, keys)?;
    let is_range: Vec<bool> = rows.dimensions.iter().map(|dimension| dimension.numbers.is_some()).collect();
    let budget = policy.suppression_budget(table.records);
    let partition = fit(&rows, guard, &policy.method.parameters, budget, progress);
    let partition = partition.map_err(|error| refusal(&error, guard, table))?;
    let mask = mask(policy, source, &is_range);
    let promises = Promise::of(policy);
    let mut report = describe(policy, table, &partition, &promises);
    report.warnings = warnings::of(&columns.quasi, &columns.sensitive, table, keys, source, policy);
    report.warnings.extend(warnings::of_local_recoding());
    let labels = (0..is_range.len()).map(|place| occurring(&partition, place)).collect();
    let local = LocalRecoding::new(partition, &mask, columns, keys)?;
    let beside = Beside { local: Some(local.into()), new_values: None };
    let stored = StoredMask::of(policy, mask);
    Ok(Fitted { stored, values: Vec::new(), labels, report, beside })
}

/// The counted keys in the numbering of the core.
fn rows<'t>(columns: &Columns<'_>, table: &'t Table, keys: &Keys) -> Result<Rows<'t>> {
    let mut rows =
        Rows { dimensions: Vec::new(), columns: Vec::new(), sensitive: Vec::new(), counts: keys.counts.clone() };
    for (place, (policy, variable)) in columns.quasi.iter().zip(&table.variables).enumerate() {
        rows.dimensions.push(dimension(policy, variable)?);
        let number = policy.kind == ValueKind::Number;
        rows.columns.push(recode(&keys.columns[place], &keys.values[place], number, &variable.hierarchy)?);
    }
    for place in (columns.quasi.len()..).take(columns.sensitive.len()) {
        rows.sensitive.push(ranked(&keys.columns[place], &keys.values[place]).collect());
    }
    Ok(rows)
}

/// A number is divided as such where the policy lets it be released as collected, otherwise along its ladder.
fn dimension<'t>(policy: &VariablePolicy, variable: &'t Variable) -> Result<Dimension<'t>> {
    if policy.kind != ValueKind::Number || variable.min_level > 0 {
        return Ok(Dimension::by_ladder(variable));
    }
    Dimension::by_number(variable).map_err(|strange| {
        let name = variable.name.escape_debug();
        Error::input(format!("column `{name}`: {strange} distinct values are no decimal numbers"))
            .hint("correct them, name them in `[data] missing`, or remove `type = \"number\"`")
    })
}

fn refusal(error: &PartitionError, guard: &Guard, table: &Table) -> Error {
    match error {
        PartitionError::NoSafePartition { failing, records } => {
            let nearest = guard.nearest(table);
            let share = (*failing as f64 / *records as f64 * 1e6).ceil() / 1e6;
            let hint = match nearest.as_slice() {
                [] if failing < records => format!("a suppression_limit of {share} would do, or higher level bounds"),
                [] => "raise the level bounds, drop a quasi-identifier, or ask for less privacy".to_owned(),
                _ => format!("on this table {}", nearest.join("; ")),
            };
            Error::unsafe_release(error.to_string()).hint(hint)
        }
        PartitionError::NotNested(_) => Error::input(error.to_string()).hint("use a nested ladder"),
        PartitionError::Inconsistent => Error::environment(error.to_string()),
    }
}

fn mask(policy: &Policy, source: &Source, is_range: &[bool]) -> Mask {
    let mut is_range = is_range.iter();
    let listed = source.columns().iter().filter_map(|name| policy.variables.iter().find(|one| one.name == *name));
    let columns = listed.map(|variable| {
        let is_quasi = variable.role == Role::QuasiIdentifying;
        let change = is_quasi.then(|| is_range.next().copied().unwrap_or(false));
        let change = change.map(|is_range| if is_range { Change::Range } else { Change::AnyLevel });
        let number = variable.kind == ValueKind::Number;
        ColumnMask { name: variable.name.clone(), role: variable.role, number, recoding: None, change }
    });
    Mask { columns: columns.collect(), suppressed: BTreeSet::new() }
}

fn describe(policy: &Policy, table: &Table, partition: &Partition, promises: &[Promise]) -> Report {
    let sizes: Vec<u64> = partition.classes.iter().map(|class| class.records).collect();
    let original = &table.keys().sizes;
    let lost = table.variables.iter().zip(&partition.lost);
    let lost = lost.map(|(variable, share)| Lost { variable: variable.name.clone(), share: *share });
    Report {
        records: table.records,
        released: table.records - partition.suppressed,
        suppressed: partition.suppressed,
        method: policy.method.name.clone(),
        node: Levels(Vec::new()),
        choice: None,
        local: Some(LocalFound { parameters: policy.method.parameters.clone(), lost: lost.collect() }),
        new_values: None,
        classes: risk::classes(&sizes),
        risk: risk::prosecutor(&sizes),
        privacy: promises.iter().map(held).collect(),
        // Known once the release is written.
        neutralised_cells: 0,
        original: Some(Original { classes: risk::classes(original), risk: risk::prosecutor(original) }),
        warnings: Vec::new(),
    }
}

/// The labels of a variable that occur; the missing value goes without saying.
fn occurring(partition: &Partition, place: usize) -> BTreeSet<String> {
    let labels = partition.classes.iter().filter_map(|class| class.labels.get(place));
    labels.filter(|label| !label.is_empty()).cloned().collect()
}
