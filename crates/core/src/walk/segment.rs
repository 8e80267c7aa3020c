//! A column cut into segments, each with its distinct values, its domain and its frame.
//!
//! In record order a segment is a run of records; the last one takes in a rest of less than half a segment. In value order
//! it is a run of distinct values with all their records. The middle of the gap between two such segments bounds both, so
//! that no order is lost across segments.
//!
//! Equal values of a segment are one unknown: as several, with order relations between them, they could not move at all.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Segmentation, WalkColumn, WalkDomain, WalkSettings};

/// A segment of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Segment {
    /// The place of the column.
    pub column: usize,
    /// The place of the segment in its column.
    pub number: usize,
    /// The distinct values, ascending.
    pub values: Vec<i128>,
    /// The records, each with the place of its value.
    pub records: Vec<(u32, u16)>,
    /// The ends of the domain, as distances from the first value, in units.
    pub low: f64,
    pub high: f64,
}

impl Segment {
    /// A segment of records in the order of their values, without a domain yet.
    fn of_sorted(column: usize, number: usize, sorted: &[RecordValue]) -> Self {
        let mut values: Vec<i128> = Vec::new();
        let mut records = Vec::with_capacity(sorted.len());
        for &(record, value) in sorted {
            if values.last() != Some(&value) {
                values.push(value);
            }
            records.push((record, u16::try_from(values.len() - 1).unwrap_or(u16::MAX)));
        }
        Self { column, number, values, records, low: 0.0, high: 0.0 }
    }

    /// The first value, from which distances count.
    pub(super) fn origin(&self) -> i128 {
        self.values.first().copied().unwrap_or(0)
    }

    /// From the first value to the last, in units.
    fn range(&self) -> f64 {
        (self.values.last().copied().unwrap_or(0) - self.origin()) as f64
    }

    /// The units that make 1 in the segment's frame: its range, or the width of its domain where all values are equal.
    pub(super) fn scale(&self) -> f64 {
        let range = self.range();
        if range > 0.0 { range } else { self.high - self.low }
    }

    /// Whether anything can move.
    pub(super) fn can_move(&self) -> bool {
        self.high > self.low
    }

    /// The smallest and the largest value of the domain that is a whole number of units.
    pub(super) fn ends(&self) -> (i128, i128) {
        (self.origin() + whole(self.low.ceil()), self.origin() + whole(self.high.floor()))
    }

    /// A point of the frame as the nearest whole number of units within the domain.
    pub(super) fn units(&self, value: f64) -> i128 {
        let (low, high) = self.ends();
        (self.origin() + whole((value * self.scale()).round())).clamp(low, high.max(low))
    }
}

/// A float without a fraction as a whole number.
#[allow(clippy::cast_possible_truncation)] // a distance within a domain of less than 2^101 units
fn whole(number: f64) -> i128 {
    number as i128
}

/// Cuts a column.
pub(super) fn cut(place: usize, column: &WalkColumn, settings: &WalkSettings) -> Vec<Segment> {
    let mut present: Vec<RecordValue> =
        (0..).zip(&column.values).filter_map(|(record, value)| Some((record, (*value)?))).collect();
    let pieces = pieces(&mut present, settings.segment, settings.segments).into_iter().enumerate();
    let mut segments: Vec<Segment> = pieces.map(|(number, piece)| Segment::of_sorted(place, number, piece)).collect();
    let whole = column.extremes();
    match settings.segments {
        Segmentation::RecordOrder => {
            for segment in &mut segments {
                (segment.low, segment.high) = domain(segment, column, whole, settings);
            }
        }
        Segmentation::ValueOrder => bound_by_neighbours(&mut segments, column, whole, settings),
    }
    segments
}

/// A record and its value.
pub type RecordValue = (u32, i128);

/// The records of a column, cut into the segments of a walk; each in the order of its values.
#[must_use]
pub fn pieces(records: &mut [RecordValue], length: usize, segments: Segmentation) -> Vec<&[RecordValue]> {
    let by_value = |&(record, value): &RecordValue| (value, record);
    match segments {
        Segmentation::RecordOrder => {
            let runs: Vec<Range<usize>> = runs(records.len(), length).collect();
            for run in &runs {
                records[run.clone()].sort_unstable_by_key(by_value);
            }
            runs.into_iter().map(|run| &records[run]).collect()
        }
        Segmentation::ValueOrder => {
            records.sort_unstable_by_key(by_value);
            split_by_value(records, length)
        }
    }
}

/// Runs of this length; a rest of less than half of it belongs to the last one.
pub fn runs(count: usize, length: usize) -> impl Iterator<Item = Range<usize>> {
    let length = length.max(1);
    let whole = count / length;
    let runs = if count % length * 2 >= length || whole == 0 { count.div_ceil(length) } else { whole };
    (0..runs).map(move |run| run * length..if run + 1 == runs { count } else { (run + 1) * length })
}

/// Records in the order of their values, cut into runs of `length` distinct values.
fn split_by_value(sorted: &[RecordValue], length: usize) -> Vec<&[RecordValue]> {
    let groups: Vec<&[RecordValue]> = sorted.chunk_by(|one, other| one.1 == other.1).collect();
    let mut rest = sorted;
    let mut found = Vec::new();
    for run in runs(groups.len(), length) {
        let records = groups[run].iter().map(|group| group.len()).sum();
        let (run, after) = rest.split_at(records);
        found.push(run);
        rest = after;
    }
    found
}

