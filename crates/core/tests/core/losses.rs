//! Losses of one small table, worked out by hand.
//!
//! Six records of ward and sex, with an outcome to predict:
//!
//! | ward | sex | outcome |   | ward | sex | outcome |
//! |------|-----|---------|---|------|-----|---------|
//! | a    | M   | 0       |   | c    | F   | 1       |
//! | a    | M   | 0       |   | d    | M   | 0       |
//! | b    | F   | 1       |   | d    | F   | 1       |
//!
//! The ladder of the wards joins a and b, and c, d and e. Nobody lies in ward e: it counts all the same.

use crate::questions::{self, classes, given, guard, word};
use crate::tables::{SECRET, ladder, table, variable};
use equanym_core::card::{ParameterError, Parameters, Value};
use equanym_core::frequency::Table;
use equanym_core::lattice::Node;
use equanym_core::loss;
use equanym_core::search::{self, Problem};

fn wards() -> Table {
    let ward = variable("ward", 0.75, ladder("a;ab;*\nb;ab;*\nc;cde;*\nd;cde;*\ne;cde;*\n"));
    let sex = variable("sex", 0.25, ladder("M;*\nF;*\n"));
    let records = [[0, 0], [0, 0], [1, 1], [2, 1], [3, 0], [3, 1]];
    table(vec![ward, sex], &records.map(|record| record.to_vec()), Some(&[0, 0, 1, 1, 0, 1]))
}

