//! Collected dates: read strictly in one format, and written at a grain.
//!
//! A date that does not exist, or is not written as its format says, is no date. The week is that of its Thursday.

use crate::calendar::{self, FIRST_YEAR, days_before, days_in, is_leap, number, weekday_of_new_year, weeks_in};
use crate::labels::date::Grain;

/// A day of the calendar.
#[derive(Clone, Copy)]
pub(crate) struct Day {
    year: u32,
    month: u32,
    of_month: u32,
}

impl Day {
    /// Reads a date that was collected in this format; a time of day may follow, which is not looked at.
    pub fn collected(text: &str, format: &str) -> Option<Self> {
        Self::and_time(text, format).map(|(day, _)| day)
    }

    /// The same, and the time of day that follows.
    pub fn and_time<'t>(text: &'t str, format: &str) -> Option<(Self, &'t str)> {
        let ([year, month, of_month], rest) = calendar::read(text, format)?;
        let hour = if format.contains("DD") { 2 } else { 1 };
        (rest.is_empty() || is_time(rest, hour)).then_some((Self { year, month, of_month }, rest))
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
        let day = format.replace("DD", &format!("{of_month:02}")).replace('D', &of_month.to_string());
        let month = day.replace("MM", &format!("{month:02}")).replace('M', &month.to_string());
        month.replace("YYYY", &format!("{year:04}"))
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
            Grain::FiveYears => format!("{:04}-{:04}", year - year % 5, year - year % 5 + 4),
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

/// Whether this is a time of day: `T10:30`, ` 10:30:59.123`, with or without a zone, or ` 10:30 AM`; so many digits are the
/// least that an hour has.
fn is_time(text: &str, hour_digits: usize) -> bool {
    let read = || {
        let clock = text.strip_prefix(['T', ' '])?;
        let (hour, rest) = clock.split_once(':')?;
        let hour = number(hour, hour.len()).filter(|_| (hour_digits..=2).contains(&hour.len()))?;
        let mut rest = two_digits(rest, 60)?;
        if let Some(seconds) = rest.strip_prefix(':') {
            rest = two_digits(seconds, 61)?;
            if let Some(fraction) = rest.strip_prefix('.') {
                rest = fraction.trim_start_matches(|letter: char| letter.is_ascii_digit());
                (rest.len() < fraction.len()).then_some(())?;
            }
        }
        let half = rest.trim_start_matches(' ').to_ascii_lowercase();
        if half == "am" || half == "pm" {
            return Some((1..=12).contains(&hour) && rest.len() <= 3);
        }
        Some(hour < 24 && (rest.is_empty() || rest == "Z" || is_zone(rest).unwrap_or(false)))
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
            ("29.03.2026 10:00", "DD.MM.YYYY", "5 years", "2025-2029"),
            ("9.3.2026", "D.M.YYYY", "day", "2026-03-09"),
            ("09.03.2026 9:05", "D.M.YYYY", "day", "2026-03-09"),
            ("3/9/2026 9:05 PM", "M/D/YYYY", "day", "2026-03-09"),
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
        assert_eq!(day("2026-03-09").written("D.M.YYYY"), "9.3.2026");
        assert_eq!(day("2026-03-09").written("YYYYMMDD"), "20260309");
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
        for (text, format) in [
            ("29.03.2026 9:00", "DD.MM.YYYY"),
            ("9.3.2026", "DD.MM.YYYY"),
            ("009.3.2026", "D.M.YYYY"),
            ("9.3.26", "D.M.YYYY"),
            ("03/29/2026 13:00 PM", "MM/DD/YYYY"),
            ("03/29/2026 10:00  PM", "MM/DD/YYYY"),
        ] {
            assert_eq!(label(text, format, "year"), None, "{text}");
        }
        assert_eq!(label("1583-01-02", "YYYY-MM-DD", "week"), None);
    }
}
