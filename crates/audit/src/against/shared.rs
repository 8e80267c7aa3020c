//! The columns that two releases share, and what happened to their cells before all else.

use super::side::ColumnPlaces;
use crate::manifest::{Claims, Column};
use crate::treatment;

/// A quasi-identifier of both releases.
pub(super) struct SharedLabels {
    /// Its places.
    pub places: (usize, usize),
    /// Whether the same happened to its values before they got labels.
    pub is_alike: bool,
}

/// The columns that both releases hold, by their places in the new and in the earlier one.
pub(super) struct SharedColumns {
    pub labels: Vec<SharedLabels>,
    /// Columns as collected.
    common: Vec<(usize, usize)>,
    /// Of these, which hold numbers in one way of writing in one release only.
    are_respelt: Vec<bool>,
    /// The same, where something happened to the values of one release that did not happen to those of the other.
    pub unlike: Vec<(usize, usize)>,
}

impl SharedColumns {
    pub fn new(claims: [&Claims; 2], is_same_key: bool) -> Self {
        let mut shared = Self { labels: Vec::new(), common: Vec::new(), are_respelt: Vec::new(), unlike: Vec::new() };
        for (place, new) in claims[0].columns.iter().enumerate() {
            let Some(other) = claims[1].columns.iter().position(|other| other.name == new.name) else { continue };
            let Some(old) = claims[1].columns.get(other) else { continue };
            // Equal cells mean the same only where the same happened to them.
            let is_alike = is_treated_alike(new, old, is_same_key);
            if new.is_recoded() && old.is_recoded() && (is_alike || !(is_keyed(new) || is_keyed(old))) {
                shared.labels.push(SharedLabels { places: (place, other), is_alike });
            } else if !new.is_quasi() && !old.is_quasi() && is_alike {
                shared.common.push((place, other));
                shared.are_respelt.push(new.number != old.number);
            } else if !new.is_quasi() && !old.is_quasi() {
                shared.unlike.push((place, other));
            }
        }
        shared
    }

    /// The places in a release of what is compared; `side` tells which of two places is its own.
    pub fn places(&self, claims: &Claims, side: fn(&(usize, usize)) -> usize) -> ColumnPlaces {
        let labels: Vec<usize> = self.labels.iter().map(|shared| side(&shared.places)).collect();
        let quasi = claims.columns.iter().enumerate().filter(|(_, column)| column.is_recoded());
        let others = quasi.map(|(place, _)| place).filter(|place| !labels.contains(place)).collect();
        let common = self.common.iter().map(side).collect();
        ColumnPlaces { labels, others, common, are_respelt: self.are_respelt.clone() }
    }
}

fn is_keyed(column: &Column) -> bool {
    treatment::read(column).is_ok_and(|treatments| treatments.iter().any(|one| one.is_keyed))
}

/// Whether the same happened to the cells of two columns. Tokens and moved dates of two keys have nothing in common.
fn is_treated_alike(new: &Column, old: &Column, is_same_key: bool) -> bool {
    new.treatments == old.treatments && (is_same_key || !is_keyed(new))
}