fn loss_at(table: &Table, name: &str, parameters: &[(&str, Value)], k: i64, node: [u8; 2]) -> f64 {
    let measure = loss::find(name).unwrap().build(table, &given(parameters)).unwrap();
    let set = classes(table, &Node::from(node.to_vec()));
    let units = questions::units(table, measure.as_ref(), &set, &guard(k, 1).judge(&set));
    loss::as_number(measure.as_ref(), units)
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

fn points() -> [(&'static str, Value); 1] {
    [("weights", word("points"))]
}

#[test]
fn iyengar_counts_the_values_that_do_not_occur() {
    let at = |k, node| loss_at(&wards(), "iyengar", &[], k, node);
    close(at(1, [0, 0]), 0.0);
    // Three cells show ab, which stands for 2 of 5 wards: 1/4 each. Three show cde, 3 of 5: 2/4 each. Twelve cells.
    close(at(1, [1, 0]), (3.0 * 0.25 + 3.0 * 0.5) / 12.0);
    close(at(1, [2, 1]), 1.0);
    // b F and d M stand alone: their four cells pay 1. Two cells show ab, two show cde.
    close(at(2, [1, 0]), (4.0 + 2.0 * 0.25 + 2.0 * 0.5) / 12.0);
}

#[test]
fn iyengar_weighs_by_points_on_request() {
    // The mean of the wards is 2.25 / 6 = 0.375; three quarters of the points are theirs.
    close(loss_at(&wards(), "iyengar", &points(), 1, [1, 0]), 0.75 * 0.375);
    close(loss_at(&wards(), "iyengar", &points(), 1, [0, 1]), 0.25);
    close(loss_at(&wards(), "iyengar", &points(), 1, [2, 1]), 1.0);
}

#[test]
fn a_domain_of_one_value_has_nothing_to_lose() {
    let only = table(vec![variable("v", 1.0, ladder("a;*\n"))], &[vec![0], vec![0]], None);
    for name in ["iyengar", "ambiguity"] {
        let measure = loss::find(name).unwrap().build(&only, &Parameters::new()).unwrap();
        assert_eq!(loss::units_of_full_generalisation(measure.as_ref(), &only), 0, "{name}");
    }
}

#[test]
fn precision_weighs_by_points_on_request() {
    // The ward stands at 1 of 2, the sex at 1 of 1.
    close(loss_at(&wards(), "precision", &[], 1, [1, 1]), f64::midpoint(0.5, 1.0));
    close(loss_at(&wards(), "precision", &points(), 1, [1, 1]), 0.75 * 0.5 + 0.25);
}

#[test]
fn ambiguity_is_the_bits_that_labels_leave_open() {
    let (two, three, five) = (1.0, 3_f64.log2(), 5_f64.log2());
    let at = |k, node| loss_at(&wards(), "ambiguity", &[], k, node);
    close(at(1, [0, 0]), 0.0);
    close(at(1, [1, 0]), 3.0 * two + 3.0 * three);
    close(at(1, [2, 1]), 6.0 * (five + two));
    // Two records show ab, two cde; b F and d M are suppressed: any ward, any sex.
    close(at(2, [1, 0]), 2.0 * two + 2.0 * three + 2.0 * (five + two));
    close(loss_at(&wards(), "ambiguity", &points(), 1, [1, 1]), 0.75 * (3.0 * two + 3.0 * three) + 0.25 * 6.0 * two);
}

#[test]
fn ambiguity_is_the_logarithm_of_the_product_of_label_sizes() {
    // At [1, 1] three records could stand for 2 · 2 originals each, three for 3 · 2.
    let product: f64 = [4.0, 4.0, 4.0, 6.0, 6.0, 6.0].into_iter().product();
    close(loss_at(&wards(), "ambiguity", &[], 1, [1, 1]), product.log2());
}

#[test]
fn average_class_size_takes_the_suppressed_records_for_one_class() {
    let at = |k, node| loss_at(&wards(), "average-class-size", &[], k, node);
    // ab M, ab F, cde F, cde M: four classes; the second and the last hold one record each.
    close(at(1, [1, 0]), 6.0 / 4.0);
    close(at(2, [1, 0]), 6.0 / 3.0);
    close(at(9, [1, 0]), 6.0);
    close(at(1, [2, 1]), 6.0);
    let in_threes = [("k", Value::Integer(3))];
    close(loss_at(&wards(), "average-class-size", &in_threes, 2, [1, 0]), 6.0 / 3.0 / 3.0);
}

#[test]
fn height_is_the_sum_of_the_levels_whatever_is_suppressed() {
    for k in [1, 2, 9] {
        close(loss_at(&wards(), "height", &[], k, [0, 0]), 0.0);
        close(loss_at(&wards(), "height", &[], k, [2, 1]), 3.0);
    }
}

fn towards_the_outcome() -> [(&'static str, Value); 1] {
    [("target", word(SECRET))]
}

#[test]
fn classification_counts_the_records_that_the_majority_outvotes() {
    let at = |k, node| loss_at(&wards(), "classification", &towards_the_outcome(), k, node);
    // Sex tells the outcome. Without it ab holds 0 0 1, cde holds 1 0 1: one wrong in each.
    close(at(1, [1, 0]), 0.0);
    close(at(1, [1, 1]), 2.0 / 6.0);
    // All together three against three.
    close(at(1, [2, 1]), 3.0 / 6.0);
    // By ward alone: b and c stand alone and are suppressed, d holds 0 and 1.
    close(at(2, [0, 1]), (2.0 + 1.0) / 6.0);
    // Nothing left: worse than the fully generalised table.
    close(at(9, [2, 1]), 1.0);
}

#[test]
fn classification_gives_up_what_says_nothing_about_the_target() {
    let noise = variable("noise", 0.0, ladder("a;*\nb;*\n"));
    let signal = variable("signal", 0.0, ladder("x;*\ny;*\n"));
    let records = [[1, 0], [0, 0], [0, 1], [1, 1]].map(|record| record.to_vec());
    let table = table(vec![noise, signal], &records, Some(&[0, 0, 1, 1]));
    let best = |name: &str, parameters: &[(&str, Value)]| {
        let member = loss::find(name).unwrap();
        let measure = member.build(&table, &given(parameters)).unwrap();
        questions::run(search::DEFAULT, &Problem::new(&table, &guard(2, 1), measure.as_ref(), 0)).unwrap().best.node
    };
    assert_eq!(best("classification", &towards_the_outcome()), vec![1, 0].into());
    assert_eq!(best("iyengar", &[]), vec![0, 1].into());
}

#[test]
fn parameters_are_checked_against_the_card() {
    let table = wards();
    let error = |name: &str, parameters: &[(&str, Value)]| {
        loss::find(name).unwrap().build(&table, &given(parameters)).err().unwrap()
    };
    assert!(matches!(error("classification", &[]), ParameterError::Missing { name: "target", .. }));
    let quasi_identifier = [("target", word("ward"))];
    assert!(matches!(error("classification", &quasi_identifier), ParameterError::Unfit { name: "target", .. }));
    assert!(matches!(
        error("average-class-size", &[("k", Value::Integer(0))]),
        ParameterError::Unfit { name: "k", .. }
    ));
    assert!(matches!(error("height", &points()), ParameterError::Unknown { .. }));
}
