//! Days of the Gregorian calendar, by whole numbers only.
//!
//! A day is counted from 0000-03-01, so that leap days end a year and every number is positive.
//!
//! Source: the shifted-year arithmetic of H. Hinnant, "chrono-compatible low-level date algorithms".

use std::fmt;

/// Days in 400 years, after which the calendar repeats.
const ERA: u32 = 146_097;

/// A day of the calendar; shown as `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(u32);

impl Day {
    /// 2024-01-01.
    pub const FIRST_OF_2024: Self = Self(739_191);

    /// The days of the leap year 2024 and of 2025.
    pub const IN_2024_AND_2025: u32 = 366 + 365;

    /// The day this many days later.
    #[must_use]
    pub fn plus(self, days: u32) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// The day this many days earlier.
    #[must_use]
    pub fn minus(self, days: u32) -> Self {
        Self(self.0.saturating_sub(days))
    }

    fn year_month_day(self) -> (u32, u32, u32) {
        let in_era = self.0 % ERA;
        let year_in_era = (in_era - in_era / 1460 + in_era / 36_524 - in_era / (ERA - 1)) / 365;
        let in_year = in_era - (365 * year_in_era + year_in_era / 4 - year_in_era / 100);
        let from_march = (5 * in_year + 2) / 153;
        let day = in_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = self.0 / ERA * 400 + year_in_era + u32::from(month <= 2);
        (year, month, day)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.year_month_day();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
