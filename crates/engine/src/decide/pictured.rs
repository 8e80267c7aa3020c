//! Counts that the reports plot.
//!
//! What is told to anybody is counted from what is released: sizes of classes, and how often the labels of a column occur.
//! The owner's pictures add the original, and how many of the bits of each column are left.

use std::collections::BTreeMap;

use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::method::partition::Partition;
use equanym_core::privacy::Verdict;
use equanym_core::report::{LabelCounts, PictureCounts, PublicCounts};
use equanym_core::risk;

use super::frequencies::kept_labels;

/// The kept classes of a node.
pub(super) fn of_node(table: &Table, set: &FrequencySet, verdict: &Verdict) -> PictureCounts {
    let kept = |sizes: &[u64]| {
        let kept = sizes.iter().zip(&verdict.kept).filter(|(_, kept)| **kept);
        risk::sizes(&kept.map(|(size, _)| *size).collect::<Vec<_>>())
    };
    let labels = table.variables.iter().enumerate().map(|(place, variable)| {
        LabelCounts::new(&variable.name, kept_labels(table, set, verdict, place).into_values())
    });
    PictureCounts {
        told: PublicCounts { sizes: kept(&set.sizes), labels: labels.collect() },
        people: kept(set.people()),
        ..PictureCounts::default()
    }
}

/// Classes with labels of their own.
pub(super) fn of_classes(table: &Table, partition: &Partition) -> PictureCounts {
    let labels = table.variables.iter().enumerate().map(|(place, variable)| {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for class in &partition.classes {
            *counts.entry(class.labels.get(place).map_or("", String::as_str)).or_default() += class.records;
        }
        LabelCounts::new(&variable.name, counts.into_values())
    });
    let labels: Vec<LabelCounts> = labels.collect();
    let sizes: Vec<u64> = partition.classes.iter().map(|class| class.records).collect();
    let people: Vec<u64> = partition.classes.iter().map(|class| class.people).collect();
    let counts = PictureCounts {
        told: PublicCounts { sizes: risk::sizes(&sizes), labels },
        people: risk::sizes(&people),
        ..PictureCounts::default()
    };
    with_original(counts, table)
}

/// The same with what is known of the original.
pub(super) fn with_original(mut counts: PictureCounts, table: &Table) -> PictureCounts {
    counts.original = risk::sizes(table.keys().people());
    let kept = counts.told.labels.iter().enumerate().map(|(place, labels)| {
        let (before, after) = (bits(table.value_counts(place)), bits(&labels.counts));
        (labels.column.clone(), if before > 0.0 { (after / before).clamp(0.0, 1.0) } else { 1.0 })
    });
    counts.kept = kept.collect();
    counts
}

/// All records in one class, where nothing is recoded.
pub(super) fn of_all(records: u64, people: Option<u64>) -> PictureCounts {
    let sizes = |count| risk::sizes(&[count]);
    PictureCounts {
        told: PublicCounts { sizes: sizes(records), labels: Vec::new() },
        people: sizes(people.unwrap_or(records)),
        ..PictureCounts::default()
    }
}

/// What a value tells on average, in bits.
fn bits(counts: &[u64]) -> f64 {
    let all = counts.iter().sum::<u64>() as f64;
    let told = |count: &u64| (*count as f64 / all) * (all / *count as f64).log2();
    counts.iter().filter(|count| **count > 0).map(told).sum()
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn even_values_tell_most() {
        assert!((bits(&[2, 2, 0, 2, 2]) - 2.0).abs() < 1e-12);
        assert!(bits(&[7]).abs() < 1e-12 && bits(&[]).abs() < 1e-12);
    }
}
