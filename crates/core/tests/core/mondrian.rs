//! Mondrian by hand and on random tables: every class safe, nothing lost, nothing that depends on the order of keys.

use std::collections::{BTreeMap, BTreeSet};

use crate::models::{ClassInTable, built, models};
use crate::questions::{given, guard, word};
use crate::tables::{SECRET, ladder, variable};
use equanym_core::hierarchy::Builder;
use equanym_core::method::mondrian;
use equanym_core::method::partition::{Dimension, KeyTable, Partition, PartitionError, PartitionTask};
use equanym_core::privacy::{self, Guard, Unit};
use equanym_core::variable::Variable;
use proptest::prelude::*;

fn numbers(values: &[&str]) -> Variable {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    variable("number", 0.0, Builder::None.fit(&values).unwrap())
}

fn fit(keys: &KeyTable<'_>, guard: &Guard, relaxed: bool) -> Result<Partition, PartitionError> {
    fit_within(keys, guard, relaxed, 0)
}

fn fit_within(
    keys: &KeyTable<'_>,
    guard: &Guard,
    relaxed: bool,
    most_suppressed: u64,
) -> Result<Partition, PartitionError> {
    let parameters = &given(&[("cuts", word(if relaxed { "relaxed" } else { "strict" }))]);
    mondrian::fit(&PartitionTask { keys, guard, parameters, most_suppressed, progress: &|_| {} })
}

/// One numeric variable whose codes are given, one record each.
fn line<'a>(variable: &'a Variable, codes: &[u32]) -> KeyTable<'a> {
    KeyTable {
        dimensions: vec![Dimension::by_number(variable).unwrap()],
        columns: vec![codes.to_vec()],
        sensitive: Vec::new(),
        counts: vec![1; codes.len()],
        persons: None,
    }
}

fn labels(partition: &Partition) -> Vec<(String, u64)> {
    partition.classes.iter().map(|class| (class.labels.join("; "), class.records)).collect()
}

#[test]
fn a_line_is_cut_at_its_medians() {
    let ages = numbers(&["20", "21", "25", "30", "38", "40"]);
    let found = fit(&line(&ages, &[0, 1, 2, 3, 4, 5]), &guard(2, 1), false).unwrap();
    // The median of six is the third; three records can be cut no more.
    assert_eq!(labels(&found), [("[20, 25]".into(), 3), ("[30, 40]".into(), 3)]);
    // (25 − 20) / 20 and (40 − 30) / 20, three records each.
    assert!((found.lost[0] - 0.375).abs() < 1e-12);
}

#[test]
fn relaxed_cuts_share_the_median() {
    let ages = numbers(&["20", "30", "40"]);
    let keys = line(&ages, &[0, 1, 1, 1, 1, 2]);
    // Strictly, cutting beside the four thirty-year-olds leaves one record alone.
    assert_eq!(labels(&fit(&keys, &guard(2, 1), false).unwrap()), [("[20, 40]".into(), 6)]);
    assert_eq!(labels(&fit(&keys, &guard(2, 1), true).unwrap()), [("[20, 30]".into(), 3), ("[30, 40]".into(), 3)]);
}

#[test]
fn the_missing_value_comes_before_all_numbers() {
    let ages = numbers(&["", "20", "30"]);
    let found = fit(&line(&ages, &[0, 0, 1, 1, 2, 2]), &guard(2, 1), false).unwrap();
    assert_eq!(labels(&found), [(String::new(), 2), ("20".into(), 2), ("30".into(), 2)]);
    let found = fit(&line(&ages, &[0, 1, 2, 2]), &guard(2, 1), false).unwrap();
    assert_eq!(labels(&found), [("*".into(), 2), ("30".into(), 2)]);
}

