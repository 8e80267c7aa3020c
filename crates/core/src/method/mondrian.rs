//! Mondrian: divides the records again and again, as long as every part stays safe.
//!
//! All records start in one part. A part is cut across the variable in which it is widest: numbers at their median, other
//! variables one step down their ladder. A cut counts only if the guard allows every side; if not, the next widest variable
//! is tried; a part that no cut divides is a class. Its labels are as fine as its own records permit: a number or a range
//! `[low, high]` of numbers, or the lowest label of the ladder that they share.
//!
//! *Strict* cuts send equal values to the same side, so equal keys get equal labels. *Relaxed* cuts share the records at the
//! median between both sides, which makes the sides more even; which of the records of a key goes where is then up to
//! whoever applies the partition.
//!
//! On a ladder, branches that are too small to stand alone stay together under the label above them. The missing value comes
//! before all numbers; where it meets numbers the label is `*`.
//!
//! Nothing is withheld, unless the policy bounds levels from above: then records that are not safe at those bounds can be.
//!
//! Limit: greedy; a cut that would only pay off later is not seen. Local recoding invites attacks that
//! global recoding does not know: see the card.
//!
//! Source: `LeFevre`, `DeWitt` & Ramakrishnan 2006. Spec: `specs/method/mondrian.md`.

mod cut;
mod grid;

use rayon::prelude::*;

use super::partition::{LocalClass, Partition, PartitionError, Piece, Rows};
use super::{Member, Work};
use crate::card::{Card, Kind, Parameter, text};
use crate::frequency::{Distribution, FrequencySet};
use crate::privacy::Guard;
use grid::Grid;

pub(super) const MEMBER: Member = Member {
    card: Card {
        name: "mondrian",
        summary: "records divided into classes, each with its own ranges and labels",
        about: "Divides the table at medians and along ladders as long as every class satisfies the privacy models, so that \
                dense regions keep more detail than sparse ones. The same value may have different labels in different \
                classes: tables of the release do not add up as after global recoding. Whoever knows the method can draw \
                conclusions from where it stopped dividing (minimality attack), and l-diversity says nothing about how \
                skewed or how similar the sensitive values of a class are.",
        promises: &["every class satisfies the privacy models", "strict cuts: equal keys get equal labels"],
        parameters: &[Parameter {
            name: "cuts",
            kind: Kind::Choice(&["strict", "relaxed"]),
            default: Some("strict"),
            summary: "whether records at a median stay together (strict) or are shared between both sides (relaxed)",
        }],
        source: "K. LeFevre, D. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006",
    },
    work: Work::Classes(|rows, guard, parameters, budget, progress| {
        fit_within(rows, guard, text(parameters, "cuts") == "relaxed", budget, progress)
    }),
};

/// Records of rows that are still together: the place of the row in canonical order, and how many of its records.
pub(crate) type Part = Vec<(u32, u64)>;

