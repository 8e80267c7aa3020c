//! Collected dates: read strictly in one format, and written at a grain.
//!
//! A date that does not exist, or is not written as its format says, is no date. The week is that of its Thursday.

use crate::calendar::{FIRST_YEAR, days_before, days_in, is_leap, number, weekday_of_new_year, weeks_in};
use crate::labels::date::Grain;

/// A day of the calendar.
#[derive(Clone, Copy)]
pub(crate) struct Day {
    year: u32,
    month: u32,
    of_month: u32,
}

impl Day {
    /// Reads a date that was collected in this format; after one of ISO 8601 may come a time, which is not looked at.
    pub fn collected(text: &str, format: &str) -> Option<Self> {
        let length = format.len();
        let (date, rest) = text.split_at_checked(length)?;
        let is_timed = format == "YYYY-MM-DD" && is_time(rest);
        let part = |letter: char, digits: usize| {
            let start = format.find(letter)?;
            number(date.get(start..start.checked_add(digits)?)?, digits)
        };
        let (year, month, day) = (part('Y', 4)?, part('M', 2)?, part('D', 2)?);
        let same = |(wanted, found): (u8, u8)| wanted.is_ascii_alphabetic() || wanted == found;
        let separated = format.bytes().zip(date.bytes()).all(same);
        let exists = (FIRST_YEAR..=9999).contains(&year) && (1..=days_in(year, month)).contains(&day);
        (separated && exists && (rest.is_empty() || is_timed)).then_some(Self { year, month, of_month: day })
    }

    /// Its number, from the first day of the calendar on.
    fn number(self) -> u32 {
        let months = (1..self.month).map(|month| days_in(self.year, month)).sum::<u32>();
        days_before(self.year) + months + self.of_month - 1
    }

    /// The day so many days later, or earlier; none beyond the calendar.
    pub fn moved(self, days: i64) -> Option<Self> {
        let mut rest = u32::try_from(i64::from(self.number()) + days).ok()?;
        // Not after the right one, and not long before it.
        let mut year = FIRST_YEAR + rest / 366;
        while days_before(year + 1) <= rest {
            year += 1;
        }
        if year > 9999 {
            return None;
        }
        rest -= days_before(year);
        let mut month = 1;
        while rest >= days_in(year, month) {
            rest -= days_in(year, month);
            month += 1;
        }
        Some(Self { year, month, of_month: rest + 1 })
    }

    /// Whole years from this day to another; none where that comes before.
    pub fn years_until(self, other: Self) -> Option<u32> {
        let is_complete = (other.month, other.of_month) >= (self.month, self.of_month);
        other.year.checked_sub(self.year + u32::from(!is_complete))
    }

    /// The day as a format writes it.
    pub fn written(self, format: &str) -> String {
        let Self { year, month, of_month } = self;
        let year = format.replace("YYYY", &format!("{year:04}"));
        year.replace("MM", &format!("{month:02}")).replace("DD", &format!("{of_month:02}"))
    }

    /// Its label at a grain; none for the first days of the calendar, whose week began before it.
    pub fn label(self, grain: Grain) -> Option<String> {
        let Self { year, month, of_month } = self;
        Some(match grain {
            Grain::Day => format!("{year:04}-{month:02}-{of_month:02}"),
            Grain::Week => {
                let (year, week) = self.week()?;
                format!("{year:04}-W{week:02}")
            }
            Grain::Month => format!("{year:04}-{month:02}"),
            Grain::Quarter => format!("{year:04}-Q{}", month.div_ceil(3)),
            Grain::Year => format!("{year:04}"),
            Grain::Decade => format!("{:04}s", year - year % 10),
        })
    }

    /// The week is that of its Thursday.
    fn week(self) -> Option<(u32, u32)> {
        let place = (1..self.month).map(|month| days_in(self.year, month)).sum::<u32>() + self.of_month - 1;
        // Monday is 0 here.
        let weekday = (weekday_of_new_year(self.year) + place + 6) % 7;
        let thursday = i64::from(place) + 3 - i64::from(weekday);
        let days = 365 + i64::from(is_leap(self.year));
        if thursday < 0 {
            let before = self.year - 1;
            return (before >= FIRST_YEAR).then(|| (before, weeks_in(before)));
        }
        if thursday >= days {
            return Some((self.year + 1, 1));
        }
        Some((self.year, u32::try_from(thursday / 7).ok()? + 1))
    }
}

