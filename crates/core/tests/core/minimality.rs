//! An intruder who knows all keys and runs the whole search for every assignment of sensitive values.
//!
//! Tables are so small that all assignments are tried. What the intruder then knows is counted, and compared with what is
//! promised: by a discreet search, that it is what the release tells; by the finding, that nobody is told more whom it does not count.

use std::collections::{BTreeMap, BTreeSet};

use equanym_core::card::{Parameters, Value};
use equanym_core::frequency::Table;
use equanym_core::lattice::Node;
use equanym_core::loss;
use equanym_core::minimality::{Minimality, minimality};
use equanym_core::privacy::{self, ClassView, Guard, Verdict};
use equanym_core::random::Seed;
use equanym_core::search::{self, Problem};

use crate::questions::{class_labels, classes, given, measure, record_labels, run, units, word};
use crate::tables::{SECRET, all_nodes, ladder, sensitive, table, variable};

const VALUES: u32 = 3;

/// Two columns of four values, in pairs and then all alike; or one.
const LADDERS: [&str; 2] = ["a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*", "e;*\nf;*"];

type Labels = Vec<String>;

/// People as an intruder knows them.
struct KnownPeople {
    keys: Vec<Vec<u32>>,
    columns: usize,
}

/// What is released of an assignment: a node and its kept classes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ShownRelease {
    node: Node,
    kept: BTreeSet<Labels>,
}

impl KnownPeople {
    fn drawn(seed: u64, people: usize) -> Self {
        let mut stream = Seed::from(seed).stream(0);
        let columns = 1 + stream.below(2);
        let sizes = [4, 2];
        let mut code = |column: usize| u32::try_from(stream.below(sizes[column])).unwrap();
        let keys = (0..people).map(|_| (0..columns).map(&mut code).collect()).collect();
        Self { keys, columns }
    }

    fn table(&self, secrets: &[u32]) -> Table {
        let variables = LADDERS.iter().take(self.columns).map(|rows| variable("v", 1.0, ladder(rows))).collect();
        table(variables, &self.keys, Some(secrets))
    }

    /// Every assignment of values.
    fn assignments(&self) -> Vec<Vec<u32>> {
        let people = u32::try_from(self.keys.len()).unwrap();
        let digits = |number: u32| (0..people).map(|place| number / VALUES.pow(place) % VALUES).collect();
        (0..VALUES.pow(people)).map(digits).collect()
    }

    fn labels(&self, table: &Table, node: &Node) -> Vec<Labels> {
        let owned = |key: &Vec<u32>| record_labels(table, node, key).into_iter().map(str::to_owned).collect();
        self.keys.iter().map(owned).collect()
    }

    /// The values of each kept class of a release, had the people these values.
    fn shown(released: &ShownRelease, labels: &[Labels], secrets: &[u32]) -> BTreeMap<Labels, Vec<u32>> {
        let mut shown: BTreeMap<Labels, Vec<u32>> = BTreeMap::new();
        for (labels, secret) in labels.iter().zip(secrets).filter(|(labels, _)| released.kept.contains(*labels)) {
            shown.entry(labels.clone()).or_default().push(*secret);
        }
        for values in shown.values_mut() {
            values.sort_unstable();
        }
        shown
    }
}

/// A policy but for the table.
struct PolicyTerms {
    models: Vec<(&'static str, Parameters)>,
    loss: &'static str,
    allowance: u64,
}

impl PolicyTerms {
    /// k = 2 and one model that looks at values.
    fn of(model: &'static str, parameters: &[(&str, Value)], loss: &'static str, allowance: u64) -> Self {
        let of_secret = [parameters, &[("variable", word(SECRET))]].concat();
        let k = given(&[("k", Value::Integer(2))]);
        Self { models: vec![("k-anonymity", k), (model, given(&of_secret))], loss, allowance }
    }

    fn guard(&self, table: &Table) -> Guard {
        let known = sensitive(table);
        let models = self.models.iter().map(|(name, given)| privacy::build(name, given, &known).unwrap());
        Guard::new(models.collect())
    }

    /// Whether a model compares classes with the whole table.
    fn compares(&self) -> bool {
        self.models.iter().any(|(name, _)| ["t-closeness", "beta-likeness", "delta-disclosure"].contains(name))
    }

