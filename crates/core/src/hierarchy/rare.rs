//! Rare values under one label.
//!
//! At level `i` a value that occurs in fewer than `below[i]` records becomes `other`; the others stay. This suits names
//! without an order or a code, such as countries, jobs and devices: few of them hold most records, and the long tail tells
//! people apart. The ladder depends on the counts alone. It is nested, because the numbers grow. The missing value
//! is never rare.
//!
//! Limits: records are counted, also where a person is named. Somebody with twenty records makes a value frequent, and the
//! privacy models judge what that leaves. A value that is released tells that it is not rare.

use hashbrown::HashMap;

use super::{Hierarchy, HierarchyError, LabelRule, Level, TOP};

/// The ladder in which values with fewer records than these share a label.
pub(super) fn fit(values: &[String], counts: &[u64], below: &[u64], label: &str) -> Result<Hierarchy, HierarchyError> {
    check(below, label)?;
    if values.len() != counts.len() {
        return unfit("how often each value occurs must be known");
    }
    let mut records: HashMap<&str, u64> = HashMap::new();
    values.iter().zip(counts).for_each(|(value, count)| *records.entry(value).or_insert(0) += count);
    let mut levels = vec![Level::numbered(values.iter().map(String::as_str), LabelRule::AsCollected)?.with_identity()];
    let domain = levels[0].labels.clone();
    for least in below {
        let is_rare = |value: &str| !value.is_empty() && records.get(value).is_none_or(|records| records < least);
        let labels = domain.iter().map(|value| if is_rare(value) { label } else { value.as_str() });
        levels.push(Level::numbered(labels, LabelRule::Listed)?);
    }
    Hierarchy::topped(levels)
}

fn check(below: &[u64], label: &str) -> Result<(), HierarchyError> {
    match below.first() {
        None => unfit("at least one number of records is needed"),
        Some(0 | 1) => unfit("a value occurs in one record at least; rare is what occurs in fewer than 2 or more"),
        Some(_) if !below.is_sorted_by(|before, after| before < after) => unfit("the numbers of records must grow"),
        Some(_) if label.is_empty() || label == TOP => {
            unfit("`label` must be a word of its own, not empty and not `*`")
        }
        Some(_) => Ok(()),
    }
}

fn unfit<T>(problem: &str) -> Result<T, HierarchyError> {
    Err(HierarchyError::unfit("rare", problem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::words as texts;

    #[test]
    fn rare_values_share_a_label() {
        let ladder = fit(&texts("a b c  d"), &[40, 19, 4, 1, 5], &[5, 20], "other").unwrap();
        let expected = "a;a;a;*\nb;b;other;*\nc;other;other;*\n;;;*\nd;d;other;*\n";
        assert_eq!(ladder.to_csv(), expected);
        assert!(ladder.is_nested());
    }

    #[test]
    fn a_value_may_be_called_like_the_label() {
        let ladder = fit(&texts("other b"), &[9, 1], &[5], "other").unwrap();
        assert_eq!(ladder.to_csv(), "other;other;*\nb;other;*\n");
    }

    #[test]
    fn all_may_be_rare_and_the_top_remains() {
        assert_eq!(fit(&texts("a b"), &[1, 1], &[5], "sonstige").unwrap().to_csv(), "a;sonstige;*\nb;sonstige;*\n");
    }

    #[test]
    fn unfit_numbers_are_refused() {
        let check = |values: &[String], below: &[u64], label: &str, expected: &str| {
            assert_eq!(fit(values, &[], below, label).unwrap_err().to_string(), format!("rare: {expected}"));
        };
        check(&[], &[], "other", "at least one number of records is needed");
        check(&[], &[5, 5], "other", "the numbers of records must grow");
        check(&[], &[5], "*", "`label` must be a word of its own, not empty and not `*`");
        check(&texts("a b"), &[5], "other", "how often each value occurs must be known");
        for none in [0, 1] {
            assert!(fit(&[], &[], &[none], "other").is_err());
        }
    }
}
