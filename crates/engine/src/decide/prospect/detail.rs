//! How much detail a recoded table lost, in one number that every method that recodes has.
//!
//! A label covers some of its column's values: of numbers, a share of their range; of all others, a share of the distinct values. A
//! label of one value covers nothing else, and counts 0; `*` counts 1, and so does every cell of a withheld record. The number
//! is the mean over records and columns.
//!
//! Source: normalised certainty penalty, Xu et al. 2006; what Mondrian reports of its classes is the same by column.

use equanym_core::frequency::Table;
use equanym_core::loss::JudgedClasses;
use equanym_core::report::{LocalFindings, Report};
use equanym_core::variable::Variable;

use crate::count::columns::KeyColumns;
use crate::policy::{ValueKind, VariablePolicy};

/// Where classes have labels of their own.
pub(super) fn of_classes(local: &LocalFindings, report: &Report) -> f64 {
    let lost = |share: f64| share * report.released as f64 + report.suppressed as f64;
    mean(local.lost.iter().map(|column| lost(column.share)), report.records)
}

/// Where each variable stands at one level.
pub(super) fn of_levels(columns: &KeyColumns<'_>, table: &Table, count: &JudgedClasses<'_>) -> f64 {
    let JudgedClasses { set, verdict, .. } = count;
    let lost = |(place, (policy, variable)): (usize, (&&VariablePolicy, &Variable))| {
        let level = &variable.hierarchy.levels()[usize::from(set.node.0[place])];
        let widths = widths(policy, variable, &level.of, level.labels.len());
        let width = |class: usize| widths[level.of[table.value(set, class, place) as usize] as usize];
        let kept = (0..set.len()).filter(|&class| verdict.kept[class]);
        kept.map(|class| width(class) * set.sizes[class] as f64).sum::<f64>() + verdict.suppressed as f64
    };
    mean(columns.quasi.iter().zip(&table.variables).enumerate().map(lost), table.records)
}

/// The mean over columns of what their records lost.
fn mean(lost: impl ExactSizeIterator<Item = f64>, records: u64) -> f64 {
    let cells = lost.len() as f64 * records as f64;
    let sum: f64 = lost.sum();
    if cells > 0.0 { sum / cells } else { 0.0 }
}

/// What each label of a level covers, 0 to 1.
fn widths(policy: &VariablePolicy, variable: &Variable, of: &[u32], labels: usize) -> Vec<f64> {
    let is_range = policy.kind == ValueKind::Number && variable.min_level == 0 && !policy.hierarchy.codes_ends();
    let numbers = is_range.then(|| numbers(variable)).flatten();
    match numbers {
        Some(numbers) => of_ranges(&numbers, of, labels),
        None => of_values(of, labels),
    }
}

/// The values as numbers, the missing one as none; nothing where one is a word.
fn numbers(variable: &Variable) -> Option<Vec<Option<f64>>> {
    let read = |value: &String| if value.is_empty() { Some(None) } else { value.parse().ok().map(Some) };
    variable.hierarchy.values().iter().map(read).collect()
}

fn of_values(of: &[u32], labels: usize) -> Vec<f64> {
    let mut covered = vec![0_u32; labels];
    for &label in of {
        covered[label as usize] += 1;
    }
    let share = |count: u32| if count <= 1 { 0.0 } else { f64::from(count) / of.len() as f64 };
    covered.into_iter().map(share).collect()
}

fn of_ranges(numbers: &[Option<f64>], of: &[u32], labels: usize) -> Vec<f64> {
    let wider = |(low, high): (f64, f64), number: f64| (low.min(number), high.max(number));
    let nothing = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = numbers.iter().flatten().fold(nothing, |ends, number| wider(ends, *number));
    let (mut ends, mut misses) = (vec![nothing; labels], vec![false; labels]);
    for (number, &label) in numbers.iter().zip(of) {
        match number {
            Some(number) => ends[label as usize] = wider(ends[label as usize], *number),
            None => misses[label as usize] = true,
        }
    }
    let width = |((least, most), misses): ((f64, f64), bool)| match () {
        () if most < least => 0.0,
        () if misses => 1.0,
        () if high > low => (most - least) / (high - low),
        () => 0.0,
    };
    ends.into_iter().zip(misses).map(width).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cover_values() {
        assert_eq!(of_values(&[0, 0, 1, 2], 3), [0.5, 0.0, 0.0]);
        assert_eq!(of_values(&[0, 0, 0], 1), [1.0]);
    }

    #[test]
    fn labels_cover_ranges() {
        let numbers = [Some(0.0), Some(5.0), Some(10.0), None];
        assert_eq!(of_ranges(&numbers, &[0, 0, 1, 2], 3), [0.5, 0.0, 0.0]);
        assert_eq!(of_ranges(&numbers, &[0, 0, 0, 0], 1), [1.0]);
        assert_eq!(of_ranges(&[Some(3.0)], &[0], 1), [0.0]);
    }
}
