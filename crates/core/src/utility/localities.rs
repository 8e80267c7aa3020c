//! Localities: are near things still nearer than far things?
//!
//! In the segments of a walk, the comparisons of the distances between the distinct original values of a column are looked up among
//! the released values: all of them, by their definition ([`walk::reversal`](crate::walk::reversal)). Records that shared an original
//! value are represented by the mean of their released values. A comparison is broken when it came out the other way.
//!
//! Limit: values are taken to have at most nine digits after the point.
//!
//! Source: Xue et al. 2011, Definition 2. Spec: `specs/utility/localities.md`.

use rayon::prelude::*;

use super::{Figure, MeasuredColumn, MetricMember};
use crate::card::{Card, Kind, Parameter, Promise, integer, text};
use crate::walk::{RecordValue, Segmentation, locality, pieces, reversal};

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "localities",
        summary: "the share of comparisons of distances that came out the other way",
        about: "Takes every three values of a segment and looks whether the middle one is still nearer to the same neighbour. \
                0 means that whatever was nearer still is; noise breaks about half of those that are close calls. With the \
                segment of a walk it counts what the walk's own report counts.",
        promises: &[Promise::ZeroOnItself, Promise::ZeroToOne],
        parameters: &[
            Parameter::defaulting(
                "segment",
                Kind::Integer { min: 3 },
                "100",
                "how many neighbouring records (or distinct values) are compared among each other",
            ),
            Parameter::defaulting(
                "segment_order",
                Kind::Choice(Segmentation::WORDS),
                "record",
                "whether a segment is neighbouring records or neighbouring values",
            ),
        ],
        source: "M. Xue et al., Utility-driven anonymization in data publishing, CIKM 2011",
    },
    needs_alignment: true,
    in_reports: false,
    measure: |pair, parameters| {
        let length = usize::try_from(integer(parameters, "segment")).unwrap_or(usize::MAX).min(LARGEST);
        let order = Segmentation::of_word(text(parameters, "segment_order"));
        let figures = |(before, after): (&MeasuredColumn, &MeasuredColumn)| {
            let LocalityCounts { all, broken } = compare(&before.values, &after.values, length, order);
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

/// Compares a column before and after, in the segments of a walk.
#[must_use]
pub fn compare(original: &[f64], released: &[f64], length: usize, order: Segmentation) -> LocalityCounts {
    let unit = unit(original);
    #[allow(clippy::cast_possible_truncation)] // A cast from a float saturates.
    let units = |value: f64| ((value * unit).round() as i128).clamp(-(1 << 100), 1 << 100);
    let records = (0..).zip(original).filter(|(_, value)| !value.is_nan());
    let mut records: Vec<RecordValue> = records.map(|(record, value)| (record, units(*value))).collect();
    // A few roundings of the largest value in double precision.
    let largest = released.iter().filter(|value| !value.is_nan()).fold(0.0_f64, |most, value| most.max(value.abs()));
    let tolerance = 8.0 * f64::EPSILON * largest;
    let count = |piece: &&[RecordValue]| in_piece(piece, released, tolerance);
    let found: Vec<LocalityCounts> = pieces(&mut records, length, order).par_iter().map(count).collect();
    found.into_iter().fold(LocalityCounts::default(), |sum, one| LocalityCounts {
        all: sum.all + one.all,
        broken: sum.broken + one.broken,
    })
}

fn in_piece(piece: &[RecordValue], released: &[f64], tolerance: f64) -> LocalityCounts {
    let (mut values, mut means) = (Vec::new(), Vec::new());
    for equals in piece.chunk_by(|one, other| one.1 == other.1) {
        let new = equals.iter().filter_map(|(record, _)| released.get(*record as usize).copied());
        if let (Some(mean), Some((_, value))) = (mean(new.filter(|new| !new.is_nan())), equals.first()) {
            values.push(*value);
            means.push(mean);
        }
    }
    let all = locality::count(&values).unequal;
    LocalityCounts { all, broken: reversal::reversed_beyond(tolerance, &values, &means) }
}

/// The mean; that of equal numbers is exact.
fn mean(numbers: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let (first, count) = (numbers.clone().next()?, numbers.clone().count());
    Some(first + numbers.map(|number| number - first).sum::<f64>() / count as f64)
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

    fn in_records(original: &[f64], released: &[f64], length: usize) -> (u64, u64) {
        let LocalityCounts { all, broken } = compare(original, released, length, Segmentation::RecordOrder);
        (all, broken)
    }

    #[test]
    fn broken_comparisons_are_counted() {
        // 2 is nearer to 1 than to 6; one comparison.
        let before = [1.0, 6.0, 2.0, f64::NAN];
        assert_eq!(in_records(&before, &[10.0, 60.0, 20.0, 0.0], 100), (1, 0));
        assert_eq!(in_records(&before, &[1.0, 6.0, 5.0, 0.0], 100), (1, 1));
        assert_eq!(in_records(&before, &[1.0, 6.0, 5.0, 0.0], 2), (0, 0));
    }

    #[test]
    fn distances_count_whichever_way_values_stand() {
        // Below 1, the second value is still nearer to it than to the third one, or no longer.
        assert_eq!(in_records(&[1.0, 2.0, 6.0], &[1.0, 0.0, 6.0], 100), (1, 0));
        assert_eq!(in_records(&[1.0, 2.0, 6.0], &[1.0, -9.0, -11.0], 100), (1, 1));
    }

    #[test]
    fn segments_are_runs_of_records_or_of_values() {
        let (before, after) = ([1.0, 50.0, 2.0, 60.0, 6.0, 80.0], [1.0, 50.0, 5.0, 60.0, 6.0, 80.0]);
        let by_value = compare(&before, &after, 3, Segmentation::ValueOrder);
        assert_eq!(by_value, LocalityCounts { all: 2, broken: 1 });
        assert_eq!(in_records(&before, &after, 3), (2, 0));
    }

    #[test]
    fn records_with_one_value_stand_for_it_together() {
        // The two records with 2 become 1 and 4: their mean 2.5 is still nearer to 1.
        assert_eq!(in_records(&[1.0, 2.0, 2.0, 6.0], &[1.0, 1.0, 4.0, 6.0], 100), (1, 0));
    }

    #[test]
    fn decimals_are_whole_numbers_of_their_last_place() {
        // As floats, 0.1 + 0.2 is not 0.3: the equal distances would be unequal.
        assert_eq!(in_records(&[0.1, 0.2, 0.3], &[0.1, 0.2, 0.3], 100), (0, 0));
    }
}
