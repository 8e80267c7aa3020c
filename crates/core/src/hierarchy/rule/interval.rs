//! Numbers in bands of growing width.
//!
//! A value lies in the band `[low, high[`, with `low` a multiple of the width. Bands do not depend on the data, so two releases cut
//! alike. Arithmetic is exact. The ladder is nested when each width divides the next. Other widths are allowed, and the searches
//! that need nesting refuse them. Numbers beyond an end ([`NumberEnds`]) are in no band, and a band stops at an end: with a top of
//! 90, bands of 20 end with `[80, 90[`.

use super::{LabelRule, NumberEnds, UnreadableValue};
use crate::hierarchy::decimal::Decimal;
use crate::hierarchy::{Hierarchy, HierarchyError};

pub(super) const WANTED: &str = "a decimal number that fits into 38 digits";

/// The ladder of bands with these widths, between these ends.
pub(crate) fn fit(values: &[String], widths: &[String], ends: &NumberEnds) -> Result<Hierarchy, HierarchyError> {
    let ends = ends.checked()?;
    let widths = growing(widths)?;
    if widths.is_empty() && ends.is_none() {
        return Err(HierarchyError::unfit("intervals", "at least one width is needed"));
    }
    let rule = |width: &Decimal| LabelRule::Interval { width: width.to_string(), ends: ends.clone() };
    let rules = widths.iter().map(rule).collect();
    let collected = if ends.is_none() { LabelRule::AsCollected } else { LabelRule::Ends(ends.clone()) };
    Hierarchy::by_rules_above(values, collected, rules)
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
    Ok(numbers)
}

/// The band of a value, or its label beyond an end.
pub(super) fn label(value: &str, width: &str, ends: &NumberEnds) -> Result<String, UnreadableValue> {
    band(value, width, ends).ok_or(UnreadableValue { wanted: WANTED })
}

fn band(value: &str, width: &str, ends: &NumberEnds) -> Option<String> {
    let (number, width) = (Decimal::parse(value)?, Decimal::parse(width)?);
    if let Some(label) = ends.beyond(number) {
        return Some(label);
    }
    let low = number.floor_to(width)?;
    let high = low.plus(width)?;
    let low = ends.first_within().map_or(low, |bottom| low.max(bottom));
    let high = ends.first_above().map_or(high, |top| high.min(top));
    Some(format!("[{low}, {high}["))
}

