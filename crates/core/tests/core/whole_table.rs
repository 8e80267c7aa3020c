//! Models that judge all classes together: what each member promises, attacked without a name, and each of them against its
//! definition, written down once more without regard to speed.

use equanym_core::card::{Parameters, Promise, Value};
use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::loss;
use equanym_core::privacy::{self, Closure, Guard, PrivacyModel, SizedClasses, UniquesEstimator, Unit, Verdict};
use equanym_core::search::{Problem, SearchError};
use proptest::prelude::*;

use crate::by_definition::Case;
use crate::models::{Definition, built, held, models, people, verdict};
use crate::questions::{class_labels as labels, classes, measure, run, unit, word};
use crate::tables::{RandomTable, all_nodes, drawn, parameters, sample, sensitive};

/// The members that judge all classes together, by what they are.
fn members() -> impl Iterator<Item = &'static privacy::ModelMember> {
    let build = |one: &privacy::ModelMember| privacy::build(one.card.name, &parameters(&one.card, 1), &[]);
    privacy::ALL.iter().filter(move |one| build(one).is_ok_and(|model| model.over_table().is_some()))
}

fn model(member: &privacy::ModelMember, above_least: u8) -> Box<dyn PrivacyModel> {
    privacy::build(member.card.name, &parameters(&member.card, above_least), &[]).unwrap()
}

/// The labels of what is kept.
fn kept<'a>(table: &'a Table, set: &FrequencySet, verdict: &Verdict) -> Vec<Vec<&'a str>> {
    let mut kept: Vec<_> =
        (0..set.len()).filter(|&class| verdict.kept[class]).map(|class| labels(table, set, class)).collect();
    kept.sort();
    kept
}

fn sizes(set: &FrequencySet, is_meant: impl Fn(usize) -> bool) -> SizedClasses {
    SizedClasses::new((0..set.len()).filter(|&class| is_meant(class)).map(|class| set.people()[class]).collect())
}

