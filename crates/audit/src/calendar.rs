//! The one calendar: Gregorian days of the years 1583 to 9999, read strictly in one format, moved, and told by their grain.
//!
//! A day is counted from 1970-01-01 on. A date that does not exist, or is not written as its format says, is no date. The week is that
//! of its Thursday; the first days of 1583 lie in a week that began before the calendar, and have none.
//!
//! Source: ISO 8601. The Gregorian calendar repeats every 400 years, which have 146,097 days.

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

/// The format by its name.
pub(crate) fn date_format(name: &str) -> Option<&'static str> {
    DATE_FORMATS.into_iter().find(|known| *known == name)
}

const ISO: &str = "YYYY-MM-DD";
/// The first year that counts.
const FIRST_YEAR: i64 = 1583;
const ERA: i64 = 146_097;
/// The days from 0000-03-01 to 1970-01-01.
const BEFORE_1970: i64 = 719_468;

/// A day, by how many came after 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day(i64);

/// How coarse a date is, from fine to coarse. Only weeks lie in two labels of the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grain {
    Day,
    Week,
    Month,
    Quarter,
    Year,
    FiveYears,
    Decade,
}

const GRAINS: [(&str, Grain); 7] = [
    ("day", Grain::Day),
    ("week", Grain::Week),
    ("month", Grain::Month),
    ("quarter", Grain::Quarter),
    ("year", Grain::Year),
    ("5 years", Grain::FiveYears),
    ("decade", Grain::Decade),
];

impl Grain {
    pub fn named(name: &str) -> Option<Self> {
        GRAINS.iter().find(|(known, _)| *known == name).map(|(_, grain)| *grain)
    }

    /// Whether a label of this grain reads so: one of its days has that label.
    pub fn is_label(self, label: &str) -> bool {
        self.day_of(label).and_then(|day| day.label(self)).is_some_and(|again| again == label)
    }

    /// Days of a label that lie in every coarser label that has some of its days: one, and of a week the last and the first.
    pub fn days(self, label: &str) -> Option<Vec<Day>> {
        let day = self.day_of(label)?;
        Some(if self == Self::Week { vec![day, Day(day.0 - 6)] } else { vec![day] })
    }

    /// A day of a label; of a week the last.
    fn day_of(self, label: &str) -> Option<Day> {
        let date = match self {
            Self::Day => label.to_owned(),
            Self::Week => return Day::of_week(label.get(..4)?, label.get(6..)?),
            Self::Month => format!("{label}-01"),
            Self::Quarter => format!("{}-{:02}-01", label.get(..4)?, 3 * number(label.get(6..)?, 1)?),
            Self::Year => format!("{label}-12-31"),
            Self::FiveYears => format!("{}-12-31", label.get(5..)?),
            Self::Decade => format!("{}9-12-31", label.strip_suffix("0s")?),
        };
        Day::read(&date, ISO).filter(|(_, rest)| rest.is_empty()).map(|(day, _)| day)
    }
}

impl Day {
    /// A day by its number after 1970-01-01, which may lie outside the calendar.
    pub fn after_1970(days: i64) -> Self {
        Self(days)
    }

    /// The day of a date that exists. Years begin in March here, so that a leap day ends one.
    fn new(year: i64, month: i64, of_month: i64) -> Self {
        let year = year - i64::from(month <= 2);
        let before_month = (153 * ((month + 9) % 12) + 2) / 5;
        Self(
            365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + before_month + of_month
                - 1
                - BEFORE_1970,
        )
    }

    /// Year, month and day of the month.
    fn date(self) -> [i64; 3] {
        let days = self.0 + BEFORE_1970;
        let in_era = days.rem_euclid(ERA);
        let year = (in_era - in_era / 1460 + in_era / 36_524 - in_era / (ERA - 1)) / 365;
        let in_year = in_era - (365 * year + year / 4 - year / 100);
        let month = (5 * in_year + 2) / 153;
        let year = year + 400 * days.div_euclid(ERA) + i64::from(month >= 10);
        [year, (month + 2) % 12 + 1, in_year - (153 * month + 2) / 5 + 1]
    }

