//! Counts who shares parts of keys.
//!
//! A choice of variables puts each class into a *group*: those with the same labels there. Where few enough combinations of labels
//! are possible, a group's number is computed from its labels. Otherwise combinations are numbered as they are met. Variables with
//! one label tell nothing and are left out; near the top of the lattice that is most of them. Choices are counted side by
//! side. The result is a set, so the number of threads changes nothing but the time.
//!
//! Where people have records in several classes, nothing adds up, and groups are merged as classes are
//! ([`crate::contents`]).

use hashbrown::HashMap;
use rayon::prelude::*;

use super::PartsRule;
use crate::contents::Distribution;
use crate::frequency::packing::CodePlace;
use crate::frequency::{FrequencySet, small};
use crate::hierarchy::Code;

/// Why those in a group may not be released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GroupFault {
    /// They are too few.
    Few,
    /// A value is too likely among them.
    Likely,
    /// They are too few, or too few of them could be kept so that no value is too likely.
    Hopeless,
}

/// The classes that are left, by their labels.
pub(super) struct KeptClasses<'a> {
    parts: &'a PartsRule,
    set: &'a FrequencySet,
    /// Their places in the set.
    classes: Vec<u32>,
    columns: Vec<LabelColumn>,
    people: Vec<u64>,
    /// The values in them: place among the classes that are left, code and count. None until they are asked for.
    entries: Option<Vec<(u32, Code, u64)>>,
    /// How many values there are.
    values: usize,
    /// Whether a short number counts all of them.
    are_few: bool,
}

/// The labels of a variable.
struct LabelColumn {
    codes: Vec<u32>,
    labels: usize,
}

/// Memory that choices share.
#[derive(Default)]
struct ChoiceScratch {
    /// All variables of a choice but the last, with the groups that they make: the next choice often begins alike.
    known: Vec<usize>,
    known_groups: usize,
    known_group_of: Vec<u32>,
    group_of: Vec<u32>,
    people: Vec<u64>,
    counts: Vec<u32>,
    faulty: Vec<bool>,
    sorted: Vec<(u32, Code, u64)>,
}

/// Groups are numbered by their labels where there are at most so many, or at most twice as many as classes.
const GROUPS: usize = if cfg!(test) { 8 } else { 1 << 12 };

/// Each group has a place for each value where there are at most so many places, or at most eight for each entry.
const PLACES: usize = if cfg!(test) { 16 } else { 1 << 14 };

/// Choices that are looked at before what they show is withheld.
const TOGETHER: usize = if cfg!(test) { 1 } else { 8 };

/// Classes times choices that are not worth another thread.
const FEW: usize = 1 << 15;

impl<'a> KeptClasses<'a> {
    /// The classes of a set that are left; nothing where they have no keys.
    pub(super) fn new(parts: &'a PartsRule, set: &'a FrequencySet, left: &[bool]) -> Option<Self> {
        let classes: Vec<u32> = (0..).zip(left).filter(|(_, left)| **left).map(|(class, _)| class).collect();
        let all =
            |codes: Vec<u32>| LabelColumn { labels: codes.iter().max().map_or(0, |most| *most as usize + 1), codes };
        let columns: Vec<LabelColumn> = codes(set).map(all).collect();
        if columns.is_empty() && !set.is_empty() {
            return None;
        }
        let spread = set.contents.spread(parts.variable);
        let are_few =
            classes.iter().flat_map(|&class| spread.in_class(class as usize)).map(|(_, count)| count).sum::<u64>();
        let are_few = u32::try_from(are_few).is_ok();
        let values = classes.iter().filter_map(|&class| spread.in_class(class as usize).last());
        let values = values.map(|&(code, _)| code as usize + 1).max().unwrap_or(0);
        let mut view = Self { parts, set, classes, columns, people: Vec::new(), entries: None, values, are_few };
        let every: Vec<u32> = view.classes.clone();
        view.pick(&every);
        Some(view)
    }

    /// Says which classes are left.
    pub(super) fn show(&self, kept: &mut [bool]) {
        kept.fill(false);
        self.classes.iter().for_each(|&class| kept[class as usize] = true);
    }

    /// Whether values add up at every finer node.
    pub(super) fn adds_up_below(&self) -> bool {
        let (contents, variable) = (&self.set.contents, self.parts.variable);
        std::ptr::eq(contents.spread(variable), contents.additive_spread(variable))
    }