/// Whether bands of the narrow width fill bands of the wide one, between the same ends.
pub(super) fn fills(narrow: &str, wide: &str, ends: &NumberEnds) -> bool {
    let exact = || {
        let (narrow, wide) = (Decimal::parse(narrow)?, Decimal::parse(wide)?);
        let is_seam = |at: Decimal| Some(at.floor_to(narrow)? == at);
        if is_seam(wide)? {
            return Some(true);
        }
        // Otherwise two seams of wide bands cannot both be seams of narrow ones; but one can, or there is none.
        let (bottom, top) = (ends.first_within()?, ends.first_above()?);
        let first = bottom.floor_to(wide)?.plus(wide)?;
        Some(first >= top || (first.plus(wide)? >= top && is_seam(first)?))
    };
    exact().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::texts;
    use proptest::prelude::*;

    #[test]
    fn bands_start_at_multiples() {
        let check = |value: &str, width: &str, expected: &str| {
            assert_eq!(label(value, width, &NumberEnds::default()).unwrap(), expected);
        };
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
        let ladder = fit(&texts(&["", "17", "23"]), &texts(&["5", "20.0"]), &NumberEnds::default()).unwrap();
        assert_eq!(ladder.to_csv(), ";;;*\n17;[15, 20[;[0, 20[;*\n23;[20, 25[;[20, 40[;*\n");
        assert_eq!(ladder.levels()[2].rule, LabelRule::Interval { width: "20".into(), ends: NumberEnds::default() });
    }

    #[test]
    fn widths_that_do_not_divide_are_not_nested() {
        let check = |widths: &[&str], expected: Option<usize>| {
            assert_eq!(fit(&texts(&["1"]), &texts(widths), &NumberEnds::default()).unwrap().first_unnested(), expected);
        };
        check(&["5", "10", "20", "40"], None);
        check(&["0.5", "1.5", "3"], None);
        check(&["5", "7"], Some(2));
        check(&["5", "10", "25"], Some(3));
    }

    fn ends(top: &str, bottom: &str) -> NumberEnds {
        let end = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        NumberEnds { top: end(top), bottom: end(bottom) }
    }

    #[test]
    fn bands_are_cut_at_the_ends() {
        let ladder =
            fit(&texts(&["", "3", "14", "15", "19", "88", "90", "104"]), &texts(&["10", "20"]), &ends("90", "15"));
        let ladder = ladder.unwrap();
        let expected = ";;;*\nunder 15;under 15;under 15;*\n15;[15, 20[;[15, 20[;*\n19;[15, 20[;[15, 20[;*\n\
                        88;[80, 90[;[80, 90[;*\n90+;90+;90+;*\n";
        assert_eq!(ladder.to_csv(), expected);
        assert!(ladder.is_nested());
        assert_eq!(ladder.collected("104"), Some("90+".into()));
        assert_eq!((ladder.collected("old"), ladder.collected("")), (None, Some("".into())));
        assert_eq!(ladder.levels()[0].rule, LabelRule::Ends(ends("90", "15")));
    }

    #[test]
    fn ends_alone_make_a_ladder() {
        let ladder = fit(&texts(&["89", "91", "92"]), &[], &ends("90", "")).unwrap();
        assert_eq!(ladder.to_csv(), "89;*\n90+;*\n");
    }

    #[test]
    fn ends_may_nest_widths_that_do_not_divide() {
        let check = |widths: &[&str], ends: &NumberEnds, expected: bool| {
            assert_eq!(fit(&[], &texts(widths), ends).unwrap().is_nested(), expected, "{widths:?} {ends:?}");
        };
        check(&["5", "7"], &ends("14", "0"), false);
        check(&["5", "7"], &ends("7", "0"), true);
        check(&["5", "7"], &ends("6", "-6"), true);
        check(&["5", "7"], &ends("7", ""), false);
        check(&["5", "7"], &ends("40", "30"), true);
        check(&["5", "7"], &ends("40", "27"), false);
        check(&["5", "10"], &ends("40", "27"), true);
    }

    #[test]
    fn unfit_widths_are_named_by_place() {
        let check = |widths: &[&str], expected: &str| {
            assert_eq!(
                fit(&[], &texts(widths), &NumberEnds::default()).unwrap_err().to_string(),
                format!("intervals: {expected}")
            );
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
        let error = fit(&texts(&["", "12", "NaN", "x", "1e39"]), &texts(&["5"]), &NumberEnds::default()).unwrap_err();
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
            let (low, high) = bounds(&label(&value.to_string(), &width.to_string(), &NumberEnds::default()).unwrap());
            prop_assert!(low <= value && value < high);
            prop_assert_eq!(high.minus(low), Some(width));
            prop_assert_eq!(low.floor_to(width), Some(low));
        }

        #[test]
        fn nesting_between_ends_is_that_of_all_numbers(
            narrow in 1_i64..12, more in 1_i64..12, bottom in -30_i64..30, length in 1_i64..40,
        ) {
            let (wide, top) = (narrow + more, bottom + length);
            let values: Vec<String> = (bottom - 2..top + 2).map(|number| number.to_string()).collect();
            let widths = [narrow, wide].map(|width| width.to_string());
            let ends = NumberEnds { top: Some(top.to_string()), bottom: Some(bottom.to_string()) };
            let ladder = fit(&values, &widths, &ends).unwrap();
            // A file is nested when its values are.
            let listed = crate::hierarchy::csv::HierarchyFile::parse(&ladder.to_csv()).unwrap().fit(&[]).unwrap();
            prop_assert_eq!(ladder.is_nested(), listed.is_nested());
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
            let ladder = fit(&values, &widths, &NumberEnds::default()).unwrap();
            prop_assert!(ladder.is_nested());
            // The promise of the rule holds for the table, read as if it were a list.
            let reread = crate::hierarchy::csv::HierarchyFile::parse(&ladder.to_csv()).unwrap().fit(&values).unwrap();
            prop_assert!(reread.is_nested());
        }
    }
}
