//! Days and clock times as text, for any year that 64 bits can hold.
//!
//! The proleptic Gregorian calendar, as Arrow and Parquet define their dates.

use std::fmt::Write;

use equanym_core::hierarchy::date::year_month_day;

const DAY: i64 = 86_400;

/// Appends the day `days` after 1970-01-01 as `YYYY-MM-DD`.
pub(super) fn write_date(text: &mut String, days: i64) {
    let (year, month, day) = year_month_day(days);
    // Writing to a string does not fail.
    let _ = if year < 0 { write!(text, "-{:04}", -year) } else { write!(text, "{year:04}") };
    let _ = write!(text, "-{month:02}-{day:02}");
}

/// Appends an instant, counted in `per_second` units from 1970, as `YYYY-MM-DDTHH:MM:SS[.fff]`.
pub(super) fn write_instant(text: &mut String, value: i64, per_second: i64) {
    let seconds = value.div_euclid(per_second);
    write_date(text, seconds.div_euclid(DAY));
    text.push('T');
    write_clock(text, seconds.rem_euclid(DAY), value.rem_euclid(per_second), per_second);
}

/// Appends a time of day, counted in `per_second` units, as `HH:MM:SS[.fff]`; false when it is none.
pub(super) fn write_time(text: &mut String, value: i64, per_second: i64) -> bool {
    let seconds = value.div_euclid(per_second);
    if !(0..DAY).contains(&seconds) {
        return false;
    }
    write_clock(text, seconds, value.rem_euclid(per_second), per_second);
    true
}

/// The fraction is written in 3, 6 or 9 digits, whichever keeps it, and not at all when it is zero.
fn write_clock(text: &mut String, seconds: i64, fraction: i64, per_second: i64) {
    let _ = write!(text, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    let nanos = fraction * (1_000_000_000 / per_second);
    let _ = match nanos {
        0 => Ok(()),
        _ if nanos % 1_000_000 == 0 => write!(text, ".{:03}", nanos / 1_000_000),
        _ if nanos % 1_000 == 0 => write!(text, ".{:06}", nanos / 1_000),
        _ => write!(text, ".{nanos:09}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(days: i64) -> String {
        let mut text = String::new();
        write_date(&mut text, days);
        text
    }

    fn instant(value: i64, per_second: i64) -> String {
        let mut text = String::new();
        write_instant(&mut text, value, per_second);
        text
    }

    #[test]
    fn known_days() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(-1), "1969-12-31");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_541), "2026-03-29");
        assert_eq!(date(-719_162), "0001-01-01");
        assert_eq!(date(-719_528 - 1), "-0001-12-31");
    }

    #[test]
    fn the_ends_of_the_range_have_a_text() {
        assert!(date(i64::MAX).ends_with(|c: char| c.is_ascii_digit()));
        assert!(instant(i64::MIN, 1).starts_with('-'));
    }

    #[test]
    fn fractions_are_as_long_as_needed() {
        assert_eq!(instant(1, 1), "1970-01-01T00:00:01");
        assert_eq!(instant(-1, 1000), "1969-12-31T23:59:59.999");
        assert_eq!(instant(1_500, 1_000_000), "1970-01-01T00:00:00.001500");
        assert_eq!(instant(1, 1_000_000_000), "1970-01-01T00:00:00.000000001");
    }

    #[test]
    fn a_time_of_day_is_one() {
        let mut text = String::new();
        assert!(write_time(&mut text, 86_399_000, 1000));
        assert_eq!(text, "23:59:59");
        assert!(!write_time(&mut text, 86_400_000, 1000) && !write_time(&mut text, -1, 1000));
    }
}
