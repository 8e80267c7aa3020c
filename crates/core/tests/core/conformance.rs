//! What every member of every family must keep: the promises on the cards, attacked with random tables.
//!
//! The suite names no member. A new privacy model, loss or search is attacked as soon as it stands in its list.

use std::cmp;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::questions::{class_labels, classes, run, units};
use crate::tables::{RandomTable, SECRET, all_nodes, drawn, ladder, parameters, sample, sensitive, table, variable};
use equanym_core::card::{Kind, Parameter, Parameters, Promise};
use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::lattice::{Lattice, Node};
use equanym_core::loss::{self, CountedNode, FinerClasses, ForcedSuppression, JudgedClasses, Loss};
use equanym_core::privacy::{self, ClassView, Closure, Guard, PrivacyModel, Verdict};
use equanym_core::search::{self, Problem, SearchAnswer, SearchError};
use equanym_core::stop::Stop;
use equanym_core::utility::{self, CategoryColumn, Comparison, Meaning, MeasuredColumn, MeasuredTable};
use equanym_core::variable::Role;
use equanym_core::walk;
use proptest::prelude::*;

fn model(member: &privacy::ModelMember, table: &Table, above_least: u8) -> Box<dyn PrivacyModel> {
    privacy::build(member.card.name, &parameters(&member.card, above_least), &sensitive(table)).unwrap()
}

fn measure(member: &loss::LossMember, table: &Table, above_least: u8) -> Box<dyn Loss> {
    member.build(table, &parameters(&member.card, above_least)).unwrap()
}

/// Every model alone, and all of them together.
fn guards(table: &Table, above_least: u8) -> Vec<(&'static str, Guard)> {
    let alone = privacy::ALL.iter().map(|one| (one.card.name, Guard::new(vec![model(one, table, above_least)])));
    let together = Guard::new(privacy::ALL.iter().map(|one| model(one, table, above_least)).collect());
    alone.chain([("all models", together)]).collect()
}

fn counted(table: &Table, guard: &Guard, measure: &dyn Loss, node: &Node) -> CountedNode {
    let set = classes(table, node);
    let verdict = guard.judge(&set);
    counted_as(table, guard, measure, &JudgedClasses::new(&set, &verdict))
}

/// The same, counted from finer classes.
fn counted_from(table: &Table, guard: &Guard, measure: &dyn Loss, finer: &FrequencySet, node: &Node) -> CountedNode {
    let merged = table.roll_up(finer, node);
    let verdict = guard.judge(&merged.set);
    let count = JudgedClasses {
        set: &merged.set,
        verdict: &verdict,
        finer: Some(FinerClasses { set: finer, class_of: &merged.class_of }),
    };
    counted_as(table, guard, measure, &count)
}

fn counted_as(table: &Table, guard: &Guard, measure: &dyn Loss, count: &JudgedClasses<'_>) -> CountedNode {
    let forced = guard.forced(count.set, count.verdict).map(|forced| {
        let records = guard.forced_records(count.set, &forced);
        ForcedSuppression { records, limited: records, parts: measure.forced_parts(table, count, &forced) }
    });
    let (node, suppressed) = (count.set.node.clone(), count.verdict.suppressed);
    CountedNode { node, suppressed, limited: suppressed, summary: measure.summarise(table, count), forced }
}

/// The classes of every node, and which of them a guard keeps.
fn judged(table: &Table, guard: &Guard) -> BTreeMap<Node, (FrequencySet, Verdict)> {
    let judge = |node: Node| {
        let set = classes(table, &node);
        let verdict = guard.judge(&set);
        (node, (set, verdict))
    };
    all_nodes(&table.lattice()).into_iter().map(judge).collect()
}

/// What each node loses.
fn units_of<'j>(
    table: &Table,
    measure: &dyn Loss,
    judged: &'j BTreeMap<Node, (FrequencySet, Verdict)>,
) -> BTreeMap<&'j Node, u128> {
    judged.iter().map(|(node, (set, verdict))| (node, units(table, measure, set, verdict))).collect()
}

/// Pairs of nodes of which the first is at or below the second: all of them, or 400 from everywhere in the lattice.
fn intervals(table: &Table) -> Vec<(Node, Node)> {
    let nodes = all_nodes(&table.lattice());
    let above = |low: &Node| nodes.iter().filter(|high| low.is_at_or_below(high)).cloned().collect::<Vec<_>>();
    let all = nodes.iter().flat_map(|low| above(low).into_iter().map(|high| (low.clone(), high))).collect();
    sample(all, 400)
}