#[test]
fn small_branches_stay_together_under_the_label_above() {
    let country = variable("country", 0.0, ladder("fr;Europe;*\nde;Europe;*\nit;Europe;*\nus;America;*\n"));
    let keys = KeyTable {
        dimensions: vec![Dimension::by_ladder(&country)],
        columns: vec![vec![0, 1, 2, 3]],
        sensitive: Vec::new(),
        counts: vec![5, 1, 1, 3],
        persons: None,
    };
    let found = fit(&keys, &guard(2, 1), false).unwrap();
    assert_eq!(labels(&found), [("Europe".into(), 2), ("fr".into(), 5), ("us".into(), 3)]);
    // A single Italian needs company, and the smallest safe branch gives it.
    let keys = KeyTable { counts: vec![5, 2, 1, 3], ..keys };
    let found = fit(&keys, &guard(2, 1), false).unwrap();
    assert_eq!(labels(&found), [("Europe".into(), 3), ("fr".into(), 5), ("us".into(), 3)]);
}

#[test]
fn levels_that_a_policy_forbids_are_not_used() {
    let mut country = variable("country", 0.0, ladder("fr;Europe;*\nde;Europe;*\nus;America;*\n"));
    (country.min_level, country.max_level) = (1, 1);
    let keys = |counts: Vec<u64>| KeyTable {
        dimensions: vec![Dimension::by_ladder(&country)],
        columns: vec![vec![0, 1, 2]],
        sensitive: Vec::new(),
        counts,
        persons: None,
    };
    let found = fit(&keys(vec![5, 5, 5]), &guard(2, 1), false).unwrap();
    assert_eq!(labels(&found), [("America".into(), 5), ("Europe".into(), 10)]);
    let refused = fit(&keys(vec![5, 5, 1]), &guard(2, 1), false).unwrap_err();
    assert_eq!(refused, PartitionError::NoSafePartition { failing: 1, records: 11 });
    let withheld = fit_within(&keys(vec![5, 5, 1]), &guard(2, 1), false, 1).unwrap();
    assert_eq!((labels(&withheld), withheld.suppressed), (vec![("Europe".into(), 10)], 1));
}

/// One person with three records stands alone at the highest level that may be used.
#[test]
fn a_limit_may_count_people() {
    let mut country = variable("country", 0.0, ladder("fr;Europe;*\nde;Europe;*\nus;America;*\n"));
    (country.min_level, country.max_level) = (1, 1);
    let keys = KeyTable {
        dimensions: vec![Dimension::by_ladder(&country)],
        columns: vec![vec![0, 1, 2]],
        sensitive: Vec::new(),
        counts: vec![1, 1, 3],
        persons: Some(vec![0, 1, 2]),
    };
    let refused = fit_within(&keys, &guard(2, 1), false, 1).unwrap_err();
    assert_eq!(refused, PartitionError::NoSafePartition { failing: 3, records: 5 });
    let found = fit_within(&keys, &guard(2, 1).limiting(Unit::People), false, 1).unwrap();
    assert_eq!((labels(&found), found.suppressed), (vec![("Europe".into(), 2)], 3));
}

#[test]
fn what_does_not_fit_is_refused() {
    let crossing = variable("v", 0.0, ladder("a;x;p;*\nb;x;q;*\nc;y;q;*\n"));
    let keys = KeyTable {
        dimensions: vec![Dimension::by_ladder(&crossing)],
        columns: vec![vec![0, 1, 2]],
        sensitive: Vec::new(),
        counts: vec![3; 3],
        persons: None,
    };
    assert_eq!(fit(&keys, &guard(2, 1), false), Err(PartitionError::NotNested("v".into())));
    let ages = numbers(&["20", "thirty"]);
    assert_eq!(Dimension::by_number(&ages).err(), Some(1));
    let ages = numbers(&["20"]);
    assert_eq!(fit(&line(&ages, &[0, 7]), &guard(2, 1), false), Err(PartitionError::Inconsistent));
    assert!(fit(&line(&ages, &[]), &guard(2, 1), false).unwrap().classes.is_empty());
}

/// A drawn table: two numeric variables, the first with missing values, and one with a ladder.
#[derive(Debug, Clone)]
struct RandomRecords {
    records: Vec<([u32; 3], u32, u64)>,
    /// Whose they are, where people are counted.
    persons: Option<Vec<u32>>,
}

