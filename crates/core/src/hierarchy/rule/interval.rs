//! Numbers in bands of growing width.
//!
//! A value lies in the band `[low, high[` with `low` a multiple of the width: bands do not depend on the data, so two
//! releases cut alike. Arithmetic is exact. The ladder is nested when each width divides the next; other widths are
//! allowed, and the searches that need nesting refuse them.

use super::{Rule, Unreadable};
use crate::hierarchy::decimal::Decimal;
use crate::hierarchy::{Hierarchy, HierarchyError};

const WANTED: &str = "a decimal number that fits into 38 digits";

/// The ladder of bands with these widths.
pub(crate) fn fit(values: &[String], widths: &[String]) -> Result<Hierarchy, HierarchyError> {
    let widths = growing(widths)?;
    Hierarchy::by_rules(values, widths.iter().map(|width| Rule::Interval { width: width.to_string() }).collect())
}

/// The widths as numbers, positive and growing.
fn growing(widths: &[String]) -> Result<Vec<Decimal>, HierarchyError> {
    let unfit = |problem: String| Err(HierarchyError::unfit("intervals", problem));
    let mut numbers: Vec<Decimal> = Vec::new();
    for (place, text) in (1..).zip(widths) {
        match Decimal::parse(text).filter(|width| *width > Decimal::ZERO) {
            None => return unfit(format!("width {place} is not a positive decimal number")),
            Some(width) if numbers.last().is_some_and(|last| *last >= width) => {
                return unfit(format!("width {place} is not larger than the one before"));
            }
            Some(width) => numbers.push(width),
        }
    }
    if numbers.is_empty() { unfit("at least one width is needed".into()) } else { Ok(numbers) }
}

/// The band of a value.
pub(super) fn label(value: &str, width: &str) -> Result<String, Unreadable> {
    band(value, width).ok_or(Unreadable { wanted: WANTED })
}

fn band(value: &str, width: &str) -> Option<String> {
    let width = Decimal::parse(width)?;
    let low = Decimal::parse(value)?.floor_to(width)?;
    Some(format!("[{low}, {}[", low.plus(width)?))
}

/// Whether bands of the narrow width fill bands of the wide one.
pub(super) fn divides(narrow: &str, wide: &str) -> bool {
    let exact = || {
        let wide = Decimal::parse(wide)?;
        Some(wide.floor_to(Decimal::parse(narrow)?)? == wide)
    };
    exact().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(values: &[&str]) -> Vec<String> {
        values.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn bands_start_at_multiples() {
        let check = |value: &str, width: &str, expected: &str| assert_eq!(label(value, width).unwrap(), expected);
        check("17", "5", "[15, 20[");
        check("15", "5", "[15, 20[");
        check("-1", "5", "[-5, 0[");
        check("-5", "5", "[-5, 0[");
        check("0", "2.5", "[0, 2.5[");
        check("-0", "5", "[0, 5[");
        check("2.4999999999999999999999", "2.5", "[0, 2.5[");
        check("0.3", "0.1", "[0.3, 0.4[");
        check("1e5", "1e3", "[100000, 101000[");
        check("9007199254740993", "1", "[9007199254740993, 9007199254740994[");
    }

    #[test]
    fn the_ladder_keeps_missing_values_apart() {
        let ladder = fit(&texts(&["", "17", "23"]), &texts(&["5", "20.0"])).unwrap();
        assert_eq!(ladder.to_csv(), ";;;*\n17;[15, 20[;[0, 20[;*\n23;[20, 25[;[20, 40[;*\n");
        assert_eq!(ladder.levels()[2].rule, Rule::Interval { width: "20".into() });
    }

    #[test]
    fn widths_that_do_not_divide_are_not_nested() {
        let check = |widths: &[&str], expected: Option<usize>| {
            assert_eq!(fit(&texts(&["1"]), &texts(widths)).unwrap().first_unnested(), expected);
        };
        check(&["5", "10", "20", "40"], None);
        check(&["0.5", "1.5", "3"], None);
        check(&["5", "7"], Some(2));
        check(&["5", "10", "25"], Some(3));
    }

    #[test]
    fn unfit_widths_are_named_by_place() {
        let check = |widths: &[&str], expected: &str| {
            assert_eq!(fit(&[], &texts(widths)).unwrap_err().to_string(), format!("intervals: {expected}"));
        };
        check(&[], "at least one width is needed");
        check(&["5", "five"], "width 2 is not a positive decimal number");
        check(&["0"], "width 1 is not a positive decimal number");
        check(&["-5"], "width 1 is not a positive decimal number");
        check(&["5", "5.0"], "width 2 is not larger than the one before");
        check(&["10", "5"], "width 2 is not larger than the one before");
    }

    #[test]
    fn unreadable_values_are_counted() {
        let error = fit(&texts(&["", "12", "NaN", "x", "1e39"]), &texts(&["5"])).unwrap_err();
        assert_eq!(error, HierarchyError::Unreadable { wanted: WANTED, count: 3, positions: vec![2, 3, 4] });
        assert!(!error.to_string().contains("NaN"));
    }

    fn bounds(label: &str) -> (Decimal, Decimal) {
        let (low, high) = label.strip_prefix('[').unwrap().strip_suffix('[').unwrap().split_once(", ").unwrap();
        (Decimal::parse(low).unwrap(), Decimal::parse(high).unwrap())
    }

    proptest! {
        #[test]
        fn a_band_holds_its_value(
            mantissa in any::<i64>(), scale in 0_u32..15, width in 1_i64..1_000_000_000, width_scale in 0_u32..15,
        ) {
            let value = Decimal::new(mantissa.into(), scale).unwrap();
            let width = Decimal::new(width.into(), width_scale).unwrap();
            let (low, high) = bounds(&label(&value.to_string(), &width.to_string()).unwrap());
            prop_assert!(low <= value && value < high);
            prop_assert_eq!(high.minus(low), Some(width));
            prop_assert_eq!(low.floor_to(width), Some(low));
        }

        #[test]
        fn dividing_widths_join_bands(
            values in prop::collection::vec(-100_000_i64..100_000, 1..40), first in 1_i64..50,
            factors in prop::collection::vec(2_i64..6, 1..4),
        ) {
            let mut widths = vec![first];
            for factor in factors {
                widths.push(widths.last().unwrap() * factor);
            }
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
            let ladder = fit(&values, &widths).unwrap();
            prop_assert!(ladder.is_nested());
            // The promise of the rule holds for the table, read as if it were a list.
            let reread = crate::hierarchy::csv::HierarchyFile::parse(&ladder.to_csv()).unwrap().fit(&values).unwrap();
            prop_assert!(reread.is_nested());
        }
    }
}
