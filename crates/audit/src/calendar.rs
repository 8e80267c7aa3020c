//! The Gregorian calendar from 1583 on, as far as labels of dates need it.
//!
//! Source: ISO 8601; for the weekday of New Year, Gauss.

/// The first year that counts.
pub(crate) const FIRST_YEAR: u32 = 1583;

/// How dates may have been collected.
pub(crate) const DATE_FORMATS: [&str; 12] = [
    "YYYY-MM-DD",
    "DD.MM.YYYY",
    "DD/MM/YYYY",
    "MM/DD/YYYY",
    "YYYYMMDD",
    "DD-MM-YYYY",
    "YYYY/MM/DD",
    "YYYY.MM.DD",
    "D.M.YYYY",
    "D/M/YYYY",
    "M/D/YYYY",
    "D-M-YYYY",
];

/// Exactly so many digits.
pub(crate) fn number(text: &str, digits: usize) -> Option<u32> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

pub(crate) fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Days in a month; none in a month that does not exist.
pub(crate) fn days_in(year: u32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap(year)),
        _ => 0,
    }
}

/// How many days there are before a year, from the first year on.
pub(crate) fn days_before(year: u32) -> u32 {
    let leaps = |year: u32| year / 4 - year / 100 + year / 400;
    365 * (year - FIRST_YEAR) + leaps(year - 1) - leaps(FIRST_YEAR - 1)
}

/// A year has 53 weeks when it begins or ends on a Thursday.
pub(crate) fn weeks_in(year: u32) -> u32 {
    let thursday = 4;
    let begins = weekday_of_new_year(year);
    let ends = (begins + u32::from(is_leap(year))) % 7;
    52 + u32::from(begins == thursday || ends == thursday)
}

/// The weekday of 1 January, Sunday being 0 (Gauss).
pub(crate) fn weekday_of_new_year(year: u32) -> u32 {
    let before = year - 1;
    (1 + 5 * (before % 4) + 4 * (before % 100) + 6 * (before % 400)) % 7
}

/// Reads a day at the start of a text by a pattern such as `D.M.YYYY`, in which a single letter takes one digit or two;
/// year, month, day, and what follows.
pub(crate) fn read<'t>(text: &'t str, pattern: &str) -> Option<([u32; 3], &'t str)> {
    let mut fields = [0; 3];
    let mut rest = text;
    for (place, letter) in pattern.char_indices() {
        let Some(field) = "YMD".find(letter) else {
            rest = rest.strip_prefix(letter)?;
            continue;
        };
        // Each field is read at its first letter.
        if place > 0 && pattern.get(..place)?.ends_with(letter) {
            continue;
        }
        let width = pattern.matches(letter).count();
        let found = rest.bytes().take(width.max(2)).take_while(u8::is_ascii_digit).count();
        let length = if width == 1 { found.clamp(1, 2) } else { width };
        fields[field] = number(rest.get(..length)?, length)?;
        rest = rest.get(length..)?;
    }
    let [year, month, day] = fields;
    let exists = (FIRST_YEAR..=9999).contains(&year) && (1..=days_in(year, month)).contains(&day);
    exists.then_some((fields, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_of_53_weeks_come_71_times_in_400_years() {
        assert_eq!((2000..2400).filter(|year| weeks_in(*year) == 53).count(), 71);
    }
}
