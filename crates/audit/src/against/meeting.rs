//! Where the keys of two releases meet: labels of different levels, brought to the coarser one.
//!
//! A column with the same rule in both releases keeps its labels. Bands meet where one width is a multiple of the other,
//! prefixes at the shorter one, dates at the coarser grain. A column that meets nowhere below the top, or that one release
//! does not have, is left out: the classes that differ by it are put together.
//!
//! Limit: lists of different levels, and values as collected beside labels, meet at the top only.

use super::{Cells, Classes, Counts, Groups, Shared};
use crate::decimal::Decimal;
use crate::manifest::{Claims, Column};

/// How the rest of the keys of two releases is brought together.
pub(super) struct Meeting {
    /// For each release, for each column where they meet: its place among the rest of the key.
    places: [Vec<usize>; 2],
    levels: Vec<Level>,
}

/// A rule that labels of both releases can be brought to.
enum Level {
    Band { width: Decimal },
    Prefix { keep: usize },
    Date { length: usize },
}

impl Meeting {
    pub fn of(claims: [&Claims; 2], shared: &Shared) -> Self {
        let [ours, theirs] = [shared.rest(claims[0], |pair| pair.0), shared.rest(claims[1], |pair| pair.1)];
        let mut meeting = Self { places: [Vec::new(), Vec::new()], levels: Vec::new() };
        for (place, column) in
            ours.iter().enumerate().filter_map(|(place, one)| Some((place, claims[0].columns.get(*one)?)))
        {
            let is_same =
                |other: &&usize| claims[1].columns.get(**other).is_some_and(|other| other.name == column.name);
            let Some(other_place) = theirs.iter().position(|other| is_same(&other)) else { continue };
            let other = theirs.get(other_place).and_then(|other| claims[1].columns.get(*other));
            let other = other.filter(|other| shared.is_treated_alike(column, other));
            if let Some(level) = other.and_then(|other| Level::of(column, other)) {
                meeting.places[0].push(place);
                meeting.places[1].push(other_place);
                meeting.levels.push(level);
            }
        }
        meeting
    }

    /// The records of a release by the keys where both meet; `side` says which release it is.
    pub fn groups(&self, classes: &Classes, side: usize) -> Groups {
        let mut groups = Groups::new();
        for (comparable, by_rest) in classes {
            for (rest, counts) in by_rest {
                let met = self.places.get(side).into_iter().flatten().zip(&self.levels);
                let met = met.map(|(place, level)| level.of_label(rest.get(*place).map_or("", |label| label)));
                let key: Cells = comparable.iter().cloned().chain(met).collect();
                add(groups.entry(key).or_default(), counts);
            }
        }
        groups
    }
}

fn add(sum: &mut Counts, counts: &Counts) {
    for (values, count) in counts {
        *sum.entry(values.clone()).or_default() += count;
    }
}

impl Level {
    /// Where the labels of a column meet in two releases.
    fn of(new: &Column, old: &Column) -> Option<Self> {
        let (new, old) = (new.labels.as_ref()?, old.labels.as_ref()?);
        if new.rule != old.rule {
            return None;
        }
        match new.rule.as_str() {
            "interval" => {
                let widths = [new, old].map(|labels| Decimal::parse(labels.width.as_deref()?));
                let [Some(one), Some(other)] = widths else { return None };
                let (fine, coarse) = if one.is_below(other)? { (one, other) } else { (other, one) };
                (fine.band_of(coarse)?.0 == coarse).then_some(Self::Band { width: coarse })
            }
            "prefix" => Some(Self::Prefix { keep: usize::try_from(new.keep?.min(old.keep?)).ok()? }),
            "date" => Some(Self::Date {
                length: date_length(new.grain.as_deref()?)?.min(date_length(old.grain.as_deref()?)?),
            }),
            _ => None,
        }
    }

    /// A label of either release at this level; what is no such label stays as it is.
    fn of_label(&self, label: &str) -> Box<str> {
        let met = match self {
            Self::Band { width } => band_start(label).and_then(|low| Some(width.band_of(low)?.0.to_string())),
            Self::Prefix { keep } => Some(label.chars().take(*keep).collect()),
            Self::Date { length } => label.get(..*length).map(str::to_owned),
        };
        met.unwrap_or_else(|| label.to_owned()).into()
    }
}

fn band_start(label: &str) -> Option<Decimal> {
    Decimal::parse(label.strip_prefix('[')?.split_once(", ")?.0)
}

/// How many letters of a date tell its month, year or decade. Quarters meet others at the year, weeks nowhere.
fn date_length(grain: &str) -> Option<usize> {
    match grain {
        "day" | "month" => Some(7),
        "quarter" | "year" => Some(4),
        "decade" => Some(3),
        _ => None,
    }
}
