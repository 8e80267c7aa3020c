//! Ladders as they are shown: for each level its rule in words, how many labels are left, and what becomes of the most
//! frequent values.

use equanym_core::entropy;
use equanym_core::hierarchy::Hierarchy;

use crate::count::canonical;
use crate::count::counted_table::CountedTable;
use crate::count::tabulate::{fit_variables, ladder_counts};
use crate::decide::ladder_gap;
use crate::error::{Error, Result};
use crate::policy::{ValueKind, VariablePolicy};
use crate::words::rule_in_words;

/// The values whose climb is shown.
const FREQUENT: usize = 3;

/// A ladder with what it makes of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderLook {
    /// The lowest level that a release may use.
    pub min: u8,
    /// The highest.
    pub max: u8,
    /// The levels, the values as collected first.
    pub rungs: Vec<RungLook>,
}

/// A level of a ladder.
#[derive(Debug, Clone, PartialEq)]
pub struct RungLook {
    /// How labels come about.
    pub words: String,
    /// How many there are.
    pub labels: usize,
    /// How much of what the values tell these labels still tell: their entropy as a share of that of the values.
    pub told: f64,
    /// What becomes of the most frequent values, the most frequent first.
    pub examples: Vec<String>,
}

/// The ladders of the quasi-identifiers.
pub(super) fn of_columns(counted: &CountedTable<'_>) -> Vec<(String, Result<LadderLook>)> {
    let quasi = counted.case.columns.quasi.iter().enumerate();
    quasi.map(|(place, one)| (one.name.clone(), ladder(counted, place, one))).collect()
}

fn ladder(counted: &CountedTable<'_>, place: usize, variable: &VariablePolicy) -> Result<LadderLook> {
    let case = &counted.case;
    let records = counted.occurrences(place);
    let values = case.values.quasi.get(place..=place).unwrap_or_default();
    let fitted = fit_variables(&[variable], values, |_| records.clone()).map_err(|mut gap| {
        gap.variable = place;
        ladder_gap::explain(&gap, case.source, &case.columns, case.show_values)
    })?;
    let Some(ladder) = fitted.into_iter().next() else { return Err(Error::internal()) };
    let (min, max) = variable.level_bounds(ladder.height())?;
    let raw = values.first().map(Vec::as_slice).unwrap_or_default();
    let mut rungs = rungs(&ladder, &frequent(raw, &records), variable.kind);
    let counts = ladder_counts(&ladder, raw, &records, variable.kind == ValueKind::Number);
    let entropies: Vec<f64> = entropy::codings(&ladder, &counts).iter().map(entropy::Coding::entropy).collect();
    let whole = entropies.first().copied().unwrap_or(0.0);
    let told = entropies.iter().map(|entropy| if whole > 0.0 { (entropy / whole).clamp(0.0, 1.0) } else { 0.0 });
    rungs.iter_mut().zip(told).for_each(|(rung, told)| rung.told = told);
    Ok(LadderLook { min, max, rungs })
}

/// The most frequent values, those that come first in their order among equals.
fn frequent<'v>(values: &'v [String], records: &[u64]) -> Vec<&'v str> {
    let mut ranked: Vec<(&String, u64)> = values.iter().zip(records.iter().copied()).collect();
    ranked.retain(|(value, _)| !value.is_empty());
    ranked.sort_unstable_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
    ranked.into_iter().take(FREQUENT).map(|(value, _)| value.as_str()).collect()
}

fn rungs(ladder: &Hierarchy, frequent: &[&str], kind: ValueKind) -> Vec<RungLook> {
    let code = |value: &&str| {
        let spelt = canonical(value, kind == ValueKind::Number);
        let collected = ladder.collected(&spelt)?;
        let found = ladder.values().iter().position(|known| *known == collected)?;
        u32::try_from(found).ok()
    };
    let codes: Vec<u32> = frequent.iter().filter_map(code).collect();
    let rung = |(level, one): (usize, &equanym_core::hierarchy::Level)| RungLook {
        words: rule_in_words(&one.rule),
        labels: one.labels.len(),
        told: 0.0,
        examples: codes.iter().filter_map(|code| ladder.label(level, *code)).map(str::to_owned).collect(),
    };
    ladder.levels().iter().enumerate().map(rung).collect()
}