fn drawn() -> impl Strategy<Value = RandomRecords> {
    let record = ([0_u32..9, 0..6, 0..5], 0_u32..4, 1_u64..4);
    let persons = prop::option::of(prop::collection::vec(0_u32..40, 60));
    (prop::collection::vec(record, 1..60), persons).prop_map(|(records, persons)| {
        let persons = persons.map(|persons| persons.into_iter().take(records.len()).collect());
        RandomRecords { records, persons }
    })
}

fn variables() -> [Variable; 3] {
    let first = numbers(&["", "1", "2", "3.5", "4", "10", "11", "-7", "100"]);
    let second = numbers(&["0", "1", "2", "3", "4", "5"]);
    let third = variable("place", 0.0, ladder("a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n;;*\n"));
    [first, second, third]
}

impl RandomRecords {
    fn keys<'a>(&self, variables: &'a [Variable; 3]) -> KeyTable<'a> {
        let [first, second, third] = variables;
        let dimensions = vec![
            Dimension::by_number(first).unwrap(),
            Dimension::by_number(second).unwrap(),
            Dimension::by_ladder(third),
        ];
        let column = |place: usize| self.records.iter().map(|record| record.0[place]).collect();
        KeyTable {
            dimensions,
            columns: (0..3).map(column).collect(),
            sensitive: vec![self.records.iter().map(|record| record.1).collect()],
            counts: self.records.iter().map(|record| record.2).collect(),
            persons: self.persons.clone(),
        }
    }
}

/// The people of each class; its records, where people are not counted.
fn people(drawn: &RandomRecords, partition: &Partition) -> Vec<u64> {
    let Some(persons) = &drawn.persons else {
        return partition.classes.iter().map(|class| class.records).collect();
    };
    let mut classes = vec![BTreeSet::new(); partition.classes.len()];
    for placement in &partition.placements {
        classes[placement.class as usize].insert(persons[placement.key as usize]);
    }
    classes.iter().map(|people| people.len() as u64).collect()
}

/// How many of some records have each secret, and how many there are; where people are counted, each of them once.
fn by_value(drawn: &RandomRecords, rows: impl Iterator<Item = (u32, u64)>) -> (Vec<u64>, u64) {
    let (mut counts, mut pairs, mut people, mut size) = (vec![0; 4], BTreeSet::new(), BTreeSet::new(), 0);
    for (row, records) in rows {
        let secret = drawn.records[row as usize].1;
        if let Some(person) = drawn.persons.as_ref().map(|persons| persons[row as usize]) {
            counts[secret as usize] += u64::from(pairs.insert((person, secret)));
            size += u64::from(people.insert(person));
        } else {
            counts[secret as usize] += records;
            size += records;
        }
    }
    (counts, size)
}

