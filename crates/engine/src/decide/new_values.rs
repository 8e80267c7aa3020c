//! New values for columns: read in record order, changed by the core, put back by record number.
//!
//! Only the records that are released are changed, so what is withheld leaves no trace in what is not. The columns are held
//! in memory as exact decimals. The second reading compares each cell with the first: a table that changed meanwhile is an
//! error. What an intruder finds in the result is measured at once, and a result that is hardly a change is no release.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, StringArray};
use equanym_core::card::Parameters;
use equanym_core::checklist::{Check, ChecklistLine};
use equanym_core::method::values::{ChangedColumns, ValueTask};
use equanym_core::random::Seed;
use equanym_core::report::{NewValuesReport, NewWriting, UtilityFindings};
use equanym_core::risk::linkage::{self, Linkage};
use equanym_core::utility::{self, Comparison, MeasuredTable};
use equanym_core::walk::{ColumnScale, Property, WalkColumn, WalkError};

use super::Decision;
use crate::error::{Error, Result};
use crate::machine::Runtime;
use crate::mask::rewrite::Rewriter;
use crate::mask::rewrite::new_values::NewValues;
use crate::policy::{Policy, PropertyPolicy, VariablePolicy};
use crate::progress::{Progress, Step};
use crate::read::Source;
use crate::read::cells::{column_as, text};
use crate::words::percent;
use crate::workers::no_new_values;

/// What no reader of a report may miss.
const GUARANTEE: &str = "New values come without a formal guarantee: no privacy model covers these columns, and the linkage \
                         rates say what somebody who knows the original finds again.";

/// Where more than this share of the values stand where they were, nothing was changed that could be called anonymised.
const MOST_STILL: f64 = 0.5;

/// What a cell takes in memory: text, exact value, new value and floats to measure with.
const BYTES_A_CELL: usize = 96;

/// Gives new values to the marked variables of a decision release; `make` makes them.
pub(crate) fn change(
    policy: &Policy,
    decision: &mut Decision,
    source: &Source,
    runtime: &Runtime,
    progress: &dyn Progress,
    make: impl FnOnce(&ValueTask<'_>) -> Result<ChangedColumns>,
) -> Result<()> {
    let ColumnsToChange { columns, properties } = columns(policy, Some(decision), source, runtime.memory)?;
    // What a balance chose stands above what the policy says.
    let chosen = decision.setting.take();
    let (parameters, chosen) =
        chosen.map_or_else(|| (policy.method.parameters.clone(), Vec::new()), |one| (one.parameters, one.facts));
    let parameters = &parameters;
    let progress = |segments| progress.at(Step::Walk, segments);
    let (seed, progress) = (seed(policy)?, &progress);
    let task = ValueTask { columns: &columns, properties: &properties, parameters, seed, progress };
    let mut changed = make(&task)?;
    changed.facts.splice(0..0, chosen);
    let found = runtime.side_by_side(|| measure(&columns, &changed, parameters))?;
    refuse_frozen(&changed, &found.linkage, policy)?;
    let new_signs = columns.iter().zip(&changed.columns).filter_map(|(old, new)| new_sign(old, new));
    let told = [GUARANTEE.to_owned()].into_iter().chain(changed.warnings).chain(new_signs);
    let told = told.map(|message| ChecklistLine::look(Check::NewValues, message)).collect();
    decision.findings.new_values = Some((found, told));
    let columns = columns.into_iter().zip(changed.columns).collect();
    decision.by_record.new_values = Some(Arc::new(NewValues::new(columns)));
    Ok(())
}

/// What a method is given: the marked columns, and the properties to keep.
pub(super) struct ColumnsToChange {
    pub columns: Vec<WalkColumn>,
    pub properties: Vec<Property>,
}

/// The marked columns of all records, whatever is released of them.
pub(super) fn columns_of_all(policy: &Policy, source: &Source, memory: usize) -> Result<ColumnsToChange> {
    columns(policy, None, source, memory)
}

/// The marked columns of the records that a decision releases; of all records where there is none.
fn columns(policy: &Policy, decision: Option<&Decision>, source: &Source, memory: usize) -> Result<ColumnsToChange> {
    let (columns, parting) = read(&marked(policy, source), &parting(policy, source)?, decision, source, memory)?;
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let records = columns.first().map_or(0, |column| column.values.len());
    let among =
        |property: &PropertyPolicy| property.among(&names, records, |column, record| parting.cell(column, record));
    let properties = policy.method.properties.iter().map(among).collect::<Result<Vec<_>>>()?;
    Ok(ColumnsToChange { columns, properties })
}

/// The marked variables in the order of the data.
fn marked<'p>(policy: &'p Policy, source: &Source) -> Vec<&'p VariablePolicy> {
    let of_column = |name: &String| policy.variables.iter().find(|one| one.name == *name && one.marked.is_some());
    source.columns().iter().filter_map(of_column).collect()
}