/// The smallest and the largest value of a column.
type ColumnExtremes = Option<(i128, i128)>;

/// The domain of a segment: that of its column, or its own range and a margin.
fn domain(segment: &Segment, column: &WalkColumn, whole: ColumnExtremes, settings: &WalkSettings) -> (f64, f64) {
    let origin = segment.origin();
    let given = |(low, high): (i128, i128)| ((low - origin) as f64, (high - origin) as f64);
    match (column.bounds, settings.domain) {
        (Some(bounds), _) => given(bounds),
        (None, WalkDomain::Segment { margin }) => {
            let (low, high) = (-margin * segment.range(), (1.0 + margin) * segment.range());
            let zero = -(origin as f64);
            let keep_sign = settings.keep_sign && column.has_zero();
            let is_kept = |crosses: fn((i128, i128)) -> bool| keep_sign && !whole.is_some_and(crosses);
            let low = if is_kept(|(least, _)| least < 0) { low.max(zero) } else { low };
            let high = if is_kept(|(_, most)| most > 0) { high.min(zero) } else { high };
            let (first, last) = column.ends().map_or((f64::NEG_INFINITY, f64::INFINITY), given);
            (low.max(first), high.min(last))
        }
        (None, WalkDomain::Column) => whole.map_or((0.0, 0.0), given),
    }
}

/// Where segments follow each other by value, the middle of each gap bounds both sides.
fn bound_by_neighbours(segments: &mut [Segment], column: &WalkColumn, whole: ColumnExtremes, settings: &WalkSettings) {
    let gaps: Vec<f64> = segments
        .windows(2)
        .map(|pair| pair[1].origin() as f64 - pair[0].values.last().copied().unwrap_or(0) as f64)
        .collect();
    let last = segments.len().saturating_sub(1);
    for (number, segment) in segments.iter_mut().enumerate() {
        let (low, high) = domain(segment, column, whole, settings);
        segment.low = if number == 0 { low } else { -gaps[number - 1] / 2.0 };
        segment.high = if number == last { high } else { segment.range() + gaps[number] / 2.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> WalkColumn {
        WalkColumn::parse("x", cells.iter().copied(), None).unwrap()
    }

    #[test]
    fn a_margin_stops_at_zero_where_it_may_not_cross() {
        let ends = |cells: &[&str], keep_sign| {
            let settings = WalkSettings { keep_sign, ..WalkSettings::default() };
            cut(0, &column(cells), &settings).first().map(|segment| (segment.low, segment.high)).unwrap()
        };
        assert_eq!(ends(&["1", "5", "21"], false), (-2.0, 22.0));
        assert_eq!(ends(&["1", "5", "21"], true), (-1.0, 22.0));
        assert_eq!(ends(&["-21", "-5", "-1"], true), (-2.0, 21.0));
        assert_eq!(ends(&["-1", "5", "19"], true), (-2.0, 22.0));
    }

    #[test]
    fn a_small_rest_belongs_to_the_last_run() {
        let lengths = |count, length| runs(count, length).map(|run| run.len()).collect::<Vec<_>>();
        assert_eq!(lengths(10, 5), [5, 5]);
        assert_eq!(lengths(12, 5), [5, 7]);
        assert_eq!(lengths(13, 5), [5, 5, 3]);
        assert_eq!(lengths(2, 5), [2]);
        assert_eq!(lengths(0, 5), [0; 0]);
    }

    #[test]
    fn equal_values_are_one_unknown_and_missing_ones_none() {
        let settings = WalkSettings { segment: 3, ..WalkSettings::default() };
        let segments = cut(7, &column(&["5", "", "1", "5", "9", "9", "2"]), &settings);
        assert_eq!(segments.len(), 2);
        assert_eq!((segments[0].values.as_slice(), segments[0].column), ([1, 5].as_slice(), 7));
        assert_eq!(segments[0].records, [(2, 0), (0, 1), (3, 1)]);
        assert_eq!(segments[1].values, [2, 9]);
        assert!((segments[0].low + 0.4).abs() < 1e-12 && (segments[0].high - 4.4).abs() < 1e-12);
        assert_eq!(segments[0].ends(), (1, 5));
    }

    #[test]
    fn in_value_order_gaps_part_the_segments() {
        let settings = WalkSettings { segment: 2, segments: Segmentation::ValueOrder, ..WalkSettings::default() };
        let segments = cut(0, &column(&["10", "40", "30", "20", "10"]), &settings);
        assert_eq!(segments.iter().map(|one| one.values.clone()).collect::<Vec<_>>(), [[10, 20], [30, 40]]);
        assert_eq!(segments[0].records, [(0, 0), (4, 0), (3, 1)]);
        assert_eq!((segments[0].low, segments[0].high), (-1.0, 15.0));
        assert_eq!((segments[1].low, segments[1].high), (-5.0, 11.0));
    }

    #[test]
    fn a_column_domain_is_the_same_for_all_segments() {
        let settings = WalkSettings { segment: 2, domain: WalkDomain::Column, ..WalkSettings::default() };
        let segments = cut(0, &column(&["10", "20", "30", "40"]), &settings);
        assert_eq!(segments.iter().map(Segment::ends).collect::<Vec<_>>(), [(10, 40), (10, 40)]);
    }
}