/// The records of each class by key and secret.
fn contents(drawn: &RandomRecords, partition: &Partition) -> Vec<BTreeMap<([u32; 3], u32), u64>> {
    let mut classes = vec![BTreeMap::new(); partition.classes.len()];
    for placement in &partition.placements {
        let (key, secret, _) = drawn.records[placement.key as usize];
        *classes[placement.class as usize].entry((key, secret)).or_insert(0) += placement.records;
    }
    classes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_class_is_safe_and_no_record_is_lost(drawn in drawn(), k in 2_i64..6, l in 1_i64..4, relaxed: bool) {
        let variables = variables();
        let Ok(found) = fit(&drawn.keys(&variables), &guard(k, l), relaxed) else {
            let records: u64 = drawn.records.iter().map(|record| record.2).sum();
            let everybody = drawn.persons.iter().flatten().collect::<BTreeSet<_>>().len() as u64;
            let people = if drawn.persons.is_some() { everybody } else { records };
            let secrets: BTreeSet<u32> = drawn.records.iter().map(|record| record.1).collect();
            prop_assert!(people < k.cast_unsigned() || secrets.len() < usize::try_from(l).unwrap(), "a safe table was refused");
            return Ok(());
        };
        let told: Vec<u64> = found.classes.iter().map(|class| class.people).collect();
        prop_assert_eq!(told, people(&drawn, &found));
        for (class, held) in found.classes.iter().zip(contents(&drawn, &found)) {
            prop_assert_eq!(held.values().sum::<u64>(), class.records);
            prop_assert!(class.people >= k.cast_unsigned());
            let secrets: BTreeSet<u32> = held.keys().map(|(_, secret)| *secret).collect();
            prop_assert!(secrets.len() >= usize::try_from(l).unwrap());
        }
        let mut counts = vec![0; drawn.records.len()];
        found.placements.iter().for_each(|placement| counts[placement.key as usize] += placement.records);
        prop_assert_eq!(counts, drawn.records.iter().map(|record| record.2).collect::<Vec<_>>());
        let distinct: BTreeSet<&Vec<String>> = found.classes.iter().map(|class| &class.labels).collect();
        prop_assert_eq!(distinct.len(), found.classes.len(), "classes that look alike are one");
    }

    #[test]
    fn every_class_satisfies_its_model_by_definition(drawn in drawn(), relaxed: bool) {
        let variables = variables();
        let rows = || (0..).zip(&drawn.records).map(|(row, record)| (row, record.2));
        let (table, everybody) = by_value(&drawn, rows());
        prop_assume!(table.iter().all(|count| *count > 0));
        let ladder = vec![vec![0, 1, 2, 3], vec![0, 0, 1, 1], vec![0; 4]];
        let known = [privacy::SensitiveVariable { name: SECRET.to_owned(), order: Some(vec![0, 1, 2, 3]), ladder: Some(ladder), counts: table.clone() }];
        for (name, given, definition) in models() {
            let guard = Guard::new(vec![built(name, &given, &known)]);
            let whole = definition(&ClassInTable { class: &table, table: &table, people: everybody });
            let found = fit(&drawn.keys(&variables), &guard, relaxed);
            prop_assert_eq!(found.is_ok(), whole, "{} {:?}", name, given);
            for (found, number) in found.iter().flat_map(|found| (0..).take(found.classes.len()).map(move |number| (found, number))) {
                let of_class = found.placements.iter().filter(|placement| placement.class == number);
                let (class, people) = by_value(&drawn, of_class.map(|placement| (placement.key, placement.records)));
                prop_assert!(definition(&ClassInTable { class: &class, table: &table, people }), "{name} {given:?}: {class:?} of {table:?}");
            }
        }
    }

    #[test]
    fn strict_classes_are_disjoint_and_equal_keys_are_equal_labels(drawn in drawn(), k in 2_i64..5, l in 1_i64..3) {
        let variables = variables();
        let Ok(found) = fit(&drawn.keys(&variables), &guard(k, l), false) else { return Ok(()) };
        let classes = contents(&drawn, &found);
        let mut class_of = BTreeMap::new();
        for (class, held) in classes.iter().enumerate() {
            for (key, _) in held.keys() {
                prop_assert_eq!(*class_of.entry(*key).or_insert(class), class);
            }
        }
        let rank = |place: usize, code: u32| if place == 0 { [0, 2, 3, 4, 5, 6, 7, 1, 8][code as usize] } else { code };
        let ranks = |held: &BTreeMap<([u32; 3], u32), u64>, place: usize| -> BTreeSet<u32> {
            held.keys().map(|(key, _)| rank(place, key[place])).collect()
        };
        let apart = |one: &BTreeSet<u32>, other: &BTreeSet<u32>, place: usize| {
            if place == 2 { one.is_disjoint(other) } else { one.last() < other.first() || other.last() < one.first() }
        };
        for (place, one) in classes.iter().enumerate() {
            for other in &classes[..place] {
                prop_assert!((0..3).any(|place| apart(&ranks(one, place), &ranks(other, place), place)), "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn the_order_of_keys_does_not_matter(drawn in drawn(), k in 2_i64..5, l in 1_i64..3, relaxed: bool) {
        let variables = variables();
        let mut reversed = drawn.clone();
        reversed.records.reverse();
        reversed.persons.iter_mut().for_each(|persons| persons.reverse());
        let [one, other] = [&drawn, &reversed].map(|drawn| {
            let found = fit(&drawn.keys(&variables), &guard(k, l), relaxed);
            found.map(|found| (found.classes.clone(), contents(drawn, &found)))
        });
        prop_assert_eq!(one, other);
    }
}
