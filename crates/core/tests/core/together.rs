//! Models that look beyond a class, several at once: what one withholds may break another, and no search may miss a node.

use equanym_core::card::Value;
use equanym_core::frequency::Table;
use equanym_core::privacy::{Guard, PrivacyModel};
use proptest::prelude::*;

use crate::by_definition::Case;
use crate::models::built;
use crate::questions::{classes, measure, unit, word};
use crate::tables::{all_nodes, drawn, sensitive};

/// Parts of keys, the whole table, and the population where it is known.
fn models(table: &Table, knows_population: bool, (k, share, which): (i64, f64, usize)) -> Vec<Box<dyn PrivacyModel>> {
    let known = sensitive(table);
    let parts = [("l", Value::Integer(2)), ("k", Value::Integer(k)), ("c", Value::Number(0.8))];
    let mut models = vec![built("lkc", &parts, &known)];
    if which != 1 {
        models.push(built("average-risk", &[("max", Value::Number(share))], &known));
    }
    if which != 0 {
        let at_risk = [("highest", Value::Number(0.4)), ("share", Value::Number(share / 2.0))];
        models.push(built("records-at-risk", &at_risk, &known));
    }
    if which == 2 && knows_population {
        let map = [("k", Value::Integer(k)), ("population", word("all.csv"))];
        models.push(built("k-map", &map, &known));
    }
    models
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn all_hold_together_and_the_best_node_is_found(
        drawn in drawn(),
        loss in prop::sample::select(vec!["non-uniform-entropy", "discernibility-star", "iyengar", "average-class-size"]),
        limits_people: bool,
        asked in (2_i64..4, prop::sample::select(vec![0.25, 0.4, 0.6]), 0_usize..3),
    ) {
        let table = drawn.table();
        let guard = Guard::new(models(&table, drawn.others.is_some(), asked)).limiting(unit(limits_people));
        let measure = measure(&table, loss);
        for node in all_nodes(&table.lattice()) {
            let set = classes(&table, &node);
            let verdict = guard.judge(&set);
            let again = guard.judge_among(&set, |class| verdict.kept[class]);
            prop_assert_eq!(&again.kept, &verdict.kept, "what is left does not hold at {:?}", node);
        }
        let case = Case { table: &table, guard: &guard, loss: measure.as_ref(), name: format!("{asked:?}") };
        case.attack(|set| guard.judge(set))?;
    }
}
