//! Days of the invented table.

use std::fmt;

use equanym_core::hierarchy::date::year_month_day;

/// A day, counted from 1970-01-01; shown as `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(i64);

impl Day {
    /// 2024-01-01.
    pub(crate) const FIRST_OF_2024: Self = Self(19_723);

    /// The days of the leap year 2024 and of 2025.
    pub(crate) const IN_2024_AND_2025: u32 = 366 + 365;

    /// The day this many days later.
    #[must_use]
    pub fn plus(self, days: u32) -> Self {
        Self(self.0.saturating_add(i64::from(days)))
    }

    /// Days since an earlier day; 0 since a later one.
    #[must_use]
    pub fn since(self, earlier: Self) -> u32 {
        u32::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }

    /// The day this many days earlier.
    #[must_use]
    pub fn minus(self, days: u32) -> Self {
        Self(self.0.saturating_sub(i64::from(days)))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = year_month_day(self.0);
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_forwards() {
        let first = Day::FIRST_OF_2024;
        assert_eq!((first.plus(40).since(first), first.since(first.plus(1))), (40, 0));
    }

    #[test]
    fn leap_days_and_turns_of_the_year_are_right() {
        let first = Day::FIRST_OF_2024;
        for (day, text) in [
            (first, "2024-01-01"),
            (first.plus(59), "2024-02-29"),
            (first.plus(60), "2024-03-01"),
            (first.plus(365), "2024-12-31"),
            (first.plus(Day::IN_2024_AND_2025 - 1), "2025-12-31"),
            (first.minus(1), "2023-12-31"),
            (first.minus(8766), "2000-01-01"),
            (first.minus(8766 - 59), "2000-02-29"),
            (first.minus(45_291), "1899-12-31"),
        ] {
            assert_eq!(day.to_string(), text);
        }
    }
}
