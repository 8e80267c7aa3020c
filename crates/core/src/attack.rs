//! Attacks on a release by somebody who knows people: what they find, as rates with intervals.
//!
//! The intruder knows some columns of a target, their *knowledge*, and looks for released records that fit: the *candidates*.
//! Whether a label fits a value is told by what the label may stand for ([`Meaning`]).
//!
//! - **Membership**: whoever has a candidate is said to be in the table.
//! - **Linkage**: one candidate is picked by chance. Of the targets that share their knowledge no more can be right than there
//!   are candidates, so the rate is a highest one where records were withheld.
//! - **Singling out**: a combination of labels that one released record has, and that fits one original record.
//! - **Inference**: the value of a secret that most candidates have is taken for the target's.
//! - **Minimality**: the search is run again without sensitive values, and what it would have taken tells which classes these forbid
//!   ([`crate::minimality`]). It is right about people in a class that must be one of those. Where that was not searched to the end
//!   the rate is a highest one.
//!
//! People who are not in the table, the *control*, tell what is known of everybody: only what goes beyond their rate was given
//! away by the table. Where there is no control, inference is compared with the most frequent value of the release.
//!
//! Everybody is tried, so the rates do not depend on the order of records. Intervals are Wilson's, for 95 of 100: what other
//! samples of the same size would show.
//!
//! Columns with new values are no knowledge here: they are attacked by ranks and distances ([`linkage`](crate::risk::linkage)).
//!
//! Source: Giomi, Boenisch, Wehmeyer & Tasnádi, A unified framework for quantifying privacy risk in synthetic data, 2023; the
//! three risks are those of the Article 29 Working Party's opinion 05/2014.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use crate::minimality::Minimality;
use crate::risk::linkage::{ColumnLinkage, Linkage, LinkedBy};
use crate::utility::{CategoryColumn, Meaning};

/// A table of targets: for each column of knowledge, then for each secret, the place of each record's value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Targets {
    /// The columns of knowledge; a value that the original does not have has no place.
    pub knowledge: Vec<Vec<Option<u32>>>,
    /// The secrets, in the same way.
    pub secrets: Vec<Vec<Option<u32>>>,
}

impl Targets {
    fn records(&self) -> usize {
        self.knowledge.first().or(self.secrets.first()).map_or(0, Vec::len)
    }
}

/// What is attacked, and by whom.
pub struct Attack<'a> {
    /// The released columns that the intruder knows of people.
    pub knowledge: Vec<&'a CategoryColumn>,
    /// The released columns that the intruder wants to know.
    pub secrets: Vec<&'a CategoryColumn>,
    /// The people of the original.
    pub original: &'a Targets,
    /// People who are not in it.
    pub control: Option<&'a Targets>,
}

/// How often an attack is right.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rate {
    /// The targets that were tried.
    pub tried: u64,
    /// The share of them that is right.
    pub rate: f64,
    /// No lower in 95 of 100 samples.
    pub low: f64,
    /// No higher in 95 of 100 samples.
    pub high: f64,
}

impl Rate {
    /// The share of a number of right guesses, which need not be whole where chance picks.
    fn new(right: f64, tried: u64) -> Self {
        if tried == 0 {
            return Self { tried, rate: 0.0, low: 0.0, high: 1.0 };
        }
        // The normal distribution has 95 of 100 within this.
        let (n, z) = (tried as f64, 1.959_963_984_540_054_f64);
        let rate = (right / n).clamp(0.0, 1.0);
        let middle = (rate + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
        Self { tried, rate, low: (middle - half).clamp(0.0, rate), high: (middle + half).clamp(rate, 1.0) }
    }
}

/// An attack and what it found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttackFinding {
    /// `membership`, `linkage`, `singling-out`, `inference` or `minimality`; on new values `rank`, `rank in its segment` or
    /// `distance`.
    pub attack: &'static str,
    /// The secret column for inference, or the column with new values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// How often it is right about people of the original.
    pub original: Rate,
    /// How often it is right, or would be taken for right, about people who are not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Rate>,
    /// How often whoever knows nothing of the target is right; only for inference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blind: Option<Rate>,
    /// What the table gives away: the part of what the control, or a blind guess, leaves open that is guessed all the same. Never
    /// below 0.
    pub risk: f64,
}

impl AttackFinding {
    fn new(attack: &'static str, original: Rate, control: Option<Rate>, blind: Option<Rate>) -> Self {
        let base = control.or(blind).map_or(0.0, |rate| rate.rate);
        let risk = if base < 1.0 { ((original.rate - base) / (1.0 - base)).max(0.0) } else { 0.0 };
        Self { attack, of: None, original, control, blind, risk }
    }