    /// Withholds classes that have a fault, and those that have one without them, until there are none. What is withheld does not
    /// depend on the order: who is too few is so without others, too. So what some choices show goes before the next are looked
    /// at, and it ends when all were looked at in a row without a fault.
    pub(super) fn settle(&mut self, fault: GroupFault) {
        let telling = self.telling();
        let choices = chosen(&telling, self.parts.known.min(telling.len()));
        let together = TOGETHER.max(FEW / self.classes.len().max(1));
        let rounds: Vec<&[Vec<usize>]> = choices.chunks(together).collect();
        let mut clean = 0;
        for round in rounds.iter().cycle() {
            clean = if self.withhold_by(fault, round) { 0 } else { clean + 1 };
            if clean >= rounds.len() {
                return;
            }
        }
    }

    /// Withholds all classes with a value that is too likely at once; whether there were any. As many variables are known as may
    /// be; where values do not add up, fewer are looked at once more of them show no fault.
    pub(super) fn withhold_likely(&mut self) -> bool {
        let telling = self.telling();
        let most = self.parts.known.min(telling.len());
        let least = if self.set.is_additive() { most } else { 0 };
        (least..=most).rev().any(|size| self.withhold_by(GroupFault::Likely, &chosen(&telling, size)))
    }

    /// Withholds all classes that have a fault by some choices of variables; whether there were any.
    fn withhold_by(&mut self, fault: GroupFault, choices: &[Vec<usize>]) -> bool {
        if fault != GroupFault::Few && self.entries.is_none() {
            self.entries = Some(self.listed());
        }
        let faulty = self.faulty(fault, choices);
        if !faulty.contains(&true) {
            return false;
        }
        let left: Vec<u32> = (0..).zip(&faulty).filter(|(_, faulty)| !**faulty).map(|(place, _)| place).collect();
        self.classes = left.iter().map(|&place| self.classes[place as usize]).collect();
        self.pick(&left);
        true
    }

    /// The variables in which classes that are left differ.
    fn telling(&self) -> Vec<usize> {
        let differs = |column: &LabelColumn| column.codes.windows(2).any(|pair| pair[0] != pair[1]);
        (0..self.columns.len()).filter(|&variable| differs(&self.columns[variable])).collect()
    }

    /// Keeps the labels at these places of the columns, and finds the people of the classes that are left.
    fn pick(&mut self, places: &[u32]) {
        for column in &mut self.columns {
            column.codes = places.iter().map(|&place| column.codes[place as usize]).collect();
        }
        let people = self.set.people();
        self.people = self.classes.iter().map(|&class| people[class as usize]).collect();
        self.entries = None;
    }

    /// The values in the classes that are left.
    fn listed(&self) -> Vec<(u32, Code, u64)> {
        let spread = self.set.contents.spread(self.parts.variable);
        let of_class = |(place, &class): (u32, &u32)| {
            spread.in_class(class as usize).iter().map(move |&(code, count)| (place, code, count))
        };
        (0..).zip(&self.classes).flat_map(of_class).collect()
    }

    /// For each class whether it has a fault by one of these choices.
    fn faulty(&self, fault: GroupFault, choices: &[Vec<usize>]) -> Vec<bool> {
        let (adds_up, classes) = (self.set.is_additive(), self.classes.len());
        let together = (FEW / classes.max(1)).max(1);
        let mark = |(mut scratch, mut faulty): (ChoiceScratch, Vec<bool>), choice: &Vec<usize>| {
            let groups = self.place(choice, &mut scratch);
            if adds_up {
                self.judge(fault, groups, &mut scratch);
            } else {
                self.judge_people(fault, groups, &mut scratch);
            }
            if scratch.faulty.contains(&true) {
                for (faulty, &group) in faulty.iter_mut().zip(&scratch.group_of) {
                    *faulty |= scratch.faulty[group as usize];
                }
            }
            (scratch, faulty)
        };
        let none = || (ChoiceScratch::default(), vec![false; classes]);
        let marked = choices.par_iter().with_min_len(together).fold(none, mark).map(|(_, faulty)| faulty);
        marked.reduce(|| vec![false; classes], either)
    }

    fn entries(&self) -> &[(u32, Code, u64)] {
        self.entries.as_deref().unwrap_or_default()
    }

