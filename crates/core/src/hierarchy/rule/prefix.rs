//! Codes that lose their last characters.
//!
//! `12345` becomes `1234*`, `123*`, …: postal codes, disease codes and the like say the general first. Characters are Unicode
//! scalar values. One star stands for the rest, even for an empty one: `I50`, `I50.1` and `I50.14` share `I50*`. A code shorter than
//! what stays is left as it is. So no label tells how long a code was, and none depends on the other codes of the table.
//! Always nested: fewer characters follow from more.

use super::LabelRule;
use crate::hierarchy::{Hierarchy, HierarchyError, TOP};

/// The ladder that keeps fewer and fewer characters.
pub(crate) fn fit(values: &[String], keep: &[usize]) -> Result<Hierarchy, HierarchyError> {
    let unfit = |problem: &str| Err(HierarchyError::unfit("prefix", problem));
    if keep.is_empty() {
        return unfit("at least one number of characters is needed");
    }
    if keep.contains(&0) {
        return unfit("at least one character must stay; the top `*` is added");
    }
    if !keep.is_sorted_by(|before, after| before > after) {
        return unfit("the numbers of characters must shrink");
    }
    Hierarchy::by_rules(values, keep.iter().map(|keep| LabelRule::Prefix { keep: *keep }).collect())
}

/// The first characters of a value and a `*` for the rest; a shorter value as it is.
pub(super) fn label(value: &str, keep: usize) -> String {
    let mut ends = value.char_indices().map(|(start, _)| start).chain([value.len()]);
    ends.nth(keep).and_then(|end| value.get(..end)).map_or_else(|| value.to_owned(), |kept| kept.to_owned() + TOP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_star_stands_for_the_rest() {
        let check = |value: &str, keep: usize, expected: &str| assert_eq!(label(value, keep), expected);
        check("12345", 3, "123*");
        check("12345", 5, "12345*");
        check("12345", 9, "12345");
        check("", 2, "");
        check("Zürich", 2, "Zü*");
        check("日本語", 1, "日*");
    }

    #[test]
    fn codes_of_different_length_meet() {
        let codes = ["I50", "I50.1", "I50.14"].map(String::from);
        let ladder = fit(&codes, &[5, 3, 1]).unwrap();
        assert_eq!(ladder.to_csv(), "I50;I50;I50*;I*;*\nI50.1;I50.1*;I50*;I*;*\nI50.14;I50.1*;I50*;I*;*\n");
        assert!(ladder.is_nested());
    }

    #[test]
    fn the_ladder_ends_with_the_top() {
        let ladder = fit(&[String::new(), "1234".into(), "12".into()], &[3, 1]).unwrap();
        assert_eq!(ladder.to_csv(), ";;;*\n1234;123*;1*;*\n12;12;1*;*\n");
    }

    #[test]
    fn unfit_numbers_are_refused() {
        for keep in [&[][..], &[0], &[2, 0], &[2, 2], &[2, 3]] {
            let error = fit(&[], keep).unwrap_err();
            assert!(matches!(error, HierarchyError::Unfit { builder: "prefix", .. }), "{keep:?}");
        }
    }

    proptest! {
        #[test]
        fn labels_tell_the_start_and_no_more(value in "\\PC{0,12}", rest in "\\PC{0,6}", keep in 1_usize..14) {
            let label = label(&value, keep);
            let start: String = value.chars().take(keep).collect();
            if value.chars().count() < keep {
                prop_assert_eq!(label, value);
            } else {
                prop_assert_eq!(&label, &(start.clone() + "*"));
                prop_assert_eq!(label, super::label(&(start + &rest), keep));
            }
        }

        #[test]
        fn fewer_characters_follow_from_more(values in prop::collection::vec("[ab*]{0,5}", 0..30)) {
            let ladder = fit(&values, &[4, 3, 1]).unwrap();
            let table: Vec<_> = ladder.levels().windows(2).map(|pair| (pair[0].of.clone(), pair[1].of.clone())).collect();
            for (below, above) in table {
                for (left, parent) in below.iter().zip(&above) {
                    prop_assert!(below.iter().zip(&above).all(|(right, other)| left != right || parent == other));
                }
            }
            prop_assert!(ladder.is_nested());
        }
    }
}
