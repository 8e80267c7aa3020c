//! Ages: whole years from a date to a day, or to another date of the record, up to a top.

use super::{Cell, Kind, Treatment, TreatmentMember, UNFIT, is_blank, known_format};
use crate::calendar::Day;
use crate::decimal::Decimal;

pub(super) const MEMBER: TreatmentMember = TreatmentMember {
    name: "derive",
    keys: &["format", "at", "at_format", "day", "top"],
    treatment: |given| {
        let format = known_format(given, "format")?;
        let (at, at_format, day) = match ["at", "at_format", "day"].map(|key| given.word(key)) {
            [Some(at), Some(_), None] => (Some(at), known_format(given, "at_format")?, ""),
            [None, None, Some(day)] if Day::collected(day, "YYYY-MM-DD").is_some() => (None, "YYYY-MM-DD", day),
            _ => return Err(UNFIT),
        };
        let top = given.natural("top").and_then(|top| u32::try_from(top).ok());
        if top.is_none() && given.has("top") {
            return Err(UNFIT);
        }
        let make = move |cell: &Cell<'_>| {
            let born = Day::collected(cell.text, format)?;
            if at.is_some() && is_blank(cell.other) {
                return Some(String::new());
            }
            let then = Day::collected(if at.is_some() { cell.other } else { day }, at_format)?;
            let age = born.years_until(then).map(|age| age.min(top.unwrap_or(age)).to_string());
            Some(age.unwrap_or_default())
        };
        let words = top.map_or_else(|| "ages".to_owned(), |top| format!("ages up to {top}"));
        let is_age = move |cell: &str| age(cell).is_some_and(|age| age <= top.unwrap_or(9999));
        Ok(Treatment { other: at, ..Treatment::new(Kind::Date, words, is_age, make) })
    },
};

fn age(cell: &str) -> Option<u32> {
    Decimal::parse_canonical(cell)?.to_string().parse().ok()
}
