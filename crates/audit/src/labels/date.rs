//! Date labels: `2026-03-29`, `2026-W13`, `2026-03`, `2026-Q1`, `2026`, `2025-2029`, `2020s`.
//!
//! Gregorian years 1583 to 9999. A day early in 1583 lies in the last week of 1582, and a decade may begin before its
//! first year that counts.
//!
//! Source: ISO 8601.

use crate::calendar::{self, FIRST_YEAR, days_in, number, weeks_in};

/// How coarse a date is.
#[derive(Clone, Copy)]
pub(crate) enum Grain {
    Day,
    Week,
    Month,
    Quarter,
    Year,
    FiveYears,
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
            "5 years" => Self::FiveYears,
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
            Self::FiveYears => {
                let last = number(rest.strip_prefix('-')?, 4)?;
                year % 5 == 0 && last == year + 4 && last >= FIRST_YEAR
            }
            Self::Decade => rest == "s" && year % 10 == 0 && year + 9 >= FIRST_YEAR,
        })
    }
}

/// Whether a cell is an existing day in this format, in which letters stand for digits.
pub(super) fn is_day(cell: &str, format: &str) -> bool {
    calendar::read(cell, format).is_some_and(|(_, rest)| rest.is_empty())
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
            ("5 years", "2025-2029"),
            ("5 years", "1580-1584"),
            ("decade", "2020s"),
            ("decade", "1580s"),
        ] {
            assert!(check(grain, label), "{grain} {label}");
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
            ("5 years", "2026-2030"),
            ("5 years", "2025-2030"),
            ("5 years", "1575-1579"),
            ("5 years", "2025"),
            ("decade", "2021s"),
            ("decade", "1570s"),
            ("decade", "2020"),
            ("year", "٢٠٢٦"),
        ] {
            assert!(!check(grain, label), "{grain} {label}");
        }
    }
}