/// Labels, records, people, and the spread of the sensitive variable over both.
type Class = (Vec<String>, u64, u64, [Vec<(u32, u64)>; 2]);

/// Classes as a set of labels with sizes and spreads: what does not depend on the order of classes.
fn content(table: &Table, set: &FrequencySet) -> Vec<Class> {
    let labels = |class| class_labels(table, set, class).into_iter().map(str::to_owned).collect();
    let spread = |class| {
        [set.contents.sensitive[0].in_class(class), ClassView::new(set, class).sensitive_counts(0)].map(<[_]>::to_vec)
    };
    let mut content: Vec<_> =
        (0..set.len()).map(|class| (labels(class), set.sizes[class], set.people()[class], spread(class))).collect();
    content.sort();
    content
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_set_rolls_up_from_any_finer_set(drawn in drawn()) {
        let table = drawn.table();
        for (low, high) in intervals(&table) {
            let from_low = table.roll_up(&classes(&table, &low), &high);
            let direct = classes(&table, &high);
            prop_assert_eq!(content(&table, &from_low.set), content(&table, &direct));
            prop_assert_eq!(direct.sizes.iter().sum::<u64>(), table.records);
            prop_assert_eq!(from_low.class_of.len(), classes(&table, &low).len());
        }
    }

    #[test]
    fn allowed_classes_stay_allowed_as_promised(drawn in drawn(), above_least in 0_u8..6) {
        let table = drawn.table();
        for (member, (low, high)) in privacy::ALL.iter().flat_map(|one| intervals(&table).into_iter().map(move |pair| (one, pair))) {
            let model = model(member, &table, above_least);
            let finer = classes(&table, &low);
            let coarser = table.roll_up(&finer, &high);
            let before: Vec<bool> = (0..finer.len()).map(|class| model.allows(&ClassView::new(&finer, class))).collect();
            for merged in 0..coarser.set.len() {
                let mut parts = coarser.class_of.iter().zip(&before).filter(|(of, _)| **of as usize == merged).map(|(_, allowed)| *allowed);
                let promised = match model.closure() {
                    Closure::Any => parts.any(|allowed| allowed),
                    Closure::Union => finer.is_additive() && parts.all(|allowed| allowed),
                    Closure::None => false,
                };
                let after = model.allows(&ClassView::new(&coarser.set, merged));
                prop_assert!(!promised || after, "{} from {low:?} to {high:?}", member.card.name);
            }
        }
    }

    #[test]
    fn no_division_keeps_more_than_the_most(drawn in drawn(), above_least in 0_u8..6) {
        let table = drawn.table();
        for (name, guard) in guards(&table, above_least) {
            for (low, high) in intervals(&table) {
                let finer = classes(&table, &low);
                let coarser = table.roll_up(&finer, &high);
                let (before, after) = (guard.judge(&finer), guard.judge(&coarser.set));
                let Some(forced) = guard.forced(&coarser.set, &after) else { continue };
                prop_assert!(guard.forced_records(&coarser.set, &forced) <= before.suppressed, "{name} from {low:?} to {high:?}");
                let mut kept = vec![0; coarser.set.len()];
                for ((&class, size), _) in coarser.class_of.iter().zip(&finer.sizes).zip(&before.kept).filter(|(_, kept)| **kept) {
                    kept[class as usize] += size;
                }
                for ((kept, size), forced) in kept.iter().zip(&coarser.set.sizes).zip(&forced) {
                    prop_assert!(kept + forced <= *size, "{name} from {low:?} to {high:?}: {kept} of {size} with {forced} forced");
                }
            }
        }
    }

    #[test]
    fn suppressed_sets_shrink_upwards(drawn in drawn(), above_least in 0_u8..3) {
        let table = drawn.table();
        for (name, guard) in guards(&table, above_least).into_iter().filter(|(_, guard)| guard.closure() == Closure::Any) {
            for (low, high) in intervals(&table) {
                let finer = classes(&table, &low);
                let coarser = table.roll_up(&finer, &high);
                let (before, after) = (guard.judge(&finer), guard.judge(&coarser.set));
                for (class, &merged) in coarser.class_of.iter().enumerate() {
                    prop_assert!(after.kept[merged as usize] || !before.kept[class], "{name}: {low:?} {high:?}");
                }
                prop_assert!(after.suppressed <= before.suppressed);
            }
        }
    }

    #[test]
    fn a_bound_is_at_most_the_loss_of_every_node_between(drawn in drawn(), above_least in 0_u8..3) {
        let table = drawn.table();
        let losses: Vec<_> = loss::ALL.iter().map(|one| (one.card.name, measure(one, &table, above_least))).collect();
        let intervals = sample(intervals(&table), 60);
        for (_, guard) in guards(&table, above_least) {
            let judged = judged(&table, &guard);
            for (name, measure) in &losses {
                let units = units_of(&table, measure.as_ref(), &judged);
                for (low, high) in &intervals {
                    let lowest = counted(&table, &guard, measure.as_ref(), low);
                    let highest = counted(&table, &guard, measure.as_ref(), high);
                    let sharp = counted_from(&table, &guard, measure.as_ref(), &judged[low].0, high);
                    prop_assert_eq!(sharp.summary.units, highest.summary.units);
                    let bounds = [
                        measure.bound(low, None, Some(&highest)),
                        measure.bound(low, None, Some(&sharp)),
                        measure.bound(low, Some(&lowest), Some(&highest)),
                        measure.bound(low, Some(&lowest), None),
                        measure.bound(low, None, None),
                    ];
                    let between = Lattice { bottom: low.clone(), top: high.clone() };
                    for node in all_nodes(&between) {
                        let units = units[&node];
                        prop_assert!(bounds.iter().all(|&bound| bound <= units), "{name}: {bounds:?} {units} at {node:?} of {low:?} {high:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_loss_that_grows_with_merges_does(drawn in drawn(), above_least in 0_u8..3) {
        let table = drawn.table();
        prop_assume!(table.first_unnested().is_none());
        let losses: Vec<_> = loss::ALL.iter().map(|one| measure(one, &table, above_least)).collect();
        let intervals = intervals(&table);
        for (_, guard) in guards(&table, above_least) {
            let judged = judged(&table, &guard);
            for measure in &losses {
                let units = units_of(&table, measure.as_ref(), &judged);
                for (low, high) in &intervals {
                    let (lower, verdict) = &judged[low];
                    let is_merged = judged[high].0.len() < lower.len();
                    let expected = if is_merged { cmp::Ordering::Less } else { cmp::Ordering::Equal };
                    if measure.shape().grows_with_merges(verdict.suppressed > 0) {
                        prop_assert_eq!(units[low].cmp(&units[high]), expected, "{:?} below {:?}", low, high);
                    }
                }
            }
        }
    }

    #[test]
    fn a_loss_charges_suppression_as_its_card_says(drawn in drawn(), above_least in 0_u8..3) {
        let table = drawn.table();
        for (member, node) in loss::ALL.iter().flat_map(|one| all_nodes(&table.lattice()).into_iter().map(move |node| (one, node))) {
            let measure = measure(member, &table, above_least);
            let units = |node: &Node, kept: bool| {
                let set = classes(&table, node);
                let verdict = Verdict::keeping(vec![kept; set.len()], &set);
                self::units(&table, measure.as_ref(), &set, &verdict)
            };
            let (name, nothing) = (member.card.name, units(&table.fully_generalised(), false));
            prop_assert!(units(&node, true) <= nothing, "{name}: {node:?} loses more than a release of nothing");
            let charges = member.charges(&parameters(&member.card, above_least));
            if charges {
                prop_assert_eq!(units(&node, false), nothing, "{}: all suppressed loses most", name);
            } else {
                prop_assert_eq!(units(&node, false), units(&node, true), "{}", name);
            }
            if charges && member.card.keeps(Promise::ChargesAsFullGeneralisation) {
                prop_assert_eq!(units(&table.fully_generalised(), true), nothing, "{}", name);
            }
            if member.card.keeps(Promise::ZeroToOne) {
                prop_assert!(loss::as_number(measure.as_ref(), nothing) < 1.0 + 1e-9, "{name}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn metrics_that_lie_between_0_and_1_do(pairs in prop::collection::vec((-50_i8..50, -50_i8..50), 1..60)) {
        let measured = |pick: fn(&(i8, i8)) -> i8| MeasuredTable {
            columns: vec![MeasuredColumn::exact("x", pairs.iter().map(|pair| f64::from(pick(pair))).collect())],
            ..MeasuredTable::default()
        };
        let words = |name: &str, labels: Vec<Meaning>, cells: Vec<u32>| CategoryColumn {
            name: name.into(), cells, labels, values: 100, missing: Some(99), is_number: false,
        };
        let code = |value: i8| u32::from((value + 50).unsigned_abs());
        let values = || (0..100).map(Meaning::value).collect();
        // A label for two values each, one that is `*` and one that nobody can read.
        let label = |place: u32| match place {
            7 => Meaning::Unknown,
            8 => Meaning::Unmatched,
            _ => Meaning::among(vec![place, place ^ 1]),
        };
        let (mut before, mut after) = (measured(|pair| pair.0), measured(|pair| pair.1));
        for (name, pick) in [("a", (|pair| pair.0) as fn(&(i8, i8)) -> i8), ("b", |pair| pair.1)] {
            let cells: Vec<u32> = pairs.iter().map(|pair| code(pick(pair))).collect();
            before.categories.push(words(name, values(), cells.clone()));
            after.categories.push(words(name, (0..100).map(label).collect(), cells));
        }
        let comparison = Comparison::new(&before, &after, true).unwrap();
        for member in utility::ALL.iter().filter(|member| member.card.keeps(Promise::ZeroToOne)) {
            for figure in member.measure(&comparison, &Parameters::new()).unwrap() {
                prop_assert!((0.0..=1.0).contains(&figure.value), "{}: {figure:?}", member.card.name);
            }
        }
    }
}

#[test]
fn cards_promise_what_members_are() {
    let table = table(vec![variable("x", 1.0, ladder("0;*\n1;*"))], &[vec![0], vec![1]], Some(&[0, 1]));
    for member in privacy::ALL {
        let has = |promise| member.card.keeps(promise);
        let promised = if has(Promise::Monotone) { Closure::Any } else { Closure::Union };
        let judges_all = (0..6).all(|above_least| model(member, &table, above_least).over_table().is_some());
        assert!(!has(Promise::MergesKeepTheTable) || judges_all, "{}", member.card.name);
        if has(Promise::Monotone) || has(Promise::ClosedUnderUnion) || has(Promise::MergesKeepTheTable) {
            (0..6).for_each(|above_least| assert_eq!(model(member, &table, above_least).closure(), promised));
        }
    }
    for member in walk::ALL {
        assert!(member.card.keeps(Promise::StaysInRegion), "{}", member.card.name);
    }
}

#[test]
fn every_default_fits_its_card() {
    let losses = loss::ALL.iter().map(|member| &member.card);
    let models = privacy::ALL.iter().map(|member| &member.card);
    for card in losses.chain(models) {
        let compulsory = |name: &str| card.parameters.iter().any(|one| one.name == name && one.default.is_none());
        let given: Parameters = parameters(card, 0).into_iter().filter(|(name, _)| compulsory(name)).collect();
        let checked = card.check(&given, |name| (name == SECRET).then_some(Role::Sensitive)).unwrap();
        let is_free = |one: &&Parameter| {
            let goes_with_another =
                matches!(one.kind, Kind::WithChoice { .. } | Kind::WithParameter { .. } | Kind::Optional(_));
            !goes_with_another || given.contains_key(one.name)
        };
        assert_eq!(checked.len(), card.parameters.iter().filter(is_free).count(), "{}", card.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn exact_searches_equal_the_oracle(drawn in drawn(), above_least in 0_u8..4, share in 0_u64..=10) {
        let table = drawn.table();
        let allowance = table.records * share / 10;
        for (member, (name, guard)) in loss::ALL.iter().flat_map(|one| guards(&table, above_least).into_iter().map(move |guard| (one, guard))) {
            let measure = measure(member, &table, above_least);
            let problem = Problem::new(&table, &guard, measure.as_ref(), allowance);
            let oracle = run("exhaustive", &problem);
            for search in search::ALL {
                let found = (search.run)(&problem);
                if matches!(found, Err(SearchError::NotMonotone { .. })) && guard.closure() != Closure::Any {
                    continue;
                }
                // It says less than that nothing is safe.
                if matches!(found, Err(SearchError::WithholdsNobody { .. })) && search.tells_nothing() {
                    continue;
                }
                attack(search, &found, &oracle).map_err(|what| {
                    TestCaseError::fail(format!("{} with {} and {name}: {what}", search.card.name, member.card.name))
                })?;
            }
        }
    }

    #[test]
    fn a_search_that_stops_early_proves_its_gap(drawn in drawn(), share in 0_u64..=10, patience in 0_u64..6) {
        let table = drawn.table();
        for (member, (name, guard)) in loss::ALL.iter().flat_map(|one| guards(&table, 1).into_iter().map(move |guard| (one, guard))) {
            let measure = measure(member, &table, 0);
            let asked = AtomicU64::new(0);
            let impatient = || asked.fetch_add(1, Ordering::Relaxed) >= patience;
            let problem = |stop| Problem { stop, ..Problem::new(&table, &guard, measure.as_ref(), table.records * share / 10) };
            let Ok(oracle) = run("exhaustive", &problem(None)) else { continue };
            for search in search::ALL.iter().filter(|search| search.is_anytime()) {
                for stop in [Stop::after_work(&impatient), Stop::by_clock(&impatient)] {
                    asked.store(0, Ordering::Relaxed);
                    let found = (search.run)(&problem(Some(stop))).unwrap();
                    let optimum = oracle.best.summary.units;
                    prop_assert!(found.bound <= optimum && optimum <= found.best.summary.units, "{} with {name}", member.card.name);
                    let again = counted(&table, &guard, measure.as_ref(), &found.best.node);
                    prop_assert_eq!((again.suppressed, again.summary.units), (found.best.suppressed, found.best.summary.units));
                    prop_assert!(again.suppressed <= problem(None).allowance);
                }
            }
        }
    }

    #[test]
    fn a_search_that_stops_at_once_looks_at_few_nodes(drawn in drawn(), share in 0_u64..=10) {
        let table = drawn.table();
        prop_assume!(table.lattice().size() > 40);
        for member in loss::ALL {
            let measure = measure(member, &table, 0);
            let guard = Guard::new(vec![model(&privacy::ALL[0], &table, 0)]);
            let problem = |stop| Problem { stop, ..Problem::new(&table, &guard, measure.as_ref(), table.records * share / 10) };
            for search in search::ALL.iter().filter(|search| search.is_anytime()) {
                let Ok(found) = (search.run)(&problem(Some(Stop::by_clock(&|| true)))) else { continue };
                prop_assert!(found.evaluated <= 1, "{} counts {}", search.card.name, found.evaluated);
                prop_assert_eq!(found.gap == Some(0.0), found.is_optimal());
                // The gap is a share of the loss: what is left of it is the bound.
                let (units, bound) = (found.best.summary.units as f64, found.bound as f64);
                let left = found.gap.map_or(bound, |gap| units * (1.0 - gap));
                prop_assert!((left - bound).abs() <= 1e-9 * units, "{}: {:?}", search.card.name, found.gap);
            }
        }
    }

    #[test]
    fn answers_do_not_depend_on_the_order_of_records(drawn in drawn(), allowance in 0_u64..6) {
        let shuffled = drawn.reversed();
        for member in loss::ALL {
            for search in search::ALL {
                let answer = |drawn: &RandomTable| {
                    let table = drawn.table();
                    let measure = measure(member, &table, 0);
                    let guard = Guard::new(vec![model(&privacy::ALL[0], &table, 0)]);
                    let problem = Problem::new(&table, &guard, measure.as_ref(), allowance);
                    (search.run)(&problem).map(|found| (found.best.node, found.best.summary.units, found.evaluated))
                };
                prop_assert_eq!(answer(&drawn), answer(&shuffled));
            }
        }
    }
}

/// What an answer must be, given what the oracle says: no answer where there is none, nothing better than the oracle's,
/// a bound that the oracle's does not undercut, the oracle's loss where optimality is claimed, and the oracle's node, ties
/// included, where the card promises it.
fn attack(
    search: &search::SearchMember,
    found: &Result<SearchAnswer, SearchError>,
    oracle: &Result<SearchAnswer, SearchError>,
) -> Result<(), String> {
    match (found, oracle) {
        (Ok(found), Ok(oracle)) => {
            let is_exact = search.card.keeps(Promise::Exact);
            if is_exact && !found.is_optimal() {
                return Err("an exact search does not claim its answer".to_owned());
            }
            if found.bound > oracle.best.summary.units {
                return Err(format!("the bound {} is above the optimum {}", found.bound, oracle.best.summary.units));
            }
            if found.is_optimal() && found.best.summary.units != oracle.best.summary.units {
                return Err(format!("claims {:?}, and {:?} loses less", found.best, oracle.best));
            }
            let answer =
                |found: &SearchAnswer| (found.best.node.clone(), found.best.suppressed, found.best.summary.units);
            if is_exact && answer(found) != answer(oracle) {
                return Err(format!("{:?} instead of {:?}", found.best, oracle.best));
            }
            Ok(())
        }
        (Err(found), Err(oracle)) if found == oracle => Ok(()),
        _ => Err(format!("{found:?} instead of {oracle:?}")),
    }
}