/// Divides the rows into safe classes.
pub fn fit(
    rows: &Rows<'_>,
    guard: &Guard,
    relaxed: bool,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Partition, PartitionError> {
    fit_within(rows, guard, relaxed, 0, progress)
}

/// The same, with the records withheld that are not safe at the highest levels that the policy permits, if they are no more
/// than the budget.
pub fn fit_within(
    rows: &Rows<'_>,
    guard: &Guard,
    relaxed: bool,
    budget: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Partition, PartitionError> {
    let grid = Grid::of(rows)?;
    let mut open = grid.first_parts();
    let judged = Judge { grid: &grid, guard };
    let suppressed = judged.failing(&open);
    if suppressed > budget || (suppressed > 0 && suppressed == grid.records) {
        return Err(PartitionError::NoSafePartition { failing: suppressed, records: grid.records });
    }
    let mut allowed = judged.allowed(&open).into_iter();
    open.retain(|_| allowed.next().unwrap_or(false));
    let mut done = Vec::new();
    while !open.is_empty() {
        let divided: Vec<(Part, Option<Vec<Part>>)> = open
            .into_par_iter()
            .map(|part| (divide(&judged, &part, relaxed), part))
            .map(|(cut, part)| (part, cut))
            .collect();
        open = Vec::new();
        for (part, cut) in divided {
            match cut {
                Some(parts) => open.extend(parts),
                None => done.push(part),
            }
        }
        progress((done.len() + open.len()) as u64);
    }
    collect(&judged, &done, suppressed)
}

/// The sides of the first cut that the guard allows, widest variable first.
fn divide(judge: &Judge<'_>, part: &Part, relaxed: bool) -> Option<Vec<Part>> {
    let mut widths: Vec<(usize, f64)> =
        (0..judge.grid.dimensions()).map(|place| (place, judge.grid.width(place, part))).collect();
    widths.retain(|(_, width)| *width > 0.0);
    widths.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    widths.into_iter().find_map(|(place, _)| cut::sides(judge, place, part, relaxed))
}

/// Asks the guard.
pub(crate) struct Judge<'a> {
    pub grid: &'a Grid<'a>,
    pub guard: &'a Guard,
}

impl Judge<'_> {
    /// For each part whether it may be a class.
    pub fn allowed(&self, parts: &[Part]) -> Vec<bool> {
        let sizes = parts.iter().map(size).collect();
        let spread = |codes: &Vec<u32>| {
            let entries = |part: &Part| part.iter().map(|&(row, records)| (codes[row as usize], records)).collect();
            Distribution::from_lists(parts.iter().map(entries))
        };
        let sensitive = self.grid.sensitive.iter().map(spread).collect();
        self.guard.judge(&FrequencySet::without_keys(sizes, sensitive)).kept
    }

    fn failing(&self, parts: &[Part]) -> u64 {
        let allowed = self.allowed(parts);
        parts.iter().zip(allowed).filter(|(_, allowed)| !allowed).map(|(part, _)| size(part)).sum()
    }
}

/// The records of a part.
pub(crate) fn size(part: &Part) -> u64 {
    part.iter().map(|(_, records)| records).sum()
}

/// The parts as classes with labels. Parts that came to look alike are one class, which the guard must allow as well.
fn collect(judge: &Judge<'_>, parts: &[Part], suppressed: u64) -> Result<Partition, PartitionError> {
    let grid = judge.grid;
    let mut labelled: Vec<(Vec<String>, &Part)> = parts.par_iter().map(|part| (grid.labels(part), part)).collect();
    labelled.par_sort();
    let (mut classes, mut pieces, mut alike) = (Vec::new(), Vec::new(), Vec::new());
    let mut lost = vec![0.0; grid.dimensions()];
    for run in labelled.chunk_by(|one, other| one.0 == other.0) {
        let Some((labels, _)) = run.first() else { continue };
        let class = u32::try_from(classes.len()).map_err(|_| PartitionError::Inconsistent)?;
        let whole = join(run.iter().map(|(_, part)| *part));
        let records = size(&whole);
        for (place, lost) in lost.iter_mut().enumerate() {
            *lost += grid.width(place, &whole) * records as f64 / (grid.records - suppressed) as f64;
        }
        pieces.extend(whole.iter().map(|&(row, records)| Piece { row: grid.original(row), class, records }));
        classes.push(LocalClass { labels: labels.clone(), records });
        if run.len() > 1 {
            alike.push(whole);
        }
    }
    let failing = judge.failing(&alike);
    if failing > 0 {
        return Err(PartitionError::NoSafePartition { failing, records: grid.records });
    }
    pieces.par_sort_unstable();
    Ok(Partition { classes, pieces, suppressed, lost })
}

/// Parts as one, each row once.
pub(crate) fn join<'p>(parts: impl Iterator<Item = &'p Part>) -> Part {
    let mut rows: Part = parts.flatten().copied().collect();
    rows.sort_unstable();
    let mut joined: Part = Vec::with_capacity(rows.len());
    for (row, records) in rows {
        match joined.last_mut() {
            Some(last) if last.0 == row => last.1 += records,
            _ => joined.push((row, records)),
        }
    }
    joined
}
