//! Prediction: how well does what was learnt from the release work in the world?
//!
//! One simple learner, naive Bayes, learns to tell a chosen column (the target) from the others, and is tested on records
//! of the original. It learns four times, and always answers for the same test records, the second half of the original:
//!
//! * from nothing but the target in the first half: it always answers the commonest value;
//! * from the first half of the original: the tested records are new to it;
//! * from all of the original;
//! * from the release.
//!
//! **What can be compared.** Nobody can tell which released record was which original one, so the release cannot be cut
//! into the same halves: it holds the tested records, too, as far as they are not withheld. The fair partner of the release is
//! therefore *all of the original*, which has seen them as well; the difference is what recoding cost. The first half says what
//! a learner attains on records that it has not seen.
//!
//! **Halves.** Records are sorted by their values, and every other one is tested: the order of the table does not matter. Where
//! people have several records, every other person is tested with all of them.
//!
//! **The learner.** Counts with one added to each (Laplace), all columns alike. A label that stands for several values
//! counts evenly for each of them; `*` and unmatched labels count for none. Numbers with more than [`FEW`] values are cut
//! into [`PARTS`] parts with about as many records each, by the original. A column with more than
//! [`MOST_VALUES`] other values is left out. A tested record whose target is missing is left out.
//! A release that tells nothing of the target, because it is all `*`, gives no answer, and none is right.
//!
//! Spec: `specs/utility/prediction.md`.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;

use super::association::MOST_VALUES;
use super::categories::CategoryColumn;
use super::{Comparison, Figure, MeasuredTable, MetricMember};
use crate::card::Card;

/// Numbers with more values are cut into parts.
pub const FEW: u32 = 20;

/// Into so many.
pub const PARTS: u64 = 10;

/// A target has no more values than this.
pub const MOST_CLASSES: u32 = 100;

pub(super) const MEMBER: MetricMember = MetricMember {
    card: Card {
        name: "prediction",
        summary: "how well a target is predicted on the original by what was learnt from the release",
        about: "Naive Bayes learns to tell the target from all other columns, and is tested on every other record of the \
                original: the share of right answers after learning from the original, and after learning from the release. \
                The release holds the tested records, too, so it is compared with a learner that saw all of the original; a \
                learner that saw only the other half and the commonest value stand beside it. Measured where a target is named.",
        promises: &[],
        parameters: &[],
        source: "C. D. Manning, P. Raghavan, H. Schütze, Introduction to information retrieval, 2008, ch. 13",
    },
    needs_alignment: false,
    in_reports: false,
    measure: |pair, _| {
        let Some(found) = predict(pair) else { return Vec::new() };
        let lost = |name, original: f64| {
            let figure = Figure::of_column(name, found.target.as_str(), original - found.released);
            figure.between(original, found.released)
        };
        vec![
            lost("accuracy lost", found.original),
            lost("accuracy lost, against records not seen", found.unseen),
            lost("accuracy lost, against the commonest value", found.commonest),
        ]
    },
};

/// How well a target is predicted: shares of right answers on the tested records.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    /// The target.
    pub target: String,
    /// The columns that it was told from.
    pub features: Vec<String>,
    /// Columns with too many values.
    pub left_out: Vec<String>,
    /// How many records were tested.
    pub tested: u64,
    /// By always answering the commonest value of the first half.
    pub commonest: f64,
    /// Learnt from the first half of the original, which holds no tested record.
    pub unseen: f64,
    /// Learnt from all of the original.
    pub original: f64,
    /// Learnt from the release.
    pub released: f64,
}

/// Predicts the target; nothing where none is named, or where there is nothing to tell or to test.
#[must_use]
pub fn predict(pair: &Comparison<'_>) -> Option<Prediction> {
    let (before, after) = (pair.original, pair.released);
    let place = before.target?;
    let target = before.categories.get(place).filter(|target| target.values <= MOST_CLASSES)?;
    let others = || (0..before.categories.len()).filter(|other| *other != place);
    let parts: Vec<(usize, Vec<Range<u32>>)> =
        others().filter_map(|other| Some((other, parts(&before.categories[other])?))).collect();
    let name = |place: usize| before.categories[place].name.clone();
    let is_tested = second_half(before);
    let task = PredictionTask { place, parts: &parts };
    let all = vec![true; is_tested.len()];
    let first: Vec<bool> = is_tested.iter().map(|tested| !tested).collect();
    let [half, whole] = [&first, &all].map(|chosen| task.learn(before, chosen));
    let release = task.learn(after, &vec![true; after.records()]);
    let tested: Vec<(usize, u32)> = (0..before.records())
        .filter(|record| is_tested[*record])
        .filter_map(|record| Some((record, value_of(target, target.cells[record])?)))
        .collect();
    if tested.is_empty() {
        return None;
    }
    let accuracy = |learnt: &LearntShares| task.accuracy(before, learnt, &tested);
    let commonest = half.commonest();
    let right = tested.iter().filter(|(_, value)| *value == commonest).count();
    Some(Prediction {
        target: name(place),
        features: parts.iter().map(|(other, _)| name(*other)).collect(),
        left_out: others().filter(|other| parts.iter().all(|(one, _)| one != other)).map(name).collect(),
        tested: tested.len() as u64,
        commonest: right as f64 / tested.len() as f64,
        unseen: accuracy(&half),
        original: accuracy(&whole),
        released: accuracy(&release),
    })
}

