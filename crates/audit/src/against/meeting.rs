//! Where the keys of two releases meet: labels of different levels, brought to the coarser one.
//!
//! A column with the same rule in both releases keeps its labels. Bands meet where one width is a multiple of the other,
//! prefixes at the shorter one, dates at the coarser grain. A column that meets nowhere below the top, or that one release
//! does not have, is left out: the classes that differ by it are put together.
//!
//! Limit: lists of different levels, and values as collected beside labels, meet at the top only.

use super::{Cells, Classes, CombinationCounts, Groups, SharedColumns};
use crate::labels::{self, Coarsening};
use crate::manifest::Claims;

/// How the rest of the keys of two releases is brought together.
pub(super) struct Meeting {
    /// For each release, for each column where they meet: its place among the rest of the key.
    places: [Vec<usize>; 2],
    levels: Vec<Coarsening>,
}

impl Meeting {
    pub fn new(claims: [&Claims; 2], shared: &SharedColumns) -> Self {
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
            if let Some(level) = other.and_then(|other| labels::meet(column.labels.as_ref()?, other.labels.as_ref()?)) {
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
                let met = met.map(|(place, level)| {
                    let label = rest.get(*place).map_or("", |label| label);
                    level(label).map_or_else(|| label.into(), Box::from)
                });
                let key: Cells = comparable.iter().cloned().chain(met).collect();
                add(groups.entry(key).or_default(), counts);
            }
        }
        groups
    }
}

fn add(sum: &mut CombinationCounts, counts: &CombinationCounts) {
    for (values, count) in counts {
        *sum.entry(values.clone()).or_default() += count;
    }
}