/// The columns that part the records for properties, each once.
fn parting<'p>(policy: &'p Policy, source: &Source) -> Result<Vec<&'p str>> {
    let mut names: Vec<&str> = Vec::new();
    for (number, property) in (1..).zip(&policy.method.properties) {
        for name in property.group_columns() {
            if !source.columns().iter().any(|column| column == name) {
                let name = name.escape_debug();
                return Err(Error::input(format!(
                    "property {number} parts records by `{name}`, which is no column of the table"
                ))
                .hint("name a column as the table does; it may be one that is not released"));
            }
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

/// The cells by which records are parted, of the records that are released.
struct RecordGroups<'p> {
    columns: Vec<(&'p str, StringArray)>,
    /// The released records.
    records: Vec<usize>,
}

impl RecordGroups<'_> {
    fn cell(&self, column: &str, record: usize) -> Option<&str> {
        let (_, cells) = self.columns.iter().find(|(name, _)| *name == column)?;
        Some(text(cells, *self.records.get(record)?))
    }
}

/// The marked columns of the records that are released, and those that part them.
fn read<'p>(
    marked: &[&VariablePolicy],
    parting: &[&'p str],
    decision: Option<&Decision>,
    source: &Source,
    memory: usize,
) -> Result<(Vec<WalkColumn>, RecordGroups<'p>)> {
    let names: Vec<&str> =
        marked.iter().map(|variable| variable.name.as_str()).chain(parting.iter().copied()).collect();
    let (mut cells, kept) = cells(&names, decision, source, memory)?;
    let others = cells.split_off(marked.len().min(cells.len()));
    let mut columns = Vec::with_capacity(marked.len());
    for (variable, cells) in marked.iter().zip(cells) {
        let texts = (0..cells.len()).map(|record| text(&cells, record));
        let Some(marked) = &variable.marked else { continue };
        let read = WalkColumn::read(&variable.name, texts, marked.scale.clone(), marked.limits);
        let mut column = read.map_err(|error| no_new_values(&error))?;
        check_domain(&column)?;
        let mut records = kept.iter();
        column.values.retain(|_| records.next().copied().unwrap_or(true));
        columns.push(column);
    }
    let records = (0..kept.len()).filter(|record| kept[*record]).collect();
    Ok((columns, RecordGroups { columns: parting.iter().copied().zip(others).collect(), records }))
}

/// The cells of some columns, and for each record whether it is released.
fn cells(
    names: &[&str],
    decision: Option<&Decision>,
    source: &Source,
    memory: usize,
) -> Result<(Vec<StringArray>, Vec<bool>)> {
    let rewriter = |one: &Decision| Rewriter::new(&one.stored.mask, &one.values, &one.by_record, None);
    let rewriter = decision.map(rewriter).transpose()?;
    // What is released comes first: the rewriter looks at nothing else.
    let released = decision.into_iter().flat_map(|one| one.stored.mask.released());
    let mut places: Vec<usize> = released.map(|(place, _)| place).collect();
    let mut wanted = Vec::with_capacity(names.len());
    for name in names {
        let Some(column) = source.columns().iter().position(|column| column == name) else { continue };
        let place = places.iter().position(|place| *place == column).unwrap_or_else(|| {
            places.push(column);
            places.len() - 1
        });
        wanted.push(place);
    }
    let mut builders: Vec<StringBuilder> = wanted.iter().map(|_| StringBuilder::new()).collect();
    let mut kept = Vec::new();
    for part in 0..source.parts() {
        for batch in source.read(part, &places)? {
            let batch = batch?;
            for (place, builder) in wanted.iter().zip(&mut builders) {
                let column = column_as::<StringArray>(batch.column(*place))?;
                (0..column.len()).for_each(|row| builder.append_value(text(column, row)));
            }
            let before = kept.len();
            kept.resize(before + batch.num_rows(), rewriter.is_none());
            if let Some(rewriter) = &rewriter {
                rewriter.kept_records(&batch)?.into_iter().for_each(|row| kept[before + row] = true);
            }
            if kept.len().saturating_mul(wanted.len() * BYTES_A_CELL) > memory {
                return Err(Error::environment("the columns that get new values do not fit the memory limit")
                    .hint("raise --memory, or release the table in parts"));
            }
        }
    }
    Ok((builders.into_iter().map(|mut builder| builder.finish()).collect(), kept))
}

fn check_domain(column: &WalkColumn) -> Result<()> {
    let Some((low, high)) = column.bounds else { return Ok(()) };
    let outside = |value: &Option<i128>| value.is_some_and(|units| units < low || units > high);
    let Some(first) = column.values.iter().position(outside) else { return Ok(()) };
    let count = column.values.iter().filter(|value| outside(value)).count();
    Err(no_new_values(&WalkError::OutsideDomain { column: column.name.clone(), count, first: first + 1 }))
}

/// Where all draws come from: the policy, or the system's generator.
pub(super) fn seed(policy: &Policy) -> Result<Seed> {
    if let Some(number) = policy.method.seed {
        return Ok(Seed::from(number));
    }
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|_| {
        Error::environment("the system gives no random numbers")
            .hint("give a seed, if others may know how values were drawn")
    })?;
    Ok(Seed(bytes))
}

