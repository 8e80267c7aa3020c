//! LKC-privacy against its definition, written down once more record by record: every choice of at most l variables at every
//! node. The same records are withheld, and the same node is found, alone and with models that judge classes; what is told
//! as nearest holds.

use std::collections::{BTreeMap, BTreeSet};

use equanym_core::card::{Parameters, Value};
use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::privacy::{self, Closure, Guard, PrivacyModel, SensitiveVariable, Unit, Verdict};
use proptest::prelude::*;

use crate::by_definition::Case;
use crate::models::built;
use crate::questions::{class_labels, classes, measure, record_labels, unit, word};
use crate::tables::{RandomTable, drawn, sensitive};

/// l, k, and c in tenths.
type LkcParameters = (i64, i64, i64);

fn lkc((l, k, tenths): LkcParameters, known: &[SensitiveVariable]) -> Box<dyn PrivacyModel> {
    let c = Value::Number(tenths as f64 / 10.0);
    built("lkc", &[("l", Value::Integer(l)), ("k", Value::Integer(k)), ("c", c)], known)
}

/// A record: its labels, whose it is, its value, and its class.
struct Record<'a> {
    labels: Vec<&'a str>,
    person: u32,
    secret: u32,
    class: usize,
}

fn records<'a>(drawn: &RandomTable, table: &'a Table, set: &FrequencySet) -> Vec<Record<'a>> {
    let labels_of = |class: usize| class_labels(table, set, class);
    let classes: BTreeMap<Vec<&str>, usize> = (0..set.len()).map(|class| (labels_of(class), class)).collect();
    let of_record = |(place, record): (usize, &Vec<u32>)| {
        let labels = record_labels(table, &set.node, record);
        let person = drawn.persons.as_ref().map_or(u32::try_from(place).unwrap(), |persons| persons[place]);
        Record { class: classes[&labels], labels, person, secret: drawn.secrets[place] }
    };
    drawn.records.iter().enumerate().map(of_record).collect()
}

/// The people who share a part, and each of them with each value.
#[derive(Default)]
struct Sharing {
    people: BTreeSet<u32>,
    pairs: BTreeSet<(u32, u32)>,
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap()
}

impl Sharing {
    fn is_few(&self, k: i64) -> bool {
        number(self.people.len()) < k
    }

    fn is_likely(&self, tenths: i64) -> bool {
        let count = |value: u32| number(self.pairs.iter().filter(|(_, secret)| *secret == value).count());
        let most = self.pairs.iter().map(|(_, secret)| count(*secret)).max().unwrap_or(0);
        10 * most > tenths * number(self.pairs.len())
    }
}

