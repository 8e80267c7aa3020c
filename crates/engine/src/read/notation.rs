//! How a table writes its numbers: the decimal sign, and what groups thousands.
//!
//! Cells of columns that hold numbers are brought to plain decimals, `1234.5`, while they are read, so nothing behind the
//! reader knows another sign. Text columns stay as collected, and so do numbers that a file holds as numbers.
//!
//! No number is misread: what this notation cannot read, but a plain decimal would be, is refused where it stands. With
//! `decimal = ","`, `1.234` may mean a thousand or a little more than one: only `thousands = "."` says which. Groups must be
//! groups: three digits each, and the first neither empty nor opened by a zero. What is no number in any notation is passed on
//! as it is; whoever needs a number refuses it and can say how many there are.

use std::borrow::Cow;
use std::collections::BTreeMap;

use equanym_core::hierarchy::decimal::Decimal;
use serde::{Deserialize, Serialize};

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notation {
    /// What comes before the fraction: `.` or `,`.
    pub decimal: char,
    /// What groups the digits before it, if anything does.
    pub thousands: Option<char>,
}

impl Default for Notation {
    fn default() -> Self {
        Self { decimal: '.', thousands: None }
    }
}

/// A number in another notation than the table's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OtherNotation;

/// The longest number that is read quickly.
pub(crate) const QUICK: usize = 24;

/// What may be a decimal sign.
pub const DECIMAL_SIGNS: [char; 2] = ['.', ','];

/// What may group thousands. A blank stands for the blanks that do not break, too, and `'` for `’`.
pub const THOUSANDS: [char; 5] = ['.', ',', ' ', '\'', '_'];

impl Notation {
    /// The decimal sign that a text names.
    #[must_use]
    pub fn decimal_sign(text: &str) -> Option<char> {
        DECIMAL_SIGNS.into_iter().find(|sign| text.chars().eq([*sign]))
    }

    /// The sign of thousands that a text names.
    #[must_use]
    pub fn thousands_sign(text: &str) -> Option<char> {
        let text = if text == "\u{a0}" || text == "\u{202f}" { " " } else { text };
        THOUSANDS.into_iter().find(|sign| text.chars().eq([*sign]))
    }

    /// Whether one sign has two meanings.
    #[must_use]
    pub fn is_contradictory(self) -> bool {
        self.thousands == Some(self.decimal)
    }

    /// Whether numbers are plain decimals already.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The number that a text is, as a plain decimal; `None` where it is none in this notation.
    #[must_use]
    pub fn number(self, text: &str) -> Option<String> {
        let plain = self.plain(text).ok()?;
        Decimal::parse(&plain).map(|_| plain.into_owned())
    }

    /// The values of a column, with their records, as plain decimals, where all that are not missing are numbers in this notation;
    /// otherwise as they are.
    #[must_use]
    pub fn plain_column(self, values: BTreeMap<String, u64>) -> BTreeMap<String, u64> {
        if self.is_usual() {
            return values;
        }
        let mut numbers = BTreeMap::new();
        for (value, records) in &values {
            let number = if value.is_empty() { Some(String::new()) } else { self.number(value) };
            let Some(number) = number else { return values };
            *numbers.entry(number).or_insert(0) += records;
        }
        numbers
    }

