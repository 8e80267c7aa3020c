//! Dates that lose their details.
//!
//! A date is read in the one form that its column has. `D` and `M` take one digit or two, `DD` and `MM` two. A date that
//! does not exist, a year of two digits and a year before 1583 are refused, not repaired: a wrong guess would move a
//! person into another class. A time of day after the date is checked and left out; time zones are not applied, the day
//! is the one that was written.
//!
//! Weeks fill no month, quarter or year, so a ladder with weeks below them is not nested.

use serde::{Deserialize, Serialize};

pub use super::calendar::{Date, DateGrain, year_month_day};
use super::{LabelRule, UnreadableValue};
use crate::hierarchy::{Hierarchy, HierarchyError};

/// How a collected date is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum DateFormat {
    /// `2026-03-09`
    #[default]
    #[serde(rename = "YYYY-MM-DD")]
    Iso,
    /// `09.03.2026`
    #[serde(rename = "DD.MM.YYYY")]
    Dotted,
    /// `09/03/2026`
    #[serde(rename = "DD/MM/YYYY")]
    DayFirst,
    /// `03/09/2026`
    #[serde(rename = "MM/DD/YYYY")]
    MonthFirst,
    /// `20260309`
    #[serde(rename = "YYYYMMDD")]
    Compact,
    /// `09-03-2026`
    #[serde(rename = "DD-MM-YYYY")]
    Dashed,
    /// `2026/03/09`
    #[serde(rename = "YYYY/MM/DD")]
    YearSlashed,
    /// `2026.03.09`
    #[serde(rename = "YYYY.MM.DD")]
    YearDotted,
    /// `9.3.2026`
    #[serde(rename = "D.M.YYYY")]
    ShortDotted,
    /// `9/3/2026`
    #[serde(rename = "D/M/YYYY")]
    ShortDayFirst,
    /// `3/9/2026`
    #[serde(rename = "M/D/YYYY")]
    ShortMonthFirst,
    /// `9-3-2026`
    #[serde(rename = "D-M-YYYY")]
    ShortDashed,
}

/// Reads a date strictly; `None` when it is not written so or does not exist.
#[must_use]
pub fn parse(text: &str, format: DateFormat) -> Option<Date> {
    split(text, format).map(|(date, _)| date)
}

/// Reads a date strictly; beside it the time of day that follows it, as it is written.
#[must_use]
pub fn split(text: &str, format: DateFormat) -> Option<(Date, &str)> {
    format.read(text).filter(|(_, rest)| rest.is_empty() || is_time(rest, format.is_padded()))
}

impl DateFormat {
    /// Every format.
    pub const ALL: [Self; 12] = [
        Self::Iso,
        Self::Dotted,
        Self::DayFirst,
        Self::MonthFirst,
        Self::Compact,
        Self::Dashed,
        Self::YearSlashed,
        Self::YearDotted,
        Self::ShortDotted,
        Self::ShortDayFirst,
        Self::ShortMonthFirst,
        Self::ShortDashed,
    ];

