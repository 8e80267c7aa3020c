//! Date labels: `2026-03-29`, `2026-W13`, `2026-03`, `2026-Q1`, `2026`, `2020s`.
//!
//! Gregorian years 1583 to 9999. A day early in 1583 lies in the last week of 1582, and a decade may begin before its
//! first year that counts.
//!
//! Source: ISO 8601.

const FIRST_YEAR: u32 = 1583;

/// How coarse a date is.
#[derive(Clone, Copy)]
pub(crate) enum Grain {
    Day,
    Week,
    Month,
    Quarter,
    Year,
    Decade,
}

impl Grain {
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "day" => Self::Day,
            "week" => Self::Week,
            "month" => Self::Month,
            "quarter" => Self::Quarter,
            "year" => Self::Year,
            "decade" => Self::Decade,
            _ => return None,
        })
    }

    /// Whether a label of this grain reads so.
    pub fn is_label(self, label: &str) -> bool {
        self.reads(label).unwrap_or(false)
    }

    fn reads(self, label: &str) -> Option<bool> {
        let (year, rest) = label.split_at_checked(4)?;
        let year = number(year, 4)?;
        let counted = year >= FIRST_YEAR;
        Some(match self {
            Self::Day => {
                let (month, day) = rest.strip_prefix('-')?.split_once('-')?;
                counted && (1..=days_in(year, number(month, 2)?)).contains(&number(day, 2)?)
            }
            Self::Week => {
                let week = number(rest.strip_prefix("-W")?, 2)?;
                let first = if year == FIRST_YEAR - 1 { 52 } else { 1 };
                (counted || first > 1) && (first..=weeks_in(year)).contains(&week)
            }
            Self::Month => counted && (1..=12).contains(&number(rest.strip_prefix('-')?, 2)?),
            Self::Quarter => counted && (1..=4).contains(&number(rest.strip_prefix("-Q")?, 1)?),
            Self::Year => counted && rest.is_empty(),
            Self::Decade => rest == "s" && year % 10 == 0 && year + 9 >= FIRST_YEAR,
        })
    }
}

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

/// Exactly so many digits.
fn number(text: &str, digits: usize) -> Option<u32> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Days in a month; none in a month that does not exist.
fn days_in(year: u32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap(year)),
        _ => 0,
    }
}

/// A year has 53 weeks when it begins or ends on a Thursday.
fn weeks_in(year: u32) -> u32 {
    let thursday = 4;
    let begins = weekday_of_new_year(year);
    let ends = (begins + u32::from(is_leap(year))) % 7;
    52 + u32::from(begins == thursday || ends == thursday)
}

/// The weekday of 1 January, Sunday being 0 (Gauss).
fn weekday_of_new_year(year: u32) -> u32 {
    let before = year - 1;
    (1 + 5 * (before % 4) + 4 * (before % 100) + 6 * (before % 400)) % 7
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(grain: &str, label: &str) -> bool {
        Grain::named(grain).is_some_and(|grain| grain.is_label(label))
    }

    #[test]
    fn labels_of_each_grain() {
        for (grain, label) in [
            ("day", "2026-03-29"),
            ("day", "2024-02-29"),
            ("day", "2000-02-29"),
            ("day", "2026-04-30"),
            ("day", "2026-12-31"),
            ("week", "2026-W13"),
            ("week", "2026-W53"),
            ("week", "2020-W53"),
            ("week", "1582-W52"),
            ("month", "2026-12"),
            ("quarter", "2026-Q4"),
            ("year", "1583"),
            ("decade", "2020s"),
            ("decade", "1580s"),
        ] {
            assert!(check(grain, label), "{grain} {label}");
        }
    }

    #[test]
    fn what_no_calendar_has() {
        for (grain, label) in [
            ("day", "2026-02-29"),
            ("day", "1900-02-29"),
            ("day", "2026-01-32"),
            ("day", "2026-04-31"),
            ("day", "2026-13-01"),
            ("day", "2026-00-10"),
            ("day", "2026-3-29"),
            ("day", "29.03.2026"),
            ("week", "2026-W00"),
            ("week", "2025-W53"),
            ("week", "1582-W51"),
            ("week", "1581-W52"),
            ("month", "2026-13"),
            ("month", "2026-03-29"),
            ("month", "2026-+3"),
            ("quarter", "2026-Q5"),
            ("year", "1582"),
            ("year", "202"),
            ("year", "2026s"),
            ("decade", "2021s"),
            ("decade", "1570s"),
            ("decade", "2020"),
            ("year", "٢٠٢٦"),
        ] {
            assert!(!check(grain, label), "{grain} {label}");
        }
    }

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
    fn what_is_no_date_has_no_label() {
        for text in
            ["2026-02-29", "2026-03-29x", "2026-3-29", "2026/03/29", "2026-03-29T24:00", "1582-12-31", "", "日本"]
        {
            assert_eq!(label(text, "YYYY-MM-DD", "year"), None, "{text}");
        }
        assert_eq!(label("29.03.2026 10:00", "DD.MM.YYYY", "year"), None);
        assert_eq!(label("1583-01-02", "YYYY-MM-DD", "week"), None);
    }

    #[test]
    fn years_of_53_weeks_come_71_times_in_400_years() {
        assert_eq!((2000..2400).filter(|year| weeks_in(*year) == 53).count(), 71);
    }
}