    /// What running the search again tells of so many people.
    #[must_use]
    pub fn minimality(told: &Minimality, people: u64) -> Self {
        let right = if told.is_unknown { told.people } else { told.singled_out };
        Self::new("minimality", Rate::new(right as f64, people), None, None)
    }
}

/// Makes every attack.
#[must_use]
pub fn attack(attack: &Attack<'_>) -> Vec<AttackFinding> {
    let release = LabelClasses::new(attack);
    let original = release.tried(attack.original);
    let control = attack.control.map(|control| release.tried(control));
    let rate = |targets: &AttackTally, right: fn(&AttackTally) -> f64| Rate::new(right(targets), targets.targets);
    let both = |name, right: fn(&AttackTally) -> f64| {
        let control = control.as_ref().map(|control| rate(control, right));
        AttackFinding::new(name, rate(&original, right), control, None)
    };
    let mut found = vec![both("membership", |tried| tried.found as f64), both("linkage", |tried| tried.linked)];
    let (alone, released) = release.singled_out(attack.original);
    found.push(AttackFinding::new("singling-out", Rate::new(alone as f64, released), None, None));
    for (place, column) in attack.secrets.iter().enumerate() {
        let rate = |targets: &AttackTally| Rate::new(targets.inferred[place] as f64, targets.targets);
        let blind = Rate::new(original.blind[place] as f64, original.targets);
        let inference = AttackFinding::new("inference", rate(&original), control.as_ref().map(rate), Some(blind));
        found.push(AttackFinding { of: Some(column.name.clone()), ..inference });
    }
    found
}

/// The attacks on new values by somebody who knows the originals: by rank in each column, by rank in segments, and by distance.
#[must_use]
pub fn on_new_values(found: &Linkage) -> Vec<AttackFinding> {
    let tried = found.distance.tried;
    let finding = |by: LinkedBy, of: Option<&str>, share: f64| {
        let rate = Rate::new(share * tried as f64, tried);
        AttackFinding { of: of.map(str::to_owned), ..AttackFinding::new(by.in_words(), rate, None, None) }
    };
    let of_column = |column: &ColumnLinkage| {
        let within = column.rank_within_segments.map(|share| (LinkedBy::SegmentRank, share));
        let ranks = [(LinkedBy::Rank, column.rank)].into_iter().chain(within);
        ranks.map(|(by, share)| finding(by, Some(&column.name), share)).collect::<Vec<_>>()
    };
    let by_distance = finding(LinkedBy::Distance, None, found.distance.share);
    found.columns.iter().flat_map(of_column).chain([by_distance]).collect()
}

/// How often each value occurs, by its place.
type PlaceCounts = BTreeMap<u32, u64>;

/// The released records by their labels of the knowledge.
struct LabelClasses<'a> {
    knowledge: Vec<&'a CategoryColumn>,
    secrets: usize,
    /// Sorted, each combination once.
    keys: Vec<Vec<u32>>,
    sizes: Vec<u64>,
    /// For each class and secret how often each value occurs, by its place.
    spread: Vec<Vec<PlaceCounts>>,
    /// For each secret the value that most records have.
    commonest: Vec<Option<u32>>,
}

/// What the attacks found among targets.
struct AttackTally {
    targets: u64,
    found: u64,
    linked: f64,
    inferred: Vec<u64>,
    blind: Vec<u64>,
}

impl<'a> LabelClasses<'a> {
    fn new(attack: &Attack<'a>) -> Self {
        let records = attack.knowledge.iter().chain(&attack.secrets).next().map_or(0, |column| column.cells.len());
        let empty = || (0, vec![PlaceCounts::new(); attack.secrets.len()]);
        let mut classes: BTreeMap<Vec<u32>, (u64, Vec<PlaceCounts>)> = BTreeMap::new();
        for record in 0..records {
            let key = attack.knowledge.iter().map(|column| column.cells[record]).collect();
            let (size, spread) = classes.entry(key).or_insert_with(empty);
            *size += 1;
            for (column, counts) in attack.secrets.iter().zip(spread) {
                if let Some(place) = one_value(&column.labels[column.cells[record] as usize]) {
                    *counts.entry(place).or_default() += 1;
                }
            }
        }
        let mut found = Self {
            knowledge: attack.knowledge.clone(),
            secrets: attack.secrets.len(),
            keys: Vec::new(),
            sizes: Vec::new(),
            spread: Vec::new(),
            commonest: Vec::new(),
        };
        for (key, (size, spread)) in classes {
            found.keys.push(key);
            found.sizes.push(size);
            found.spread.push(spread);
        }
        let all: Vec<usize> = (0..found.keys.len()).collect();
        found.commonest = (0..found.secrets).map(|secret| found.commonest_of(&all, secret)).collect();
        found
    }

