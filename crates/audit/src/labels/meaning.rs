//! What a label stands for, so that the labels of two releases can be held against each other.
//!
//! A label is a set of values. Of two labels it is asked whether some value can have both. A rule answers by what it makes of the
//! other label's values: `50667` has `506*`, and so has every value of `5066*`. Numbers are held against numbers as bands.
//!
//! What a list joins is the owner's: the mask says it. Without the mask a listed label stands for itself.

use std::collections::HashMap;

use super::{LabelRule, Place, TOP};
use crate::calendar::{Day, Grain};
use crate::decimal::{Decimal, NumberPlace};
use crate::library::Library;
use crate::manifest::Column;

/// What a label stands for.
pub(crate) enum Meaning {
    /// Every value.
    All,
    /// These values; a missing one is the empty text.
    Values(Vec<String>),
    Numbers(Band),
    /// Codes that start so.
    Start(String),
    /// A label of a step of a ladder that everybody shares.
    Code(Library, u64, String),
    /// Dates of a grain: days of it that lie in every coarser label that has some of its days.
    Days(Grain, Vec<Day>),
    /// The values that a rule cannot read.
    Stray,
    /// Nobody says.
    Unknown,
}

impl Meaning {
    pub fn value(text: &str) -> Self {
        Self::Values(vec![text.to_owned()])
    }

