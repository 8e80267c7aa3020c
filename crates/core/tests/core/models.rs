//! Every class-wise privacy model against its definition, written down once more without regard to speed: the same classes
//! are refused, the same node is found, and no part of a class that the definition allows is larger than the model says. Where
//! a table knows people, the definitions are about people: each of them once, and each of them once with a value.

use std::collections::{BTreeMap, BTreeSet};

use equanym_core::card::{Parameters, Value};
use equanym_core::contents::Distribution;
use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::privacy::{self, ClassView, Guard, PrivacyModel, SensitiveVariable, Unit, Verdict};
use proptest::prelude::*;

use crate::by_definition::Case;
use crate::questions::{class_labels, measure, record_labels, unit, word};
use crate::tables::{RandomTable, SECRET, drawn, sensitive};

/// A class and the table, as shares and counts of each sensitive value.
pub struct ClassInTable<'a> {
    /// By value; 0 where it does not occur.
    pub class: &'a [u64],
    pub table: &'a [u64],
    /// The people of the class.
    pub people: u64,
}

impl ClassInTable<'_> {
    fn size(&self) -> f64 {
        self.class.iter().sum::<u64>() as f64
    }

    fn shares(&self) -> Vec<(f64, f64)> {
        let all = self.table.iter().sum::<u64>() as f64;
        self.class.iter().zip(self.table).map(|(&c, &q)| (c as f64 / self.size(), q as f64 / all)).collect()
    }

    /// The counts that are not 0, in falling order.
    fn falling(&self) -> Vec<u64> {
        let mut counts: Vec<u64> = self.class.iter().copied().filter(|count| *count > 0).collect();
        counts.sort_unstable();
        counts.reverse();
        counts
    }

    fn entropy(&self) -> f64 {
        self.shares().iter().filter(|(p, _)| *p > 0.0).map(|(p, _)| -p * p.log2()).sum()
    }

    /// Grassberger's estimate in bits, by its definition.
    fn grassberger(&self) -> f64 {
        let g = |count: u64| {
            let start = -0.577_215_664_901_532_9 - 2_f64.ln();
            (1..=count / 2).fold(start, |sum, pair| sum + 2.0 / (2.0 * pair as f64 - 1.0))
        };
        let sum: f64 = self.falling().iter().map(|&count| count as f64 * g(count)).sum();
        (g(self.class.iter().sum()) - sum / self.size()) / 2_f64.ln()
    }

    /// What moving one distribution into the other costs on a ladder that joins two and then four values: greedily, at the
    /// lowest level at which a surplus meets a lack.
    fn moved_on_ladder(&self) -> f64 {
        let mut extra: BTreeMap<usize, f64> =
            self.shares().iter().enumerate().map(|(value, (p, q))| (value, p - q)).collect();
        let mut cost = 0.0;
        for (level, width) in [(1.0, 2), (2.0, 2), (3.0, usize::MAX)] {
            let mut joined: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
            for (value, extra) in extra {
                let (more, less) = joined.entry(value / width).or_default();
                if extra > 0.0 { *more += extra } else { *less -= extra }
            }
            cost += joined.values().map(|(more, less)| level / 3.0 * more.min(*less)).sum::<f64>();
            extra = joined.into_iter().map(|(value, (more, less))| (value, more - less)).collect();
        }
        cost
    }

    fn cumulated(&self) -> f64 {
        let mut sum = 0.0;
        let steps = self.shares().into_iter().map(|(p, q)| {
            sum += p - q;
            f64::abs(sum)
        });
        let total: f64 = steps.sum();
        total / (self.class.len() as f64 - 1.0).max(1.0)
    }
}

pub type Definition = fn(&ClassInTable<'_>) -> bool;

/// A hair, so that rounding does not decide.
const HAIR: f64 = 1e-10;

/// A model, its parameters, and what they mean.
type ModelMeaning = (&'static str, Vec<(&'static str, Value)>, Definition);

