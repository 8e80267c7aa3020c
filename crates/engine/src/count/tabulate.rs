//! Counted keys and a policy become the table that the core searches.
//!
//! Each quasi-identifier's ladder is fitted to the values that occur, and each counted key is written in the ladder's own
//! codes, so the order in which values were met is forgotten here.

use std::collections::BTreeSet;

use equanym_core::contents::Distribution;
use equanym_core::frequency::Table;
use equanym_core::hierarchy::{Builder, Hierarchy, HierarchyError};
use equanym_core::variable::Variable;
use hashbrown::HashMap;

use super::parts::KeyParts;
use super::{KeyRows, canonical, spelling};
use crate::error::{Error, Result};
use crate::policy::{ValueKind, VariablePolicy};

/// A variable whose spread over the classes is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spread {
    pub name: String,
    /// Whether its values are numbers, written in one way only.
    pub number: bool,
}

/// Why a column does not fit its ladder: the reason, and the raw values it is about.
#[derive(Debug)]
pub(crate) struct LadderGap {
    /// The place of the column among the quasi-identifiers.
    pub variable: usize,
    /// The reason.
    pub error: HierarchyError,
    /// The raw values that have no label.
    pub values: BTreeSet<String>,
}

/// Fits the ladder of each quasi-identifier to the raw values of its column; `records` says how many records have each,
/// where the ladder asks for that.
pub(crate) fn fit_variables(
    quasi: &[&VariablePolicy],
    values: &[Vec<String>],
    records: impl Fn(usize) -> Vec<u64>,
) -> std::result::Result<Vec<Hierarchy>, Box<LadderGap>> {
    let fit = |(place, policy): (usize, &&VariablePolicy)| fit_variable(policy, place, &values[place], &records);
    quasi.iter().enumerate().map(fit).collect()
}

/// Fits the ladder of one quasi-identifier, by its place among them.
pub(crate) fn fit_variable(
    policy: &VariablePolicy,
    place: usize,
    values: &[String],
    records: &dyn Fn(usize) -> Vec<u64>,
) -> std::result::Result<Hierarchy, Box<LadderGap>> {
    fit(&policy.hierarchy, policy.kind == ValueKind::Number, values, &|| records(place))
        .map_err(|(error, values)| Box::new(LadderGap { variable: place, error, values }))
}

fn fit(
    builder: &Builder,
    number: bool,
    raw: &[String],
    records: &dyn Fn() -> Vec<u64>,
) -> std::result::Result<Hierarchy, (HierarchyError, BTreeSet<String>)> {
    let spelt: Vec<String> = raw.iter().map(|value| canonical(value, number)).collect();
    let values = distinct(&spelt);
    let mut counts = Vec::new();
    if builder.goes_by_frequency() {
        let places: HashMap<&str, usize> = values.iter().map(String::as_str).zip(0..).collect();
        counts = vec![0; values.len()];
        for (value, records) in spelt.iter().zip(records()) {
            counts[places[value.as_str()]] += records;
        }
    }
    builder.fit_counted(&values, &counts).map_err(|error| {
        let positions = match &error {
            HierarchyError::Unlisted { positions, .. } | HierarchyError::Unreadable { positions, .. } => {
                positions.as_slice()
            }
            _ => &[],
        };
        let unlabelled: BTreeSet<&str> =
            positions.iter().filter_map(|&place| values.get(place)).map(String::as_str).collect();
        let unfit =
            raw.iter().filter(|value| unlabelled.contains(canonical(value, number).as_str())).cloned().collect();
        (error, unfit)
    })
}

/// The table of the counted keys, with the spread of these variables and the person of each key where one is named.
pub(crate) fn tabulate(
    quasi: &[&VariablePolicy],
    hierarchies: Vec<Hierarchy>,
    sensitive: &[Spread],
    values: &KeyParts<Vec<String>>,
    rows: &KeyRows,
) -> Result<Table> {
    let mut variables = Vec::new();
    let mut columns = Vec::new();
    for (place, (policy, hierarchy)) in quasi.iter().zip(hierarchies).enumerate() {
        let is_number = policy.kind == ValueKind::Number;
        columns.push(recode(&rows.codes.quasi[place], &values.quasi[place], is_number, &hierarchy)?);
        let (min_level, max_level) = policy.level_bounds(hierarchy.height())?;
        let name = policy.name.clone();
        variables.push(Variable { name, min_level, max_level, weight: policy.weight(), hierarchy });
    }
    table(variables, &columns, spreads(sensitive, values, rows), rows)
}

