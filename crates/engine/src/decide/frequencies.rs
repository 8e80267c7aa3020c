//! What became of the values of the counted columns, for the owner's report.
//!
//! Quasi-identifiers and the sensitive variables that a model looks at are counted, so their frequencies and associations before
//! and after follow from the counts; the other columns would have to be read again, which `equanym compare` does. What is
//! drawn is bounded, however many values there are.

use std::collections::BTreeMap;

use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::hierarchy::{TOP, decimal};
use equanym_core::method::partition::Partition;
use equanym_core::privacy::Verdict;
use equanym_core::utility::association::{self, WeightedTable};
use equanym_core::utility::bars::ColumnFrequencies;
use equanym_core::utility::domain::{ExplainedLabels, ValueDomain};
use equanym_core::utility::frequencies::Frequencies;
use equanym_core::utility::{CategoryColumn, Figure, Meaning};
use equanym_core::variable::Variable;
use hashbrown::HashMap;
use rayon::prelude::*;

use crate::count::tabulate::{Spread, seen};

/// The most bars of a column.
const MOST_BARS: usize = 12;

/// Pairs of columns are compared in tables with no more distinct keys: it takes memory for each of them.
const MOST_KEYS: usize = 1_000_000;

/// The most pairs of columns that are listed, those with the largest change.
const MOST_PAIRS: usize = 12;

/// How many records have each text.
type Counts = BTreeMap<String, u64>;

/// What became of a column, from how often each value and each label occurs.
fn column(
    name: &str,
    before: &Counts,
    after: &Counts,
    known: impl FnOnce(&ValueDomain) -> ExplainedLabels,
) -> ColumnFrequencies {
    // `01234` is a code and no number.
    let may_be_numbers = before.keys().all(|text| text.is_empty() || decimal::canonical(text).as_ref() == Some(text));
    let domain = ValueDomain::from_values(before.keys().map(String::as_str), may_be_numbers);
    let known = known(&domain);
    let values: Vec<(Meaning, u64)> = before
        .iter()
        .map(|(text, count)| (domain.place(text).map_or(Meaning::Unknown, Meaning::value), *count))
        .collect();
    let labels: Vec<(Meaning, u64)> =
        after.iter().map(|(text, count)| (domain.meaning(text, &known), *count)).collect();
    let [old, new] = [&values, &labels].map(|side| side.iter().map(|(one, count)| (one, *count)).collect::<Vec<_>>());
    let found = Frequencies::new(domain.texts().len(), &old, &new);
    ColumnFrequencies::new(name, &domain, after.len(), &found, MOST_BARS)
}

/// The quasi-identifiers at the node of `set`: values by the ladders of the table, labels of the kept classes.
pub(super) fn of_levels(table: &Table, set: &FrequencySet, verdict: &Verdict) -> Vec<ColumnFrequencies> {
    let of_variable = |(place, variable): (usize, &Variable)| {
        let before = collected(table, place);
        let level = &variable.hierarchy.levels()[usize::from(set.node.0[place])];
        let code_of: HashMap<&str, usize> = variable.hierarchy.values().iter().map(String::as_str).zip(0..).collect();
        let label = |value: &str| Some(level.labels[level.of[*code_of.get(value)?] as usize].clone());
        let after = kept_labels(table, set, verdict, place);
        column(&variable.name, &before, &after, |domain| ExplainedLabels::by(domain, label))
    };
    table.variables.par_iter().enumerate().map(of_variable).collect()
}

/// The quasi-identifiers as classes of their own labels have them.
pub(super) fn of_classes(table: &Table, partition: &Partition) -> Vec<ColumnFrequencies> {
    let of_variable = |(place, variable): (usize, &Variable)| {
        let before = collected(table, place);
        let mut after = Counts::new();
        for class in &partition.classes {
            let label = class.labels.get(place).cloned().unwrap_or_default();
            *after.entry(label).or_default() += class.records;
        }
        column(&variable.name, &before, &after, |domain| ExplainedLabels::by_ladder(domain, &variable.hierarchy))
    };
    table.variables.iter().enumerate().map(of_variable).collect()
}

/// How many records have each value of a variable.
fn collected(table: &Table, variable: usize) -> Counts {
    let values = table.variables[variable].hierarchy.values().iter().zip(table.value_counts(variable));
    values.filter(|(_, count)| **count > 0).map(|(value, count)| (value.clone(), *count)).collect()
}