/// Guards of each member alone, beside the first of all models, and of all members together.
fn guards(table: &Table, above_least: u8) -> Vec<(String, Guard, Guard)> {
    let first = || privacy::build("k-anonymity", &parameters(&privacy::ALL[0].card, 0), &sensitive(table)).unwrap();
    let mut guards = Vec::new();
    for member in members() {
        let name = member.card.name;
        guards.push((name.to_owned(), Guard::new(vec![model(member, above_least)]), Guard::new(vec![])));
        let both = Guard::new(vec![model(member, above_least), first()]);
        guards.push((format!("{name} and another"), both, Guard::new(vec![first()])));
    }
    let all = members().map(|member| model(member, above_least)).collect();
    guards.push(("all".to_owned(), Guard::new(all), Guard::new(vec![])));
    guards
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn smallest_classes_go_until_it_holds(drawn in drawn(), above_least in 0_u8..8) {
        let table = drawn.table();
        for (name, guard, class_wise) in guards(&table, above_least) {
            for node in all_nodes(&table.lattice()) {
                let set = classes(&table, &node);
                let (verdict, before) = (guard.judge(&set), class_wise.judge(&set));
                prop_assert!(guard.holds_over_table(&set, &verdict), "{name}");
                let gone: Vec<usize> = (0..set.len()).filter(|&class| before.kept[class] && !verdict.kept[class]).collect();
                prop_assert!((0..set.len()).all(|class| before.kept[class] || !verdict.kept[class]), "{name}");
                let largest = gone.iter().map(|&class| set.people()[class]).max();
                let smallest = (0..set.len()).filter(|&class| verdict.kept[class]).map(|class| set.people()[class]).min();
                prop_assert!(largest.zip(smallest).is_none_or(|(gone, left)| gone <= left), "{name}");
                // With the last of them back it does not hold.
                if let Some(last) = gone.iter().copied().max_by_key(|&class| set.people()[class]) {
                    let back = sizes(&set, |class| verdict.kept[class] || class == last);
                    prop_assert!(!guard.over_table().all(|model| model.holds(&back)), "{name}");
                }
            }
        }
    }

    #[test]
    fn ties_depend_on_nothing_but_the_classes(drawn in drawn(), above_least in 0_u8..8) {
        let shuffled = drawn.reversed();
        let (table, other) = (drawn.table(), shuffled.table());
        for (name, guard, _) in guards(&table, above_least) {
            for low in sample(all_nodes(&table.lattice()), 8) {
                for high in all_nodes(&table.lattice()).into_iter().filter(|high| low.is_at_or_below(high)) {
                    let direct = classes(&table, &high);
                    let by_way = table.roll_up(&classes(&table, &low), &high).set;
                    let reversed = classes(&other, &high);
                    let expected = kept(&table, &direct, &guard.judge(&direct));
                    prop_assert_eq!(&kept(&table, &by_way, &guard.judge(&by_way)), &expected, "{}", name);
                    prop_assert_eq!(&kept(&other, &reversed, &guard.judge(&reversed)), &expected, "{}", name);
                }
            }
        }
    }

    #[test]
    fn merges_keep_what_holds_as_promised(drawn in drawn(), above_least in 0_u8..8) {
        let table = drawn.table();
        prop_assume!(table.keys().is_additive());
        for member in members().filter(|member| member.card.keeps(Promise::MergesKeepTheTable)) {
            let guard = Guard::new(vec![model(member, above_least)]);
            prop_assert_eq!(guard.closure(), Closure::Union);
            let nodes = all_nodes(&table.lattice());
            let suppressed: Vec<u64> = nodes.iter().map(|node| guard.judge(&classes(&table, node)).suppressed).collect();
            for (low, high) in (0..nodes.len()).flat_map(|low| (0..nodes.len()).map(move |high| (low, high))) {
                let is_promised = nodes[low].is_at_or_below(&nodes[high]) && suppressed[low] == 0;
                prop_assert!(!is_promised || suppressed[high] == 0, "{}", member.card.name);
            }
        }
    }

    #[test]
    fn the_order_of_models_does_not_matter(drawn in drawn(), above_least in 0_u8..8) {
        let table = drawn.table();
        let forwards = Guard::new(members().map(|member| model(member, above_least)).collect());
        let backwards: Vec<&privacy::ModelMember> = members().collect();
        let backwards = Guard::new(backwards.into_iter().rev().map(|member| model(member, above_least)).collect());
        for node in all_nodes(&table.lattice()) {
            let set = classes(&table, &node);
            prop_assert_eq!(forwards.judge(&set), backwards.judge(&set));
        }
    }
}

/// What a model asks of the sizes of all classes.
type SizesDefinition = fn(&[u64]) -> bool;

type ModelMeaning = (&'static str, Vec<(&'static str, Value)>, SizesDefinition);

fn below(sizes: &[u64], size: u64) -> u64 {
    sizes.iter().filter(|one| **one < size).sum()
}

/// Zayatz's estimate as a share of the population, by binomial coefficients.
fn zayatz(sizes: &[u64], population: u64) -> f64 {
    let people = sizes.iter().sum::<u64>();
    let uniques = below(sizes, 2) as f64;
    let choose = |all: u64, some: u64| (0..some).map(|one| (all - one) as f64 / (some - one) as f64).product::<f64>();
    let shows_one = |size: u64| match population - size {
        others if others + 1 < people => 0.0,
        others => size as f64 * choose(others, people - 1) / choose(population, people),
    };
    let sum: f64 = sizes.iter().map(|&size| shows_one(size)).sum();
    if uniques == 0.0 { 0.0 } else { uniques * uniques * shows_one(1) / sum / people as f64 }
}