/// What is learnt: the place of the target, and the other columns with their parts.
struct PredictionTask<'a> {
    place: usize,
    parts: &'a [(usize, Vec<Range<u32>>)],
}

/// What was learnt, as logarithms.
struct LearntShares {
    /// Whether any record told the target.
    knows_target: bool,
    /// Of each value of the target.
    priors: Vec<f64>,
    /// For each other column, by value of the target, then by part.
    parts: Vec<Vec<Vec<f64>>>,
}

impl PredictionTask<'_> {
    fn learn(&self, table: &MeasuredTable, chosen: &[bool]) -> LearntShares {
        let target = &table.categories[self.place];
        let of_column = |(place, parts): &(usize, Vec<Range<u32>>)| {
            let column = &table.categories[*place];
            let mut weights = vec![vec![1.0; parts.len()]; target.values as usize];
            for ((class, label), count) in counted(target, column, chosen) {
                let spread = within(column, label, parts);
                for (value, share) in classes(target, class) {
                    for (part, weight) in &spread {
                        weights[value][*part] += count as f64 * share * weight;
                    }
                }
            }
            weights.iter().map(|weights| logarithms(weights)).collect()
        };
        let mut priors = vec![1.0; target.values as usize];
        for (class, count) in (0..).zip(labels_of(target, chosen)) {
            for (value, share) in classes(target, class) {
                priors[value] += count as f64 * share;
            }
        }
        let knows_target = priors.iter().any(|weight| *weight > 1.0);
        LearntShares {
            knows_target,
            priors: logarithms(&priors),
            parts: self.parts.par_iter().map(of_column).collect(),
        }
    }

    /// The share of records whose target is answered rightly.
    fn accuracy(&self, table: &MeasuredTable, learnt: &LearntShares, tested: &[(usize, u32)]) -> f64 {
        let part_of = |(place, parts): &(usize, Vec<Range<u32>>)| -> Vec<Option<usize>> {
            let column = &table.categories[*place];
            let part = |label: u32| within(column, label, parts).first().map(|(part, _)| *part);
            (0..).zip(&column.labels).map(|(label, _)| part(label)).collect()
        };
        if !learnt.knows_target {
            return 0.0;
        }
        let part_of: Vec<Vec<Option<usize>>> = self.parts.iter().map(part_of).collect();
        let is_right = |(record, value): &&(usize, u32)| {
            let known = self.parts.iter().zip(&part_of).zip(&learnt.parts);
            let known: Vec<(usize, &Vec<Vec<f64>>)> = known
                .filter_map(|(((place, _), part_of), weights)| {
                    Some((part_of[table.categories[*place].cells[*record] as usize]?, weights))
                })
                .collect();
            let score = |class: usize| -> f64 {
                learnt.priors[class] + known.iter().map(|(part, weights)| weights[class][*part]).sum::<f64>()
            };
            let missing = table.categories[self.place].missing.map(|place| place as usize);
            best(learnt.priors.len(), missing, score) == Some(*value as usize)
        };
        tested.par_iter().filter(is_right).count() as f64 / tested.len() as f64
    }
}

impl LearntShares {
    fn commonest(&self) -> u32 {
        (0_u32..)
            .zip(&self.priors)
            .fold((0, f64::MIN), |best, (value, prior)| if *prior > best.1 { (value, *prior) } else { best })
            .0
    }
}

/// The first of the values with the highest score; the missing value is no answer.
fn best(values: usize, missing: Option<usize>, score: impl Fn(usize) -> f64) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for value in (0..values).filter(|value| Some(*value) != missing) {
        let score = score(value);
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((value, score));
        }
    }
    best.map(|(value, _)| value)
}

