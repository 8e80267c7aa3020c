//! Days, weeks, months, quarters, years, five years and decades of the Gregorian calendar.
//!
//! The calendar starts with 1583, the first year that ISO 8601 takes without an agreement; years have four digits.
//!
//! Source: ISO 8601-1:2019; for numbered days Hinnant, "chrono-compatible low-level date algorithms".

use serde::{Deserialize, Serialize};

/// How much of a date stays, from fine to coarse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DateGrain {
    /// `2026-03-29`
    Day,
    /// `2026-W13`
    Week,
    /// `2026-03`
    Month,
    /// `2026-Q1`
    Quarter,
    /// `2026`
    Year,
    /// `2025-2029`
    #[serde(rename = "5 years")]
    FiveYears,
    /// `2020s`
    Decade,
}

/// A day of the Gregorian calendar, 1583 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u16,
    day: u16,
}

impl Date {
    /// The day, if there is one.
    #[must_use]
    pub fn new(year: u16, month: u16, day: u16) -> Option<Self> {
        let exists = (1583..=9999).contains(&year) && day >= 1 && day <= days_in_month(year, month);
        exists.then_some(Self { year, month, day })
    }

    /// The first day.
    pub const FIRST: Self = Self { year: 1583, month: 1, day: 1 };
    /// The last day.
    pub const LAST: Self = Self { year: 9999, month: 12, day: 31 };

    /// How many days it is after 1970-01-01; negative before.
    #[must_use]
    pub fn days(self) -> i64 {
        // Counted from 0000-03-01, leap days end a year.
        let year = i64::from(self.year) - i64::from(self.month <= 2);
        let month = i64::from((self.month + 9) % 12);
        365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + i64::from(self.day) - 1 - 719_468
    }

    /// The day so many days after 1970-01-01, if it is one of 1583 to 9999.
    #[must_use]
    pub fn of_days(days: i64) -> Option<Self> {
        let (year, month, day) = year_month_day(days);
        Self::new(u16::try_from(year).ok()?, u16::try_from(month).ok()?, u16::try_from(day).ok()?)
    }

    /// The day of its month.
    #[must_use]
    pub fn day(self) -> u16 {
        self.day
    }

    /// The month, 1 to 12.
    #[must_use]
    pub fn month(self) -> u16 {
        self.month
    }

    /// The year.
    #[must_use]
    pub fn year(self) -> u16 {
        self.year
    }

    /// The label of this day at a grain; `None` for the first two days of 1583, whose week belongs to 1582.
    #[must_use]
    pub fn label(self, grain: DateGrain) -> Option<String> {
        let Self { year, month, day } = self;
        Some(match grain {
            DateGrain::Day => format!("{year:04}-{month:02}-{day:02}"),
            DateGrain::Week => {
                let (year, week) = self.iso_week();
                (year >= 1583).then(|| format!("{year:04}-W{week:02}"))?
            }
            DateGrain::Month => format!("{year:04}-{month:02}"),
            DateGrain::Quarter => format!("{year:04}-Q{}", month.div_ceil(3)),
            DateGrain::Year => format!("{year:04}"),
            DateGrain::FiveYears => format!("{:04}-{:04}", year / 5 * 5, year / 5 * 5 + 4),
            DateGrain::Decade => format!("{}s", year / 10 * 10),
        })
    }

    /// The ISO week and the year it belongs to.
    fn iso_week(self) -> (u16, u16) {
        let ordinal = self.day + (1..self.month).map(|month| days_in_month(self.year, month)).sum::<u16>();
        // The week belongs to the year that holds its Thursday.
        match (ordinal + 10 - weekday(self.year, ordinal)) / 7 {
            0 => (self.year - 1, weeks_in_year(self.year - 1)),
            week if week > weeks_in_year(self.year) => (self.year + 1, 1),
            week => (self.year, week),
        }
    }
}

/// Year, month and day of the day so many days after 1970-01-01, for any year: the calendar is continued both ways.
#[must_use]
pub fn year_month_day(days: i64) -> (i128, i128, i128) {
    // Counted from 0000-03-01, leap days end a year.
    let from_march = i128::from(days) + 719_468;
    let (era, in_era) = (from_march.div_euclid(DAYS_IN_ERA), from_march.rem_euclid(DAYS_IN_ERA));
    let year_in_era = (in_era - in_era / 1460 + in_era / 36_524 - in_era / (DAYS_IN_ERA - 1)) / 365;
    let in_year = in_era - (365 * year_in_era + year_in_era / 4 - year_in_era / 100);
    let month_from_march = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_in_era + i128::from(month <= 2), month, day)
}

/// Days in 400 years, after which the calendar repeats.
const DAYS_IN_ERA: i128 = 146_097;

fn is_leap(year: u16) -> bool {
    (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400)
}

fn days_in_month(year: u16, month: u16) -> u16 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

