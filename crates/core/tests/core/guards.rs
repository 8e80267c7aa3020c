//! Several models at once, models that do not survive merging, and searches that are told to stop.

use equanym_core::card::{Parameters, Promise, Value};
use equanym_core::contents::Distribution;
use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::loss;
use equanym_core::privacy::{
    self, ClassView, Closure, Guard, NumberSide, PrivacyModel, Requirement, SensitiveVariable,
};
use equanym_core::random::Seed;
use equanym_core::search::{self, Problem, SearchAnswer, SearchError};
use equanym_core::stop::Stop;
use proptest::prelude::*;

use crate::questions::{self, given, k_anonymity, run, word};
use crate::tables::{RandomTable, SECRET, drawn, ladder, parameters, sensitive, table, variable};

/// Allows classes of at most so many records: what it allows does not survive merging.
struct AtMost(u64);

impl PrivacyModel for AtMost {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        class.people() <= self.0
    }

    fn closure(&self) -> Closure {
        Closure::None
    }
}

fn l_diversity(l: i64) -> Box<dyn PrivacyModel> {
    questions::l_diversity(l, &["other", SECRET].map(SensitiveVariable::named))
}

/// Four classes of 1, 2, 3 and 4 records, with 1, 2, 1 and 3 distinct secrets.
fn classes() -> FrequencySet {
    let other = Distribution::from_lists([vec![(0, 1)], vec![(0, 2)], vec![(0, 3)], vec![(0, 4)]]);
    let secrets =
        Distribution::from_lists([vec![(7, 1)], vec![(7, 1), (8, 1)], vec![(9, 3)], vec![(7, 1), (8, 1), (9, 2)]]);
    FrequencySet::without_keys(vec![1, 2, 3, 4], vec![other, secrets])
}

fn kept(models: Vec<Box<dyn PrivacyModel>>) -> (Vec<bool>, u64) {
    let verdict = Guard::new(models).judge(&classes());
    (verdict.kept, verdict.suppressed)
}

#[test]
fn a_class_is_allowed_from_the_least_size_on() {
    assert_eq!(kept(vec![]), (vec![true; 4], 0));
    assert_eq!(kept(vec![k_anonymity(2)]), (vec![false, true, true, true], 1));
    assert_eq!(kept(vec![k_anonymity(4)]), (vec![false, false, false, true], 6));
    assert_eq!(kept(vec![k_anonymity(5)]), (vec![false; 4], 10));
}

#[test]
fn distinct_values_of_the_named_variable_are_counted() {
    assert_eq!(kept(vec![l_diversity(2)]), (vec![false, true, false, true], 4));
    assert_eq!(kept(vec![l_diversity(3)]), (vec![false, false, false, true], 6));
}

#[test]
fn every_model_must_allow_a_class() {
    assert_eq!(kept(vec![k_anonymity(3), l_diversity(2)]), (vec![false, false, false, true], 6));
    assert_eq!(kept(vec![k_anonymity(2), Box::new(AtMost(2))]), (vec![false, true, false, false], 8));
}

#[test]
fn a_guard_is_what_its_models_are() {
    let guard = |models: Vec<Box<dyn PrivacyModel>>| Guard::new(models);
    assert!(
        [guard(vec![]), guard(vec![k_anonymity(2), l_diversity(2)])].iter().all(|one| one.closure() == Closure::Any)
    );
    assert_eq!(guard(vec![Box::new(AtMost(2))]).closure(), Closure::None);
    assert_eq!(guard(vec![k_anonymity(2), Box::new(AtMost(2))]).closure(), Closure::None);
    assert_eq!(guard(vec![]).least_size(), Some(0));
    assert_eq!(guard(vec![k_anonymity(3), k_anonymity(2)]).least_size(), Some(3));
    assert_eq!(guard(vec![k_anonymity(3), l_diversity(2)]).least_size(), None);
    assert_eq!(
        guard(vec![k_anonymity(3), l_diversity(2), Box::new(AtMost(2))]).requirements(),
        [vec![Requirement::People { least: 3 }], vec![Requirement::Distinct { sensitive: 1, least: 2 }], vec![]]
    );
}

#[test]
fn the_nearest_parameter_is_named_for_models_that_refuse_the_whole_table() {
    let ward = variable("ward", 1.0, ladder("a;*\nb;*\n"));
    let records = [vec![0], vec![1], vec![1]];
    let table = table(vec![ward], &records, Some(&[0, 0, 1]));
    let sensitive = [SensitiveVariable::named(SECRET)];
    let nearest = |k, l| -> Vec<String> {
        let guard = Guard::new(vec![k_anonymity(k), questions::l_diversity(l, &sensitive)]);
        let whole = questions::classes(&table, &table.fully_generalised());
        guard.nearest(&whole, 0).iter().map(|(_, near)| near.to_string()).collect()
    };
    assert_eq!(nearest(3, 2), Vec::<String>::new());
    assert_eq!(nearest(4, 2), ["k-anonymity holds at most with k = 3"]);
    assert_eq!(nearest(3, 3), ["l-diversity holds at most with l = 2"]);
    assert_eq!(nearest(4, 3).len(), 2);
}

