//! Moved dates: all of somebody's by the same number of days, which takes the key. A time of day stays.

use super::{Cell, Kind, Treatment, TreatmentMember, UNFIT, is_blank, known_format};
use crate::calendar::Day;
use crate::key::Key;

pub(super) const MEMBER: TreatmentMember = TreatmentMember {
    name: "shift",
    keys: &["days", "by", "format"],
    treatment: |given| {
        let (by, format) = (given.word("by").ok_or(UNFIT)?, known_format(given, "format")?);
        let days = given.natural("days").and_then(|days| u32::try_from(days).ok());
        let days = days.filter(|days| (1..=36_500).contains(days)).ok_or(UNFIT)?;
        let make = move |cell: &Cell<'_>| {
            let (day, time) = Day::and_time(cell.text, format)?;
            if is_blank(cell.other) {
                return Some(String::new());
            }
            let moved = day.moved(offset(cell.key?, by, days, cell.other));
            Some(moved.map_or_else(String::new, |day| day.written(format) + time))
        };
        let is_date = move |cell: &str| Day::collected(cell, format).is_some();
        let treatment = Treatment::new(Kind::Date, format!("dates moved by up to {days} days"), is_date, make);
        Ok(Treatment { other: Some(by), is_keyed: true, ..treatment })
    },
};

/// The days by which the dates of somebody move. Draws from the last, incomplete round of numbers are passed over.
fn offset(key: &Key, by: &str, days: u32, id: &str) -> i64 {
    let offsets = u64::from(days) * 2 + 1;
    let left_over = (u64::MAX % offsets + 1) % offsets;
    for draw in 0_u32.. {
        let bytes = key.hash(&["shift", by, &days.to_string(), id, &draw.to_string()]);
        for word in bytes.chunks(8).filter_map(|word| word.try_into().ok()).map(u64::from_be_bytes) {
            if word <= u64::MAX - left_over {
                return i64::try_from(word % offsets).unwrap_or_default() - i64::from(days);
            }
        }
    }
    0
}