/// The day of the week, Monday = 1, of the n-th day of a year.
fn weekday(year: u16, ordinal: u16) -> u16 {
    let past = year - 1;
    // 0001-01-01 would be a Monday; a year moves the weekday by one day, a leap year by two.
    (past % 7 + past / 4 - past / 100 + past / 400 + ordinal - 1) % 7 + 1
}

/// A year has 53 weeks when it starts or ends on a Thursday.
fn weeks_in_year(year: u16) -> u16 {
    let last = if is_leap(year) { 366 } else { 365 };
    if weekday(year, 1) == 4 || weekday(year, last) == 4 { 53 } else { 52 }
}

impl DateGrain {
    /// Every grain, from fine to coarse.
    pub const ALL: [Self; 7] =
        [Self::Day, Self::Week, Self::Month, Self::Quarter, Self::Year, Self::FiveYears, Self::Decade];

    /// The word used in policies.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
            Self::FiveYears => "5 years",
            Self::Decade => "decade",
        }
    }

    /// Whether each span of this grain lies within one span of the coarser grain.
    pub(super) fn is_part_of(self, coarse: Self) -> bool {
        self <= coarse && (self != Self::Week || coarse == Self::Week)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(date: (u16, u16, u16), grain: DateGrain, expected: &str) {
        let (year, month, day) = date;
        assert_eq!(Date::new(year, month, day).unwrap().label(grain).as_deref(), Some(expected), "{date:?}");
    }

    #[test]
    fn labels_name_the_span() {
        check((2026, 3, 29), DateGrain::Day, "2026-03-29");
        check((2026, 3, 29), DateGrain::Month, "2026-03");
        check((2026, 3, 31), DateGrain::Quarter, "2026-Q1");
        check((2026, 4, 1), DateGrain::Quarter, "2026-Q2");
        check((2026, 12, 31), DateGrain::Quarter, "2026-Q4");
        check((2026, 3, 29), DateGrain::Year, "2026");
        check((2024, 12, 31), DateGrain::FiveYears, "2020-2024");
        check((2025, 1, 1), DateGrain::FiveYears, "2025-2029");
        check((1583, 1, 1), DateGrain::FiveYears, "1580-1584");
        check((9999, 12, 31), DateGrain::FiveYears, "9995-9999");
        check((2026, 3, 29), DateGrain::Decade, "2020s");
        check((2029, 12, 31), DateGrain::Decade, "2020s");
        check((1583, 1, 1), DateGrain::Decade, "1580s");
    }

    #[test]
    fn weeks_belong_to_the_year_of_their_thursday() {
        check((2026, 3, 29), DateGrain::Week, "2026-W13");
        check((2018, 12, 31), DateGrain::Week, "2019-W01");
        check((2021, 1, 3), DateGrain::Week, "2020-W53");
        check((2021, 1, 4), DateGrain::Week, "2021-W01");
        check((2005, 1, 1), DateGrain::Week, "2004-W53");
        check((2012, 1, 1), DateGrain::Week, "2011-W52");
        check((9999, 12, 31), DateGrain::Week, "9999-W52");
        check((1583, 1, 3), DateGrain::Week, "1583-W01");
        assert_eq!(Date::new(1583, 1, 2).unwrap().label(DateGrain::Week), None);
    }

    #[test]
    fn numbered_days_follow_each_other() {
        let mut number = -9 * 365 - 2;
        for year in 1961..=2101 {
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month) {
                    let expected = (i128::from(year), i128::from(month), i128::from(day));
                    assert_eq!(year_month_day(number), expected);
                    let date = Date::new(year, month, day);
                    assert_eq!((date.map(Date::days), Date::of_days(number)), (Some(number), date));
                    number += 1;
                }
            }
        }
    }

    #[test]
    fn each_week_has_seven_days() {
        let mut days = Vec::new();
        for year in 1999..=2030 {
            for month in 1..=12 {
                days.extend((1..=days_in_month(year, month)).filter_map(|day| Date::new(year, month, day)));
            }
        }
        let weeks: Vec<_> = days.iter().filter_map(|day| day.label(DateGrain::Week)).collect();
        let lengths: Vec<usize> = weeks.chunk_by(|left, right| left == right).map(<[_]>::len).collect();
        // The first and the last week are cut by the years that were chosen.
        assert!(lengths[1..lengths.len() - 1].iter().all(|length| *length == 7));
        assert!(weeks.is_sorted());
    }

    #[test]
    fn spans_fill_coarser_spans_unless_they_are_weeks() {
        for (place, fine) in DateGrain::ALL.into_iter().enumerate() {
            for coarse in &DateGrain::ALL[place + 1..] {
                assert_eq!(fine.is_part_of(*coarse), fine != DateGrain::Week, "{fine:?} in {coarse:?}");
            }
        }
        assert!(!DateGrain::Year.is_part_of(DateGrain::Month));
    }
}
