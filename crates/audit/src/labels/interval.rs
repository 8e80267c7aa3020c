//! Interval labels: `[low, high[`, a band of the grid of its width that starts at zero, cut where numbers end.

use super::ends::Ends;
use crate::decimal::Decimal;

/// Whether a label is a band of the grid, written in the one way it may be, or stands for what is beyond an end.
pub(super) fn is_label(label: &str, width: Decimal, ends: Ends) -> bool {
    ends.is_beyond(label) || is_band(label, width, ends).unwrap_or(false)
}

fn is_band(label: &str, width: Decimal, ends: Ends) -> Option<bool> {
    let (low, high) = label.strip_prefix('[')?.strip_suffix('[')?.split_once(", ")?;
    let (low, high) = (Decimal::parse_canonical(low)?, Decimal::parse_canonical(high)?);
    let is_between = ends.beyond(low).is_none();
    Some(is_between && ends.cut(width.band_of(low)?) == (low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(width: &str, label: &str) -> bool {
        Decimal::parse(width).is_some_and(|width| is_label(label, width, Ends::default()))
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

    #[test]
    fn bands_are_cut_at_the_ends() {
        let labels: crate::manifest::LabelClaim =
            serde_json::from_str(r#"{"rule": "interval", "width": "20", "top": "90", "bottom": "15"}"#).unwrap();
        let (width, ends) = (Decimal::parse("20").unwrap(), Ends::of(&labels).unwrap());
        for label in ["[15, 20[", "[20, 40[", "[80, 90[", "90+", "under 15"] {
            assert!(is_label(label, width, ends), "{label}");
        }
        for label in
            ["[0, 20[", "[80, 100[", "[100, 120[", "[15, 40[", "80+", "under 20", "[90, 100[", "95", "[14, 20["]
        {
            assert!(!is_label(label, width, ends), "{label}");
        }
        for cell in ["15", "89.5", "90+", "under 15"] {
            assert!(ends.is_label(cell), "{cell}");
        }
        for cell in ["90", "14.9", "15.0", "old", "*", "90 +"] {
            assert!(!ends.is_label(cell), "{cell}");
        }
    }
}