    /// The numbers that it stands for, if it stands for numbers only.
    pub fn numbers(&self) -> Option<Band> {
        match self {
            Self::Numbers(band) => Some(*band),
            Self::Values(values) => match values.as_slice() {
                [value] => Decimal::collected(value).and_then(|number| Band::closed(number, number)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Numbers from one to another.
#[derive(Clone, Copy)]
pub(crate) struct Band {
    /// Nothing stands for: from the lowest on.
    pub low: Option<NumberPlace>,
    high: Option<NumberPlace>,
    /// Whether the higher end belongs to it.
    is_closed: bool,
}

impl Band {
    /// From one number up to another, which is no longer in it; nothing where they have too many digits to be compared.
    pub fn open(low: Option<Decimal>, high: Option<Decimal>) -> Option<Self> {
        let place = |end: Option<Decimal>| end.map_or(Some(None), |end| end.place().map(Some));
        Some(Self { low: place(low)?, high: place(high)?, is_closed: false })
    }

    /// From one number to another, both in it.
    pub fn closed(low: Decimal, high: Decimal) -> Option<Self> {
        Self::open(Some(low), Some(high)).map(|band| Self { is_closed: true, ..band })
    }

    /// Whether some number is in both.
    pub fn meets(self, other: Self) -> bool {
        self.starts_in_front_of(other) && other.starts_in_front_of(self)
    }

    /// Of this and another the one that ends later.
    pub fn reaching(self, other: Option<Self>) -> Self {
        let end = |band: &Self| (band.high.is_none(), band.high, band.is_closed);
        other.filter(|other| end(other) > end(&self)).unwrap_or(self)
    }

    /// Whether it starts before another ends.
    pub fn starts_in_front_of(self, other: Self) -> bool {
        match (self.low, other.high) {
            (Some(low), Some(high)) => low < high || (other.is_closed && low == high),
            _ => true,
        }
    }
}

/// The labels of a column with all that is known of what they stand for.
pub(crate) struct LabelSense<'a> {
    column: &'a Column,
    rule: LabelRule<'a>,
    /// The label of each value that a list joins, if that is known.
    labels: Option<HashMap<String, String>>,
    /// The values of each label.
    values: HashMap<String, Vec<String>>,
}

impl<'a> LabelSense<'a> {
    /// The labels of a column, whose list joins these values; nothing where its rule cannot be understood.
    pub fn new(column: &'a Column, labels: Option<HashMap<String, String>>) -> Option<Self> {
        let rule = LabelRule::read(column.labels.as_ref()?).ok()?;
        let mut values: HashMap<String, Vec<String>> = HashMap::new();
        for (value, label) in labels.iter().flatten() {
            values.entry(label.clone()).or_default().push(value.clone());
        }
        Some(Self { column, rule, labels, values })
    }

    pub fn meaning(&self, label: &str) -> Meaning {
        match label {
            _ if self.column.is_at_top() => Meaning::All,
            TOP if self.column.or_top() => Meaning::Stray,
            TOP if self.rule.place == Place::Class => Meaning::All,
            "" => Meaning::value(""),
            _ if self.rule.is_listed() => {
                self.values.get(label).map_or(Meaning::Unknown, |values| Meaning::Values(values.clone()))
            }
            _ => (self.rule.means)(label),
        }
    }

    /// Its own labels that stand for some of the same values; nothing where its rule does not tell.
    pub fn labels_of(&self, meaning: &Meaning) -> Option<Vec<String>> {
        match meaning {
            Meaning::Values(values) => {
                let labels: Option<Vec<_>> = values.iter().map(|value| self.labels_of_value(value)).collect();
                labels.map(|labels| labels.concat())
            }
            other => (self.rule.joins)(other),
        }
    }

    /// The label of a value, or none where no record has one; nothing where this is not known.
    fn labels_of_value(&self, value: &str) -> Option<Vec<String>> {
        let made = match &self.labels {
            _ if self.rule.place == Place::Class => return None,
            Some(labels) if self.rule.is_listed() => {
                labels.get(value).cloned().or_else(|| value.is_empty().then(String::new))
            }
            _ if self.rule.is_listed() => return None,
            _ if self.rule.is_as_collected() && self.column.number => {
                Some(Decimal::collected(value).map_or_else(|| value.to_owned(), |number| number.to_string()))
            }
            _ => self.rule.label(value),
        };
        let stray = || self.column.or_top().then(|| TOP.to_owned());
        Some(made.or_else(stray).into_iter().collect())
    }

    /// Whether its labels are ranges of numbers.
    pub fn is_of_ranges(&self) -> bool {
        self.rule.place == Place::Class && !self.rule.is_listed()
    }

    /// Whether equal labels of another column stand for the same values.
    pub fn is_alike(&self, other: &Self) -> bool {
        let place = |one: &Self| (one.column.level, one.column.levels);
        let (Some(mine), Some(yours)) = (&self.column.labels, &other.column.labels) else { return false };
        place(self) == place(other) && mine.is_same(yours) && (!self.rule.is_listed() || self.is_named_like(other))
    }

    /// Whether equal labels stand for the same: both have the same list, or labels of local recoding.
    pub fn is_named_like(&self, other: &Self) -> bool {
        let place = |one: &Self| (one.column.level, one.column.levels, one.rule.name);
        let is_known = self.labels.is_some() && other.labels.is_some();
        self.rule.is_listed() && place(self) == place(other) && !is_known
    }

    /// Whether what one of them cannot read the other cannot read either.
    pub fn reads_like(&self, other: &Self) -> bool {
        let reads_numbers = |one: &Self| one.rule.label("0.5").is_some() && one.rule.label("x").is_none();
        self.rule.name == other.rule.name || (reads_numbers(self) && reads_numbers(other))
    }

    /// Whether a list has each value once.
    pub fn is_list_of_a_level(&self) -> bool {
        self.rule.is_listed() && self.rule.place != Place::Class
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn band(low: &str, high: &str) -> Band {
        Band::open(Decimal::parse(low), Decimal::parse(high)).unwrap()
    }

    #[test]
    fn bands_meet_where_a_number_is_in_both() {
        let closed = |low, high| Band::closed(Decimal::parse(low).unwrap(), Decimal::parse(high).unwrap()).unwrap();
        let above = Band::open(Decimal::parse("90"), None).unwrap();
        for (one, other, meet) in [
            (band("0", "5"), band("5", "10"), false),
            (band("0", "5"), band("4.9", "10"), true),
            (closed("0", "5"), band("5", "10"), true),
            (band("5", "10"), closed("0", "5"), true),
            (band("0", "5"), closed("5", "5"), false),
            (above, band("85", "90"), false),
            (above, band("85", "91"), true),
            (above, Band::open(None, None).unwrap(), true),
            (band("-5", "0"), closed("-5", "-5"), true),
        ] {
            assert_eq!((one.meets(other), other.meets(one)), (meet, meet));
        }
    }
}