    /// The words used in policies, in the same order.
    pub const NAMES: [&'static str; 12] = [
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

    /// The word used in policies, which is also the pattern of the date.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether days and months have two digits, with a zero in front where need be.
    #[must_use]
    pub fn is_padded(self) -> bool {
        self.name().contains("DD")
    }

    /// Reads a date without a time of day; `None` when it is not written so or does not exist.
    #[must_use]
    pub fn read_day(self, text: &str) -> Option<Date> {
        self.read(text).filter(|(_, rest)| rest.is_empty()).map(|(date, _)| date)
    }

    /// A date, written so.
    #[must_use]
    pub fn write(self, date: Date) -> String {
        let (year, month, day) = (date.year(), date.month(), date.day());
        let field = |run: &[u8]| match run {
            b"YYYY" => format!("{year:04}"),
            b"MM" => format!("{month:02}"),
            b"M" => month.to_string(),
            b"DD" => format!("{day:02}"),
            b"D" => day.to_string(),
            separator => separator.iter().copied().map(char::from).collect(),
        };
        self.runs().map(field).collect()
    }

    /// A date at the start of a text, and what follows it.
    fn read(self, text: &str) -> Option<(Date, &str)> {
        let (mut year, mut month, mut day, mut rest) = (0, 0, 0, text);
        for run in self.runs() {
            match run {
                b"YYYY" => (year, rest) = digits(rest, 4, 4)?,
                b"MM" => (month, rest) = digits(rest, 2, 2)?,
                b"M" => (month, rest) = digits(rest, 1, 2)?,
                b"DD" => (day, rest) = digits(rest, 2, 2)?,
                b"D" => (day, rest) = digits(rest, 1, 2)?,
                separator => rest = rest.strip_prefix(str::from_utf8(separator).ok()?)?,
            }
        }
        Some((Date::new(year, month, day)?, rest))
    }

    /// The fields of the pattern and what separates them.
    fn runs(self) -> impl Iterator<Item = &'static [u8]> {
        self.name().as_bytes().chunk_by(|before, after| before == after)
    }

    fn wanted(self) -> &'static str {
        match self {
            Self::Iso => "a date of the years 1583 to 9999 written YYYY-MM-DD",
            Self::Dotted => "a date of the years 1583 to 9999 written DD.MM.YYYY",
            Self::DayFirst => "a date of the years 1583 to 9999 written DD/MM/YYYY",
            Self::MonthFirst => "a date of the years 1583 to 9999 written MM/DD/YYYY",
            Self::Compact => "a date of the years 1583 to 9999 written YYYYMMDD",
            Self::Dashed => "a date of the years 1583 to 9999 written DD-MM-YYYY",
            Self::YearSlashed => "a date of the years 1583 to 9999 written YYYY/MM/DD",
            Self::YearDotted => "a date of the years 1583 to 9999 written YYYY.MM.DD",
            Self::ShortDotted => "a date of the years 1583 to 9999 written D.M.YYYY",
            Self::ShortDayFirst => "a date of the years 1583 to 9999 written D/M/YYYY",
            Self::ShortMonthFirst => "a date of the years 1583 to 9999 written M/D/YYYY",
            Self::ShortDashed => "a date of the years 1583 to 9999 written D-M-YYYY",
        }
    }
}

/// A number of as many digits as there are, within bounds, and what follows it.
fn digits(text: &str, least: usize, most: usize) -> Option<(u16, &str)> {
    let length = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(length)?;
    if length < least { None } else { Some((number.parse().ok()?, rest)) }
}

/// Whether this is a time of day after a date: `T10:30`, ` 10:30:59.123`, with or without a zone, or ` 10:30 AM`. Where
/// dates have no zeros in front, hours need none.
fn is_time(text: &str, padded: bool) -> bool {
    let read = || {
        let clock = text.strip_prefix(['T', ' '])?;
        let (hour, rest) = digits(clock, if padded { 2 } else { 1 }, 2).filter(|(hour, _)| *hour < 24)?;
        let mut rest = below(rest.strip_prefix(':')?, 60)?;
        if let Some(seconds) = rest.strip_prefix(':') {
            rest = below(seconds, 61)?;
            if let Some(fraction) = rest.strip_prefix('.') {
                rest = fraction.trim_start_matches(|digit: char| digit.is_ascii_digit());
                (rest.len() < fraction.len()).then_some(())?;
            }
        }
        Some(is_zone(rest) || (is_half_day(rest) && (1..=12).contains(&hour)))
    };
    read().unwrap_or(false)
}

/// Whether this says which half of the day is meant: ` AM`, `pm`.
fn is_half_day(text: &str) -> bool {
    let word = text.strip_prefix(' ').unwrap_or(text);
    word.eq_ignore_ascii_case("am") || word.eq_ignore_ascii_case("pm")
}

/// Whether this is nothing, `Z`, or a difference from UTC: `+01`, `+0100`, `+01:00`.
fn is_zone(text: &str) -> bool {
    let read = || {
        let rest = below(text.strip_prefix(['+', '-'])?, 24)?;
        if rest.is_empty() { Some("") } else { below(rest.strip_prefix(':').unwrap_or(rest), 60) }
    };
    text.is_empty() || text == "Z" || read() == Some("")
}

