//! How well somebody who knows original values finds them again in a release that keeps a value for every record.
//!
//! Methods that give new values to numeric columns promise nothing; these measures say what an intruder gets. All of them
//! take an intruder at his strongest: he knows the whole original column (or record), and that the person is in the table.
//!
//! * *Rank linkage*: sort the original and the released values, and match them by rank. A method that keeps the order gives
//!   all away, whatever it does to the values.
//! * *Distance linkage*: match each original record with the nearest released one, columns in units of their standard
//!   deviation (`nearest`).
//! * *Interval disclosure*: the original value lies close to the released one, within a twentieth of a standard deviation.
//! * *Unchanged*: the value is released as collected.
//!
//! Chance breaks ties: a guess among three is right with probability one third. Missing cells are left out.
//!
//! Source: Domingo-Ferrer & Torra 2001; Mateo-Sanz et al. 2004 (intervals by standard deviation); Muralidhar & Sarathy (rank).

use serde::{Deserialize, Serialize};

use super::nearest;
use crate::statistics::{complete, mean_and_deviation, present};
use crate::walk::runs;

/// Half the width of the interval of interval disclosure, in standard deviations.
pub const INTERVAL: f64 = 0.05;

/// A value that moved less than this many standard deviations stands still.
pub const STILL: f64 = 0.01;

/// What an intruder finds in one column. Shares of its values, 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnLinkage {
    /// The column.
    pub name: String,
    /// Matched rightly by rank over the whole column.
    pub rank: f64,
    /// The same by somebody who also knows which records were treated together; absent where all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_within_segments: Option<f64>,
    /// Within a twentieth of a standard deviation of the original.
    pub interval: f64,
    /// As collected.
    pub unchanged: f64,
    /// Moved by less than a hundredth of a standard deviation.
    pub still: f64,
}

/// What an intruder finds in whole records.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DistanceLinkage {
    /// The share of records that are nearest to their own original.
    pub share: f64,
    /// How many records were tried; evenly chosen where there are many.
    pub tried: u64,
}

/// Everything about some columns, before and after in the same order of records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Linkage {
    /// Column by column.
    pub columns: Vec<ColumnLinkage>,
    /// All columns together.
    pub distance: DistanceLinkage,
}

/// How somebody finds a record again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkedBy {
    /// By the class of its labels.
    Class,
    /// By the rank of a value in its column.
    Rank,
    /// By the rank of a value among those that were treated together.
    SegmentRank,
    /// By its distance from what is known, over all columns.
    Distance,
}

impl LinkedBy {
    /// In words.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Rank => "rank",
            Self::SegmentRank => "rank in its segment",
            Self::Distance => "distance",
        }
    }
}

/// The attack that finds the most records again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorstLinkage {
    /// The share that it finds.
    pub share: f64,
    /// How.
    pub by: LinkedBy,
    /// In which column; absent where it takes all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
}

impl WorstLinkage {
    /// By classes alone: the mean over the records.
    #[must_use]
    pub fn by_class(mean: f64) -> Self {
        Self { share: mean, by: LinkedBy::Class, of: None }
    }
}

impl Linkage {
    /// The worst of the attacks that were tried; the first of equals.
    #[must_use]
    pub fn worst(&self) -> WorstLinkage {
        let of = |by, share, column: &ColumnLinkage| WorstLinkage { share, by, of: Some(column.name.clone()) };
        let by_rank = self.columns.iter().flat_map(|column| {
            let within = column.rank_within_segments.map(|share| of(LinkedBy::SegmentRank, share, column));
            [of(LinkedBy::Rank, column.rank, column)].into_iter().chain(within)
        });
        let by_distance = WorstLinkage { share: self.distance.share, by: LinkedBy::Distance, of: None };
        by_rank.fold(by_distance, |worst, one| if one.share > worst.share { one } else { worst })
    }
}

/// Measures one column; `segment` is the number of neighbouring records that were treated together, if not all.
#[must_use]
pub fn column(name: &str, original: &[f64], released: &[f64], segment: Option<usize>) -> ColumnLinkage {
    let (_, deviation) = mean_and_deviation(original);
    ColumnLinkage {
        name: name.to_owned(),
        rank: by_rank(original, released),
        rank_within_segments: segment.map(|size| by_rank_within(original, released, size)),
        interval: within(original, released, INTERVAL * deviation),
        unchanged: within(original, released, 0.0),
        still: within(original, released, STILL * deviation),
    }
}