fn logarithms(weights: &[f64]) -> Vec<f64> {
    let whole: f64 = weights.iter().sum();
    weights.iter().map(|weight| (weight / whole).ln()).collect()
}

/// How many of the chosen records have each label.
fn labels_of(column: &CategoryColumn, chosen: &[bool]) -> Vec<u64> {
    let mut counts = vec![0; column.labels.len()];
    let labels = column.cells.iter().zip(chosen).filter(|(_, chosen)| **chosen);
    labels.for_each(|(&label, _)| counts[label as usize] += 1);
    counts
}

/// How many of the chosen records have each pair of labels: whole numbers, so that no order of records matters.
fn counted(target: &CategoryColumn, column: &CategoryColumn, chosen: &[bool]) -> BTreeMap<(u32, u32), u64> {
    let mut counts = BTreeMap::new();
    let pairs = target.cells.iter().zip(&column.cells).zip(chosen).filter(|(_, chosen)| **chosen);
    pairs.for_each(|((&class, &label), _)| *counts.entry((class, label)).or_default() += 1);
    counts
}

/// The values of the target that a label may be, each with its share; the missing value is none.
fn classes(target: &CategoryColumn, label: u32) -> Vec<(usize, f64)> {
    let meaning = &target.labels[label as usize];
    let share = 1.0 / meaning.size().max(1) as f64;
    let values = meaning.runs().iter().cloned().flatten().filter(|place| Some(*place) != target.missing);
    values.map(|place| (place as usize, share)).collect()
}

/// The parts that a label may be in, each with its share of the values.
fn within(column: &CategoryColumn, label: u32, parts: &[Range<u32>]) -> Vec<(usize, f64)> {
    let meaning = &column.labels[label as usize];
    let size = meaning.size() as f64;
    let mut shares: Vec<(usize, f64)> = Vec::new();
    for run in meaning.runs() {
        let first = parts.partition_point(|part| part.end <= run.start);
        for (place, part) in parts.iter().enumerate().skip(first).take_while(|(_, part)| part.start < run.end) {
            let share = f64::from(part.end.min(run.end) - part.start.max(run.start)) / size;
            match shares.last_mut() {
                Some((last, sum)) if *last == place => *sum += share,
                _ => shares.push((place, share)),
            }
        }
    }
    shares
}

/// The one value of a label of the original; the missing value is none.
fn value_of(column: &CategoryColumn, label: u32) -> Option<u32> {
    let run = column.labels[label as usize].runs().first()?;
    (Some(run.start) != column.missing).then_some(run.start)
}

/// The parts of the values of a column of the original that the learner tells apart; none where they are too many.
fn parts(column: &CategoryColumn) -> Option<Vec<Range<u32>>> {
    if !column.is_number || column.values <= FEW {
        let few = column.values as usize <= MOST_VALUES;
        return few.then(|| (0..column.values).map(|place| place..place + 1).collect());
    }
    let mut counts = vec![0_u64; column.values as usize];
    for (meaning, count) in column.labels.iter().zip(column.counts()) {
        meaning.runs().iter().for_each(|run| counts[run.start as usize] += count);
    }
    let is_missing = |place: u32| Some(place) == column.missing;
    let whole: u64 = (0..).zip(&counts).filter(|(place, _)| !is_missing(*place)).map(|(_, count)| count).sum();
    let mut parts: Vec<Range<u32>> = Vec::new();
    let mut seen = 0;
    let mut last = None;
    for (place, count) in (0..).zip(counts) {
        // The part that the middle of its records lies in; the missing value has one of its own.
        let middle = u128::from(2 * seen + count) * u128::from(PARTS);
        let part = (!is_missing(place)).then(|| middle / u128::from((2 * whole).max(1)));
        match parts.last_mut() {
            Some(range) if part.is_some() && last == Some(part) => range.end = place + 1,
            _ => parts.push(place..place + 1),
        }
        seen += if part.is_some() { count } else { 0 };
        last = Some(part);
    }
    Some(parts)
}

/// Which records are tested: every other one in the order of their values, or every other person's.
fn second_half(table: &MeasuredTable) -> Vec<bool> {
    if let Some(people) = &table.people {
        return people.iter().map(|person| !person.is_multiple_of(2)).collect();
    }
    let mut order: Vec<usize> = (0..table.records()).collect();
    let cells = |record: usize| table.categories.iter().map(move |column| column.cells[record]);
    order.par_sort_unstable_by(|one, other| cells(*one).cmp(cells(*other)).then(one.cmp(other)));
    let mut is_tested = vec![false; order.len()];
    order.into_iter().skip(1).step_by(2).for_each(|record| is_tested[record] = true);
    is_tested
}