fn definitions() -> Vec<ModelMeaning> {
    let number = Value::Number;
    vec![
        ("average-risk", vec![("max", number(0.3))], |sizes| 10 * sizes.len() as u64 <= 3 * sizes.iter().sum::<u64>()),
        ("average-risk", vec![("max", number(0.07))], |sizes| {
            100 * sizes.len() as u64 <= 7 * sizes.iter().sum::<u64>()
        }),
        ("records-at-risk", vec![("highest", number(0.3)), ("share", number(0.2))], |sizes| {
            5 * below(sizes, 4) <= sizes.iter().sum()
        }),
        ("records-at-risk", vec![("highest", number(0.25)), ("share", number(0.0))], |sizes| below(sizes, 4) == 0),
        ("sample-uniques", vec![("max", number(0.1))], |sizes| 10 * below(sizes, 2) <= sizes.iter().sum()),
        (
            "population-uniques",
            vec![
                ("max", number(0.05)),
                ("estimator", word("zayatz")),
                ("known", word("population")),
                ("population_size", Value::Integer(90)),
            ],
            |sizes| zayatz(sizes, 90) <= 0.05 + 1e-9,
        ),
    ]
}

/// Each estimator of population uniques, with a share of the population that may be unique.
fn estimators() -> impl Iterator<Item = Vec<(&'static str, Value)>> {
    let shares = [(0.02, 0.1), (0.1, 0.3), (0.3, 0.7)];
    UniquesEstimator::ALL.into_iter().flat_map(move |one| {
        shares.map(|(max, fraction)| {
            let estimator = ("estimator", word(one.name()));
            vec![("max", Value::Number(max)), ("fraction", Value::Number(fraction)), estimator]
        })
    })
}

/// Withholds smallest classes of a verdict, one after the other, until the definition holds. Of equals the first in the order
/// of keys goes: that of the last variable first, and of labels that of the first value below them that occurs, in the table or
/// its population.
fn withheld(
    drawn: &RandomTable,
    table: &Table,
    set: &FrequencySet,
    start: &Verdict,
    asked: SizesDefinition,
) -> Verdict {
    let held = held(drawn, table, set);
    let size = |class: usize| if drawn.persons.is_some() { people(&[&held[class]]) } else { set.sizes[class] };
    let place = |class: usize, variable: usize| {
        let level = &table.variables[variable].hierarchy.levels()[usize::from(set.node.0[variable])];
        let label = table.label(set, class, variable);
        let others = drawn.others.iter().flatten().map(|(record, _)| record);
        let values = drawn.records.iter().chain(others).map(|record| record[variable]);
        values.filter(|&value| level.labels[level.of[value as usize] as usize] == label).min().unwrap()
    };
    let key =
        |class: usize| (0..table.variables.len()).rev().map(|variable| place(class, variable)).collect::<Vec<_>>();
    let mut left: Vec<usize> = (0..set.len()).filter(|&class| start.kept[class]).collect();
    left.sort_by_key(|&class| (size(class), key(class)));
    let is_left = |left: &[usize]| asked(&left.iter().map(|&class| size(class)).collect::<Vec<_>>());
    while !left.is_empty() && !is_left(&left) {
        left.remove(0);
    }
    let kept: Vec<bool> = (0..set.len()).map(|class| left.contains(&class)).collect();
    let gone: Vec<_> = held.iter().zip(&kept).filter(|(_, kept)| !**kept).map(|(held, _)| held).collect();
    let suppressed = kept.iter().zip(&set.sizes).filter(|(kept, _)| !**kept).map(|(_, size)| size).sum();
    Verdict { kept, suppressed, people_suppressed: people(&gone), judged_alone: false }
}