#[test]
fn the_nearest_parameters_hold_together_and_no_nearer_ones_do() {
    let nearest = |models: Vec<Box<dyn PrivacyModel>>, allowance| -> Vec<String> {
        Guard::new(models).nearest(&classes(), allowance).iter().map(|(_, near)| near.to_string()).collect()
    };
    let told = |model: &str, letter: &str, number: u64| format!("{model} holds at most with {letter} = {number}");
    let (k, l) = (|number| told("k-anonymity", "k", number), |number| told("l-diversity", "l", number));
    // Sizes 1, 2, 3 and 4: what may be withheld goes from the smallest on.
    for (allowance, nearest_k) in [(0, 1), (1, 2), (2, 2), (3, 3), (5, 3), (6, 4), (9, 4), (10, 4)] {
        assert_eq!(nearest(vec![k_anonymity(5)], allowance), [k(nearest_k)], "{allowance}");
    }
    // 1, 2, 1 and 3 secrets: both classes of one secret go together, or none does.
    for (allowance, nearest_l) in [(0, 1), (3, 1), (4, 2), (5, 2), (6, 3)] {
        assert_eq!(nearest(vec![l_diversity(4)], allowance), [l(nearest_l)], "{allowance}");
    }
    // What three records ask for stays; two secrets then need one record more than may be withheld.
    assert_eq!(nearest(vec![k_anonymity(3), l_diversity(2)], 5), [l(1)]);
    assert_eq!(nearest(vec![k_anonymity(3), l_diversity(2)], 6), Vec::<String>::new());
    // Both ask for too much.
    assert_eq!(nearest(vec![k_anonymity(5), l_diversity(4)], 0), [k(1), l(1)]);
    // No parameter would help.
    assert_eq!(nearest(vec![Box::new(AtMost(2))], 6), Vec::<String>::new());
    assert_eq!(nearest(vec![Box::new(AtMost(2)), k_anonymity(2)], 7), [k(1)]);
}

#[test]
fn models_are_found_by_their_names() {
    for member in privacy::ALL {
        assert_eq!(privacy::find(member.card.name).map(|found| found.card.name), Some(member.card.name));
    }
    assert!(privacy::find("k").is_none());
    let refusal = privacy::build("k", &Parameters::new(), &[]).err().unwrap();
    assert_eq!(refusal.to_string(), "there is no privacy model `k`");
    assert!(privacy::build("k-anonymity", &Parameters::new(), &[]).is_err());
    let unknown = given(&[("l", Value::Integer(2)), ("variable", word("insensitive"))]);
    assert!(privacy::build("l-diversity", &unknown, &[SensitiveVariable::named(SECRET)]).is_err());
}

