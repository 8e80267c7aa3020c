//! Codes that lose their last characters.
//!
//! `12345` becomes `1234*`, `123**`, …: postal codes, disease codes and the like say the general first. Characters
//! are Unicode scalar values; the length of a value stays visible. Always nested, because fewer characters follow from
//! more.

use super::Rule;
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
    Hierarchy::by_rules(values, keep.iter().map(|keep| Rule::Prefix { keep: *keep }).collect())
}

/// The first characters of a value, and one `*` for each further one.
pub(super) fn label(value: &str, keep: usize) -> String {
    let rest = value.char_indices().map(|(start, _)| start).nth(keep).unwrap_or(value.len());
    let (kept, lost) = value.split_at(rest);
    kept.to_owned() + &TOP.repeat(lost.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lost_characters_become_stars() {
        let check = |value: &str, keep: usize, expected: &str| assert_eq!(label(value, keep), expected);
        check("12345", 3, "123**");
        check("12345", 5, "12345");
        check("12345", 9, "12345");
        check("", 2, "");
        check("Zürich", 2, "Zü****");
        check("日本語", 1, "日**");
    }

    #[test]
    fn the_ladder_ends_with_the_top() {
        let ladder = fit(&[String::new(), "1234".into(), "12".into()], &[3, 1]).unwrap();
        assert_eq!(ladder.to_csv(), ";;;*\n1234;123*;1***;*\n12;12;1*;*\n");
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
        fn labels_keep_length_and_start(value in "\\PC{0,12}", keep in 1_usize..14) {
            let label = label(&value, keep);
            prop_assert_eq!(label.chars().count(), value.chars().count());
            prop_assert!(label.chars().take(keep).eq(value.chars().take(keep)));
            prop_assert!(label.chars().skip(keep).all(|character| character == '*'));
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