/// A recoded column of a stored mask, from its raw values and how often they occur.
pub(crate) fn of_mask(
    name: &str,
    (before, after): (&BTreeMap<String, u64>, &BTreeMap<String, u64>),
    label: impl Fn(&str) -> Option<String>,
) -> ColumnFrequencies {
    column(name, before, after, |domain| ExplainedLabels::by(domain, label))
}

/// How many kept records have each label of a variable.
pub(crate) fn kept_labels(
    table: &Table,
    set: &FrequencySet,
    verdict: &Verdict,
    variable: usize,
) -> BTreeMap<String, u64> {
    let level = &table.variables[variable].hierarchy.levels()[usize::from(set.node.0[variable])];
    let mut counts = vec![0; level.labels.len()];
    for class in (0..set.len()).filter(|class| verdict.kept[*class]) {
        counts[level.of[table.value(set, class, variable) as usize] as usize] += set.sizes[class];
    }
    let labels = level.labels.iter().cloned().zip(counts);
    labels.filter(|(_, count)| *count > 0).collect()
}

/// The sensitive variables whose spread is counted; `raw` are the values of each.
pub(crate) fn of_sensitive(
    table: &Table,
    (set, verdict): (&FrequencySet, &Verdict),
    spread: &[Spread],
    raw: &[Vec<String>],
) -> Vec<ColumnFrequencies> {
    let of_variable = |(place, (variable, raw)): (usize, (&Spread, &Vec<String>))| {
        // Of spellings that count as one the first stands for all.
        let mut spelling: BTreeMap<String, &String> = BTreeMap::new();
        for value in raw {
            let first = spelling.entry(seen(value, variable.number)).or_insert(value);
            *first = (*first).min(value);
        }
        // Codes number the values in their order.
        let texts: Vec<&String> = spelling.into_values().collect();
        let text = |code: u32| texts.get(code as usize).map(|text| (*text).clone());
        let sum = |set: &FrequencySet, is_kept: &dyn Fn(usize) -> bool| {
            let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
            for class in (0..set.len()).filter(|class| is_kept(*class)) {
                set.contents.sensitive[place]
                    .in_class(class)
                    .iter()
                    .for_each(|(code, count)| *counts.entry(*code).or_default() += count);
            }
            counts.into_iter().filter_map(|(code, count)| Some((text(code)?, count))).collect::<Counts>()
        };
        let (before, after) = (sum(table.keys(), &|_| true), sum(set, &|class| verdict.kept[class]));
        column(&variable.name, &before, &after, |_| ExplainedLabels::default())
    };
    spread.iter().zip(raw).enumerate().map(of_variable).collect()
}

/// The pairs of quasi-identifiers whose association changed most, by values before and labels after; those that are mostly
/// chance are left out.
pub(super) fn pairs(table: &Table, set: &FrequencySet, verdict: &Verdict) -> Vec<Figure> {
    if table.keys().len() > MOST_KEYS {
        return Vec::new();
    }
    let kept: Vec<usize> = (0..set.len()).filter(|class| verdict.kept[*class]).collect();
    let all: Vec<usize> = (0..table.keys().len()).collect();
    let sides = [(table.keys(), &all), (set, &kept)].map(|(set, classes)| {
        let columns: Vec<_> = (0..table.variables.len()).map(|place| coded(table, set, classes, place)).collect();
        let weights: Vec<u64> = classes.iter().map(|class| set.sizes[*class]).collect();
        (columns, weights)
    });
    let weighted = sides.each_ref().map(|(columns, weights)| WeightedTable { columns, weights: Some(weights) });
    let mut figures = association::pairs(weighted);
    figures.retain(|figure| figure.name == association::CHANGE);
    figures.sort_by(|one, other| other.value.total_cmp(&one.value));
    figures.truncate(MOST_PAIRS);
    figures
}

/// A variable of some classes as categories.
fn coded(table: &Table, set: &FrequencySet, classes: &[usize], place: usize) -> CategoryColumn {
    let variable = &table.variables[place];
    let level = &variable.hierarchy.levels()[usize::from(set.node.0[place])];
    let meaning = |(label, text): (u32, &String)| match text.as_str() {
        TOP => Meaning::Unknown,
        _ => Meaning::value(label),
    };
    let cell = |class: &usize| level.of[table.value(set, *class, place) as usize];
    let missing = (0..).zip(&level.labels).find(|(_, text)| text.is_empty()).map(|(label, _)| label);
    CategoryColumn {
        name: variable.name.clone(),
        cells: classes.iter().map(cell).collect(),
        labels: (0..).zip(&level.labels).map(meaning).collect(),
        values: u32::try_from(level.labels.len()).unwrap_or(u32::MAX),
        missing,
        is_number: false,
    }
}