    /// Finds the group of each class, and says how many there are.
    fn place(&self, choice: &[usize], scratch: &mut ChoiceScratch) -> usize {
        let ChoiceScratch { known, known_groups, known_group_of, group_of, .. } = scratch;
        let Some((last, others)) = choice.split_last() else {
            group_of.clear();
            group_of.resize(self.classes.len(), 0);
            return 1;
        };
        if *known_groups == 0 || known != others {
            *known_groups = 1;
            known_group_of.clear();
            known_group_of.resize(self.classes.len(), 0);
            for variable in others {
                *known_groups = self.divide(*known_groups, *variable, known_group_of);
            }
            known.clear();
            known.extend(others);
        }
        group_of.clear();
        group_of.extend_from_slice(known_group_of);
        self.divide(*known_groups, *last, group_of)
    }

    /// Divides groups by one variable more, and says how many there are.
    fn divide(&self, groups: usize, variable: usize, group_of: &mut [u32]) -> usize {
        let LabelColumn { codes, labels } = &self.columns[variable];
        let most = GROUPS.max(2 * self.classes.len()).min(u32::MAX as usize);
        if groups.saturating_mul(*labels) > most {
            return number(group_of, codes);
        }
        let span = small(*labels as u64);
        group_of.iter_mut().zip(codes).for_each(|(group, code)| *group = *group * span + code);
        groups * labels
    }

    /// Finds the groups that have a fault.
    fn judge(&self, fault: GroupFault, groups: usize, scratch: &mut ChoiceScratch) {
        let ChoiceScratch { group_of, people, faulty, .. } = scratch;
        people.clear();
        people.resize(groups, 0);
        for (&group, count) in group_of.iter().zip(&self.people) {
            people[group as usize] += count;
        }
        faulty.clear();
        let are_few = |&count: &u64| fault != GroupFault::Likely && count > 0 && count < self.parts.least;
        faulty.extend(people.iter().map(are_few));
        match fault {
            GroupFault::Few => {}
            _ if groups.saturating_mul(self.values) <= PLACES.max(8 * self.entries().len()) && self.are_few => {
                self.judge_values(fault, groups, scratch);
            }
            _ => self.judge_sorted(fault, scratch),
        }
    }

    /// Judges the values of groups, each with a place for each value.
    fn judge_values(&self, fault: GroupFault, groups: usize, scratch: &mut ChoiceScratch) {
        let ChoiceScratch { group_of, counts, people, faulty, .. } = scratch;
        counts.clear();
        counts.resize(groups * self.values, 0);
        for &(class, code, count) in self.entries() {
            counts[group_of[class as usize] as usize * self.values + code as usize] += small(count);
        }
        let of_groups = counts.chunks_exact(self.values.max(1)).zip(people.iter());
        for (faulty, (counts, _)) in
            faulty.iter_mut().zip(of_groups).filter(|(faulty, (_, people))| !**faulty && **people > 0)
        {
            *faulty = self.parts.refuses(fault, counts.iter().map(|&count| u64::from(count)));
        }
    }

    /// The same, with entries sorted by group and value.
    fn judge_sorted(&self, fault: GroupFault, scratch: &mut ChoiceScratch) {
        let ChoiceScratch { group_of, sorted, faulty, .. } = scratch;
        sorted.clear();
        sorted.extend(self.entries().iter().map(|&(class, code, count)| (group_of[class as usize], code, count)));
        sorted.sort_unstable();
        for group in sorted.chunk_by(|one, other| one.0 == other.0) {
            let counts = group.chunk_by(|one, other| one.1 == other.1);
            let counts = counts.map(|same| same.iter().map(|(.., count)| count).sum());
            faulty[group[0].0 as usize] |= self.parts.refuses(fault, counts);
        }
    }

    /// Finds the groups that have a fault where people are in several classes: groups are merged as classes are.
    fn judge_people(&self, fault: GroupFault, groups: usize, scratch: &mut ChoiceScratch) {
        // What is withheld meets in a group of its own.
        let mut class_of = vec![small(groups as u64); self.set.len()];
        for (&class, &group) in self.classes.iter().zip(&scratch.group_of) {
            class_of[class as usize] = group;
        }
        let merged = self.set.contents.merge(&class_of, groups + 1);
        let people = merged.people().unwrap_or_default();
        let spread: &Distribution = merged.spread(self.parts.variable);
        let is_faulty = |group: usize| {
            let values = || spread.in_class(group).iter().map(|&(_, count)| count);
            let are_few = people[group] > 0 && people[group] < self.parts.least;
            (fault != GroupFault::Likely && are_few)
                || (fault != GroupFault::Few && self.parts.refuses(fault, values()))
        };
        scratch.faulty.clear();
        scratch.faulty.extend((0..groups).map(is_faulty));
    }
}

