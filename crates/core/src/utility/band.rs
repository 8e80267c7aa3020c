//! Bands as people and programs write them: what a label says about a number.
//!
//! | Written | Holds |
//! |---|---|
//! | `37` | 37 |
//! | `[20, 25[`, `[20, 25)` | 20 and what is below 25 |
//! | `[20, 25]` | both ends |
//! | `]20, 25]`, `(20, 25]` | 25 and what is above 20 |
//! | `20-24`, `20 – 24` | both ends, as ARX writes it |
//! | `>= 60`, `≥ 60`, `60+` | 60 and above |
//! | `> 60` | above 60 |
//! | `<= 19`, `≤ 19` | 19 and below |
//! | `< 20`, `under 20` | below 20 |
//!
//! `*` is no band: it says nothing.

use crate::hierarchy::decimal::Decimal;

/// What a label says about a number. An end that is not there is open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelBand {
    low: Option<BandEnd>,
    high: Option<BandEnd>,
}

/// An end of a band, and whether the band holds it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BandEnd {
    at: Decimal,
    held: bool,
}

impl LabelBand {
    /// Reads a label; nothing where it is no band.
    #[must_use]
    pub fn read(label: &str) -> Option<Self> {
        let label = label.trim();
        let number = |text: &str| Decimal::parse(text.trim());
        if let Some(at) = number(label) {
            return Some(Self::from_to(at, true, at, true));
        }
        one_sided(label).or_else(|| bracketed(label)).or_else(|| dashed(label)).filter(|band| !band.is_empty())
    }

    /// Whether it holds a number.
    #[must_use]
    pub fn holds(&self, number: Decimal) -> bool {
        let above = |end: &BandEnd| number > end.at || end.held && number == end.at;
        let below = |end: &BandEnd| number < end.at || end.held && number == end.at;
        self.low.as_ref().is_none_or(above) && self.high.as_ref().is_none_or(below)
    }

    /// The places of its numbers in a sorted list.
    #[must_use]
    pub fn places(&self, sorted: &[Decimal]) -> std::ops::Range<usize> {
        let first = sorted
            .partition_point(|number| self.low.is_some_and(|end| *number < end.at || !end.held && *number == end.at));
        let end = sorted
            .partition_point(|number| self.high.is_none_or(|end| *number < end.at || end.held && *number == end.at));
        first..end.max(first)
    }

    /// Its ends in numbers as computers have them; an open end lies where the whole range has its own.
    #[must_use]
    pub fn ends(&self, whole: (f64, f64)) -> (f64, f64) {
        let float = |end: Option<BandEnd>| end.and_then(|end| end.at.to_string().parse::<f64>().ok());
        let low = float(self.low).unwrap_or(whole.0);
        let high = float(self.high).unwrap_or(whole.1);
        // An open band beyond the whole range is its only end.
        match (self.low.is_some(), self.high.is_some()) {
            (true, false) => (low, high.max(low)),
            (false, true) => (low.min(high), high),
            _ => (low, high),
        }
    }

    fn from_to(low: Decimal, holds_low: bool, high: Decimal, holds_high: bool) -> Self {
        Self { low: Some(BandEnd { at: low, held: holds_low }), high: Some(BandEnd { at: high, held: holds_high }) }
    }

    /// Ends that are the wrong way round are no band.
    fn is_empty(&self) -> bool {
        self.low.zip(self.high).is_some_and(|(low, high)| low.at > high.at)
    }
}

fn one_sided(label: &str) -> Option<LabelBand> {
    let above = [(">=", true), ("≥", true), (">", false)];
    let below = [("<=", true), ("≤", true), ("<", false), ("under ", false)];
    let after = |signs: &[(&str, bool)]| {
        let found = signs.iter().find_map(|(sign, held)| Some((label.strip_prefix(sign)?, *held)));
        found.and_then(|(rest, held)| Some(BandEnd { at: Decimal::parse(rest.trim())?, held }))
    };
    let from = || Some(BandEnd { at: Decimal::parse(label.strip_suffix('+')?.trim())?, held: true });
    let low = after(&above).or_else(from).map(|end| LabelBand { low: Some(end), high: None });
    low.or_else(|| after(&below).map(|end| LabelBand { low: None, high: Some(end) }))
}

fn bracketed(label: &str) -> Option<LabelBand> {
    let mut inner = label.chars();
    let (open, close) = (inner.next()?, inner.next_back()?);
    let holds_low = matches!(open, '[');
    let holds_high = matches!(close, ']');
    if !matches!(open, '[' | ']' | '(') || !matches!(close, '[' | ']' | ')') {
        return None;
    }
    let (low, high) = inner.as_str().split_once([',', ';'])?;
    Some(LabelBand::from_to(Decimal::parse(low.trim())?, holds_low, Decimal::parse(high.trim())?, holds_high))
}

/// A dash between two numbers; one of them, or both, may be below zero.
fn dashed(label: &str) -> Option<LabelBand> {
    let dashes = label.char_indices().filter(|(place, character)| *place > 0 && matches!(character, '-' | '–' | '—'));
    let split = |(place, dash): (usize, char)| {
        let (low, high) = (label.get(..place)?, label.get(place + dash.len_utf8()..)?);
        Some(LabelBand::from_to(Decimal::parse(low.trim())?, true, Decimal::parse(high.trim())?, true))
    };
    dashes.into_iter().find_map(split)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(label: &str) -> Vec<i32> {
        let band = LabelBand::read(label).unwrap_or_else(|| panic!("{label}"));
        (-9..100).filter(|number| band.holds(Decimal::parse(&number.to_string()).unwrap())).collect()
    }

    #[test]
    fn bands_are_read_as_people_write_them() {
        for label in
            ["20-24", "20 - 24", "20–24", "[20, 25[", "[20, 25)", "[20,24]", "]19, 24]", "(19, 25)", "[20; 24]"]
        {
            assert_eq!(held(label), [20, 21, 22, 23, 24], "{label}");
        }
        assert_eq!(held("-3--1"), [-3, -2, -1]);
        assert_eq!(held("37"), [37]);
        for label in [">= 97", ">=97", "≥ 97", "97+", "> 96"] {
            assert_eq!(held(label), [97, 98, 99], "{label}");
        }
        for label in ["<= -8", "≤-8", "< -7", "under -7"] {
            assert_eq!(held(label), [-9, -8], "{label}");
        }
    }

    #[test]
    fn what_is_no_band_is_none() {
        for label in
            ["*", "", "young", "30-20", "[1, x]", "-", "+", "under", "1-2-3", "2011-03-14", "[1, 2", "NaN", "é"]
        {
            assert_eq!(LabelBand::read(label), None, "{label}");
        }
    }

    #[test]
    fn places_are_those_of_the_numbers_it_holds() {
        let sorted: Vec<Decimal> =
            ["1", "2.5", "3", "10"].iter().map(|number| Decimal::parse(number).unwrap()).collect();
        let places = |label: &str| LabelBand::read(label).unwrap().places(&sorted);
        assert_eq!([places("[1, 3["), places("2-3"), places("> 3"), places("4-5")], [0..2, 1..3, 3..4, 3..3]);
    }

    #[test]
    fn an_open_end_lies_at_the_end_of_the_whole() {
        let ends = |label: &str| LabelBand::read(label).unwrap().ends((17.0, 90.0));
        assert_eq!(
            [ends(">= 60"), ends("<= 19"), ends("[20, 25["), ends("95+")],
            [(60.0, 90.0), (17.0, 19.0), (20.0, 25.0), (95.0, 95.0)]
        );
    }
}