/// The variables in which records that are kept differ.
fn telling(records: &[Record<'_>], kept: &[bool]) -> Vec<usize> {
    let variables = records.first().map_or(0, |record| record.labels.len());
    let labels = |variable: usize| -> BTreeSet<&str> {
        records.iter().filter(|record| kept[record.class]).map(|record| record.labels[variable]).collect()
    };
    (0..variables).filter(|&variable| labels(variable).len() > 1).collect()
}

/// The classes of records that share a part of so many variables with others where something fails.
fn failing(records: &[Record<'_>], kept: &[bool], size: usize, fails: impl Fn(&Sharing) -> bool) -> BTreeSet<usize> {
    let telling = telling(records, kept);
    let mut failing = BTreeSet::new();
    for choice in (0_u32..1 << telling.len()).filter(|choice| choice.count_ones() as usize == size) {
        let part = |record: &Record<'_>| -> Vec<String> {
            let known = telling.iter().enumerate().filter(|(place, _)| choice >> place & 1 == 1);
            known.map(|(_, &variable)| record.labels[variable].to_owned()).collect()
        };
        let mut sharing: BTreeMap<Vec<String>, Sharing> = BTreeMap::new();
        for record in records.iter().filter(|record| kept[record.class]) {
            let shared = sharing.entry(part(record)).or_default();
            shared.people.insert(record.person);
            shared.pairs.insert((record.person, record.secret));
        }
        let is_failing = |record: &&Record<'_>| kept[record.class] && fails(&sharing[&part(record)]);
        failing.extend(records.iter().filter(is_failing).map(|record| record.class));
    }
    failing
}

/// What is kept of a node by definition, given the classes that other models keep.
fn by_definition(records: &[Record<'_>], mut kept: Vec<bool>, (l, k, tenths): LkcParameters) -> Vec<bool> {
    loop {
        // Parts of most variables first; that fewer are too few follows from it, and is looked at all the same.
        let sizes = || (0..=telling(records, &kept).len().min(usize::try_from(l).unwrap())).rev();
        let few = sizes().map(|size| failing(records, &kept, size, |sharing| sharing.is_few(k)));
        let likely = sizes().map(|size| failing(records, &kept, size, |sharing| sharing.is_likely(tenths)));
        let Some(faulty) = few.chain(likely).find(|faulty| !faulty.is_empty()) else { return kept };
        for class in faulty {
            kept[class] = false;
        }
    }
}

fn verdict(drawn: &RandomTable, table: &Table, set: &FrequencySet, others: &Guard, asked: LkcParameters) -> Verdict {
    let records = records(drawn, table, set);
    let kept = by_definition(&records, others.judge(set).kept, asked);
    let withheld = || records.iter().filter(|record| !kept[record.class]);
    let people: BTreeSet<u32> = withheld().map(|record| record.person).collect();
    Verdict { suppressed: withheld().count() as u64, people_suppressed: people.len() as u64, kept, judged_alone: false }
}

/// Models that judge classes, to go with it.
fn others(which: usize, known: &[SensitiveVariable]) -> Vec<Box<dyn PrivacyModel>> {
    match which {
        0 => Vec::new(),
        1 => vec![built("k-anonymity", &[("k", Value::Integer(2))], known)],
        2 => vec![built("l-diversity", &[("l", Value::Integer(2))], known)],
        _ => vec![
            built("t-closeness", &[("t", Value::Number(0.5))], known),
            built("k-anonymity", &[("k", Value::Integer(2))], known),
        ],
    }
}

fn attack(
    drawn: &RandomTable,
    loss_name: &str,
    unit: Unit,
    asked: LkcParameters,
    which: usize,
) -> Result<(), TestCaseError> {
    let table = drawn.table();
    let known = sensitive(&table);
    let measure = measure(&table, loss_name);
    let alone = Guard::new(others(which, &known));
    let mut models = others(which, &known);
    models.push(lkc(asked, &known));
    let guard = Guard::new(models).limiting(unit);
    let name = format!("lkc {asked:?} beside {which}");
    let case = Case { table: &table, guard: &guard, loss: measure.as_ref(), name };
    case.attack(|set| verdict(drawn, &table, set, &alone, asked))
}

fn asked() -> impl Strategy<Value = LkcParameters> {
    (1_i64..=4, 2_i64..5, prop::sample::select(vec![4_i64, 5, 6, 8, 10]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn the_same_records_and_the_same_node_as_by_definition(
        drawn in drawn(),
        loss in prop::sample::select(vec!["non-uniform-entropy", "discernibility", "iyengar", "average-class-size", "height"]),
        limits_people: bool,
        asked in asked(),
        which in 0_usize..4,
    ) {
        attack(&drawn, loss, unit(limits_people), asked, which)?;
    }

    /// Where it is alone, and at most two variables are known, nodes are counted from pairs of variables.
    #[test]
    fn pairs_of_variables_tell_all_there_is_to_know(
        drawn in drawn(),
        loss in prop::sample::select(vec!["non-uniform-entropy", "iyengar", "precision"]),
        l in 1_i64..=2,
        (_, k, tenths) in asked(),
    ) {
        attack(&drawn, loss, Unit::Records, (l, k, tenths), 0)?;
    }

    #[test]
    fn what_is_told_as_nearest_holds(drawn in drawn(), asked in asked(), percent in prop::sample::select(vec![0_u64, 20, 60])) {
        let table = drawn.table();
        let known = sensitive(&table);
        let set = classes(&table, &table.lattice().top);
        let guard = Guard::new(vec![lkc(asked, &known)]);
        let allowance = table.records * percent / 100;
        let is_safe = |guard: &Guard| {
            let suppressed = guard.judge(&set).suppressed;
            suppressed <= allowance && suppressed < table.records
        };
        let told = guard.nearest(&set, allowance);
        prop_assert!(!is_safe(&guard) || told.is_empty());
        let mut nearer = asked;
        let mut c = asked.2 as f64 / 10.0;
        for (place, near) in &told {
            prop_assert_eq!((*place, near.model), (0, "lkc"));
            match near.parameter {
                "k" => nearer.1 = (0..1000).find(|k| *k as f64 >= near.value).unwrap(),
                _ => c = near.value,
            }
        }
        let given = [("l", Value::Integer(nearer.0)), ("k", Value::Integer(nearer.1)), ("c", Value::Number(c))];
        prop_assert!(told.is_empty() || is_safe(&Guard::new(vec![built("lkc", &given, &known)])), "{:?}", told);
    }
}

#[test]
fn classes_without_keys_are_not_kept_and_closures_are_said() {
    let known = [SensitiveVariable { counts: vec![5, 5], ..SensitiveVariable::named(crate::tables::SECRET) }];
    let spread = equanym_core::contents::Distribution::from_lists([vec![(0, 5), (1, 5)]]);
    let set = FrequencySet::without_keys(vec![10], vec![spread]);
    assert_eq!(Guard::new(vec![lkc((1, 2, 9), &known)]).judge(&set).kept, [false]);
    assert_eq!(lkc((1, 2, 9), &known).closure(), Closure::Union);
    assert_eq!(lkc((1, 2, 10), &known).closure(), Closure::Any);
    for (name, value) in
        [("l", Value::Integer(0)), ("l", Value::Integer(5)), ("c", Value::Number(1.1)), ("k", Value::Integer(1))]
    {
        let mut given: Parameters = [("l", Value::Integer(2)), ("k", Value::Integer(2)), ("c", Value::Number(0.5))]
            .map(|(name, value)| (name.to_owned(), value))
            .into();
        given.insert("variable".to_owned(), word(crate::tables::SECRET));
        assert!(privacy::build("lkc", &given, &known).is_ok());
        given.insert(name.to_owned(), value);
        assert!(privacy::build("lkc", &given, &known).is_err(), "{name}");
    }
}