/// A column that had nothing below zero and has now was meant to have a domain.
fn new_sign(column: &WalkColumn, values: &[Option<i128>]) -> Option<String> {
    let below = |values: &[Option<i128>]| values.iter().flatten().filter(|units| **units < 0).count();
    let (before, after) = (below(&column.values), below(values));
    let name = column.name.escape_debug();
    (column.has_zero() && before == 0 && after > 0).then(|| {
        format!("column `{name}` had no value below zero and has {after} now; a lower bound of 0 in its `domain` prevents that")
    })
}

/// What the new values are worth, and what they risk.
fn measure(columns: &[WalkColumn], changed: &ChangedColumns, parameters: &Parameters) -> Result<NewValuesReport> {
    let scaled = |column: &WalkColumn, values: &[Option<i128>]| -> Vec<f64> {
        values.iter().map(|value| value.map_or(f64::NAN, |units| column.float(units))).collect()
    };
    let table = |values: &dyn Fn(usize) -> Vec<f64>| MeasuredTable {
        columns: (0..columns.len())
            .map(|place| utility::MeasuredColumn {
                has_zero: columns[place].has_zero(),
                ..utility::MeasuredColumn::exact(&columns[place].name, values(place))
            })
            .collect(),
        ..MeasuredTable::default()
    };
    let before = table(&|place| scaled(&columns[place], &columns[place].values));
    let after = table(&|place| scaled(&columns[place], changed.columns.get(place).map_or(&[], Vec::as_slice)));
    let pair = Comparison::new(&before, &after, true).map_err(|error| Error::environment(error.to_string()))?;
    let mut found = Vec::new();
    for member in utility::ALL.iter().filter(|member| member.in_reports) {
        let figures =
            member.measure(&pair, &Parameters::new()).map_err(|error| Error::environment(error.to_string()))?;
        found.push(UtilityFindings { metric: member.card.name, summary: member.card.summary, figures });
    }
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let [old, new] =
        [&before, &after].map(|table| table.columns.iter().map(|column| column.values.as_slice()).collect::<Vec<_>>());
    Ok(NewValuesReport {
        columns: names.iter().map(ToString::to_string).collect(),
        writings: columns.iter().zip(&changed.columns).map(|(column, values)| writing(column, values)).collect(),
        parameters: parameters.clone(),
        guarantee: GUARANTEE,
        linkage: linkage::linkage(&names, &old, &new, changed.segment),
        utility: found,
        facts: changed.facts.clone(),
    })
}

/// How the new values of a column are written, with the words that occur and no others.
fn writing(column: &WalkColumn, values: &[Option<i128>]) -> NewWriting {
    match &column.scale {
        ColumnScale::Numbers => NewWriting::Numbers,
        ColumnScale::Dates(format) => NewWriting::Dates(format.name()),
        ColumnScale::Words(_) => {
            let places: BTreeSet<i128> = values.iter().flatten().copied().collect();
            let words: BTreeSet<String> = places.into_iter().map(|place| column.text(Some(place))).collect();
            NewWriting::Words(words.into_iter().collect())
        }
    }
}

/// Values that hardly moved must not pass for anonymised ones.
fn refuse_frozen(changed: &ChangedColumns, linkage: &Linkage, policy: &Policy) -> Result<()> {
    let is_frozen =
        |column: &&linkage::ColumnLinkage| column.still > MOST_STILL || changed.frozen.contains(&column.name);
    let Some(column) = linkage.columns.iter().find(is_frozen) else { return Ok(()) };
    let name = column.name.escape_debug();
    Err(Error::unsafe_release(format!(
        "`{}` hardly changed column `{name}`: {} of its values are as collected, {} moved by less than a hundredth of a \
         standard deviation",
        policy.method.name,
        percent(column.unchanged),
        percent(column.still)
    ))
    .hint("nothing was released; choose parameters that let the values move, or recode the column"))
}