/// What follows two digits that make a number below the limit.
fn below(text: &str, limit: u16) -> Option<&str> {
    digits(text, 2, 2).filter(|(number, _)| *number < limit).map(|(_, rest)| rest)
}

/// The ladder of these grains.
pub(crate) fn fit(values: &[String], grains: &[DateGrain], format: DateFormat) -> Result<Hierarchy, HierarchyError> {
    if grains.is_empty() {
        return Err(HierarchyError::unfit(
            "date",
            "at least one of day, week, month, quarter, year, 5 years, decade is needed",
        ));
    }
    if !grains.is_sorted_by(|before, after| before < after) {
        return Err(HierarchyError::unfit("date", "each level must be coarser than the one before"));
    }
    Hierarchy::by_rules(values, grains.iter().map(|grain| LabelRule::Date { grain: *grain, format }).collect())
}

/// The label of a written date at a grain.
pub(super) fn label(value: &str, grain: DateGrain, format: DateFormat) -> Result<String, UnreadableValue> {
    let read = parse(value, format).and_then(|date| date.label(grain));
    read.ok_or(UnreadableValue { wanted: format.wanted() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::texts;
    use proptest::prelude::*;
    use serde::de::value::{Error, StrDeserializer};

    #[test]
    fn policies_and_masks_use_the_same_words() {
        let read = |name: &'static str| StrDeserializer::<Error>::new(name);
        for format in DateFormat::ALL {
            assert_eq!(DateFormat::deserialize(read(format.name())), Ok(format));
        }
        for grain in DateGrain::ALL {
            assert_eq!(DateGrain::deserialize(read(grain.name())), Ok(grain));
        }
    }

    #[test]
    fn each_format_reads_its_own_writing() {
        let day = Date::new(2026, 3, 29).unwrap();
        for format in DateFormat::ALL {
            let text = format.write(day);
            for other in DateFormat::ALL {
                // A form without zeros in front reads dates that have them.
                let is_same = other.name().replace("DD", "D").replace("MM", "M")
                    == format.name().replace("DD", "D").replace("MM", "M");
                let reads = is_same && (!other.is_padded() || format.is_padded());
                assert_eq!(parse(&text, other), reads.then_some(day), "{text} as {}", other.name());
            }
        }
    }

    #[test]
    fn zeros_in_front_are_needed_where_the_format_has_them() {
        let day = Date::new(2026, 3, 9);
        assert_eq!(parse("9.3.2026", DateFormat::ShortDotted), day);
        assert_eq!(parse("09.03.2026", DateFormat::ShortDotted), day);
        assert_eq!(parse("9.3.2026", DateFormat::Dotted), None);
        assert_eq!(parse("3/9/2026 9:05 PM", DateFormat::ShortMonthFirst), day);
        assert_eq!(parse("009.3.2026", DateFormat::ShortDotted), None);
        assert_eq!(DateFormat::ShortDotted.write(day.unwrap()), "9.3.2026");
    }

    #[test]
    fn dates_that_do_not_exist_are_refused() {
        let check = |text: &str, format| assert_eq!(parse(text, format), None, "{text}");
        let iso = [
            "2026-02-29",
            "2026-02-30",
            "1900-02-29",
            "2026-04-31",
            "2026-13-01",
            "2026-00-10",
            "2026-01-00",
            "26-03-29",
            "1582-12-31",
            "0001-01-01",
            "0000-00-00",
            "2026-3-9",
            "2026/03/29",
            "2026-03-29x",
            " 2026-03-29",
            "2026-03-29 ",
            "+026-03-29",
            "2026-03",
            "",
            "١٢٣٤-٠١-٠١",
        ];
        for text in iso {
            check(text, DateFormat::Iso);
        }
        check("31/02/2026", DateFormat::DayFirst);
        check("03/29/2026", DateFormat::DayFirst);
        check("29/03/26", DateFormat::DayFirst);
        check("29/03/2026", DateFormat::MonthFirst);
        check("29.03.2026 9:00", DateFormat::Dotted);
        check("29.3.26", DateFormat::ShortDotted);
        check("..2026", DateFormat::ShortDotted);
        check("2026-3-29", DateFormat::Compact);
    }

    #[test]
    fn a_time_of_day_is_checked_and_left_out() {
        for time in ["T10:30", " 10:30:59", "T23:59:60Z", " 00:00:00.123456+01", "T10:30:00-0330", "T10:30+05:30"] {
            assert!(parse(&format!("2026-03-29{time}"), DateFormat::Iso).is_some(), "{time}");
            assert!(parse(&format!("29.03.2026{time}"), DateFormat::Dotted).is_some(), "{time}");
        }
        for time in [" 10:30 AM", " 12:30:59 pm", " 01:00PM"] {
            assert!(parse(&format!("03/29/2026{time}"), DateFormat::MonthFirst).is_some(), "{time}");
        }
        for time in [
            "T",
            "T24:00",
            " 13:00 PM",
            " 00:10 AM",
            " 10:30 XM",
            "T10:60",
            "T1:30",
            "T10",
            "T10:30:61",
            " 10:30:00.",
            "T10:30 Z",
            "T10:30+1",
            "t10:30",
        ] {
            assert!(parse(&format!("2026-03-29{time}"), DateFormat::Iso).is_none(), "{time}");
        }
    }

    #[test]
    fn the_ladder_goes_from_day_to_decade() {
        let grains = [
            DateGrain::Day,
            DateGrain::Month,
            DateGrain::Quarter,
            DateGrain::Year,
            DateGrain::FiveYears,
            DateGrain::Decade,
        ];
        let ladder = fit(&texts(&["", "29.03.2026"]), &grains, DateFormat::Dotted).unwrap();
        assert_eq!(ladder.to_csv(), ";;;;;;;*\n29.03.2026;2026-03-29;2026-03;2026-Q1;2026;2025-2029;2020s;*\n");
        assert!(ladder.is_nested());
    }

    #[test]
    fn weeks_are_not_nested_in_years() {
        let ladder = fit(&texts(&["2026-03-29"]), &[DateGrain::Week, DateGrain::Year], DateFormat::Iso).unwrap();
        assert_eq!(ladder.first_unnested(), Some(2));
    }

    #[test]
    fn unfit_grains_are_refused() {
        for grains in [&[][..], &[DateGrain::Year, DateGrain::Month], &[DateGrain::Year, DateGrain::Year]] {
            assert!(matches!(fit(&[], grains, DateFormat::Iso), Err(HierarchyError::Unfit { builder: "date", .. })));
        }
    }

    #[test]
    fn unreadable_dates_are_counted() {
        let error = fit(&texts(&["", "2026-02-30", "2026-03-01"]), &[DateGrain::Month], DateFormat::Iso).unwrap_err();
        let wanted = DateFormat::Iso.wanted();
        assert_eq!(error, HierarchyError::Unreadable { wanted, count: 1, positions: vec![1] });
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_was_written(text in "[0-9]{1,4}[-/.]?[0-9]{2}[-/.]?[0-9]{2,4}([T ][0-9:Z+é]{0,9})?") {
            for format in DateFormat::ALL.into_iter().filter(|format| format.is_padded()) {
                let Some(day) = parse(&text, format).and_then(|date| date.label(DateGrain::Day)) else { continue };
                let digits = |text: &str| {
                    let mut digits: Vec<char> = text.chars().filter(char::is_ascii_digit).collect();
                    digits.truncate(8);
                    digits.sort_unstable();
                    digits
                };
                prop_assert_eq!(digits(&day), digits(&text));
            }
        }

        #[test]
        fn no_text_breaks_the_reader(text in "\\PC{0,30}") {
            prop_assert!(DateFormat::ALL.iter().filter(|format| parse(&text, **format).is_some()).count() <= 4);
        }
    }
}