    /// The same as [`Notation::plain`] for most numbers, without making room for each: digits around one decimal sign.
    #[inline]
    pub(crate) fn quick<'r>(self, text: &str, room: &'r mut [u8; QUICK]) -> Option<&'r str> {
        let room = room.get_mut(..text.len())?;
        let mut signs = 0;
        for (to, byte) in room.iter_mut().zip(text.bytes()) {
            let is_sign = char::from(byte) == self.decimal;
            signs += usize::from(is_sign);
            if !(is_sign || byte.is_ascii_digit()) {
                return None;
            }
            *to = if is_sign { b'.' } else { byte };
        }
        let is_inside = !text.starts_with(self.decimal) && !text.ends_with(self.decimal);
        (signs == 1 && is_inside).then(|| std::str::from_utf8(room).ok()).flatten()
    }

    /// The cell of a column of numbers as a plain decimal; what is no number at all stays as it is.
    #[inline]
    pub(crate) fn plain(self, text: &str) -> Result<Cow<'_, str>, OtherNotation> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'+';
        if self.is_usual() || text.bytes().all(is_plain) {
            return Ok(Cow::Borrowed(text));
        }
        match self.rewritten(text) {
            Some(plain) => Ok(Cow::Owned(plain)),
            None if Decimal::parse(text).is_some() => Err(OtherNotation),
            None => Ok(Cow::Borrowed(text)),
        }
    }

    fn rewritten(self, text: &str) -> Option<String> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let sign = text.get(..text.len() - digits.len()).unwrap_or_default();
        let (number, exponent) = digits.find(['e', 'E']).map_or((digits, ""), |place| digits.split_at(place));
        let (whole, fraction) = number.split_once(self.decimal).unwrap_or((number, ""));
        let mut plain = String::with_capacity(text.len() + 1);
        plain.push_str(sign);
        self.push_whole(whole, &mut plain)?;
        if !fraction.is_empty() {
            plain.push('.');
            plain.push_str(fraction);
        }
        plain.push_str(exponent);
        let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
        (is_fraction && !(whole.is_empty() && fraction.is_empty())).then_some(plain)
    }

    /// The digits before the decimal sign without what groups them.
    fn push_whole(self, whole: &str, plain: &mut String) -> Option<()> {
        let is_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
        let mut groups = whole.split(|letter| self.groups(letter));
        let first = groups.next().unwrap_or_default();
        let mut fits = is_digits(first);
        plain.push_str(first);
        let mut is_grouped = false;
        for group in groups {
            is_grouped = true;
            fits &= group.len() == 3 && is_digits(group);
            plain.push_str(group);
        }
        let opens_well = !is_grouped || ((1..=3).contains(&first.len()) && !first.starts_with('0'));
        (fits && opens_well).then_some(())
    }

    fn groups(self, letter: char) -> bool {
        match self.thousands {
            Some(' ') => matches!(letter, ' ' | '\u{a0}' | '\u{202f}'),
            Some('\'') => matches!(letter, '\'' | '’'),
            thousands => Some(letter) == thousands,
        }
    }
}

/// A number or a range of numbers with the other decimal sign: `1.5` is `1,5`, and `[1.5, 2[` is `[1,5; 2[`. Anything else stays
/// as it is. Done twice it gives the text back.
pub(crate) fn with_other_sign(text: &str) -> Cow<'_, str> {
    if !text.contains(['.', ',', ';']) {
        return Cow::Borrowed(text);
    }
    let other = exchanged(text);
    if is_numeric(text) || is_numeric(&other) { Cow::Owned(other) } else { Cow::Borrowed(text) }
}

/// Point for comma between digits, and comma for semicolon before a blank; and the other way round.
fn exchanged(text: &str) -> String {
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    let mut other = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        let is_inside = before.is_ascii_digit() && letters.peek().is_some_and(char::is_ascii_digit);
        let is_end = letters.peek() == Some(&' ');
        other.push(match letter {
            '.' if is_inside => ',',
            ',' if is_inside => '.',
            ',' if is_end => ';',
            ';' if is_end => ',',
            _ => letter,
        });
        before = letter;
    }
    other
}