fn attack(drawn: &RandomTable, loss_name: &str, class_wise: usize, unit: Unit) -> Result<(), TestCaseError> {
    let table = drawn.table();
    let known = sensitive(&table);
    let measure = measure(&table, loss_name);
    let all = models();
    let everything: (&str, Vec<(&'static str, Value)>, Definition) = ("", Vec::new(), |_| true);
    let (other, other_given, other_definition) = all.get(class_wise).unwrap_or(&everything);
    for (name, given, asked) in definitions() {
        let other = (!other.is_empty()).then(|| built(other, other_given, &known));
        let guard = Guard::new(other.into_iter().chain([built(name, &given, &known)]).collect()).limiting(unit);
        let expected =
            |set: &FrequencySet| withheld(drawn, &table, set, &verdict(drawn, &table, set, *other_definition), asked);
        let case = Case { table: &table, guard: &guard, loss: measure.as_ref(), name: format!("{name} {given:?}") };
        case.attack(expected)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Alone, or beside a class-wise model; by records and by people.
    #[test]
    fn the_same_classes_and_the_same_node_as_by_definition(
        drawn in drawn(),
        loss in prop::sample::select(vec!["non-uniform-entropy", "discernibility", "discernibility-star", "average-class-size", "iyengar", "ambiguity"]),
        class_wise in prop::sample::select(vec![usize::MAX, usize::MAX, 0, 2, 3, 8, 11]),
        limits_people: bool,
    ) {
        attack(&drawn, loss, class_wise, unit(limits_people))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// No search may miss a node, whichever nodes it does not judge to the end.
    #[test]
    fn the_best_node_is_found_under_every_estimator(
        drawn in drawn(),
        loss in prop::sample::select(vec!["non-uniform-entropy", "discernibility", "iyengar", "precision", "ambiguity"]),
        limits_people: bool,
    ) {
        let table = drawn.table();
        let measure = measure(&table, loss);
        let unit = unit(limits_people);
        for given in estimators() {
            let guard = Guard::new(vec![built("population-uniques", &given, &[])]).limiting(unit);
            let case = Case { table: &table, guard: &guard, loss: measure.as_ref(), name: format!("{given:?}") };
            case.attack(|set| guard.judge(set))?;
        }
    }
}

/// Searches that need every node above a safe one to be safe refuse where that is not promised.
#[test]
fn searches_that_need_monotony_refuse() {
    let ladder = crate::tables::ladder("0;a;*\n1;a;*\n2;b;*");
    let variables = vec![crate::tables::variable("x", 1.0, ladder)];
    let records: Vec<Vec<u32>> = [0, 0, 0, 1, 2, 2].iter().map(|&value| vec![value]).collect();
    let table = crate::tables::table(variables, &records, Some(&[0; 6]));
    let measure = loss::ALL[0].build(&table, &Parameters::new()).unwrap();
    for member in members() {
        let guard = Guard::new(vec![model(member, 2)]);
        for (allowance, is_promised) in [(0, guard.closure() == Closure::Union), (1, false)] {
            let (loss, _lattice) = (measure.as_ref(), table.lattice());
            let problem = Problem::new(&table, &guard, loss, allowance);
            for name in ["ola", "flash", "incognito", "samarati"] {
                let found = run(name, &problem);
                let is_refused = matches!(found, Err(SearchError::NotMonotone { .. }));
                assert_eq!(is_refused, !is_promised, "{name} with {} at {allowance}", member.card.name);
            }
        }
    }
}

/// What is told where nothing is safe holds, and less does not.
#[test]
fn the_nearest_parameter_is_attained() {
    let set = FrequencySet::without_keys(vec![1, 1, 2, 6], Vec::new());
    let told = |name: &str, given: &[(&'static str, Value)], allowance: u64| {
        let guard = Guard::new(vec![built(name, given, &[])]);
        guard.nearest(&set, allowance).iter().map(|(_, near)| near.to_string()).collect::<Vec<_>>()
    };
    let max = |share: f64| [("max", Value::Number(share))];
    assert_eq!(told("average-risk", &max(0.1), 0), ["average-risk holds at least with max = 0.4"]);
    // One of the two that are alone may go: three classes of nine.
    assert_eq!(told("average-risk", &max(0.1), 1), ["average-risk holds at least with max = 0.334"]);
    assert_eq!(told("sample-uniques", &max(0.1), 0), ["sample-uniques holds at least with max = 0.2"]);
    assert_eq!(told("sample-uniques", &max(0.1), 1), ["sample-uniques holds at least with max = 0.112"]);
    assert!(told("sample-uniques", &max(0.1), 2).is_empty());
    let at_risk = [("highest", Value::Number(0.2)), ("share", Value::Number(0.1))];
    assert_eq!(told("records-at-risk", &at_risk, 0), ["records-at-risk holds at least with share = 0.4"]);
    let population = [("max", Value::Number(0.0)), ("fraction", Value::Number(1.0))];
    assert_eq!(told("population-uniques", &population, 0), ["population-uniques holds at least with max = 0.2"]);
}