#[cfg(test)]
mod tests {
    use super::super::categories::Meaning;
    use super::*;
    use crate::made_up;

    fn column(name: &str, cells: &[u32], labels: Vec<Meaning>, values: u32) -> CategoryColumn {
        CategoryColumn { labels, ..made_up::category(name, cells, values) }
    }

    fn values(count: u32) -> Vec<Meaning> {
        (0..count).map(Meaning::value).collect()
    }

    fn table(categories: Vec<CategoryColumn>) -> MeasuredTable {
        MeasuredTable { categories, target: Some(1), ..MeasuredTable::default() }
    }

    fn predicted(before: &MeasuredTable, after: &MeasuredTable) -> Prediction {
        predict(&Comparison::new(before, after, false).unwrap()).unwrap()
    }

    /// Of four towns the first two vote for 0, the others for 1; of ten voters one does not.
    fn votes() -> MeasuredTable {
        let cells: Vec<(u32, u32)> =
            (0..400).map(|voter| (voter % 4, u32::from((voter % 4 > 1) ^ (voter / 4 % 10 == 0)))).collect();
        let (towns, votes): (Vec<u32>, Vec<u32>) = cells.into_iter().unzip();
        table(vec![column("town", &towns, values(4), 4), column("vote", &votes, values(2), 2)])
    }

    #[test]
    fn a_release_that_keeps_what_matters_predicts_as_well() {
        let before = votes();
        let mut grouped = before.clone();
        grouped.categories[0].labels = vec![Meaning::among(vec![0, 1]); 2];
        grouped.categories[0].labels.extend(vec![Meaning::among(vec![2, 3]); 2]);
        let found = predicted(&before, &grouped);
        assert_eq!((found.tested, found.features.as_slice()), (200, &["town".to_owned()][..]));
        for accuracy in [found.unseen, found.original, found.released] {
            assert!((accuracy - 0.9).abs() < 1e-12, "{found:?}");
        }
        assert!((found.commonest - 0.5).abs() < 0.05, "{found:?}");
    }

    #[test]
    fn a_release_of_stars_knows_no_more_than_the_commonest_value() {
        let before = votes();
        let mut starred = before.clone();
        starred.categories[0].labels = vec![Meaning::Unknown; 4];
        let found = predicted(&before, &starred);
        assert!((found.released - 0.5).abs() < 1e-12 && found.original > 0.89, "{found:?}");
        starred.categories[1].labels = vec![Meaning::Unknown; 2];
        assert!(predicted(&before, &starred).released.abs() < 1e-12);
    }

    #[test]
    fn the_order_of_records_does_not_matter() {
        let before = votes();
        let mut turned = before.clone();
        turned.categories.iter_mut().for_each(|column| column.cells.reverse());
        assert_eq!(predicted(&before, &before), predicted(&turned, &turned));
    }

    #[test]
    fn people_are_in_one_half_only() {
        let people = Some((0..400).map(|record| record / 8).collect());
        let is_tested = second_half(&MeasuredTable { people, ..votes() });
        assert!(is_tested.chunks(8).all(|person| person.iter().all(|tested| *tested == person[0])));
        assert_eq!(is_tested.iter().filter(|tested| **tested).count(), 200);
    }

    #[test]
    fn many_numbers_are_cut_into_parts_of_equal_weight() {
        let cells: Vec<u32> = (0..1000).collect();
        let numbers = CategoryColumn { is_number: true, missing: Some(999), ..column("x", &cells, values(1000), 1000) };
        let found = parts(&numbers).unwrap();
        assert_eq!((found.len(), found[0].clone(), found[10].clone()), (11, 0..100, 999..1000));
        assert!(parts(&column("x", &[], Vec::new(), 1001)).is_none());
    }

    #[test]
    fn a_target_without_values_or_with_too_many_is_not_predicted() {
        let none = table(vec![column("a", &[0], values(1), 1), column("b", &[0], vec![Meaning::Unknown], 0)]);
        assert_eq!(predict(&Comparison::new(&none, &none, false).unwrap()), None);
        let many = table(vec![column("a", &[0], values(1), 1), column("b", &[0], values(1), MOST_CLASSES + 1)]);
        assert_eq!(predict(&Comparison::new(&many, &many, false).unwrap()), None);
    }
}
