//! LKC-privacy: `|group| ≥ k`, and `count(value) ≤ c · |group|` for each value, in each group of records that share the labels of at
//! most l columns.
//!
//! Whoever knows the labels of a few columns finds all records that share them. Each choice of at most l recoded columns is
//! gone through, the choice of none included. Choices of fewer columns follow from those of more where records
//! are counted, and are looked at all the same.
//!
//! Limit: time grows with the choices, 10,626 of four out of 24 columns.

use std::collections::{HashMap, HashSet};

use super::{ANY, Class, Member, Model, Promise, Rule, ValueCounts};
use crate::Check;
use crate::cells::first_cell;
use crate::decimal::Decimal;

pub(super) const MEMBER: Member = Member {
    name: "lkc",
    reads: ANY,
    keys: &["variable", "l", "k", "c"],
    takes: "lkc takes a variable, l, a whole number from 1 to 4, k, a whole number from 2, c above 0 and up to 1, and nothing else",
    sentence: "lkc of {variable} with l = {l}, k = {k} and c = {c}",
    claim: "whoever knows at most {l} of the recoded columns finds {k} {unit} or more, none of the values of {variable} above {c} \
            of them",
    model: |given| {
        let l = given.natural("l").filter(|l| (1..=4).contains(l))?;
        let lkc = Lkc { l: usize::try_from(l).ok()?, k: given.several("k")?, c: given.positive_share("c")? };
        // Of records the sizes hold, whatever the shares of values are.
        Some(Model { in_records: Some(given.with("c", 1)), ..Model::new(Rule::Parts(lkc)) })
    },
};

/// How much is known, and what must hold of those who share it.
pub(crate) struct Lkc {
    l: usize,
    k: u64,
    c: Decimal,
}

/// The labels of classes, by number: one list for each recoded column.
#[derive(Default)]
pub(crate) struct KeyLabels(pub Vec<Vec<u32>>);

impl KeyLabels {
    /// The labels of classes whose keys are these.
    pub fn number<'k>(keys: impl Iterator<Item = &'k [u8]>, columns: usize) -> Self {
        let mut numbers: Vec<HashMap<&[u8], u32>> = vec![HashMap::new(); columns];
        let mut labels = vec![Vec::new(); columns];
        for mut key in keys {
            for (numbers, labels) in numbers.iter_mut().zip(&mut labels) {
                let (cell, rest) = first_cell(key);
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                labels.push(*numbers.entry(cell).or_insert(next));
                key = rest;
            }
        }
        Self(labels)
    }

    /// The group of each class by its labels in some columns, and how many groups there are.
    fn groups(&self, choice: &[usize], classes: usize) -> (Vec<usize>, usize) {
        let (mut group_of, mut groups) = (vec![0; classes], 1);
        for labels in choice.iter().filter_map(|column| self.0.get(*column)) {
            let mut numbers: HashMap<(usize, u32), usize> = HashMap::new();
            for (group, label) in group_of.iter_mut().zip(labels) {
                let next = numbers.len();
                *group = *numbers.entry((*group, *label)).or_insert(next);
            }
            groups = numbers.len();
        }
        (group_of, groups)
    }
}

impl Promise {
    /// Judges every choice of columns; `share` counts those who share labels, given the group of each class.
    pub fn check_parts(
        &self,
        variable: Option<usize>,
        labels: &KeyLabels,
        share: impl Fn(&[usize], usize) -> Vec<Class>,
    ) -> Check {
        let claim = self.claim("release");
        let (Rule::Parts(Lkc { l, k, c }), Some(variable)) = (&self.model.rule, variable) else {
            return Check::new(self.name, false, claim, "it is not about parts of keys");
        };
        let classes = labels.0.first().map_or(0, Vec::len);
        let is_kept = |group: &Class| group.size >= *k && group.view(Some(variable)).is_spread(*c);
        let (mut choices, mut failing, mut groups_failing) = (0_u64, 0_u64, 0);
        for choice in (0..=labels.0.len().min(*l)).flat_map(|size| chosen(labels.0.len(), size)) {
            let (group_of, groups) = labels.groups(&choice, classes);
            let failed = share(&group_of, groups).iter().filter(|group| !is_kept(group)).count();
            (choices, failing) = (choices + 1, failing + u64::from(failed > 0));
            groups_failing += failed;
        }
        let found = match failing {
            0 => format!("true of all {choices} choices of columns"),
            _ => format!("false of {failing} of {choices} choices of columns, in {groups_failing} groups of records"),
        };
        Check::new(self.name, failing == 0, claim, found)
    }
}

/// The records of each group.
pub(super) fn records_by_group(classes: &[&Class], group_of: &[usize], groups: usize) -> Vec<Class> {
    let mut by_group = nobody(classes.first().map_or(0, |class| class.counts.len()), groups);
    for (class, group) in classes.iter().zip(group_of) {
        let Some(group) = by_group.get_mut(*group) else { continue };
        group.size += class.size;
        for (counts, more) in group.counts.iter_mut().zip(&class.counts) {
            for (value, count) in more {
                *counts.entry(*value).or_default() += count;
            }
        }
    }
    by_group
}

/// Who is in which class, as (class, person).
type InClass = [(usize, u32)];

/// Who has which value in which class, as (class, person, value), for each variable.
type ValuesInClass = [Vec<(usize, u32, u32)>];

