//! Which labels of a column in one release share values with which in the other.
//!
//! Two labels nest, are apart, or overlap: here only whether some value has both. Where neither label tells the other, and neither
//! mask says what it joins, the pair is *vague*: nobody may count on either answer.
//!
//! Labels hang together where a way leads from one to the other over labels that share values. Such a part is *whole* when
//! each of its labels shares values with each on the other side, as where one joins all others.
//!
//! Cost: a label finds its counterparts by name, bands of numbers by a sorted list: `O(labels · ln labels + pairs found)`.

use std::collections::HashMap;

use super::links::Links;
use crate::labels::{Band, LabelSense, Meaning, TOP};

/// The labels of both releases in one column; those of the audited one stand first everywhere.
pub(super) struct ColumnOverlap {
    /// For each label of ours those of theirs that it shares values with, in order.
    met: Vec<Vec<u32>>,
    /// For each label the part that it is in.
    parts: [Vec<u32>; 2],
    /// Whether each part is whole.
    whole: Vec<bool>,
    clarity: [Vec<Clarity>; 2],
    /// For each label of ours the same one of theirs, where both columns have one rule.
    same: Option<Vec<Option<u32>>>,
}

/// What is known of a label besides the pairs that were found.
#[derive(Clone, Copy)]
enum Clarity {
    /// It shares values with no other label.
    Clear,
    /// The same, as far as the others are numbers.
    Numbers(Band),
    Vague,
}

impl Clarity {
    /// Whether nobody knows if two labels share values that were not found to.
    fn is_vague_beside(self, other: Self) -> bool {
        !matches!((self, other), (Self::Clear, _) | (_, Self::Clear) | (Self::Numbers(_), Self::Numbers(_)))
    }
}

/// What the labels of both releases mean.
pub(super) struct Senses<'a> {
    pub both: [&'a LabelSense<'a>; 2],
    /// Whether equal values were equal before they got labels.
    pub are_comparable: bool,
}

impl ColumnOverlap {
    /// Holds the labels of both releases against each other; where they cannot be compared, all but the top are vague.
    pub fn new(labels: [&[Box<str>]; 2], senses: &Senses<'_>) -> Self {
        let mut found = LabelPairs::new(labels);
        let clarity = found.by_sense(senses);
        let is_same_rule = senses.are_comparable && senses.both[0].is_alike(senses.both[1]);
        let same = is_same_rule.then(|| labels[0].iter().map(|label| found.places[1].get(&**label).copied()).collect());
        found.finish(clarity, same)
    }

    /// The part that a label is in; `side` says whose it is.
    pub fn part(&self, side: usize, label: u32) -> u32 {
        self.parts.get(side).and_then(|parts| parts.get(label as usize)).copied().unwrap_or(u32::MAX)
    }

    pub fn is_whole(&self, part: u32) -> bool {
        self.whole.get(part as usize).copied().unwrap_or(false)
    }

    /// Whether a label of ours shares values with one of theirs; nothing where nobody knows.
    pub fn meets(&self, ours: u32, theirs: u32) -> Option<bool> {
        if self.met.get(ours as usize).is_some_and(|met| met.binary_search(&theirs).is_ok()) {
            return Some(true);
        }
        let clarity = |side: usize, label: u32| self.clarity.get(side).and_then(|all| all.get(label as usize)).copied();
        let is_vague = clarity(0, ours).zip(clarity(1, theirs)).is_some_and(|(one, other)| one.is_vague_beside(other));
        (!is_vague).then_some(false)
    }

    /// The label of theirs that is the same as one of ours, by the same rule.
    pub fn same(&self, ours: u32) -> Option<u32> {
        self.same.as_ref()?.get(ours as usize).copied()?
    }
}

