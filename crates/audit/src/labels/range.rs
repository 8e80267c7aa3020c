//! Ranges of local recoding: in each class a number, `[low, high]` with both ends included, or `*` where missing values are among them.

use super::interval::parts;
use super::meaning::Band;
use super::{LabelMember, LabelRule, Meaning, Place, TOP};
use crate::decimal::Decimal;

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "range",
    keys: &[],
    rule: |_| {
        let rule = LabelRule::new("a number or range of each class", Place::Class, is_label, |_| None);
        Ok(LabelRule { means: Box::new(meant), ..rule })
    },
};

/// The numbers that a label stands for.
fn meant(label: &str) -> Meaning {
    ends(label).and_then(|(low, high)| Band::closed(low, high)).map_or(Meaning::Unknown, Meaning::Numbers)
}

/// Both ends of a range, or a number twice.
pub(crate) fn ends(label: &str) -> Option<(Decimal, Decimal)> {
    let parts =
        if label.starts_with('[') { parts(label).filter(|_| label.ends_with(']')) } else { Some((label, label)) };
    parts.and_then(|(low, high)| Decimal::parse_canonical(low).zip(Decimal::parse_canonical(high)))
}

/// Whether a label is a number or a range, written in the one way it may be.
fn is_label(label: &str) -> bool {
    let is_range = |(low, high): (Decimal, Decimal)| !label.starts_with('[') || low.is_below(high) == Some(true);
    label == TOP || ends(label).is_some_and(is_range)
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
