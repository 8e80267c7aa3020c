//! Localities: are near things still nearer than far things?
//!
//! In each segment of records, the comparisons of distances between the distinct original values of a column
//! ([`walk::locality`](crate::walk::locality), the published list) are looked up among the released values. Records that
//! shared an original value are represented by the mean of their released values. A comparison is broken when it came out
//! the other way.
//!
//! Limit: values are taken to have at most nine digits after the point; segments are neighbouring records.
//!
//! Source: Xue et al. 2011. Spec: `specs/utility/localities.md`.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Figure, MeasuredColumn, MetricMember, extremes};
use crate::card::{Card, Kind, Parameter, Promise, integer};
use crate::walk::locality::neighbours;

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "localities",
        summary: "the share of comparisons of distances that came out the other way",
        about: "Takes the comparisons of distances that a property-preserving walk would keep, segment by segment, and looks \
                how many of them the release broke. 0 means that whatever was nearer still is; noise breaks about half of \
                those that are close calls.",
        promises: &[Promise::ZeroOnItself, Promise::ZeroToOne],
        parameters: &[Parameter::defaulting(
            "segment",
            Kind::Integer { min: 3 },
            "100",
            "how many neighbouring records are compared among each other",
        )],
        source: "M. Xue et al., Utility-driven anonymization in data publishing, CIKM 2011",
    },
    needs_alignment: true,
    in_reports: false,
    measure: |pair, parameters| {
        let segment = usize::try_from(integer(parameters, "segment")).unwrap_or(usize::MAX).min(LARGEST);
        let figures = |(before, after): (&MeasuredColumn, &MeasuredColumn)| {
            let LocalityCounts { all, broken } = compare(&before.values, &after.values, segment);
            let share = if all == 0 { 0.0 } else { broken as f64 / all as f64 };
            let kept = (all - broken) as f64;
            Figure::of_column("share broken", &before.name, share).between(all as f64, kept)
        };
        pair.columns().map(figures).collect()
    },
};

/// Comparisons grow with the square of the segment.
const LARGEST: usize = 5000;

/// How many comparisons there are, and how many came out the other way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LocalityCounts {
    /// All.
    pub all: u64,
    /// The broken ones.
    pub broken: u64,
}

/// Compares a column before and after, in segments of neighbouring records.
#[must_use]
pub fn compare(original: &[f64], released: &[f64], segment: usize) -> LocalityCounts {
    let unit = unit(original);
    let range = extremes(original).map_or(0.0, |(low, high)| high - low);
    let segments = original.par_chunks(segment.max(1)).zip(released.par_chunks(segment.max(1)));
    let found: Vec<LocalityCounts> =
        segments.map(|(before, after)| in_segment(before, after, unit, range * 1e-9)).collect();
    found.into_iter().fold(LocalityCounts::default(), |sum, one| LocalityCounts {
        all: sum.all + one.all,
        broken: sum.broken + one.broken,
    })
}

fn in_segment(before: &[f64], after: &[f64], unit: f64, tolerance: f64) -> LocalityCounts {
    let mut moved: BTreeMap<i128, (f64, u32)> = BTreeMap::new();
    for (before, after) in before.iter().zip(after).filter(|(before, after)| !(**before + **after).is_nan()) {
        #[allow(clippy::cast_possible_truncation)] // A cast from a float saturates.
        let place = (before * unit).round() as i128;
        let entry = moved.entry(place.clamp(-(1 << 100), 1 << 100)).or_default();
        (entry.0, entry.1) = (entry.0 + after, entry.1 + 1);
    }
    let values: Vec<i128> = moved.keys().copied().collect();
    let means: Vec<f64> = moved.values().map(|(sum, count)| sum / f64::from(*count)).collect();
    let relations = neighbours(&values);
    let broken = relations.iter().filter(|relation| relation.slack(&means) < -tolerance).count();
    LocalityCounts { all: relations.len() as u64, broken: broken as u64 }
}

/// The power of ten that makes whole numbers of the values.
fn unit(values: &[f64]) -> f64 {
    const MOST_PLACES: i32 = 9;
    let is_whole = |value: f64| (value - value.round()).abs() < 1e-6;
    let fits = |unit: &f64| values.iter().filter(|value| !value.is_nan()).all(|value| is_whole(value * unit));
    (0..MOST_PLACES).map(|places| 10_f64.powi(places)).find(fits).unwrap_or(10_f64.powi(MOST_PLACES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_comparisons_are_counted() {
        // 2 is nearer to 1 than to 6; one comparison.
        let before = [1.0, 6.0, 2.0, f64::NAN];
        assert_eq!(compare(&before, &[10.0, 60.0, 20.0, 0.0], 100), LocalityCounts { all: 1, broken: 0 });
        assert_eq!(compare(&before, &[1.0, 6.0, 5.0, 0.0], 100), LocalityCounts { all: 1, broken: 1 });
        assert_eq!(compare(&before, &[1.0, 6.0, 5.0, 0.0], 2), LocalityCounts { all: 0, broken: 0 });
    }

    #[test]
    fn records_with_one_value_stand_for_it_together() {
        // The two records with 2 become 1 and 4: their mean 2.5 is still nearer to 1.
        assert_eq!(compare(&[1.0, 2.0, 2.0, 6.0], &[1.0, 1.0, 4.0, 6.0], 100), LocalityCounts { all: 1, broken: 0 });
    }

    #[test]
    fn decimals_are_whole_numbers_of_their_last_place() {
        // As floats, 0.1 + 0.2 is not 0.3: the equal distances would be unequal.
        assert_eq!(compare(&[0.1, 0.2, 0.3], &[0.1, 0.2, 0.3], 100), LocalityCounts { all: 0, broken: 0 });
    }
}