/// A plain decimal, a range of two, or an open end as `90+` and `under 15`.
fn is_numeric(text: &str) -> bool {
    let is_number = |text: &str| Decimal::parse(text).is_some();
    let inner = text.strip_prefix(['[', ']']).and_then(|rest| rest.strip_suffix(['[', ']']));
    if let Some((low, high)) = inner.and_then(|inner| inner.split_once(", ")) {
        return is_number(low) && is_number(high);
    }
    is_number(text.strip_suffix('+').or(text.strip_prefix("under ")).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(decimal: char, thousands: Option<char>, cells: &[(&str, Option<&str>)]) {
        let notation = Notation { decimal, thousands };
        for (cell, expected) in cells {
            assert_eq!(notation.number(cell).as_deref(), *expected, "{cell} in {notation:?}");
        }
    }

    #[test]
    fn numbers_become_plain_decimals() {
        let plain = [("1,5", Some("1.5")), ("-0,25", Some("-0.25")), ("12", Some("12")), ("+1,5e3", Some("+1.5e3"))];
        check(',', None, &plain);
        check(',', None, &[(",5", Some(".5")), ("5,", Some("5")), ("1,50", Some("1.50"))]);
        check(',', Some('.'), &[("1.234,5", Some("1234.5")), ("1.234", Some("1234")), ("1234,5", Some("1234.5"))]);
        check('.', Some(','), &[("1,234.5", Some("1234.5")), ("1,234,567", Some("1234567"))]);
        check(',', Some(' '), &[("1 234,5", Some("1234.5")), ("1\u{a0}234", Some("1234"))]);
        check('.', Some('\''), &[("1'234.50", Some("1234.50")), ("1’234", Some("1234"))]);
    }

    #[test]
    fn most_numbers_are_read_quickly_and_alike() {
        let comma = Notation { decimal: ',', thousands: Some('.') };
        for (text, expected) in
            [("1,5", Some("1.5")), ("0,25", Some("0.25")), ("12", None), ("-1,5", None), (",5", None), ("5,", None)]
        {
            let mut room = [0; QUICK];
            let quick = comma.quick(text, &mut room);
            assert_eq!(quick, expected, "{text}");
            assert!(quick.is_none_or(|quick| comma.plain(text) == Ok(quick.into())));
        }
        for other in ["1.5", "1.234,5", "1,2,3", "1,5 ", "é,5", "1234567890123456789012345,5"] {
            assert_eq!(comma.quick(other, &mut [0; QUICK]), None, "{other}");
        }
    }

    #[test]
    fn groups_must_be_groups() {
        check(',', Some('.'), &[("1.23", None), ("1.2345", None), ("0.123", None), (".123", None), ("1234.567", None)]);
        check('.', Some(','), &[("1,5", None), ("12,34", None), ("1,234,5", None), ("1.5,000", None)]);
    }

    #[test]
    fn nothing_is_misread() {
        let comma = Notation { decimal: ',', thousands: None };
        for other in ["1.5", "1.234", "-0.5e3"] {
            assert_eq!(comma.plain(other), Err(OtherNotation), "{other}");
        }
        for none in ["", ",", "abc", "1.2.3", "1,2,3", "1.234,5", "12.03.1976", "1,5 kg", "e5", "-"] {
            assert_eq!(comma.plain(none), Ok(Cow::Borrowed(none)), "{none}");
            assert_eq!(comma.number(none), None, "{none}");
        }
        let grouped = Notation { decimal: ',', thousands: Some('.') };
        assert_eq!(grouped.plain("0.123"), Err(OtherNotation));
        assert_eq!(grouped.plain("1.23"), Err(OtherNotation));
    }

    #[test]
    fn a_column_is_one_of_numbers_or_stays_text() {
        let comma = Notation { decimal: ',', thousands: None };
        let counted =
            |values: &[(&str, u64)]| values.iter().map(|(value, records)| ((*value).to_owned(), *records)).collect();
        let column = |values: &[(&str, u64)]| comma.plain_column(counted(values));
        assert_eq!(column(&[("", 1), ("1,5", 2), ("12", 3)]), counted(&[("", 1), ("1.5", 2), ("12", 3)]));
        for kept in [&[("1,5", 1), ("x", 2)], &[("1,5", 1), ("2.5", 2)]] {
            assert_eq!(column(kept), counted(kept), "one of them is text, or in another notation");
        }
    }

    #[test]
    fn the_other_sign_and_back() {
        for (plain, comma) in [
            ("1.5", "1,5"),
            ("-0.25", "-0,25"),
            ("[10.5, 20[", "[10,5; 20["),
            ("[-10, -5.25]", "[-10; -5,25]"),
            ("90.5+", "90,5+"),
            ("under 15.5", "under 15,5"),
        ] {
            assert_eq!((with_other_sign(plain).as_ref(), with_other_sign(comma).as_ref()), (comma, plain));
        }
        for other in ["", "*", "12", "1.5 kg", "a, b", "01.02.2020", "1.2.3", "[a, b[", "90+", "x; y"] {
            assert_eq!(with_other_sign(other), other);
        }
    }

    #[test]
    fn signs_are_told_from_each_other() {
        assert_eq!(Notation::decimal_sign(","), Some(','));
        for unfit in ["", "x", ";", ",,", "٫"] {
            assert_eq!(Notation::decimal_sign(unfit), None, "{unfit}");
        }
        assert_eq!(Notation::thousands_sign("\u{a0}"), Some(' '));
        assert!(Notation { decimal: ',', thousands: Some(',') }.is_contradictory());
    }
}
