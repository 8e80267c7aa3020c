//! Dates that lose their details.
//!
//! A date that does not exist, a year of two digits and a year before
//! 1583 are refused, not repaired: a wrong guess would move a person into another class. A time of day after an ISO
//! date is checked and left out; time zones are not applied, the day is the one that was written.
//!
//! Weeks fill no month, quarter or year, so a ladder with weeks below them is not nested.

use serde::{Deserialize, Serialize};

pub use super::calendar::{Date, Grain, year_month_day};
use super::{Rule, Unreadable};
use crate::hierarchy::{Hierarchy, HierarchyError};

/// How a collected date is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum DateFormat {
    /// `2026-03-29`, with or without a time of day after `T` or a blank.
    #[default]
    #[serde(rename = "YYYY-MM-DD")]
    Iso,
    /// `29.03.2026`
    #[serde(rename = "DD.MM.YYYY")]
    Dotted,
    /// `29/03/2026`
    #[serde(rename = "DD/MM/YYYY")]
    DayFirst,
    /// `03/29/2026`
    #[serde(rename = "MM/DD/YYYY")]
    MonthFirst,
    /// `20260329`
    #[serde(rename = "YYYYMMDD")]
    Compact,
}

/// Reads a date strictly; `None` when it is not written so or does not exist.
#[must_use]
pub fn parse(text: &str, format: DateFormat) -> Option<Date> {
    let layout = format.layout();
    let date = text.get(..layout.length)?;
    let rest = text.get(layout.length..)?;
    let is_separated = layout.separators.iter().all(|place| date.as_bytes().get(*place) == Some(&layout.separator));
    let is_timed = rest.is_empty() || (format == DateFormat::Iso && is_time(rest));
    if !is_separated || !is_timed {
        return None;
    }
    let [year, month, day] = layout.fields;
    Date::new(number(date, year, 4)?, number(date, month, 2)?, number(date, day, 2)?)
}

/// Where year, month, day and what separates them stand in a written date.
struct Layout {
    length: usize,
    /// Where year, month and day start.
    fields: [usize; 3],
    separator: u8,
    separators: &'static [usize],
}

impl DateFormat {
    /// Every format.
    pub const ALL: [Self; 5] = [Self::Iso, Self::Dotted, Self::DayFirst, Self::MonthFirst, Self::Compact];

    /// The word used in policies.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Iso => "YYYY-MM-DD",
            Self::Dotted => "DD.MM.YYYY",
            Self::DayFirst => "DD/MM/YYYY",
            Self::MonthFirst => "MM/DD/YYYY",
            Self::Compact => "YYYYMMDD",
        }
    }

    /// Reads a date without a time of day; `None` when it is not written so or does not exist.
    #[must_use]
    pub fn read_day(self, text: &str) -> Option<Date> {
        parse(text, self).filter(|_| text.len() == self.layout().length)
    }

    /// A date, written so.
    #[must_use]
    pub fn write(self, date: Date) -> String {
        let (year, month, day) = (date.year(), date.month(), date.day());
        match self {
            Self::Iso => format!("{year:04}-{month:02}-{day:02}"),
            Self::Dotted => format!("{day:02}.{month:02}.{year:04}"),
            Self::DayFirst => format!("{day:02}/{month:02}/{year:04}"),
            Self::MonthFirst => format!("{month:02}/{day:02}/{year:04}"),
            Self::Compact => format!("{year:04}{month:02}{day:02}"),
        }
    }

    fn layout(self) -> Layout {
        let (fields, separator): ([usize; 3], u8) = match self {
            Self::Iso => return Layout { length: 10, fields: [0, 5, 8], separator: b'-', separators: &[4, 7] },
            Self::Compact => return Layout { length: 8, fields: [0, 4, 6], separator: b'-', separators: &[] },
            Self::Dotted => ([6, 3, 0], b'.'),
            Self::DayFirst => ([6, 3, 0], b'/'),
            Self::MonthFirst => ([6, 0, 3], b'/'),
        };
        Layout { length: 10, fields, separator, separators: &[2, 5] }
    }

    fn wanted(self) -> &'static str {
        match self {
            Self::Iso => "a date of the years 1583 to 9999 written YYYY-MM-DD",
            Self::Dotted => "a date of the years 1583 to 9999 written DD.MM.YYYY",
            Self::DayFirst => "a date of the years 1583 to 9999 written DD/MM/YYYY",
            Self::MonthFirst => "a date of the years 1583 to 9999 written MM/DD/YYYY",
            Self::Compact => "a date of the years 1583 to 9999 written YYYYMMDD",
        }
    }
}