/// Models with parameters, and what they mean.
pub fn models() -> Vec<ModelMeaning> {
    let number = Value::Number;
    vec![
        ("k-anonymity", vec![("k", Value::Integer(2))], |seen| seen.people >= 2),
        ("k-anonymity", vec![("k", Value::Integer(4))], |seen| seen.people >= 4),
        ("l-diversity", vec![("l", Value::Integer(2))], |seen| seen.falling().len() >= 2),
        ("l-diversity", vec![("l", number(1.8)), ("kind", word("entropy"))], |seen| {
            seen.entropy() >= 1.8_f64.log2() - HAIR
        }),
        ("l-diversity", vec![("l", Value::Integer(3)), ("kind", word("entropy"))], |seen| {
            seen.entropy() >= 3_f64.log2() - HAIR
        }),
        (
            "l-diversity",
            vec![("l", number(2.5)), ("kind", word("entropy")), ("estimator", word("grassberger"))],
            |seen| seen.grassberger() >= 2.5_f64.log2() - HAIR,
        ),
        ("l-diversity", vec![("l", Value::Integer(2)), ("kind", word("recursive")), ("c", number(1.5))], |seen| {
            let counts = seen.falling();
            counts.len() >= 2 && 2 * counts[0] < 3 * counts[1..].iter().sum::<u64>()
        }),
        ("l-diversity", vec![("l", Value::Integer(3)), ("kind", word("recursive")), ("c", number(4.0))], |seen| {
            let counts = seen.falling();
            counts.len() >= 3 && counts[0] < 4 * counts[2..].iter().sum::<u64>()
        }),
        ("t-closeness", vec![("t", number(0.25))], |seen| {
            seen.shares().iter().map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0 <= 0.25 + HAIR
        }),
        ("t-closeness", vec![("t", number(0.2)), ("distance", word("ordered"))], |seen| seen.cumulated() <= 0.2 + HAIR),
        ("t-closeness", vec![("t", number(0.2)), ("distance", word("hierarchical"))], |seen| {
            seen.moved_on_ladder() <= 0.2 + HAIR
        }),
        ("delta-disclosure", vec![("delta", Value::Integer(1))], |seen| {
            seen.shares().iter().filter(|(_, q)| *q > 0.0).all(|(p, q)| (p / q).log2().abs() < 1.0 - HAIR)
        }),
        ("delta-disclosure", vec![("delta", number(1.5)), ("absent", word("ignored"))], |seen| {
            seen.shares().iter().filter(|(p, _)| *p > 0.0).all(|(p, q)| (p / q).log2().abs() < 1.5 - HAIR)
        }),
        ("beta-likeness", vec![("beta", number(0.5))], |seen| seen.shares().iter().all(|(p, q)| *p <= 1.5 * q + HAIR)),
        ("beta-likeness", vec![("beta", number(1.0)), ("kind", word("enhanced"))], |seen| {
            let allowed = |q: f64| if q > 0.0 { q * (1.0 + 1_f64.min(-q.ln())) } else { 0.0 };
            seen.shares().iter().all(|(p, q)| *p <= allowed(*q) + HAIR)
        }),
        (
            "cost-benefit",
            vec![("benefit", number(2.0)), ("loss", number(5.0)), ("gain", number(8.0)), ("cost", number(2.0))],
            |seen| {
                let chance = 1.0 / seen.people as f64;
                let attack = if 8.0 * chance > 2.0 { 5.0 * chance } else { 0.0 };
                2.0 - attack > 0.0
            },
        ),
        ("cost-benefit", vec![("attack", word("none")), ("gain", number(0.6)), ("cost", number(0.2))], |seen| {
            0.6 / seen.people as f64 <= 0.2 + HAIR
        }),
        ("alpha-k", vec![("alpha", number(0.6)), ("k", Value::Integer(3))], |seen| {
            seen.people >= 3 && seen.shares().iter().all(|(p, _)| *p <= 0.6 + HAIR)
        }),
    ]
}

pub fn built(name: &str, given: &[(&'static str, Value)], sensitive: &[SensitiveVariable]) -> Box<dyn PrivacyModel> {
    let variable = ("variable".to_owned(), word(SECRET));
    let takes_variable = |one: &privacy::ModelMember| one.card.parameters.iter().any(|one| one.name == "variable");
    let variable = Some(variable).filter(|_| privacy::find(name).is_some_and(takes_variable));
    let given: Parameters =
        given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).chain(variable).collect();
    privacy::build(name, &given, sensitive).unwrap()
}

/// Who is in a class with which value: the place of a record stands for a person where people are not known.
pub type ClassHolders = BTreeSet<(u32, u32)>;

/// The records of each class of a set, found by their labels.
pub fn held(drawn: &RandomTable, table: &Table, set: &FrequencySet) -> Vec<ClassHolders> {
    let classes: BTreeMap<Vec<&str>, usize> =
        (0..set.len()).map(|class| (class_labels(table, set, class), class)).collect();
    let mut held = vec![ClassHolders::new(); set.len()];
    for ((place, record), &secret) in (0..).zip(&drawn.records).zip(&drawn.secrets) {
        let labels = record_labels(table, &set.node, record);
        let person = drawn.persons.as_ref().map_or(place, |persons| persons[place as usize]);
        held[classes[&labels]].insert((person, secret));
    }
    held
}

pub fn people(held: &[&ClassHolders]) -> u64 {
    held.iter().flat_map(|held| held.iter().map(|(person, _)| *person)).collect::<BTreeSet<_>>().len() as u64
}

/// How many have each value.
fn by_value<'a>(held: impl Iterator<Item = &'a ClassHolders>) -> Vec<u64> {
    let all: ClassHolders = held.flatten().copied().collect();
    let mut counts = vec![0; 4];
    for (_, secret) in all {
        counts[secret as usize] += 1;
    }
    counts
}