    /// The value of a secret that most records of some classes have; of equals the first.
    fn commonest_of(&self, classes: &[usize], secret: usize) -> Option<u32> {
        let mut counts = PlaceCounts::new();
        for &class in classes {
            self.spread[class][secret].iter().for_each(|(place, count)| *counts.entry(*place).or_default() += count);
        }
        counts.into_iter().max_by_key(|&(place, count)| (count, std::cmp::Reverse(place))).map(|(place, _)| place)
    }

    /// The classes whose labels fit.
    fn fitting(&self, knowledge: &[Option<u32>]) -> Vec<usize> {
        let mut fitting = Vec::new();
        self.descend(0, 0..self.keys.len(), knowledge, &mut fitting);
        fitting
    }

    /// Classes with the same first labels stand together.
    fn descend(&self, depth: usize, among: std::ops::Range<usize>, values: &[Option<u32>], into: &mut Vec<usize>) {
        let Some(column) = self.knowledge.get(depth) else { return into.extend(among) };
        let mut start = among.start;
        while start < among.end {
            let label = self.keys[start][depth];
            let end = start + self.keys[start..among.end].partition_point(|key| key[depth] == label);
            if fits(&column.labels[label as usize], values[depth]) {
                self.descend(depth + 1, start..end, values, into);
            }
            start = end;
        }
    }

    /// Tries the attacks on targets, those with the same knowledge together.
    fn tried(&self, targets: &Targets) -> AttackTally {
        let mut alike: BTreeMap<Vec<Option<u32>>, Vec<usize>> = BTreeMap::new();
        for record in 0..targets.records() {
            let knowledge = targets.knowledge.iter().map(|column| column[record]).collect();
            alike.entry(knowledge).or_default().push(record);
        }
        let alike: Vec<_> = alike.into_iter().collect();
        let tried = alike.par_iter().map(|(knowledge, records)| self.try_one(targets, knowledge, records));
        let mut all = self.nobody();
        tried.collect::<Vec<_>>().into_iter().for_each(|one| all.add(&one));
        all
    }

    fn try_one(&self, targets: &Targets, knowledge: &[Option<u32>], records: &[usize]) -> AttackTally {
        let classes = self.fitting(knowledge);
        let candidates: u64 = classes.iter().map(|&class| self.sizes[class]).sum();
        let mut found = AttackTally { targets: records.len() as u64, ..self.nobody() };
        if candidates > 0 {
            found.found = found.targets;
            found.linked = found.targets.min(candidates) as f64 / candidates as f64;
        }
        for secret in 0..self.secrets {
            let guess = self.commonest_of(&classes, secret).or(self.commonest[secret]);
            let right = |guess: Option<u32>| {
                let value = |record: &&usize| targets.secrets[secret][**record];
                records.iter().filter(|record| guess.is_some() && value(record) == guess).count() as u64
            };
            (found.inferred[secret], found.blind[secret]) = (right(guess), right(self.commonest[secret]));
        }
        found
    }

    fn nobody(&self) -> AttackTally {
        AttackTally { targets: 0, found: 0, linked: 0.0, inferred: vec![0; self.secrets], blind: vec![0; self.secrets] }
    }

    /// How many released records are alone with their labels and fit one original record, and how many records there are.
    fn singled_out(&self, original: &Targets) -> (u64, u64) {
        let mut fitting = vec![0_u64; self.keys.len()];
        let mut alike: BTreeMap<Vec<Option<u32>>, u64> = BTreeMap::new();
        for record in 0..original.records() {
            let knowledge = original.knowledge.iter().map(|column| column[record]).collect();
            *alike.entry(knowledge).or_default() += 1;
        }
        if self.sizes.contains(&1) {
            for (knowledge, records) in &alike {
                self.fitting(knowledge).into_iter().for_each(|class| fitting[class] += records);
            }
        }
        let alone = self.sizes.iter().zip(&fitting).filter(|(size, fitting)| **size == 1 && **fitting == 1).count();
        (alone as u64, self.sizes.iter().sum())
    }
}

impl AttackTally {
    fn add(&mut self, other: &Self) {
        self.targets += other.targets;
        self.found += other.found;
        self.linked += other.linked;
        self.inferred.iter_mut().zip(&other.inferred).for_each(|(all, one)| *all += one);
        self.blind.iter_mut().zip(&other.blind).for_each(|(all, one)| *all += one);
    }
}