    /// Reads a day at the start of a text by a format such as `D.M.YYYY`, in which a single letter takes one digit or two; and
    /// what follows.
    pub fn read<'t>(text: &'t str, format: &str) -> Option<(Self, &'t str)> {
        let mut fields = [0; 3];
        let mut rest = text;
        for (place, letter) in format.char_indices() {
            let Some(field) = "YMD".find(letter) else {
                rest = rest.strip_prefix(letter)?;
                continue;
            };
            // Each field is read at its first letter.
            if place > 0 && format.get(..place)?.ends_with(letter) {
                continue;
            }
            let width = format.matches(letter).count();
            let found = rest.bytes().take(width.max(2)).take_while(u8::is_ascii_digit).count();
            let length = if width == 1 { found.clamp(1, 2) } else { width };
            fields[field] = number(rest.get(..length)?, length)?;
            rest = rest.get(length..)?;
        }
        let [year, month, of_month] = fields;
        let day = Self::new(year, month, of_month);
        (year >= FIRST_YEAR && day.date() == fields).then_some((day, rest))
    }

    /// A date that was collected in this format; a time of day may follow, which is not looked at.
    pub fn collected(text: &str, format: &str) -> Option<Self> {
        Self::and_time(text, format).map(|(day, _)| day)
    }

    /// The same, and the time of day that follows.
    pub fn and_time<'t>(text: &'t str, format: &str) -> Option<(Self, &'t str)> {
        let (day, rest) = Self::read(text, format)?;
        let hour = if format.contains("DD") { 2 } else { 1 };
        (rest.is_empty() || is_time(rest, hour)).then_some((day, rest))
    }

    /// The day so many days later, or earlier; none beyond the calendar.
    pub fn moved(self, days: i64) -> Option<Self> {
        let moved = Self(self.0.checked_add(days)?);
        (FIRST_YEAR..=9999).contains(&moved.date()[0]).then_some(moved)
    }

    /// Whole years from this day to another; none where that comes before.
    pub fn years_until(self, other: Self) -> Option<u32> {
        let ([year, month, of_month], [other_year, other_month, other_of_month]) = (self.date(), other.date());
        let is_complete = (other_month, other_of_month) >= (month, of_month);
        u32::try_from(other_year - year - i64::from(!is_complete)).ok()
    }

    /// The day as a format writes it.
    pub fn written(self, format: &str) -> String {
        let [year, month, of_month] = self.date();
        let day = format.replace("DD", &format!("{of_month:02}")).replace('D', &of_month.to_string());
        let month = day.replace("MM", &format!("{month:02}")).replace('M', &month.to_string());
        month.replace("YYYY", &format!("{year:04}"))
    }

    /// Its label at a grain; none for the first days of the calendar, whose week began before it.
    pub fn label(self, grain: Grain) -> Option<String> {
        let [year, month, _] = self.date();
        Some(match grain {
            Grain::Day => self.written(ISO),
            Grain::Week => {
                let thursday = self.monday().0 + 3;
                let year = Self(thursday).date()[0];
                let week = (thursday - Self::new(year, 1, 1).0) / 7 + 1;
                return (year >= FIRST_YEAR).then(|| format!("{year:04}-W{week:02}"));
            }
            Grain::Month => format!("{year:04}-{month:02}"),
            Grain::Quarter => format!("{year:04}-Q{}", (month + 2) / 3),
            Grain::Year => format!("{year:04}"),
            Grain::FiveYears => format!("{:04}-{:04}", year - year % 5, year - year % 5 + 4),
            Grain::Decade => format!("{:04}s", year - year % 10),
        })
    }

    /// The Monday of its week; 1970-01-01 was a Thursday.
    fn monday(self) -> Self {
        Self(self.0 - (self.0 + 3).rem_euclid(7))
    }

    /// The last day of a week. 4 January lies in the first.
    fn of_week(year: &str, week: &str) -> Option<Self> {
        let (year, week) = (number(year, 4)?, number(week, 2)?);
        Some(Self(Self::new(year, 1, 4).monday().0 + 7 * week - 1))
    }
}