/// Runs a check with the problem that a table poses under a loss.
fn pose<T>(drawn: &Table, guard: &Guard, loss: &loss::LossMember, check: impl FnOnce(Problem<'_>) -> T) -> T {
    let measure = loss.build(drawn, &parameters(&loss.card, 0)).unwrap();
    check(Problem::new(drawn, guard, measure.as_ref(), drawn.records / 4))
}

fn answers_without_monotony(drawn: &RandomTable, most: u64) -> Result<(), TestCaseError> {
    let table = drawn.table();
    let guard = Guard::new(vec![Box::new(AtMost(most))]);
    for member in loss::ALL {
        pose(&table, &guard, member, |problem| {
            let oracle = run("exhaustive", &problem).map(answer);
            for search in search::ALL.iter().filter(|search| search.card.keeps(Promise::Exact)) {
                match (search.run)(&problem) {
                    Err(SearchError::NotMonotone { search: name }) => prop_assert_eq!(name, search.card.name),
                    found => prop_assert_eq!(found.map(answer), oracle.clone(), "{}", search.card.name),
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn answer(found: SearchAnswer) -> (equanym_core::lattice::Node, u64, u128) {
    (found.best.node, found.best.suppressed, found.best.summary.units)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn exact_searches_refuse_models_that_do_not_survive_merging_or_are_right(drawn in drawn(), most in 1_u64..6) {
        answers_without_monotony(&drawn, most)?;
    }
}

#[test]
fn who_prunes_refuses_models_that_do_not_survive_merging() {
    let ward = variable("ward", 1.0, ladder("a;*\nb;*\n"));
    let table = table(vec![ward], &[vec![0], vec![1], vec![1]], None);
    let guard = Guard::new(vec![k_anonymity(2), Box::new(AtMost(2))]);
    for name in ["ola", "flash", "incognito", "samarati"] {
        let refusal = pose(&table, &guard, &loss::ALL[0], |problem| run(name, &problem));
        assert_eq!(refusal, Err(SearchError::NotMonotone { search: search::find(name).unwrap().card.name }));
    }
}

/// Six variables of eight values on ladders of three steps, and three hundred records from everywhere.
fn wide() -> Table {
    let line = |value: u32| format!("{value};{};{};*", value / 2, value / 4);
    let eight = (0..8).map(line).collect::<Vec<_>>().join("\n");
    let variables = (0..6).map(|place| variable(&format!("v{place}"), 1.0, ladder(&eight))).collect();
    let mut stream = Seed::from(14).stream(0);
    let mut value = || u32::try_from(stream.below(8).min(stream.below(8))).unwrap();
    let records: Vec<Vec<u32>> = (0..300).map(|_| (0..6).map(|_| value()).collect()).collect();
    table(variables, &records, None)
}

#[test]
fn a_search_that_is_over_before_it_starts_counts_little_and_says_that_it_stopped() {
    let (table, guard) = (wide(), Guard::new(vec![k_anonymity(5)]));
    for search in search::ALL.iter().filter(|search| search.is_anytime()) {
        assert!(search.card.keeps(Promise::ProvesItsGap), "{}", search.card.name);
        pose(&table, &guard, &loss::ALL[0], |problem| {
            let whole = (search.run)(&problem).unwrap();
            let stopped = (search.run)(&Problem { stop: Some(Stop::after_work(&|| true)), ..problem }).unwrap();
            let name = search.card.name;
            assert!(whole.is_optimal() && !stopped.is_optimal(), "{name}: {stopped:?}");
            assert!(stopped.evaluated * 4 < whole.evaluated, "{name}: {} of {}", stopped.evaluated, whole.evaluated);
            assert!(stopped.gap.is_some_and(|gap| gap > 0.0) && stopped.bound <= whole.best.summary.units, "{name}");
        });
    }
}

/// Models that ask for more than there is, by the parameter that does.
const GREEDY: [(&str, &str, f64, &str); 6] = [
    ("k-anonymity", "k", 1000.0, ""),
    ("l-diversity", "l", 50.0, "distinct"),
    ("l-diversity", "l", 50.0, "entropy"),
    ("t-closeness", "t", 0.0, ""),
    ("beta-likeness", "beta", 0.000_001, ""),
    ("alpha-k", "alpha", 0.000_001, ""),
];

/// Whether the classes of a set are safe under a model with this parameter; nothing where no model takes it.
fn is_safe(table: &Table, set: &FrequencySet, model: (&str, &str, &str), value: f64, allowance: u64) -> Option<bool> {
    let guard = greedy(table, model, value)?;
    let verdict = guard.judge(set);
    Some(verdict.suppressed <= allowance && verdict.suppressed < table.records)
}

#[allow(clippy::cast_possible_truncation)] // whole numbers where it is cut
fn greedy(table: &Table, (name, parameter, kind): (&str, &str, &str), value: f64) -> Option<Guard> {
    let word = |text: &str| Value::Text(text.to_owned());
    let value = if parameter == "k" { Value::Integer(value as i64) } else { Value::Number(value) };
    let mut given = Parameters::from([(parameter.to_owned(), value)]);
    if name != "k-anonymity" {
        given.insert("variable".to_owned(), word(SECRET));
    }
    if name == "alpha-k" {
        given.insert("k".to_owned(), Value::Integer(2));
    }
    if !kind.is_empty() {
        given.insert("kind".to_owned(), word(kind));
    }
    Some(Guard::new(vec![privacy::build(name, &given, &sensitive(table)).ok()?]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_nearest_parameter_holds_and_no_nearer_one_does(drawn in drawn(), share in 0_u64..=10) {
        let table = drawn.table();
        let (top, allowance) = (questions::classes(&table, &table.lattice().top), table.records * share / 10);
        for (name, parameter, asked, kind) in GREEDY {
            let model = (name, parameter, kind);
            let safe = |value: f64| is_safe(&table, &top, model, value, allowance);
            let nearest = greedy(&table, model, asked).unwrap().nearest(&top, allowance);
            let [(_, nearest)] = nearest.as_slice() else {
                // The other parameter of a model may be out of reach, too.
                prop_assert!(name == "alpha-k" || safe(asked) == Some(true), "{name}");
                continue;
            };
            if nearest.parameter != parameter {
                continue;
            }
            // A millionth to the side that holds, and one to the other.
            let (holds, fails) = match (nearest.side, kind) {
                (NumberSide::AtMost, "entropy") => (nearest.value - 1e-6, nearest.value + 1e-6),
                (NumberSide::AtMost, _) => (nearest.value, nearest.value + 1.0),
                _ => (((nearest.value + 1e-6) * 1e6).floor() / 1e6, ((nearest.value - 1e-6) * 1e6).floor() / 1e6),
            };
            prop_assert_ne!(safe(holds), Some(false), "{} {} = {}", name, parameter, holds);
            prop_assert_ne!(safe(fails), Some(true), "{} {} = {}", name, parameter, fails);
        }
    }
}
