//! Ranges as members of groups: `0..17`, `A00..B99`.
//!
//! Both ends belong to a range. `0..<18` leaves the upper end out; `65..` and `..17` have one end only. If the ends are numbers,
//! a range holds numbers and compares them as numbers. Otherwise it holds codes in the order of their characters, and a code
//! belongs to the end that it starts with: `B99.9` is in `A00..B99`. A range is written with two points, because `15-19` may be
//! a value as it was collected.

use super::decimal::Decimal;

/// A range of numbers or codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    ends: RangeEnds,
    /// Whether the upper end is left out.
    is_open: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum RangeEnds {
    Numbers(Option<Decimal>, Option<Decimal>),
    Codes(Option<String>, Option<String>),
}

impl Range {
    /// The range that a member of a group stands for; `None` for a plain value.
    #[must_use]
    pub fn parse(member: &str) -> Option<Self> {
        let (low, high) = member.split_once("..")?;
        let (high, is_open) = high.strip_prefix('<').map_or((high, false), |high| (high, true));
        let end = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let (low, high) = (end(low), end(high));
        let is_plain =
            |end: &Option<String>| end.as_ref().is_none_or(|end| !end.starts_with('.') && !end.contains(".."));
        if (low.is_none() && high.is_none()) || (is_open && high.is_none()) || !is_plain(&low) || !is_plain(&high) {
            return None;
        }
        let number = |end: &Option<String>| end.as_deref().map(Decimal::parse);
        let is_number = |end: Option<Option<Decimal>>| end.is_none_or(|number| number.is_some());
        let numbers = (number(&low), number(&high));
        let ends = if is_number(numbers.0) && is_number(numbers.1) {
            RangeEnds::Numbers(numbers.0.flatten(), numbers.1.flatten())
        } else {
            RangeEnds::Codes(low, high)
        };
        Some(Self { ends, is_open })
    }

    /// Whether a value is in it.
    #[must_use]
    pub fn holds(&self, value: &str) -> bool {
        match &self.ends {
            RangeEnds::Numbers(low, high) => Decimal::parse(value).is_some_and(|number| {
                low.is_none_or(|low| low <= number)
                    && high.is_none_or(|high| if self.is_open { number < high } else { number <= high })
            }),
            RangeEnds::Codes(low, high) => {
                low.as_deref().is_none_or(|low| low <= value)
                    && high.as_deref().is_none_or(|high| self.is_before(value, high))
            }
        }
    }

    /// Whether nothing can be in it: its end lies before its start.
    pub(super) fn is_empty(&self) -> bool {
        match &self.ends {
            RangeEnds::Numbers(Some(low), Some(high)) => high < low || (self.is_open && high == low),
            RangeEnds::Codes(Some(low), Some(high)) => !self.is_before(low, high),
            _ => false,
        }
    }

    /// Whether there may be a value that is in both.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let is_up_to = |range: &Self, start: Option<Decimal>, end: Option<Decimal>| match (start, end) {
            (Some(start), Some(end)) => start < end || (start == end && !range.is_open),
            _ => true,
        };
        let is_code_up_to = |range: &Self, start: &Option<String>, end: &Option<String>| match (start, end) {
            (Some(start), Some(end)) => range.is_before(start, end),
            _ => true,
        };
        match (&self.ends, &other.ends) {
            (RangeEnds::Numbers(low, high), RangeEnds::Numbers(other_low, other_high)) => {
                is_up_to(other, *low, *other_high) && is_up_to(self, *other_low, *high)
            }
            (RangeEnds::Codes(low, high), RangeEnds::Codes(other_low, other_high)) => {
                is_code_up_to(other, low, other_high) && is_code_up_to(self, other_low, high)
            }
            _ => false,
        }
    }

    /// Whether a code is not beyond an upper end, by as many characters as that has.
    fn is_before(&self, code: &str, high: &str) -> bool {
        let start: String = code.chars().take(high.chars().count()).collect();
        if self.is_open { start.as_str() < high } else { start.as_str() <= high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(range: &str, inside: &[&str], outside: &[&str]) {
        let parsed = Range::parse(range).unwrap();
        assert!(inside.iter().all(|value| parsed.holds(value)), "{range}");
        assert!(!outside.iter().any(|value| parsed.holds(value)), "{range}");
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        check("0..17", &["0", "17", "17.0", "9", "0.5"], &["-1", "17.5", "18", "x", ""]);
        check("0..<18", &["17.99"], &["18"]);
        check("65..", &["65", "1e3"], &["64", "old"]);
        check("..-1", &["-1", "-2.5"], &["0"]);
        check("0.5..1.5", &["1"], &["2"]);
    }

    #[test]
    fn codes_belong_to_the_end_that_they_start_with() {
        check("A00..B99", &["A00", "A00.1", "B99.9", "AZ"], &["C00", "A0", "a00", "A"]);
        check("A00..<C00", &["B99.9"], &["C00", "C00.1"]);
        check("X..", &["X1", "Z"], &["W99"]);
    }

    #[test]
    fn what_is_no_range_is_a_value() {
        for member in ["", "..", "15-19", "a.b", "...", "a...b", "1..2..3", "0..<"] {
            assert_eq!(Range::parse(member), None, "{member}");
        }
    }

    #[test]
    fn ranges_that_share_a_value_meet() {
        let meet = |one: &str, other: &str| Range::parse(one).unwrap().meets(&Range::parse(other).unwrap());
        for (one, other, expected) in [
            ("0..17", "18..64", false),
            ("0..18", "18..64", true),
            ("0..<18", "18..64", false),
            ("18..64", "0..<18", false),
            ("..5", "6..", false),
            ("..6", "6..", true),
            ("A00..B99", "C00..D48", false),
            ("A00..B99", "B99.5..C10", true),
            ("A00..B99", "0..17", false),
        ] {
            assert_eq!((meet(one, other), meet(other, one)), (expected, expected), "{one} {other}");
        }
    }

    #[test]
    fn ends_in_the_wrong_order_are_seen() {
        for (range, is_empty) in
            [("5..3", true), ("5..5", false), ("5..<5", true), ("B..A", true), ("A..A", false), ("5..", false)]
        {
            assert_eq!(Range::parse(range).unwrap().is_empty(), is_empty, "{range}");
        }
    }
}
