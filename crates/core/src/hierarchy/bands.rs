//! Labels that look like bands of numbers, and whether they leave no gap and do not overlap.
//!
//! These labels are read as bands: `[15, 20[`, `[15, 20)`, `]15, 20]`, `(15, 20]`, `[15, 19]` and `15-19`. A band of whole numbers
//! that holds both its ends is one of whole numbers only: `15-19` ends where `20-24` starts.

use super::decimal::Decimal;

/// A band of numbers, its end not included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NumberBand {
    pub low: Decimal,
    pub high: Decimal,
}

/// What is wrong between two neighbouring bands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BandSeam {
    Gap,
    Overlap,
}

impl NumberBand {
    /// The band that a label names.
    pub fn parse(label: &str) -> Option<Self> {
        let (low, high, is_closed) = Self::ends(label)?;
        let high = if is_closed { high.plus(Decimal::new(1, 0)?)? } else { high };
        (low < high).then_some(Self { low, high })
    }

    /// Whether a label is written as a band whose high end lies below its low one, so that no number is in it. With a
    /// dash it may be something else, such as years of birth from young to old or a number with its check digit.
    pub fn is_inverted(label: &str) -> bool {
        Self::bracketed(label).is_some_and(|(low, high, _)| high < low)
    }

    fn ends(label: &str) -> Option<(Decimal, Decimal, bool)> {
        Self::bracketed(label).or_else(|| Self::dashed(label))
    }

    /// Whether a value is a number outside of the band.
    pub fn excludes(&self, value: &str) -> bool {
        Decimal::parse(value).is_some_and(|number| number < self.low || number >= self.high)
    }

    fn bracketed(label: &str) -> Option<(Decimal, Decimal, bool)> {
        let inner = label.strip_prefix(['[', ']', '('])?.strip_suffix([']', '[', ')'])?;
        let takes_low = label.starts_with('[');
        let takes_high = label.ends_with(']');
        let (low, high) = inner.split_once([',', ';'])?;
        let (low, high) = (Decimal::parse(low.trim())?, Decimal::parse(high.trim())?);
        let is_whole = low.scale() == 0 && high.scale() == 0;
        // With both ends in, or both out, fractions would leave it open where the next band starts.
        (takes_low != takes_high || (takes_low && is_whole)).then_some((low, high, takes_low && takes_high))
    }

    fn dashed(label: &str) -> Option<(Decimal, Decimal, bool)> {
        let (low, high) = label.split_once(['-', '–'])?;
        let whole = |text: &str| Decimal::parse(text.trim()).filter(|number| number.scale() == 0);
        Some((whole(low)?, whole(high)?, true))
    }
}

/// Neighbours, in order of their low ends, between which something is wrong; as places in the list.
pub(super) fn seams(bands: &[NumberBand]) -> Vec<(BandSeam, usize, usize)> {
    let mut order: Vec<usize> = (0..bands.len()).collect();
    order.sort_by_key(|place| bands.get(*place));
    let mut found = Vec::new();
    let mut reach: Option<(usize, Decimal)> = None;
    for place in order {
        let Some(band) = bands.get(place) else { continue };
        match reach {
            Some((last, end)) if band.low > end => found.push((BandSeam::Gap, last, place)),
            Some((last, end)) if band.low < end => found.push((BandSeam::Overlap, last, place)),
            _ => {}
        }
        if reach.is_none_or(|(_, end)| band.high > end) {
            reach = Some((place, band.high));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_as_bands() {
        let check = |label: &str, expected: Option<(&str, &str)>| {
            let number = |text| Decimal::parse(text).unwrap();
            let expected = expected.map(|(low, high)| NumberBand { low: number(low), high: number(high) });
            assert_eq!(NumberBand::parse(label), expected, "{label}");
        };
        check("[15, 20[", Some(("15", "20")));
        check("[15,20)", Some(("15", "20")));
        check("]-1.5, 2]", Some(("-1.5", "2")));
        check("(0, 5]", Some(("0", "5")));
        check("[15, 19]", Some(("15", "20")));
        check("15-19", Some(("15", "20")));
        check("0 – 4", Some(("0", "5")));
        for label in
            ["", "*", "-", "[a, b[", "[5, 5[", "[9, 1[", "[0.5, 1]", "]0, 5[", "5", "<=4", "2026-03-29", "1.5-2"]
        {
            check(label, None);
        }
    }

    #[test]
    fn ends_in_the_wrong_order_are_seen() {
        for label in ["[24, 22[", "[24, 22]", "(24;22]", "]0.5, -0.5]"] {
            assert!(NumberBand::is_inverted(label), "{label}");
        }
        for label in ["[22, 24[", "[22, 22]", "[22, 22[", "24-22", "*", "[b, a[", ""] {
            assert!(!NumberBand::is_inverted(label), "{label}");
        }
    }

    #[test]
    fn neighbours_must_meet() {
        let check = |labels: &[&str], expected: &[(BandSeam, usize, usize)]| {
            let bands: Vec<NumberBand> = labels.iter().map(|label| NumberBand::parse(label).unwrap()).collect();
            assert_eq!(seams(&bands), expected, "{labels:?}");
        };
        check(&[], &[]);
        check(&["0-4", "5-9", "10-14"], &[]);
        check(&["5-9", "0-4"], &[]);
        check(&["0-4", "6-9"], &[(BandSeam::Gap, 0, 1)]);
        check(&["0-5", "5-9"], &[(BandSeam::Overlap, 0, 1)]);
        check(&["0-99", "5-9", "100-199"], &[(BandSeam::Overlap, 0, 1)]);
        check(&["[0, 2.5[", "[2.5, 5[", "[6, 7["], &[(BandSeam::Gap, 1, 2)]);
    }
}