/// Measures some columns.
#[must_use]
pub fn linkage(names: &[&str], original: &[&[f64]], released: &[&[f64]], segment: Option<usize>) -> Linkage {
    let each = names.iter().zip(original.iter().zip(released));
    let columns = each.map(|(name, (before, after))| column(name, before, after, segment)).collect();
    Linkage { columns, distance: by_distance(original, released) }
}

/// The share of values that moved by no more than this.
fn within(original: &[f64], released: &[f64], most: f64) -> f64 {
    let moves =
        present(&original.iter().zip(released).map(|(before, after)| (after - before).abs()).collect::<Vec<_>>());
    share(moves.iter().filter(|change| **change <= most).count() as f64, moves.len())
}

/// The share of records that matching by rank gets right.
#[must_use]
pub fn by_rank(original: &[f64], released: &[f64]) -> f64 {
    let (before, after) = complete(original, released);
    share(matched_by_rank(&before, &after), before.len())
}

/// The same for somebody who knows which neighbouring records were treated together.
#[must_use]
pub fn by_rank_within(original: &[f64], released: &[f64], segment: usize) -> f64 {
    let (before, after) = complete(original, released);
    let right = runs(before.len(), segment).map(|run| matched_by_rank(&before[run.clone()], &after[run])).sum();
    share(right, before.len())
}

/// How many records are expected to be matched rightly.
fn matched_by_rank(before: &[f64], after: &[f64]) -> f64 {
    let [places, new_places] = [before, after].map(rank_ranges);
    let right = |((low, high), (new_low, new_high)): (&(usize, usize), &(usize, usize))| {
        let shared = high.min(new_high).saturating_sub(*low.max(new_low));
        shared as f64 / ((high - low) as f64 * (new_high - new_low) as f64)
    };
    places.iter().zip(&new_places).map(right).sum()
}

/// For each value the ranks that it shares with its equals: from the first up to, not including, the second.
pub(crate) fn rank_ranges(values: &[f64]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&one, &other| values[one].total_cmp(&values[other]));
    let mut ranges = vec![(0, 0); values.len()];
    let mut start = 0;
    for equals in order.chunk_by(|&one, &other| values[one].total_cmp(&values[other]).is_eq()) {
        for &place in equals {
            ranges[place] = (start, start + equals.len());
        }
        start += equals.len();
    }
    ranges
}

/// The share of records whose own released record is the nearest to them.
#[must_use]
pub fn by_distance(original: &[&[f64]], released: &[&[f64]]) -> DistanceLinkage {
    let units: Vec<f64> = released.iter().map(|column| mean_and_deviation(column).1).collect();
    let used: Vec<usize> = (0..released.len()).filter(|&column| units[column] > 0.0).collect();
    let records = original.first().map_or(0, |column| column.len());
    let point = |columns: &[&[f64]], record: usize| -> Option<Vec<f64>> {
        let cell = |&column: &usize| columns[column].get(record).map(|value| value / units[column]);
        used.iter().map(|column| cell(column).filter(|cell| !cell.is_nan())).collect()
    };
    let complete = (0..records).filter_map(|record| Some((point(original, record)?, point(released, record)?)));
    let (before, after): (Vec<Vec<f64>>, Vec<Vec<f64>>) = complete.unzip();
    if used.is_empty() || before.is_empty() {
        // Nothing tells the records apart: a guess among all of them.
        return DistanceLinkage { share: share(1.0, records), tried: records as u64 };
    }
    let tried: Vec<usize> = nearest::evenly(before.len()).collect();
    let right = nearest::matched(&before, &after, &tried);
    DistanceLinkage { share: share(right, tried.len()), tried: tried.len() as u64 }
}

