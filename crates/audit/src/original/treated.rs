//! What the claimed treatments make of a collected cell, written here anew.
//!
//! Limit: tokens and moved dates take the key of the release. Without it their columns are not compared.

use std::borrow::Cow;

use super::key::{Key, hex};
use crate::day::Day;
use crate::decimal::Decimal;
use crate::manifest::Column;
use crate::treatment::{At, Treated, understood};

/// A cell that no release can hold. No cell has this character.
const NOWHERE: &str = "\0";

/// What happens to the cells of a column before anything else.
pub(crate) struct Treater<'a> {
    column: &'a str,
    /// Each with the place of the other column that it looks at.
    steps: Vec<(Treated<'a>, Option<usize>)>,
    key: Option<&'a Key>,
}

impl<'a> Treater<'a> {
    /// The treatments of a column; nothing where they take a key that is not given, or cannot be understood.
    pub fn of(column: &'a Column, original: &[String], key: Option<&'a Key>) -> Option<Self> {
        let place = |treated: &Treated<'_>| {
            let other = match treated {
                Treated::Shifted { by, .. } => *by,
                Treated::Age { at: At::Column { name, .. }, .. } => *name,
                _ => return None,
            };
            original.iter().position(|name| name == other)
        };
        let steps: Vec<_> = understood(column).ok()?.into_iter().map(|one| (one, place(&one))).collect();
        let is_keyed = steps.iter().any(|(one, _)| one.is_keyed());
        (!is_keyed || key.is_some()).then_some(Self { column: &column.name, steps, key })
    }

    /// What becomes of a cell of a record.
    pub fn treated<'c>(&self, cell: &'c str, record: &[&str]) -> Cow<'c, str> {
        let mut cell = Cow::Borrowed(cell);
        for (treated, place) in &self.steps {
            if is_blank(&cell) {
                return Cow::default();
            }
            let other = place.and_then(|place| record.get(place)).copied().unwrap_or_default();
            cell = self.step(*treated, &cell, other).map_or(NOWHERE.into(), Cow::Owned);
        }
        cell
    }

    fn step(&self, treated: Treated<'_>, cell: &str, other: &str) -> Option<String> {
        let number = || Decimal::collected(cell);
        match treated {
            Treated::Token => Some(format!("p{}", hex(&self.key?.hash(&["pseudonym", self.column, cell]), 16))),
            Treated::Shifted { days, by, format } => {
                let (day, time) = Day::and_time(cell, format)?;
                if is_blank(other) {
                    return Some(String::new());
                }
                let moved = day.moved(offset(self.key?, by, days, other));
                Some(moved.map_or_else(String::new, |day| day.written(format) + time))
            }
            Treated::Rounded { to } => rounded(number()?, to).map(|number| number.to_string()),
            Treated::Top { at } => {
                number().map(|number| if at.is_below(number) == Some(true) { at } else { number }.to_string())
            }
            Treated::Bottom { at } => {
                number().map(|number| if number.is_below(at) == Some(true) { at } else { number }.to_string())
            }
            Treated::Age { at, format, top } => {
                let born = Day::collected(cell, format)?;
                let then = match at {
                    At::Column { .. } if is_blank(other) => return Some(String::new()),
                    At::Column { format, .. } => Day::collected(other, format)?,
                    At::Day(day) => Day::collected(day, "YYYY-MM-DD")?,
                };
                let age = born.years_until(then).map(|age| age.min(top.unwrap_or(age)).to_string());
                Some(age.unwrap_or_default())
            }
        }
    }
}

/// Nothing but blanks, seen or not.
fn is_blank(cell: &str) -> bool {
    let is_hidden = |letter: char| matches!(u32::from(letter), 0x200b..=0x200d | 0x2060 | 0xfeff);
    cell.chars().all(|letter| letter.is_whitespace() || is_hidden(letter))
}

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

/// The nearest multiple; of two that are equally near, the even one.
fn rounded(number: Decimal, to: Decimal) -> Option<Decimal> {
    let (low, high) = to.band_of(number)?;
    let [below, above] = [number.minus(low)?, high.minus(number)?];
    Some(match (below.is_below(above)?, above.is_below(below)?) {
        (true, _) => low,
        (_, true) => high,
        _ => {
            let (even, _) = to.plus(to)?.band_of(low)?;
            if even == low { low } else { high }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_even_multiple() {
        let round = |number: &str, to: &str| {
            rounded(Decimal::collected(number)?, Decimal::collected(to)?).map(|number| number.to_string())
        };
        for (number, to, expected) in [
            ("150", "100", "200"),
            ("250", "100", "200"),
            ("-250", "100", "-200"),
            ("0.3", "0.25", "0.25"),
            ("149.9", "100", "100"),
        ] {
            assert_eq!(round(number, to).as_deref(), Some(expected), "{number}");
        }
    }
}