/// Whether this is a time of day: `T10:30`, ` 10:30:59.123`, with or without a zone.
fn is_time(text: &str) -> bool {
    let read = || {
        let clock = text.strip_prefix(['T', ' '])?;
        let rest = two_digits(clock, 24)?.strip_prefix(':')?;
        let mut rest = two_digits(rest, 60)?;
        if let Some(seconds) = rest.strip_prefix(':') {
            rest = two_digits(seconds, 61)?;
            if let Some(fraction) = rest.strip_prefix('.') {
                rest = fraction.trim_start_matches(|letter: char| letter.is_ascii_digit());
                (rest.len() < fraction.len()).then_some(())?;
            }
        }
        Some(rest.is_empty() || rest == "Z" || is_zone(rest).unwrap_or(false))
    };
    read().unwrap_or(false)
}

/// Whether this is a difference from UTC: `+01`, `+0100`, `+01:00`.
fn is_zone(text: &str) -> Option<bool> {
    let rest = two_digits(text.strip_prefix(['+', '-'])?, 24)?;
    if rest.is_empty() {
        return Some(true);
    }
    Some(two_digits(rest.strip_prefix(':').unwrap_or(rest), 60)?.is_empty())
}

/// What follows a number of two digits below a limit.
fn two_digits(text: &str, limit: u32) -> Option<&str> {
    let (digits, rest) = text.split_at_checked(2)?;
    (number(digits, 2)? < limit).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(text: &str, format: &str, grain: &str) -> Option<String> {
        Day::collected(text, format)?.label(Grain::named(grain)?)
    }

    #[test]
    fn collected_dates_have_labels() {
        for (text, format, grain, expected) in [
            ("2026-03-29", "YYYY-MM-DD", "day", "2026-03-29"),
            ("29.03.2026", "DD.MM.YYYY", "week", "2026-W13"),
            ("29/03/2026", "DD/MM/YYYY", "month", "2026-03"),
            ("03/29/2026", "MM/DD/YYYY", "quarter", "2026-Q1"),
            ("20260401", "YYYYMMDD", "quarter", "2026-Q2"),
            ("2026-03-29T10:30:59.5+01:00", "YYYY-MM-DD", "year", "2026"),
            ("2029-12-31 23:59", "YYYY-MM-DD", "decade", "2020s"),
            ("2018-12-31", "YYYY-MM-DD", "week", "2019-W01"),
            ("2021-01-03", "YYYY-MM-DD", "week", "2020-W53"),
            ("2021-01-04", "YYYY-MM-DD", "week", "2021-W01"),
            ("2005-01-01", "YYYY-MM-DD", "week", "2004-W53"),
            ("2012-01-01", "YYYY-MM-DD", "week", "2011-W52"),
            ("1583-01-03", "YYYY-MM-DD", "week", "1583-W01"),
        ] {
            assert_eq!(label(text, format, grain).as_deref(), Some(expected), "{text} {grain}");
        }
    }

    #[test]
    fn days_move_and_count_years() {
        let day = |text: &str| Day::collected(text, "YYYY-MM-DD").unwrap();
        let moved = |text: &str, days| day(text).moved(days).map(|day| day.written("YYYY-MM-DD"));
        for (text, days, expected) in [
            ("2024-02-28", 1, Some("2024-02-29")),
            ("2023-12-31", 1, Some("2024-01-01")),
            ("2024-03-01", -1, Some("2024-02-29")),
            ("1583-01-01", -1, None),
            ("9999-12-31", 1, None),
            ("9999-12-31", 0, Some("9999-12-31")),
            ("2000-01-01", 146_097, Some("2400-01-01")),
        ] {
            assert_eq!(moved(text, days).as_deref(), expected, "{text} {days}");
        }
        for days in -800..800 {
            let there = day("1900-03-01").moved(days).unwrap();
            assert_eq!(there.moved(-days).unwrap().written("DD.MM.YYYY"), "01.03.1900");
        }
        for (from, to, years) in [
            ("2000-02-29", "2001-02-28", Some(0)),
            ("2000-02-29", "2001-03-01", Some(1)),
            ("1976-04-19", "2024-04-19", Some(48)),
            ("1976-04-19", "1976-04-18", None),
            ("1977-01-01", "1976-04-18", None),
        ] {
            assert_eq!(day(from).years_until(day(to)), years, "{from} {to}");
        }
    }

    #[test]
    fn what_is_no_date_has_no_label() {
        for text in
            ["2026-02-29", "2026-03-29x", "2026-3-29", "2026/03/29", "2026-03-29T24:00", "1582-12-31", "", "日本"]
        {
            assert_eq!(label(text, "YYYY-MM-DD", "year"), None, "{text}");
        }
        assert_eq!(label("29.03.2026 10:00", "DD.MM.YYYY", "year"), None);
        assert_eq!(label("1583-01-02", "YYYY-MM-DD", "week"), None);
    }
}