/// Which classes of a node the definition allows.
pub fn verdict(drawn: &RandomTable, table: &Table, set: &FrequencySet, definition: Definition) -> Verdict {
    let held = held(drawn, table, set);
    let mut whole = by_value(held.iter());
    let values = whole.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
    whole.truncate(values);
    let allowed = |held: &ClassHolders| {
        let class = by_value([held].into_iter());
        definition(&ClassInTable { class: &class[..values], table: &whole, people: people(&[held]) })
    };
    let kept: Vec<bool> = held.iter().map(allowed).collect();
    let withheld: Vec<&ClassHolders> =
        held.iter().zip(&kept).filter(|(_, kept)| !**kept).map(|(held, _)| held).collect();
    let suppressed = kept.iter().zip(&set.sizes).filter(|(kept, _)| !**kept).map(|(_, size)| size).sum();
    Verdict { kept, suppressed, people_suppressed: people(&withheld), judged_alone: true }
}

fn attack(drawn: &RandomTable, loss_name: &str, unit: Unit) -> Result<(), TestCaseError> {
    let table = drawn.table();
    let known = sensitive(&table);
    let measure = measure(&table, loss_name);
    for (name, given, definition) in models() {
        let guard = Guard::new(vec![built(name, &given, &known)]).limiting(unit);
        let case = Case { table: &table, guard: &guard, loss: measure.as_ref(), name: format!("{name} {given:?}") };
        case.attack(|set| verdict(drawn, &table, set, definition))?;
    }
    Ok(())
}

/// Every way to take some of each.
fn parts(counts: &[u64]) -> Vec<Vec<u64>> {
    counts.iter().fold(vec![vec![]], |parts, &count| {
        let more = |part: &Vec<u64>| (0..=count).map(|some| [part.as_slice(), &[some]].concat()).collect::<Vec<_>>();
        parts.iter().flat_map(more).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_same_classes_and_the_same_node_as_by_definition(
        drawn in drawn(),
        loss in prop::sample::select(vec!["non-uniform-entropy", "discernibility", "discernibility-star", "average-class-size", "iyengar"]),
        limits_people: bool,
    ) {
        attack(&drawn, loss, unit(limits_people))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_allowed_part_of_a_class_is_larger_than_the_most(
        class in prop::collection::vec(0_u64..5, 4),
        others in prop::collection::vec(0_u64..9, 4),
    ) {
        prop_assume!(class.iter().sum::<u64>() > 0);
        let counts: Vec<u64> = class.iter().zip(&others).map(|(one, other)| one + other).collect();
        let ladder = vec![vec![0, 1, 2, 3], vec![0, 0, 1, 1], vec![0; 4]];
        let known = [SensitiveVariable { name: SECRET.to_owned(), order: Some(vec![0, 1, 2, 3]), ladder: Some(ladder), counts: counts.clone() }];
        let list = (0..).zip(class.iter().copied()).filter(|(_, count)| *count > 0).collect();
        let set = FrequencySet::without_keys(vec![class.iter().sum()], vec![Distribution::from_lists([list])]);
        for (name, given, definition) in models() {
            let most = built(name, &given, &known).most(&ClassView::new(&set, 0));
            let allowed = parts(&class).into_iter().filter(|part| part.iter().sum::<u64>() > 0);
            let allowed = allowed.filter(|part| definition(&ClassInTable { class: part, table: &counts, people: part.iter().sum() }));
            let largest = allowed.map(|part| part.iter().sum()).max().unwrap_or(0);
            prop_assert!(largest <= most, "{name} {given:?}: {largest} of {class:?}, and not {most}");
        }
    }
}