    /// What a search releases of a table, and what is said of its choice.
    fn release(&self, table: &Table, search: &str) -> Option<(ShownRelease, Minimality)> {
        let (guard, measure) = (self.guard(table), measure(table, self.loss));
        let problem = Problem::new(table, &guard, measure.as_ref(), self.allowance);
        let found = run(search, &problem).ok()?;
        let set = classes(table, &found.best.node);
        let Verdict { kept, .. } = guard.judge(&set);
        let labels = |class| class_labels(table, &set, class).into_iter().map(str::to_owned).collect();
        let kept = (0..set.len()).filter(|&class| kept[class]).map(labels).collect();
        let told = minimality(&problem, &found.best, true);
        Some((ShownRelease { node: found.best.node, kept }, told))
    }
}

/// Models that look at values, with losses and limits.
fn terms() -> Vec<PolicyTerms> {
    let (whole, number) = (Value::Integer, Value::Number);
    let losses = ["non-uniform-entropy", "discernibility", "discernibility-star", "average-class-size"];
    let models = vec![
        ("l-diversity", vec![("l", whole(2))]),
        ("l-diversity", vec![("l", whole(3))]),
        ("l-diversity", vec![("l", number(1.8)), ("kind", word("entropy"))]),
        ("l-diversity", vec![("l", whole(2)), ("kind", word("recursive")), ("c", number(2.0))]),
        ("alpha-k", vec![("alpha", number(0.5)), ("k", whole(2))]),
        ("alpha-k", vec![("alpha", number(0.67)), ("k", whole(3))]),
        ("t-closeness", vec![("t", number(0.4))]),
        ("t-closeness", vec![("t", number(0.3)), ("distance", word("ordered"))]),
        ("t-closeness", vec![("t", number(0.4)), ("distance", word("hierarchical"))]),
        ("beta-likeness", vec![("beta", number(1.0))]),
        ("delta-disclosure", vec![("delta", number(1.2)), ("absent", word("ignored"))]),
        ("delta-disclosure", vec![("delta", number(1.5))]),
        ("l-diversity", vec![("l", number(1.5)), ("kind", word("entropy")), ("estimator", word("grassberger"))]),
        ("lkc", vec![("l", whole(1)), ("k", whole(2)), ("c", number(0.7))]),
    ];
    let mut terms = Vec::new();
    for (place, (name, parameters)) in models.into_iter().enumerate() {
        terms.push(PolicyTerms::of(name, &parameters, losses[place % losses.len()], (place % 3) as u64));
    }
    terms
}

#[test]
fn whoever_runs_a_discreet_search_again_learns_nothing() {
    let mut steps = 0;
    for search in search::ALL.iter().filter(|search| search.tells_nothing()) {
        for (place, terms) in terms().iter().enumerate() {
            let people = KnownPeople::drawn(place as u64, 6);
            let outcomes: Vec<_> = people
                .assignments()
                .into_iter()
                .map(|secrets| (terms.release(&people.table(&secrets), search.card.name), secrets))
                .collect();
            let releases: BTreeSet<&ShownRelease> =
                outcomes.iter().filter_map(|(found, _)| found.as_ref()).map(|(released, _)| released).collect();
            for released in releases {
                let labels = people.labels(&people.table(&outcomes[0].1), &released.node);
                let everybody = labels.iter().all(|labels| released.kept.contains(labels));
                assert!(everybody, "{}: somebody is withheld", terms.models[1].0);
                steps += usize::from(released.node != people.table(&outcomes[0].1).lattice().top);
                let mut alike: BTreeMap<_, BTreeSet<bool>> = BTreeMap::new();
                for (found, secrets) in &outcomes {
                    let is_it = found.as_ref().is_some_and(|(one, _)| one == released);
                    alike.entry(KnownPeople::shown(released, &labels, secrets)).or_default().insert(is_it);
                }
                let told = alike.values().filter(|is_it| is_it.len() > 1).count();
                assert_eq!(told, 0, "{} at {:?}", terms.models[1].0, released.node);
            }
        }
    }
    assert!(steps > 3, "the search never left the top");
}

/// For how many people the chances of some value are others for somebody who runs the search than for somebody who sees the release.
fn surprised(all: &[&Vec<u32>], known: &[&Vec<u32>]) -> usize {
    let people = known.first().map_or(0, |one| one.len());
    let having = |list: &[&Vec<u32>], person: usize, value: u32| list.iter().filter(|one| one[person] == value).count();
    let is_surprised = |person: &usize| {
        (0..VALUES).any(|value| having(known, *person, value) * all.len() != having(all, *person, value) * known.len())
    };
    (0..people).filter(is_surprised).count()
}

fn totals(secrets: &[u32]) -> Vec<usize> {
    (0..VALUES).map(|value| secrets.iter().filter(|one| **one == value).count()).collect()
}

#[test]
fn nobody_is_told_anything_who_is_not_counted() {
    let (mut cases, mut telling, mut counted, mut surprises) = (0, 0, 0, 0);
    for (place, terms) in terms().iter().enumerate() {
        let people = KnownPeople::drawn(100 + place as u64, 6);
        let assignments = people.assignments();
        let outcomes: Vec<_> =
            assignments.iter().map(|secrets| terms.release(&people.table(secrets), "optimal")).collect();
        let mut seen = BTreeSet::new();
        for (secrets, outcome) in assignments.iter().zip(&outcomes) {
            let Some((released, told)) = outcome else { continue };
            let labels = people.labels(&people.table(secrets), &released.node);
            let shown = KnownPeople::shown(released, &labels, secrets);
            let whole = terms.compares().then(|| totals(secrets));
            if !seen.insert((released, shown.clone(), whole.clone(), *told)) {
                continue;
            }
            let fits = |other: &Vec<u32>| {
                whole.as_ref().is_none_or(|whole| totals(other) == *whole)
                    && KnownPeople::shown(released, &labels, other) == shown
            };
            let all: Vec<(usize, &Vec<u32>)> =
                assignments.iter().enumerate().filter(|(_, other)| fits(other)).collect();
            let is_it = |place: usize| outcomes[place].as_ref().is_some_and(|(one, _)| one == released);
            let known: Vec<&Vec<u32>> = all.iter().filter(|(place, _)| is_it(*place)).map(|(_, one)| *one).collect();
            let all: Vec<&Vec<u32>> = all.into_iter().map(|(_, one)| one).collect();
            let found = surprised(&all, &known);
            let name = terms.models[1].0;
            assert!(found as u64 <= told.people, "{name}: {found} of {told:?} at {released:?} with {secrets:?}");
            assert!(told.singled_out <= told.people && told.withheld <= told.singled_out);
            cases += 1;
            telling += usize::from(known.len() < all.len());
            counted += told.people;
            surprises += found as u64;
        }
    }
    // It is worth nothing if nobody is ever told anything, or if everybody always counts.
    assert!(telling > 100 && telling < cases, "{telling} of {cases}");
    assert!(surprises > 100 && counted < 6 * cases as u64, "{surprises} {counted} of {cases}");
}

/// One column and no suppression: who is singled out is in a class that brute force finds to be refused for certain, and only because of
/// the choice.
#[test]
fn who_is_singled_out_is_known_for_certain() {
    let (mut singled_out, mut known_for_certain) = (0, 0);
    for seed in 0..6 {
        let people = KnownPeople { columns: 1, ..KnownPeople::drawn(200 + seed, 7) };
        let people = KnownPeople { keys: people.keys.iter().map(|key| key[..1].to_vec()).collect(), ..people };
        let terms = PolicyTerms::of("l-diversity", &[("l", Value::Integer(2))], "non-uniform-entropy", 0);
        let assignments = people.assignments();
        let outcomes: Vec<_> =
            assignments.iter().map(|secrets| terms.release(&people.table(secrets), "optimal")).collect();
        for (secrets, outcome) in assignments.iter().zip(&outcomes).step_by(7) {
            let Some((released, told)) = outcome else { continue };
            let table = people.table(secrets);
            let labels = people.labels(&table, &released.node);
            let shown = KnownPeople::shown(released, &labels, secrets);
            let fits = |place: &usize| KnownPeople::shown(released, &labels, &assignments[*place]) == shown;
            let all: Vec<usize> = (0..assignments.len()).filter(fits).collect();
            let known: Vec<usize> = all
                .iter()
                .copied()
                .filter(|place| outcomes[*place].as_ref().is_some_and(|(one, _)| one == released))
                .collect();
            let mut sure = BTreeSet::new();
            let mut is_forced = false;
            for node in all_nodes(&table.lattice()) {
                let at_node = people.labels(&table, &node);
                for class in at_node.iter().collect::<BTreeSet<_>>() {
                    let members: Vec<usize> = (0..at_node.len()).filter(|one| at_node[*one] == *class).collect();
                    let is_refused = |place: &usize| {
                        let values: BTreeSet<u32> = members.iter().map(|one| assignments[*place][*one]).collect();
                        members.len() >= 2 && values.len() < 2
                    };
                    is_forced |= all.iter().all(is_refused);
                    if known.iter().all(is_refused) && !all.iter().all(is_refused) {
                        sure.extend(members);
                    }
                }
            }
            let found = told.singled_out;
            assert!(is_forced || found <= sure.len() as u64, "{sure:?} of {told:?} {secrets:?} {:?}", people.keys);
            assert!(sure.len() as u64 <= told.people);
            singled_out += found;
            known_for_certain += sure.len() as u64;
        }
    }
    assert!(singled_out > 20 && known_for_certain > 20, "{singled_out} of {known_for_certain}");
}

/// Two towns: in one two people with the same illness, in the other eight with eight others.
fn towns() -> Table {
    let towns = variable("town", 1.0, ladder("a;*\nb;*"));
    let keys: Vec<Vec<u32>> = (0..10).map(|person| vec![u32::from(person > 1)]).collect();
    table(vec![towns], &keys, Some(&[0, 0, 1, 2, 3, 4, 5, 6, 7, 8]))
}

#[test]
fn the_published_example_is_found() {
    let (table, terms) =
        (towns(), PolicyTerms::of("l-diversity", &[("l", Value::Integer(2))], "non-uniform-entropy", 0));
    let (released, told) = terms.release(&table, "optimal").unwrap();
    assert_eq!(released.node, vec![1].into());
    assert_eq!(told, Minimality { nodes: 1, people: 10, singled_out: 2, ..Minimality::default() });
    // Where two records may be withheld, both are told by it.
    let (released, told) = PolicyTerms { allowance: 2, ..terms }.release(&table, "optimal").unwrap();
    assert_eq!(released.node, vec![0].into());
    assert_eq!((told.people, told.singled_out, told.withheld), (2, 2, 2));
    // Without a model that looks at values, values say nothing.
    let models = vec![("k-anonymity", given(&[("k", Value::Integer(2))]))];
    let (_, told) = PolicyTerms { models, loss: "discernibility", allowance: 0 }.release(&table, "optimal").unwrap();
    assert_eq!(told, Minimality::default());
}

#[test]
fn an_answer_without_proof_tells_of_everybody() {
    let (table, terms) =
        (towns(), PolicyTerms::of("l-diversity", &[("l", Value::Integer(2))], "non-uniform-entropy", 0));
    let (guard, measure) = (terms.guard(&table), measure(&table, terms.loss));
    let problem = Problem::new(&table, &guard, measure.as_ref(), 0);
    let best = run("optimal", &problem).unwrap().best;
    let told = minimality(&problem, &best, false);
    assert_eq!(told, Minimality { people: 10, is_unknown: true, ..Minimality::default() });
}

/// What [`privacy::PrivacyModel::allows_any`] says is so for every group.
#[test]
fn a_class_that_may_be_divided_anyhow_holds_no_refused_group() {
    let mut stream = Seed::from(7).stream(0);
    let mut allowed = 0;
    for terms in terms() {
        for _ in 0..40 {
            let people = 2 + stream.below(9);
            let secrets: Vec<u32> = (0..people).map(|_| u32::try_from(stream.below(4)).unwrap()).collect();
            let keys = vec![vec![0]; people];
            let one_class = table(vec![variable("v", 1.0, ladder("a;*"))], &keys, Some(&secrets));
            let (name, parameters) = &terms.models[1];
            let model = privacy::build(name, parameters, &sensitive(&one_class)).unwrap();
            for size in 1..=people {
                let view = ClassView::new(one_class.keys(), 0);
                let promised = model.allows_any(&view, size as u64);
                allowed += usize::from(promised && size < people);
                for group in (0_u32..1 << people).filter(|group| group.count_ones() as usize == size) {
                    let is_in = |person: &usize| group >> person & 1 == 1;
                    let values: Vec<u32> = (0..people).filter(is_in).map(|person| secrets[person]).collect();
                    let group = table(vec![variable("v", 1.0, ladder("a;*"))], &vec![vec![0]; size], Some(&values));
                    let is_allowed = model.allows(&ClassView::new(group.keys(), 0));
                    assert!(is_allowed || !promised, "{name}: {size} of {secrets:?}: {values:?}");
                }
                assert!(
                    !promised || model.allows_any(&view, size as u64 + 1) || size == people,
                    "{name}: not {size} + 1"
                );
            }
        }
    }
    assert!(allowed > 200, "{allowed}");
}

/// That a node that withholds more ranks no earlier: what is passed over by keys is passed over.
#[test]
fn withholding_more_costs_no_less() {
    let mut stream = Seed::from(11).stream(0);
    for round in 0..60 {
        let people = KnownPeople::drawn(300 + round, 12);
        let table = people.table(&[0; 12]);
        let whole = |member: &&loss::LossMember| member.card.parameters.iter().all(|one| one.default.is_some());
        for member in loss::ALL.iter().filter(whole) {
            let measure = member.build(&table, &Parameters::new()).unwrap();
            assert!(!measure.looks_at_values());
            for node in all_nodes(&table.lattice()) {
                let set = classes(&table, &node);
                let fewer: Vec<bool> = (0..set.len()).map(|_| stream.below(3) > 0).collect();
                let none: Vec<bool> = fewer.iter().map(|kept| *kept && stream.below(2) > 0).collect();
                let cost = |kept: Vec<bool>| units(&table, measure.as_ref(), &set, &Verdict::keeping(kept, &set));
                let (some, more) = (cost(fewer), cost(none));
                assert!(some <= more, "{}: {some} {more}", member.card.name);
            }
        }
    }
    // One that does look at values says so.
    let (table, target) = (towns(), given(&[("target", word(SECRET))]));
    let looking = loss::ALL.iter().filter(|member| !member.card.parameters.iter().all(|one| one.default.is_some()));
    looking.for_each(|member| assert!(member.build(&table, &target).unwrap().looks_at_values()));
}