/// A number of exactly `length` digits.
fn number(text: &str, start: usize, length: usize) -> Option<u16> {
    let digits = text.get(start..start.checked_add(length)?)?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// Whether this is a time of day after a date: `T10:30`, ` 10:30:59.123`, with or without a zone.
fn is_time(text: &str) -> bool {
    let read = || {
        let clock = text.strip_prefix(['T', ' '])?;
        let mut rest = below(clock, 24)?;
        rest = below(rest.strip_prefix(':')?, 60)?;
        if let Some(seconds) = rest.strip_prefix(':') {
            rest = below(seconds, 61)?;
            if let Some(fraction) = rest.strip_prefix('.') {
                rest = fraction.trim_start_matches(|digit: char| digit.is_ascii_digit());
                (rest.len() < fraction.len()).then_some(())?;
            }
        }
        Some(is_zone(rest))
    };
    read().unwrap_or(false)
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
    if number(text, 0, 2)? < limit { text.get(2..) } else { None }
}

/// The ladder of these grains.
pub(crate) fn fit(values: &[String], grains: &[Grain], format: DateFormat) -> Result<Hierarchy, HierarchyError> {
    if grains.is_empty() {
        return Err(HierarchyError::unfit("date", "at least one of day, week, month, quarter, year, decade is needed"));
    }
    if !grains.is_sorted_by(|before, after| before < after) {
        return Err(HierarchyError::unfit("date", "each level must be coarser than the one before"));
    }
    Hierarchy::by_rules(values, grains.iter().map(|grain| Rule::Date { grain: *grain, format }).collect())
}

/// The label of a written date at a grain.
pub(super) fn label(value: &str, grain: Grain, format: DateFormat) -> Result<String, Unreadable> {
    let read = parse(value, format).and_then(|date| date.label(grain));
    read.ok_or(Unreadable { wanted: format.wanted() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::de::value::{Error, StrDeserializer};

    fn texts(values: &[&str]) -> Vec<String> {
        values.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn policies_and_masks_use_the_same_words() {
        let read = |name: &'static str| StrDeserializer::<Error>::new(name);
        for format in DateFormat::ALL {
            assert_eq!(DateFormat::deserialize(read(format.name())), Ok(format));
        }
        for grain in Grain::ALL {
            assert_eq!(Grain::deserialize(read(grain.name())), Ok(grain));
        }
    }

    #[test]
    fn each_format_reads_its_own_writing() {
        let day = Date::new(2026, 3, 29);
        let written = ["2026-03-29", "29.03.2026", "29/03/2026", "03/29/2026", "20260329"];
        for (place, format) in DateFormat::ALL.into_iter().enumerate() {
            let read = written.map(|text| parse(text, format));
            let mut expected = [None; 5];
            expected[place] = day;
            assert_eq!(read, expected, "{}", format.name());
        }
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
        check("29.03.2026 10:00", DateFormat::Dotted);
        check("2026-3-29", DateFormat::Compact);
    }

    #[test]
    fn a_time_of_day_is_checked_and_left_out() {
        for time in ["T10:30", " 10:30:59", "T23:59:60Z", " 00:00:00.123456+01", "T10:30:00-0330", "T10:30+05:30"] {
            assert!(parse(&format!("2026-03-29{time}"), DateFormat::Iso).is_some(), "{time}");
        }
        for time in
            ["T", "T24:00", "T10:60", "T1:30", "T10", "T10:30:61", " 10:30:00.", "T10:30 Z", "T10:30+1", "t10:30"]
        {
            assert!(parse(&format!("2026-03-29{time}"), DateFormat::Iso).is_none(), "{time}");
        }
    }

    #[test]
    fn the_ladder_goes_from_day_to_decade() {
        let grains = [Grain::Day, Grain::Month, Grain::Quarter, Grain::Year, Grain::Decade];
        let ladder = fit(&texts(&["", "29.03.2026"]), &grains, DateFormat::Dotted).unwrap();
        assert_eq!(ladder.to_csv(), ";;;;;;*\n29.03.2026;2026-03-29;2026-03;2026-Q1;2026;2020s;*\n");
        assert!(ladder.is_nested());
    }

    #[test]
    fn weeks_are_not_nested_in_years() {
        let ladder = fit(&texts(&["2026-03-29"]), &[Grain::Week, Grain::Year], DateFormat::Iso).unwrap();
        assert_eq!(ladder.first_unnested(), Some(2));
    }

    #[test]
    fn unfit_grains_are_refused() {
        for grains in [&[][..], &[Grain::Year, Grain::Month], &[Grain::Year, Grain::Year]] {
            assert!(matches!(fit(&[], grains, DateFormat::Iso), Err(HierarchyError::Unfit { builder: "date", .. })));
        }
    }

    #[test]
    fn unreadable_dates_are_counted() {
        let error = fit(&texts(&["", "2026-02-30", "2026-03-01"]), &[Grain::Month], DateFormat::Iso).unwrap_err();
        let wanted = DateFormat::Iso.wanted();
        assert_eq!(error, HierarchyError::Unreadable { wanted, count: 1, positions: vec![1] });
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_was_written(text in "[0-9]{1,4}[-/.]?[0-9]{2}[-/.]?[0-9]{2,4}([T ][0-9:Z+é]{0,9})?") {
            for format in DateFormat::ALL {
                let Some(day) = parse(&text, format).and_then(|date| date.label(Grain::Day)) else { continue };
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
            prop_assert!(DateFormat::ALL.iter().filter(|format| parse(&text, **format).is_some()).count() <= 2);
        }
    }
}