/// Pairs of labels on the way to be found.
struct LabelPairs<'a> {
    labels: [&'a [Box<str>]; 2],
    places: [HashMap<&'a str, u32>; 2],
    met: Vec<Vec<u32>>,
}

impl<'a> LabelPairs<'a> {
    fn new(labels: [&'a [Box<str>]; 2]) -> Self {
        let places = labels.map(|labels| (0..).zip(labels).map(|(place, label)| (&**label, place)).collect());
        Self { labels, places, met: vec![Vec::new(); labels[0].len()] }
    }

    fn meet(&mut self, side: usize, label: u32, other: u32) {
        let (ours, theirs) = if side == 0 { (label, other) } else { (other, label) };
        if let Some(met) = self.met.get_mut(ours as usize) {
            met.push(theirs);
        }
    }

    /// Finds the pairs by what the labels mean.
    fn by_sense(&mut self, senses: &Senses<'_>) -> [Vec<Clarity>; 2] {
        let mut clarity = [0, 1].map(|side| {
            let labels = self.labels.get(side).copied().unwrap_or_default();
            (0..).zip(labels).map(|(place, label)| self.find(side, place, label, senses)).collect::<Vec<_>>()
        });
        self.by_numbers(&clarity);
        if senses.are_comparable {
            self.by_name(senses.both, &mut clarity);
        }
        clarity
    }

    /// Finds the counterparts of a label, and says what is known of it then.
    fn find(&mut self, side: usize, place: u32, label: &str, senses: &Senses<'_>) -> Clarity {
        let (others, [own, other]) = if side == 0 { (1, senses.both) } else { (0, [senses.both[1], senses.both[0]]) };
        let meaning = own.meaning(label);
        if matches!(meaning, Meaning::All) {
            let all = self.labels.get(others).map_or(0, |labels| labels.len());
            (0..).take(all).for_each(|counterpart| self.meet(side, place, counterpart));
            return Clarity::Clear;
        }
        if !senses.are_comparable {
            return Clarity::Vague;
        }
        let labels = match &meaning {
            // What one rule cannot read the same rule cannot read elsewhere.
            Meaning::Stray if own.reads_like(other) => Some(vec![TOP.to_owned()]),
            _ => other.labels_of(&meaning),
        };
        if let Some(labels) = labels {
            for label in labels {
                let counterpart = self.places.get(others).and_then(|places| places.get(label.as_str())).copied();
                if let Some(counterpart) = counterpart {
                    self.meet(side, place, counterpart);
                }
            }
            return Clarity::Clear;
        }
        match (&meaning, meaning.numbers()) {
            (Meaning::Numbers(_), Some(band)) => Clarity::Numbers(band),
            (Meaning::Values(_), Some(band)) if other.is_of_ranges() => Clarity::Numbers(band),
            // What is no number has the top as its range, which meets everything.
            (Meaning::Values(_), None) if other.is_of_ranges() => Clarity::Clear,
            _ => Clarity::Vague,
        }
    }

    /// Bands of numbers that have a number in common.
    fn by_numbers(&mut self, clarity: &[Vec<Clarity>; 2]) {
        let bands = |side: &Vec<Clarity>| -> Vec<(Band, u32)> {
            let band = |(place, clarity): (u32, &Clarity)| match clarity {
                Clarity::Numbers(band) => Some((*band, place)),
                _ => None,
            };
            (0..).zip(side).filter_map(band).collect()
        };
        let [ours, mut theirs] = [bands(&clarity[0]), bands(&clarity[1])];
        theirs.sort_by_key(|(band, _)| band.low);
        // How far those so far reach: they end in no order where ranges overlap each other.
        let mut furthest: Option<Band> = None;
        let reach: Vec<Band> = theirs.iter().map(|(band, _)| *furthest.insert(band.reaching(furthest))).collect();
        for (band, place) in ours {
            let first = reach.partition_point(|reached| !band.starts_in_front_of(*reached));
            let near = theirs.iter().skip(first).take_while(|(other, _)| other.starts_in_front_of(band));
            let met: Vec<u32> = near.filter(|(other, _)| band.meets(*other)).map(|(_, place)| *place).collect();
            for other in met {
                self.meet(0, place, other);
            }
        }
    }

    /// The same labels of the same list: they stand for the same, whatever that is. Labels of one level are apart, where both
    /// releases have the same ones: a label that only one has may join what another label joins there.
    fn by_name(&mut self, [ours, theirs]: [&LabelSense<'_>; 2], clarity: &mut [Vec<Clarity>; 2]) {
        if !ours.is_named_like(theirs) {
            return;
        }
        for (place, label) in (0..).zip(self.labels[0]) {
            if let Some(other) = self.places[1].get(&**label).copied() {
                self.meet(0, place, other);
            }
        }
        let mut alone = self.labels[0].iter().filter(|label| !self.places[1].contains_key(&***label));
        let has_same = alone.next().is_none() && self.labels[0].len() == self.labels[1].len();
        if ours.is_list_of_a_level() && has_same {
            clarity.iter_mut().flatten().for_each(|one| *one = Clarity::Clear);
        }
    }

    fn finish(mut self, clarity: [Vec<Clarity>; 2], same: Option<Vec<Option<u32>>>) -> ColumnOverlap {
        let mut joined = Links::new(self.labels.map(<[_]>::len));
        for (ours, met) in (0..).zip(&mut self.met) {
            met.sort_unstable();
            met.dedup();
            for theirs in met {
                joined.join(ours, *theirs);
            }
        }
        // What is vague is taken to hang together.
        let [ours, theirs] = [0, 1].map(|side| unclear(&clarity[side]));
        if let (true, Some(one), Some(other)) = (has_vague_pairs(&clarity), ours.first(), theirs.first()) {
            for ours in &ours {
                joined.join(*ours, *other);
            }
            for theirs in &theirs {
                joined.join(*one, *theirs);
            }
        }
        let parts = joined.parts();
        let whole = wholeness(&parts, &self.met);
        ColumnOverlap { met: self.met, parts, whole, clarity, same }
    }
}

/// The labels of which something may be unknown.
fn unclear(clarity: &[Clarity]) -> Vec<u32> {
    (0..).zip(clarity).filter(|(_, one)| !matches!(one, Clarity::Clear)).map(|(place, _)| place).collect()
}

fn has_vague_pairs(clarity: &[Vec<Clarity>; 2]) -> bool {
    // What is vague is so beside everything that is not clear.
    let has = |side: &Vec<Clarity>, wanted: fn(&Clarity) -> bool| side.iter().any(wanted);
    let is_vague = |one: &Clarity| matches!(one, Clarity::Vague);
    let is_unclear = |one: &Clarity| !matches!(one, Clarity::Clear);
    let [ours, theirs] = clarity;
    has(ours, is_vague) && has(theirs, is_unclear) || has(ours, is_unclear) && has(theirs, is_vague)
}

/// Whether each part has all the pairs that it can have.
fn wholeness(parts: &[Vec<u32>; 2], met: &[Vec<u32>]) -> Vec<bool> {
    let count = parts.iter().flatten().max().map_or(0, |most| *most as usize + 1);
    let mut pairs = vec![0; count];
    for (part, met) in parts[0].iter().zip(met) {
        if let Some(pairs) = pairs.get_mut(*part as usize) {
            *pairs += met.len();
        }
    }
    let mut sizes = vec![[0, 0]; count];
    for (side, parts) in parts.iter().enumerate() {
        for part in parts {
            if let Some(size) = sizes.get_mut(*part as usize).and_then(|sizes| sizes.get_mut(side)) {
                *size += 1;
            }
        }
    }
    pairs.into_iter().zip(sizes).map(|(pairs, [ours, theirs])| pairs == ours * theirs).collect()
}