/// Exactly so many digits.
fn number(text: &str, digits: usize) -> Option<i64> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
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
fn two_digits(text: &str, limit: i64) -> Option<&str> {
    let (digits, rest) = text.split_at_checked(2)?;
    (number(digits, 2)? < limit).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(grain: &str, label: &str) -> bool {
        Grain::named(grain).is_some_and(|grain| grain.is_label(label))
    }

    fn is_day(cell: &str, format: &str) -> bool {
        Day::read(cell, format).is_some_and(|(_, rest)| rest.is_empty())
    }

    #[test]
    fn labels_of_each_grain() {
        for (grain, labels) in [
            ("day", &["2026-03-29", "2024-02-29", "2000-02-29", "2026-04-30", "2026-12-31"][..]),
            ("week", &["2026-W13", "2026-W53", "2020-W53", "9999-W52"]),
            ("month", &["2026-12"]),
            ("quarter", &["2026-Q4"]),
            ("year", &["1583"]),
            ("5 years", &["2025-2029", "1580-1584"]),
            ("decade", &["2020s", "1580s"]),
        ] {
            assert!(labels.iter().all(|label| check(grain, label)), "{grain}");
        }
        for (grain, others) in [
            ("day", &["2026-02-29", "1900-02-29", "2026-01-32", "2026-04-31", "2026-13-01", "2026-00-10"][..]),
            ("day", &["2026-3-29", "29.03.2026", ""]),
            ("week", &["2026-W00", "2025-W53", "1582-W52", "1581-W52", "2026-w13", "2026-W130"]),
            ("month", &["2026-13", "2026-03-29", "2026-+3"]),
            ("quarter", &["2026-Q5", "2026-Q0", "2026-q1"]),
            ("year", &["1582", "202", "2026s", "٢٠٢٦"]),
            ("5 years", &["2026-2030", "2025-2030", "1575-1579", "2025"]),
            ("decade", &["2021s", "1570s", "2020"]),
        ] {
            assert!(!others.iter().any(|label| check(grain, label)), "{grain} {others:?}");
        }
    }

    #[test]
    fn days_in_the_format_of_their_column() {
        for (cell, format) in [
            ("2024-02-29", "YYYY-MM-DD"),
            ("29.02.2024", "DD.MM.YYYY"),
            ("29/02/2024", "DD/MM/YYYY"),
            ("02/29/2024", "MM/DD/YYYY"),
            ("20240229", "YYYYMMDD"),
            ("29-02-2024", "DD-MM-YYYY"),
            ("2024/02/29", "YYYY/MM/DD"),
            ("29.2.2024", "D.M.YYYY"),
            ("2/29/2024", "M/D/YYYY"),
        ] {
            assert!(is_day(cell, format), "{cell}");
            assert!(!is_day(&cell.replace("2024", "2023"), format), "{cell} of 2023");
            assert!(!is_day(&format!("{cell} "), format) && !is_day("", format));
        }
        assert!(!is_day("29.02.2024", "DD/MM/YYYY") && !is_day("2024-02-2é", "YYYY-MM-DD"));
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
    fn days_of_any_number_are_written() {
        for (days, text) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (20_541, "2026-03-29"),
            (-135_140, "1600-01-01"),
        ] {
            assert_eq!(Day(days).written(ISO), text);
        }
        let is_long = |year: &i64| Grain::Week.is_label(&format!("{year}-W53"));
        assert_eq!((2000..2400).filter(is_long).count(), 71, "years of 53 weeks");
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
