//! Intervals: `[low, high[`, a band of the grid of its width that starts at zero, cut where numbers end.

use super::ends::{Ends, UNFIT};
use super::meaning::Band;
use super::{LabelMember, LabelRule, Meaning, Place};
use crate::decimal::Decimal;
use crate::manifest::LabelClaim;

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "interval",
    keys: &["width", "top", "bottom"],
    rule: |claim| {
        let width = width(claim).ok_or("its width is no positive decimal number")?;
        Ends::read(claim).map(|ends| rule(width, ends)).ok_or(UNFIT)
    },
};

fn width(claim: &LabelClaim) -> Option<Decimal> {
    claim.parameters.word("width").and_then(Decimal::parse_canonical).filter(|width| width.is_positive())
}

pub(crate) fn rule<'a>(width: Decimal, ends: Ends) -> LabelRule<'a> {
    // A band is what the rule makes of its lower end.
    let is_band = move |label: &str| Some(label == band(width, ends, parts(label)?.0)?);
    let is_label = move |label: &str| ends.is_beyond(label) || is_band(label).unwrap_or(false);
    let make = move |value: &str| band(width, ends, value);
    let means = move |label: &str| meant(label, ends).map_or(Meaning::Unknown, Meaning::Numbers);
    let rule = LabelRule::new("interval", Place::Between, is_label, make);
    LabelRule { may_miss: true, means: Box::new(means), ..rule }
}

/// The numbers that a label stands for.
fn meant(label: &str, ends: Ends) -> Option<Band> {
    if let Some(band) = ends.band_beyond(label) {
        return Some(band);
    }
    let (low, high) = parts(label)?;
    Band::open(Some(Decimal::parse(low)?), Some(Decimal::parse(high)?))
}

fn band(width: Decimal, ends: Ends, value: &str) -> Option<String> {
    let number = Decimal::collected(value)?;
    if let Some(label) = ends.beyond(number) {
        return Some(label);
    }
    let (low, high) = ends.cut(width.band_of(number)?);
    Some(format!("[{low}, {high}["))
}

/// What stands between the brackets of a band, or of a range.
pub(super) fn parts(label: &str) -> Option<(&str, &str)> {
    label.strip_prefix('[')?.strip_suffix(['[', ']'])?.split_once(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(width: &str, label: &str) -> bool {
        Decimal::parse(width).is_some_and(|width| (rule(width, Ends::default()).is_label)(label))
    }

    #[test]
    fn bands_of_the_grid_are_labels_and_nothing_else_is() {
        for (width, labels) in [
            ("5", &["[25, 30[", "[-5, 0["][..]),
            ("5.0", &["[0, 5["]),
            ("2.5", &["[2.5, 5["]),
            ("0.1", &["[0.2, 0.3[", "[-0.1, 0["]),
        ] {
            assert!(labels.iter().all(|label| check(width, label)), "{labels:?}");
        }
        for other in [
            "[26, 31[",
            "[25, 35[",
            "[30, 25[",
            "[25, 30]",
            "[25,30[",
            "[25,  30[",
            "[25.0, 30[",
            "[025, 30[",
            "[-0, 5[",
            "27",
            "[, [",
            "[25, 30, 35[",
            "]25, 30[",
        ] {
            assert!(!check("5", other), "{other}");
        }
        assert!(!check("2.5", "[2, 4.5["));
    }

    #[test]
    fn bands_are_cut_at_the_ends() {
        let labels: crate::manifest::LabelClaim =
            serde_json::from_str(r#"{"rule": "interval", "width": "20", "top": "90", "bottom": "15"}"#).unwrap();
        let (width, ends) = (Decimal::parse("20").unwrap(), Ends::read(&labels).unwrap());
        for label in ["[15, 20[", "[20, 40[", "[80, 90[", "90+", "under 15"] {
            assert!((rule(width, ends).is_label)(label), "{label}");
        }
        for label in
            ["[0, 20[", "[80, 100[", "[100, 120[", "[15, 40[", "80+", "under 20", "[90, 100[", "95", "[14, 20["]
        {
            assert!(!(rule(width, ends).is_label)(label), "{label}");
        }
        for cell in ["15", "89.5", "90+", "under 15"] {
            assert!(ends.is_label(cell), "{cell}");
        }
        for cell in ["90", "14.9", "15.0", "old", "*", "90 +"] {
            assert!(!ends.is_label(cell), "{cell}");
        }
    }
}
