//! New values before they are made for good: what becomes of each marked column, for the owner's eyes.
//!
//! The values are drawn as a release draws them. Without a seed in the policy the release draws others, which spread alike.

use equanym_core::checklist::ChecklistLine;
use equanym_core::report::NewValuesReport;
use equanym_core::walk::WalkColumn;

use crate::decide::Decision;
use crate::error::{Error, Result};

/// The most bars of a column.
const MOST_BARS: i128 = 12;

/// What becomes of the marked columns.
#[derive(Debug)]
pub struct NewValuesLook {
    /// What they are still good for, and what they risk.
    pub found: NewValuesReport,
    /// What their owner should know.
    pub told: Vec<ChecklistLine>,
    /// How each of them spreads before and after.
    pub columns: Vec<ChangedSpread>,
}

/// How a column spreads before and after.
#[derive(Debug)]
pub struct ChangedSpread {
    /// Its name.
    pub name: String,
    /// Neighbouring values, from the lowest to the highest.
    pub bars: Vec<ChangedBar>,
}

/// Neighbouring values.
#[derive(Debug, PartialEq)]
pub struct ChangedBar {
    /// The first and the last of them as they would be written, or the only one.
    pub label: String,
    /// Their share of the values before.
    pub before: f64,
    /// Their share after.
    pub after: f64,
}

impl NewValuesLook {
    pub(super) fn new(decision: Decision) -> Result<Self> {
        let changed = decision.by_record.new_values.as_ref();
        let columns = changed.map(|changed| changed.columns().map(|(column, values)| spread(column, values)).collect());
        let (found, told) = decision.findings.new_values.ok_or_else(nothing_marked)?;
        Ok(Self { found, told, columns: columns.unwrap_or_default() })
    }
}

fn nothing_marked() -> Error {
    Error::input("no column gets new values").hint("mark one, or recode it")
}

/// Both sides in the same steps, none of which is finer than a value.
fn spread(column: &WalkColumn, values: &[Option<i128>]) -> ChangedSpread {
    let both = || column.values.iter().chain(values).flatten().copied();
    let name = column.name.clone();
    let Some((low, high)) = both().min().zip(both().max()) else { return ChangedSpread { name, bars: Vec::new() } };
    let width = (high - low) / MOST_BARS + 1;
    let share = |side: &[Option<i128>], from: i128| {
        let present = side.iter().flatten().count().max(1);
        side.iter().flatten().filter(|value| (from..from + width).contains(*value)).count() as f64 / present as f64
    };
    let label = |from: i128, to: i128| match (column.text(Some(from)), column.text(Some(to))) {
        (from, to) if from == to => from,
        (from, to) => format!("{from} … {to}"),
    };
    let starts = (0..MOST_BARS).map(|step| low + step * width).take_while(|from| *from <= high);
    let bars = starts.map(|from| ChangedBar {
        label: label(from, high.min(from + width - 1)),
        before: share(&column.values, from),
        after: share(values, from),
    });
    ChangedSpread { name, bars: bars.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_stand_in_the_same_steps() {
        let column = WalkColumn::parse("age", ["1", "2", "2", "", "40"], None).unwrap();
        let found = spread(&column, &[Some(3), Some(9), None, None, Some(44)]);
        let sum = |of: fn(&ChangedBar) -> f64| found.bars.iter().map(of).sum::<f64>();
        assert!((sum(|bar| bar.before) - 1.0).abs() < 1e-12 && (sum(|bar| bar.after) - 1.0).abs() < 1e-12);
        assert_eq!((found.bars[0].label.as_str(), found.bars[0].before), ("1 … 4", 0.75));
        assert_eq!(found.bars.last().unwrap().label, "41 … 44");
        let few = spread(&WalkColumn::parse("x", ["1", "2"], None).unwrap(), &[Some(2), Some(2)]);
        let told: Vec<_> = few.bars.iter().map(|bar| (bar.label.as_str(), bar.before, bar.after)).collect();
        assert_eq!(told, [("1", 0.5, 0.0), ("2", 0.5, 1.0)]);
    }
}
