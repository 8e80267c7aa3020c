//! Interval labels: `[low, high[`, a band of the grid of its width that starts at zero.

use crate::decimal::Decimal;

/// Whether a label is a band of the grid, written in the one way it may be.
pub(super) fn is_label(label: &str, width: Decimal) -> bool {
    let inner = label.strip_prefix('[').and_then(|rest| rest.strip_suffix('['));
    let bounds = inner
        .and_then(|inner| inner.split_once(", "))
        .and_then(|(low, high)| Some((Decimal::parse_canonical(low)?, Decimal::parse_canonical(high)?)));
    bounds.and_then(|(low, high)| width.is_band(low, high)).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(width: &str, label: &str) -> bool {
        Decimal::parse(width).is_some_and(|width| is_label(label, width))
    }

    #[test]
    fn bands_of_the_grid_are_labels() {
        for (width, label) in [
            ("5", "[25, 30["),
            ("5", "[-5, 0["),
            ("5.0", "[0, 5["),
            ("2.5", "[2.5, 5["),
            ("0.1", "[0.2, 0.3["),
            ("0.1", "[-0.1, 0["),
        ] {
            assert!(check(width, label), "{width} {label}");
        }
    }

    #[test]
    fn anything_else_is_none() {
        for (width, label) in [
            ("5", "[26, 31["),
            ("5", "[25, 35["),
            ("5", "[30, 25["),
            ("5", "[25, 30]"),
            ("5", "[25,30["),
            ("5", "[25,  30["),
            ("5", "[25.0, 30["),
            ("5", "[025, 30["),
            ("5", "[-0, 5["),
            ("5", "27"),
            ("5", "[, ["),
            ("5", "[25, 30, 35["),
            ("2.5", "[2, 4.5["),
        ] {
            assert!(!check(width, label), "{width} {label}");
        }
    }
}