/// The people of each group, and each of them once with each value of a variable.
pub(crate) fn people_by_group(
    (in_class, values): (&InClass, &ValuesInClass),
    group_of: &[usize],
    groups: usize,
) -> Vec<Class> {
    let mut by_group = nobody(values.len(), groups);
    let placed = in_class.iter().filter_map(|(class, person)| Some((*group_of.get(*class)?, *person)));
    for (group, _) in placed.collect::<HashSet<_>>() {
        by_group.get_mut(group).into_iter().for_each(|group| group.size += 1);
    }
    for (variable, pairs) in values.iter().enumerate() {
        let placed =
            pairs.iter().filter_map(|(class, person, value)| Some((*group_of.get(*class)?, (*person, *value))));
        for (group, (_, value)) in placed.collect::<HashSet<_>>() {
            let counts = by_group.get_mut(group).and_then(|group| group.counts.get_mut(variable));
            if let Some(counts) = counts {
                *counts.entry(value).or_default() += 1;
            }
        }
    }
    by_group
}

fn nobody(variables: usize, groups: usize) -> Vec<Class> {
    let empty = || Class { size: 0, counts: vec![ValueCounts::new(); variables].into() };
    (0..groups).map(|_| empty()).collect()
}

/// Every choice of so many out of so many.
fn chosen(of: usize, size: usize) -> Vec<Vec<usize>> {
    let mut chosen = vec![Vec::new()];
    for _ in 0..size {
        let longer = |choice: &Vec<usize>| {
            let from = choice.last().map_or(0, |last| last + 1);
            (from..of).map(|next| [choice.as_slice(), &[next]].concat()).collect::<Vec<_>>()
        };
        chosen = chosen.iter().flat_map(longer).collect();
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_made_once() {
        assert_eq!(chosen(3, 0), [Vec::<usize>::new()]);
        assert_eq!(chosen(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!((chosen(24, 4).len(), chosen(1, 2).len()), (10_626, 0));
    }

    #[test]
    fn classes_with_the_same_labels_are_a_group() {
        let key = |cells: [&str; 2]| -> Vec<u8> {
            let mut key = Vec::new();
            for cell in cells {
                crate::cells::push_cell(&mut key, cell);
            }
            key
        };
        let keys = [key(["a", "bc"]), key(["ab", "c"]), key(["a", "c"]), vec![7]];
        let labels = KeyLabels::number(keys.iter().map(Vec::as_slice), 2);
        assert_eq!(labels.0, [[0, 1, 0, 2], [0, 1, 1, 2]]);
        assert_eq!(labels.groups(&[0], 4), (vec![0, 1, 0, 2], 3));
        assert_eq!(labels.groups(&[0, 1], 4), (vec![0, 1, 2, 3], 4));
    }

    /// The eight combinations of three labels; the value of each is whether they sum to an even number.
    fn eight() -> (KeyLabels, Vec<Class>) {
        let label = |place: u32| (0..8_u32).map(|number| number >> place & 1).collect();
        let class = |number: u32| Class { size: 1, counts: [ValueCounts::from([(number.count_ones() % 2, 1)])].into() };
        (KeyLabels((0..3).map(label).collect()), (0..8).map(class).collect())
    }

    fn passes(l: usize, k: u64, c: &str, labels: &KeyLabels, classes: &[Class]) -> bool {
        let claim = format!(r#"{{"model": "lkc", "variable": "x", "l": {l}, "k": {k}, "c": {c}}}"#);
        let column = serde_json::from_str(r#"{"name": "x", "role": "sensitive"}"#).unwrap();
        let promise = Promise::read(&serde_json::from_str(&claim).unwrap(), &[column]).unwrap();
        let classes: Vec<&Class> = classes.iter().collect();
        promise.check_parts(Some(0), labels, |groups, count| records_by_group(&classes, groups, count)).passed
    }

    #[test]
    fn each_choice_of_columns_must_hide() {
        let (labels, mut classes) = eight();
        assert!(passes(2, 2, "0.5", &labels, &classes) && passes(1, 4, "0.5", &labels, &classes));
        assert!(!passes(2, 3, "0.5", &labels, &classes), "two records share two labels");
        assert!(!passes(3, 2, "1", &labels, &classes), "nobody shares three labels");
        assert!(!passes(2, 2, "0.49", &labels, &classes), "one of two has a value");
        // One record less: whoever knows two of its labels finds one record.
        classes[3].size = 0;
        assert!(!passes(2, 2, "1", &labels, &classes) && passes(1, 3, "1", &labels, &classes));
        // Another value: whoever knows two labels knows the value.
        classes[3] = Class { size: 1, counts: [ValueCounts::from([(1, 1)])].into() };
        assert!(!passes(2, 2, "0.9", &labels, &classes) && passes(1, 2, "0.75", &labels, &classes));
        assert!(!passes(1, 2, "0.7", &labels, &classes) && !passes(4, 2, "1", &labels, &classes));
    }

    #[test]
    fn people_count_once_in_a_group() {
        // Two classes that share a label: three people, one of them in both, with the same value.
        let (people, pairs) = ([(0, 1), (0, 2), (1, 1), (1, 3)], [vec![(0, 1, 7), (0, 2, 8), (1, 1, 7), (1, 3, 7)]]);
        let [together] = people_by_group((&people, &pairs), &[0, 0], 1).try_into().ok().unwrap();
        assert_eq!((together.size, &together.counts[0]), (3, &ValueCounts::from([(7, 2), (8, 1)])));
        let [first, second] = people_by_group((&people, &pairs), &[0, 1], 2).try_into().ok().unwrap();
        assert_eq!((first.size, second.size, &second.counts[0]), (2, 2, &ValueCounts::from([(7, 2)])));
    }
}
