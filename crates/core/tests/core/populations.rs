//! Models that look at the population, against their definitions written down once more: everybody is looked up by labels, and
//! counted in sets. The same classes are refused, the same node is found with the same loss and the same withheld records, at
//! several limits, alone and together with other models, in records and in people.

use std::collections::{BTreeMap, BTreeSet};

use equanym_core::card::Value;
use equanym_core::contents::RowCounts;
use equanym_core::frequency::{FrequencySet, Table, TableError};
use equanym_core::lattice::Node;
use equanym_core::privacy::{self, Guard, PrivacyModel, Verdict};
use proptest::prelude::*;

use crate::by_definition::Case;
use crate::models::{self, built};
use crate::questions::{class_labels, classes, measure, record_labels, word};
use crate::tables::{RandomTable, drawn, ladder, sensitive, table, variable};

/// What is known of a class: its people, those of the population, and whether some of the population have no class.
struct ClassInPopulation {
    people: u64,
    population: u64,
    some_are_absent: bool,
}

type Definition = fn(&ClassInPopulation) -> bool;

fn share(seen: &ClassInPopulation) -> f64 {
    seen.people as f64 / seen.population as f64
}

/// A model, its parameters, and what they mean.
type ModelMeaning = (&'static str, Vec<(&'static str, Value)>, Definition);

/// Models with parameters, and what they mean.
fn meant() -> Vec<ModelMeaning> {
    let table = || ("population", word("population.csv"));
    let number = Value::Number;
    vec![
        ("delta-presence", vec![table(), ("max", number(0.5))], |seen| share(seen) <= 0.5),
        ("delta-presence", vec![table(), ("max", number(0.75)), ("min", number(0.25))], |seen| {
            !seen.some_are_absent && (0.25..=0.75).contains(&share(seen))
        }),
        ("delta-presence", vec![table(), ("max", Value::Integer(1)), ("min", number(0.4))], |seen| {
            !seen.some_are_absent && share(seen) >= 0.4
        }),
        ("k-map", vec![table(), ("k", Value::Integer(3))], |seen| seen.population >= 3),
        ("k-map", vec![table(), ("k", Value::Integer(7))], |seen| seen.population >= 7),
        // λ = 0.5, and P(X ≤ 2) is the first above 0.95.
        ("k-map", vec![("k", Value::Integer(5)), ("fraction", number(0.1))], |seen| seen.people >= 4),
        (
            "k-map",
            vec![("k", Value::Integer(5)), ("fraction", number(0.1)), ("estimator", word("zero-truncated-poisson"))],
            |seen| seen.people >= 3,
        ),
    ]
}

/// Who has each key at a node; the place of a record stands for a person where people are not known.
fn by_labels<'a>(
    table: &'a Table,
    node: &Node,
    records: impl Iterator<Item = (&'a Vec<u32>, u32)>,
) -> BTreeMap<Vec<&'a str>, BTreeSet<u32>> {
    let mut people: BTreeMap<Vec<&str>, BTreeSet<u32>> = BTreeMap::new();
    for (record, person) in records {
        people.entry(record_labels(table, node, record)).or_default().insert(person);
    }
    people
}

/// What is to be seen of each class of a set.
fn seen(drawn: &RandomTable, table: &Table, set: &FrequencySet) -> Vec<ClassInPopulation> {
    let population = drawn.population().unwrap();
    let person = |place: u32, person: u32| if drawn.persons.is_some() { person } else { place };
    let everybody = (0..).zip(&population).map(|(place, (record, one))| (record, person(place, *one)));
    let everybody: Vec<(&Vec<u32>, u32)> = everybody.collect();
    let here = by_labels(table, &set.node, everybody[..drawn.records.len()].iter().copied());
    let all = by_labels(table, &set.node, everybody.iter().copied());
    let some_are_absent = all.keys().any(|labels| !here.contains_key(labels));
    let class = |class: usize| {
        let labels = class_labels(table, set, class);
        ClassInPopulation { people: here[&labels].len() as u64, population: all[&labels].len() as u64, some_are_absent }
    };
    (0..set.len()).map(class).collect()
}

/// The classes that a definition and other models keep.
fn kept(drawn: &RandomTable, table: &Table, set: &FrequencySet, definition: Definition, others: &Guard) -> Verdict {
    let others = others.judge(set).kept;
    let kept = seen(drawn, table, set).iter().zip(others).map(|(seen, kept)| kept && definition(seen)).collect();
    Verdict::keeping(kept, set)
}