/// Whether a label may stand for a value; nothing but `*` stands for one that the original does not have.
fn fits(label: &Meaning, value: Option<u32>) -> bool {
    match (label, value) {
        (Meaning::Unknown, _) => true,
        (Meaning::Among(runs), Some(place)) => runs.iter().any(|run| run.contains(&place)),
        (Meaning::Among(_) | Meaning::Unmatched, _) => false,
    }
}

/// The value of a label that stands for one.
fn one_value(label: &Meaning) -> Option<u32> {
    match label {
        Meaning::Among(runs) => runs.first().filter(|run| runs.len() == 1 && run.len() == 1).map(|run| run.start),
        Meaning::Unknown | Meaning::Unmatched => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column of labels that stand for runs of places.
    fn column(name: &str, cells: &[u32], labels: Vec<Meaning>) -> CategoryColumn {
        CategoryColumn { name: name.into(), cells: cells.into(), labels, values: 4, missing: None, is_number: false }
    }

    fn values(places: &[u32]) -> Vec<Option<u32>> {
        places.iter().copied().map(Some).collect()
    }

    fn exact() -> Vec<Meaning> {
        (0..4).map(Meaning::value).collect()
    }

    fn halves() -> Vec<Meaning> {
        vec![Meaning::among(vec![0, 1]), Meaning::among(vec![2, 3])]
    }

    fn rates(found: &[AttackFinding]) -> Vec<(f64, Option<f64>)> {
        found.iter().map(|one| (one.original.rate, one.control.map(|control| control.rate))).collect()
    }

    #[test]
    fn a_table_as_it_is_gives_everybody_away() {
        let (age, illness) = (column("age", &[0, 1, 2, 3], exact()), column("illness", &[0, 1, 0, 1], exact()));
        let original = Targets { knowledge: vec![values(&[0, 1, 2, 3])], secrets: vec![values(&[0, 1, 0, 1])] };
        let (knowledge, secrets) = (vec![&age], vec![&illness]);
        let found = attack(&Attack { knowledge, secrets, original: &original, control: None });
        assert_eq!(rates(&found), [(1.0, None); 4]);
        assert_eq!(found[3].blind.map(|blind| blind.rate), Some(0.5));
        assert!(found.iter().all(|one| (one.risk - 1.0).abs() < 1e-12));
    }

    #[test]
    fn classes_of_two_hide_half() {
        // Two classes of two; in the first both have the same illness.
        let (age, illness) = (column("age", &[0, 0, 1, 1], halves()), column("illness", &[1, 1, 0, 1], exact()));
        let original = Targets { knowledge: vec![values(&[0, 1, 2, 3])], secrets: vec![values(&[1, 1, 0, 1])] };
        let control = Targets { knowledge: vec![vec![Some(0), None]], secrets: vec![values(&[1, 0])] };
        let (knowledge, secrets) = (vec![&age], vec![&illness]);
        let found = attack(&Attack { knowledge, secrets, original: &original, control: Some(&control) });
        // Of the control one has an age that nobody has: no candidate, and the commonest illness is the guess.
        assert_eq!(rates(&found), [(1.0, Some(0.5)), (0.5, Some(0.25)), (0.0, None), (0.75, Some(0.5))]);
        assert!((found[3].risk - 0.5).abs() < 1e-12);
    }

    #[test]
    fn who_shares_their_knowledge_is_not_linked_more_often_than_there_are_candidates() {
        let age = column("age", &[0], halves());
        let original = Targets { knowledge: vec![values(&[0, 0, 0])], secrets: Vec::new() };
        let found = attack(&Attack { knowledge: vec![&age], secrets: Vec::new(), original: &original, control: None });
        // One released record, three alike: one of them is found, and nobody knows which.
        assert!((found[1].original.rate - 1.0 / 3.0).abs() < 1e-12);
        assert!(found[2].original.rate < 1e-12);
    }

    #[test]
    fn intervals_hold_the_rate_and_shrink() {
        let few = Rate::new(3.0, 10);
        let many = Rate::new(300.0, 1000);
        // Wilson's interval of 3 out of 10, as tables have it.
        assert!((few.low - 0.1078).abs() < 5e-5 && (few.high - 0.6032).abs() < 5e-5, "{few:?}");
        assert!(many.high - many.low < few.high - few.low);
        assert_eq!((Rate::new(0.0, 5).low, Rate::new(5.0, 5).high), (0.0, 1.0));
        assert_eq!(Rate::new(0.0, 0), Rate { tried: 0, rate: 0.0, low: 0.0, high: 1.0 });
    }
}