fn share(count: f64, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { count / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::close;
    use proptest::prelude::*;

    #[test]
    fn who_keeps_the_order_gives_all_away() {
        let before = [3.0, 1.0, 2.0, 9.0];
        close(by_rank(&before, &[300.0, -5.0, 0.0, 301.0]), 1.0);
        close(by_rank(&before, &[0.0, 301.0, -5.0, 300.0]), 0.0);
        close(by_rank(&[5.0; 4], &[7.0; 4]), 0.25);
        // The ranks of 1 and 2 fit; 3 and 9 became equal, so each is a guess among two.
        close(by_rank(&before, &[4.0, 1.0, 2.0, 4.0]), 0.75);
    }

    #[test]
    fn segments_tell_more_than_the_column() {
        let before = [1.0, 2.0, 3.0, 4.0];
        let after = [3.0, 4.0, 1.0, 2.0];
        close(by_rank(&before, &after), 0.0);
        close(by_rank_within(&before, &after, 2), 1.0);
        // A missing value takes no place in a segment, and a short rest joins the last one.
        let gap = f64::NAN;
        close(by_rank_within(&[1.0, gap, 2.0, 3.0, 4.0], &[3.0, gap, 4.0, 1.0, 2.0], 2), 1.0);
        close(by_rank_within(&[1.0, 2.0, 3.0, 4.0, 0.0], &[3.0, 4.0, 6.0, 7.0, 5.0], 4), 0.4);
    }

    #[test]
    fn moves_are_measured_in_standard_deviations() {
        // The deviation is 10: a twentieth is 0.5, a hundredth 0.1.
        let before = [0.0, 20.0, 0.0, 20.0];
        let found = column("x", &before, &[0.0, 20.5, 0.6, 19.95], None);
        close(found.interval, 0.75);
        close(found.unchanged, 0.25);
        close(found.still, 0.5);
    }

    #[test]
    fn the_worst_attack_is_the_one_that_finds_most() {
        let (a, b) = ([1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 1.0, 2.0]);
        // The order is kept in segments of two of the first column, and nowhere in the second.
        let found = linkage(&["a", "b"], &[&a, &b], &[&[30.0, 40.0, 10.0, 20.0], &[1.0, 2.0, 4.0, 3.0]], Some(2));
        let worst = WorstLinkage { share: 1.0, by: LinkedBy::SegmentRank, of: Some("a".into()) };
        assert_eq!(found.worst(), worst);
        let none = Linkage { columns: Vec::new(), distance: DistanceLinkage { share: 0.25, tried: 4 } };
        assert_eq!(none.worst(), WorstLinkage { share: 0.25, by: LinkedBy::Distance, of: None });
    }

    #[test]
    fn the_nearest_record_may_be_another() {
        let before: [&[f64]; 2] = [&[0.0, 1.0, 10.0], &[0.0, 1.0, 10.0]];
        close(by_distance(&before, &before).share, 1.0);
        let swapped: [&[f64]; 2] = [&[1.0, 0.0, 10.0], &[1.0, 0.0, 10.0]];
        close(by_distance(&before, &swapped).share, 1.0 / 3.0);
        let missing: [&[f64]; 2] = [&[0.0, f64::NAN, 10.0], &[0.0, 1.0, 10.0]];
        assert_eq!(by_distance(&before, &missing), DistanceLinkage { share: 1.0, tried: 2 });
        close(by_distance(&before, &[&[5.0; 3], &[5.0; 3]]).share, 1.0 / 3.0);
    }

    type BeforeAndAfter = ([u8; 2], [u8; 2]);

    /// By the definition: all pairs.
    fn by_looking_at_all(before: &[Vec<f64>], after: &[Vec<f64>]) -> f64 {
        let records = before[0].len();
        let units: Vec<f64> = after.iter().map(|column| mean_and_deviation(column).1).collect();
        let along = |place: usize, one: usize, other: usize| {
            let unit = units[place];
            if unit > 0.0 { (before[place][one] / unit - after[place][other] / unit).powi(2) } else { 0.0 }
        };
        let distance = |one: usize, other: usize| along(0, one, other) + along(1, one, other);
        let right = |record: usize| {
            let best = (0..records).map(|other| distance(record, other)).fold(f64::INFINITY, f64::min);
            let ties = (0..records).filter(|other| distance(record, *other) <= best).count();
            if distance(record, record) <= best { 1.0 / ties as f64 } else { 0.0 }
        };
        (0..records).map(right).sum::<f64>() / records as f64
    }

    proptest! {
        #[test]
        fn the_tree_agrees_with_looking_at_all(
            records in prop::collection::vec((prop::array::uniform2(0_u8..12), prop::array::uniform2(0_u8..12)), 1..80),
        ) {
            let column = |pick: fn(&BeforeAndAfter) -> u8| records.iter().map(|record| f64::from(pick(record))).collect::<Vec<f64>>();
            let before = [column(|record| record.0[0]), column(|record| record.0[1])];
            let after = [column(|record| record.1[0]), column(|record| record.1[1])];
            let [old, new] = [&before, &after].map(|columns| columns.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let found = by_distance(&old, &new).share;
            prop_assert!((found - by_looking_at_all(&before, &after)).abs() < 1e-9);
        }
    }
}