/// The core's table of records, or of people.
pub(crate) fn table(
    variables: Vec<Variable>,
    columns: &[Vec<u32>],
    spreads: Vec<(String, Distribution)>,
    rows: &KeyRows,
) -> Result<Table> {
    let counts = rows.counts.clone();
    let table = match &rows.codes.person {
        Some(people) => Table::of_people(variables, columns, counts, spreads, people),
        None => Table::new(variables, columns, counts, spreads),
    };
    table.map_err(|error| Error::environment(error.to_string()))
}

/// How each of these variables spreads over the keys.
pub(crate) fn spreads(
    spread: &[Spread],
    values: &KeyParts<Vec<String>>,
    rows: &KeyRows,
) -> Vec<(String, Distribution)> {
    let columns = spread.iter().zip(&values.spread).zip(&rows.codes.spread);
    let distribution = |((variable, values), codes): ((&Spread, &Vec<String>), &Vec<u32>)| {
        let codes = ranked(codes, values, variable.number);
        let lists = codes.zip(&rows.counts).map(|(code, &count)| vec![(code, count)]);
        (variable.name.clone(), Distribution::from_lists(lists))
    };
    columns.map(distribution).collect()
}

/// The place of each text in their order.
pub(crate) fn ranks(texts: &[String]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).zip(texts).map(|(place, _)| place).collect();
    order.sort_unstable_by_key(|&place| texts[place as usize].as_str());
    let mut ranks = vec![0; texts.len()];
    (0..).zip(&order).for_each(|(rank, &place)| ranks[place as usize] = rank);
    ranks
}

/// Values in order, each once.
pub(crate) fn distinct(values: &[String]) -> Vec<String> {
    values.iter().collect::<BTreeSet<_>>().into_iter().cloned().collect()
}

/// The codes of a column in the ladder's own numbering.
pub(crate) fn recode(column: &[u32], raw: &[String], number: bool, hierarchy: &Hierarchy) -> Result<Vec<u32>> {
    let numbering: HashMap<&str, u32> = hierarchy.values().iter().map(String::as_str).zip(0..).collect();
    let code = |value: &String| numbering.get(hierarchy.collected(&canonical(value, number))?.as_ref()).copied();
    let of_raw: Vec<Option<u32>> = raw.iter().map(code).collect();
    let code = |&place: &u32| of_raw.get(place as usize).copied().flatten();
    let codes: Option<Vec<u32>> = column.iter().map(code).collect();
    codes.ok_or_else(|| Error::environment("an internal step lost a value"))
}

/// How many records have each value of a ladder, given how many have each raw value.
pub(crate) fn ladder_counts(ladder: &Hierarchy, raw: &[String], records: &[u64], number: bool) -> Vec<u64> {
    let codes: HashMap<&str, usize> = ladder.values().iter().map(String::as_str).zip(0..).collect();
    let mut counts = vec![0; ladder.values().len()];
    for (value, records) in raw.iter().zip(records) {
        let value = canonical(value, number);
        let code = ladder.collected(&value).and_then(|value| codes.get(value.as_ref()));
        if let Some(count) = code.and_then(|code| counts.get_mut(*code)) {
            *count += records;
        }
    }
    counts
}

/// The codes of a column when its values are numbered in their own order. Spellings of one value have one code.
pub(crate) fn ranked<'a>(column: &'a [u32], values: &[String], number: bool) -> impl Iterator<Item = u32> + use<'a> {
    let numbering: HashMap<String, u32> = seen_values(values, number).into_iter().zip(0..).collect();
    let rank = |value: &String| numbering.get(&seen(value, number)).copied().unwrap_or_default();
    let rank: Vec<u32> = values.iter().map(rank).collect();
    column.iter().map(move |&place| rank[place as usize])
}

/// A sensitive value as models tell it from others: a number by its worth, and nothing by its spelling.
pub(crate) fn seen(value: &str, number: bool) -> String {
    spelling::folded(&canonical(value, number))
}

/// The values of a column as models tell them apart, by their codes.
pub(crate) fn seen_values(values: &[String], number: bool) -> Vec<String> {
    distinct(&values.iter().map(|value| seen(value, number)).collect::<Vec<_>>())
}
