//! Ranges of local recoding: a number, `[low, high]` with both ends included, or `*` where missing values are among them.

use super::TOP;
use crate::decimal::Decimal;

/// Whether a label is a number or a range, written in the one way it may be.
pub(super) fn is_label(label: &str) -> bool {
    let inner = label.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let Some(inner) = inner else { return label == TOP || Decimal::parse_canonical(label).is_some() };
    let ends = inner.split_once(", ");
    let ends = ends.and_then(|(low, high)| Decimal::parse_canonical(low).zip(Decimal::parse_canonical(high)));
    ends.is_some_and(|(low, high)| low.is_below(high).unwrap_or(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_are_labels() {
        for label in ["20", "-2.5", "[20, 30]", "[-5, 0]", "[0.25, 0.3]", "*"] {
            assert!(is_label(label), "{label}");
        }
    }

    #[test]
    fn anything_else_is_none() {
        for label in
            ["", "x", "20.0", "[30, 20]", "[20, 20]", "[20, 30[", "[20,30]", "[20, 30, 40]", "[020, 30]", "[, ]", "**"]
        {
            assert!(!is_label(label), "{label}");
        }
    }
}