/// Compares every exact search with the definition; `others` is the place of a model of the class-wise ones that holds, too.
fn attack(drawn: &RandomTable, loss_name: &str, others: Option<usize>) -> Result<(), TestCaseError> {
    let table = drawn.table();
    let known = sensitive(&table);
    let classwise = models::models();
    let more = || -> Vec<Box<dyn PrivacyModel>> {
        let picked = others.map(|place| &classwise[place % classwise.len()]);
        picked.map(|(name, given, _)| models::built(name, given, &known)).into_iter().collect()
    };
    let measure = measure(&table, loss_name);
    for (name, given, definition) in meant() {
        let guard = Guard::new(more().into_iter().chain([built(name, &given, &known)]).collect());
        let others = Guard::new(more());
        let expected = |set: &FrequencySet| kept(drawn, &table, set, definition, &others);
        let case = Case { table: &table, guard: &guard, loss: measure.as_ref(), name: format!("{name} {given:?}") };
        case.attack(expected)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_same_classes_and_the_same_node_as_by_definition(
        drawn in drawn(),
        others in prop::option::of(0_usize..20),
        loss in prop::sample::select(vec!["non-uniform-entropy", "discernibility", "discernibility-star", "average-class-size", "iyengar"]),
    ) {
        prop_assume!(drawn.others.is_some());
        attack(&drawn, loss, others)?;
    }

    /// Where the order of the population does not matter, nor how its records are split into rows.
    #[test]
    fn the_order_of_the_population_does_not_matter(drawn in drawn()) {
        prop_assume!(drawn.others.is_some());
        let mut shuffled = drawn.clone();
        shuffled.others.iter_mut().for_each(|others| others.reverse());
        let [one, other] = [drawn, shuffled].map(|drawn| {
            let table = drawn.table();
            let guard = Guard::new(vec![built("k-map", &meant()[3].1, &[])]);
            let set = classes(&table, &table.lattice().top);
            (guard.judge(&set).kept, table.keys().sizes.clone())
        });
        prop_assert_eq!(one, other);
    }
}

/// Three values, of which two join.
fn small() -> Table {
    table(vec![variable("x", 1.0, ladder("a;ab;*\nb;ab;*\nc;c;*"))], &[vec![0], vec![0], vec![1]], None)
}

fn within(columns: &[Vec<u32>], counts: &[u64]) -> Result<Table, TableError> {
    small().within(&RowCounts { columns, counts, persons: None })
}

#[test]
fn a_population_must_hold_the_table() {
    assert!(within(&[vec![0, 1]], &[2, 1]).is_ok());
    assert!(within(&[vec![1, 0, 0, 2]], &[1, 1, 1, 9]).is_ok());
    assert_eq!(within(&[vec![0, 1]], &[1, 5]).unwrap_err(), TableError::NotInPopulation { keys: 1, people: 1 });
    assert_eq!(within(&[vec![2]], &[9]).unwrap_err(), TableError::NotInPopulation { keys: 2, people: 3 });
    assert_eq!(within(&[vec![0, 7]], &[2, 1]).unwrap_err(), TableError::Inconsistent);
    assert_eq!(within(&[], &[]).unwrap_err(), TableError::Inconsistent);
    let nobody = RowCounts { columns: &[vec![0, 1]], counts: &[2, 1], persons: Some(&[1]) };
    assert_eq!(small().within(&nobody).unwrap_err(), TableError::Inconsistent);
}

/// Nobody of the table is `c`, so with min above 0 only the top is safe, whatever may be withheld.
#[test]
fn a_class_of_the_population_without_a_record_makes_a_node_unsafe() {
    let table = within(&[vec![0, 1, 2]], &[4, 2, 6]).unwrap();
    let given = [("min", Value::Number(0.1)), ("max", Value::Number(0.9)), ("population", Value::Text("p".into()))];
    let guard = Guard::new(vec![built("delta-presence", &given, &[])]);
    let kept = |level: u8| guard.judge(&classes(&table, &vec![level].into())).kept;
    assert_eq!([kept(0), kept(1), kept(2)], [vec![false, false], vec![false], vec![true]]);
    let nearest = guard.nearest(&classes(&table, &vec![1].into()), 0);
    assert_eq!(nearest.iter().map(|(_, near)| (near.parameter, near.value)).collect::<Vec<_>>(), [("min", 0.0)]);
}

#[test]
fn min_above_max_is_no_model() {
    let given = [("min", 0.6), ("max", 0.5)].map(|(name, share)| (name.to_owned(), Value::Number(share)));
    let table = [("population".to_owned(), Value::Text("p".into()))];
    let error = privacy::build("delta-presence", &given.into_iter().chain(table).collect(), &[]).err().unwrap();
    assert_eq!(error.to_string(), "`min` of `delta-presence` is above its `max`");
}