impl PartsRule {
    /// Whether a group with these numbers of its values has a fault in them.
    pub(crate) fn refuses(&self, fault: GroupFault, counts: impl Iterator<Item = u64>) -> bool {
        let (numerator, denominator) = (self.share.numerator, self.share.denominator);
        if fault == GroupFault::Likely {
            let (whole, most) = counts.fold((0_u64, 0_u64), |(whole, most), count| (whole + count, most.max(count)));
            return u128::from(most) * denominator > numerator * u128::from(whole);
        }
        // What is within the share of k, value by value, falls short of k: then no k of them are, and no more either.
        let of_least = numerator * u128::from(self.least);
        let within = match (u64::try_from(of_least), u64::try_from(denominator)) {
            (Ok(of_least), Ok(denominator)) => of_least / denominator,
            _ => u64::try_from(of_least / denominator).unwrap_or(u64::MAX),
        };
        let add = |(few, many): (u64, u64), count: u64| {
            if count <= within { (few + count, many) } else { (few, many + 1) }
        };
        let (few, many) = counts.fold((0_u64, 0_u64), add);
        let kept = u128::from(few) * denominator + u128::from(many) * of_least;
        few + many > 0 && kept < u128::from(self.least) * denominator
    }
}

/// Every choice of so many out of these variables.
fn chosen(variables: &[usize], size: usize) -> Vec<Vec<usize>> {
    let named = |choice: Vec<usize>| choice.into_iter().map(|place| variables[place]).collect();
    choices(variables.len(), size).into_iter().map(named).collect()
}

/// Every choice of so many out of so many, those that begin alike one after the other.
fn choices(of: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let beginning = |first: usize| {
        choices(of - first - 1, size - 1)
            .into_iter()
            .map(move |rest| std::iter::once(first).chain(rest.into_iter().map(|place| first + 1 + place)).collect())
    };
    (0..of).flat_map(beginning).collect()
}

/// Groups of keys by their labels in some columns.
pub(super) struct NumberedGroups {
    pub group_of: Vec<u32>,
    pub groups: usize,
    /// Whether a group is the label in the first column times the span, and that in the second.
    pub by_labels: bool,
    pub span: u32,
}

/// The groups of keys by their labels in one or two columns.
pub(super) fn numbered(columns: &[&[u32]]) -> NumberedGroups {
    let group_of = vec![0; columns.first().map_or(0, |column| column.len())];
    let most = GROUPS.max(4 * group_of.len()).min(u32::MAX as usize);
    let mut numbered = NumberedGroups { group_of, groups: 1, by_labels: true, span: 0 };
    for codes in columns {
        let labels = codes.iter().max().map_or(0, |most| *most as usize + 1);
        if numbered.groups.saturating_mul(labels) > most {
            numbered.groups = number(&mut numbered.group_of, codes);
            numbered.by_labels = false;
            continue;
        }
        numbered.span = small(labels as u64);
        numbered.group_of.iter_mut().zip(*codes).for_each(|(group, code)| *group = *group * numbered.span + code);
        numbered.groups *= labels;
    }
    numbered
}

/// Numbers the combinations of a group and a code that occur, as they are met, and says how many there are.
fn number(group_of: &mut [u32], codes: &[u32]) -> usize {
    let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
    for (group, &code) in group_of.iter_mut().zip(codes) {
        let next = small(numbers.len() as u64);
        *group = *numbers.entry((*group, code)).or_insert(next);
    }
    numbers.len()
}

fn either(mut one: Vec<bool>, other: Vec<bool>) -> Vec<bool> {
    one.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
    one
}

/// For each variable the code of each class's label: equal labels have equal codes, and codes begin with 0.
fn codes(set: &FrequencySet) -> impl Iterator<Item = Vec<u32>> {
    let codes_at = |&CodePlace { word, shift, mask }: &CodePlace| {
        set.packed[word].iter().map(|key| small(key >> shift & mask)).collect()
    };
    set.places.iter().map(codes_at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_occurs_once() {
        assert_eq!(choices(3, 0), [Vec::<usize>::new()]);
        assert_eq!(choices(3, 2), [vec![0, 1], vec![0, 2], vec![1, 2]]);
        assert_eq!([choices(24, 2).len(), choices(24, 4).len(), choices(2, 3).len()], [276, 10_626, 0]);
    }
}
