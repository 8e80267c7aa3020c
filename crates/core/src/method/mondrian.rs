//! Mondrian: divides the records again and again, as long as every tile stays safe.
//!
//! All records start in one *tile*. A tile is cut across the variable in which it is widest: numbers at their median, other
//! variables one step down their ladder. A cut counts only if the guard allows every side. Otherwise the next widest variable is
//! tried. A tile that no cut divides is a class. Its labels are as fine as its own records permit: a number, a range
//! `[low, high]` of numbers, or the lowest label of the ladder that the records share.
//!
//! *Strict* cuts send equal values to the same side, so equal keys get equal labels. *Relaxed* cuts share the records at the
//! median between both sides, which makes the sides more even. Which records of a key go to which side is then up to whoever
//! applies the partition. Two relaxed tiles may come to look alike. Models without any closure may refuse such a pair as one
//! class; then all cuts are strict.
//!
//! On a ladder, branches that are too small to stand alone stay together under the label above them. The missing value comes
//! before all numbers. In a tile with numbers and the missing value the label is `*`.
//!
//! Nothing is withheld, unless the policy bounds levels from above. Then records that are not safe at those bounds may be.
//!
//! Models that judge all classes together are refused: a tile is judged alone.
//!
//! Limit: greedy; a cut that would only pay off later is not seen. The first tiles must be safe, even where a model would
//! allow parts of them. Local recoding invites attacks that
//! global recoding does not know: see the card.
//!
//! Source: `LeFevre`, `DeWitt` & Ramakrishnan 2006. Spec: `specs/method/mondrian.md`.

mod cut;
mod grid;

use rayon::prelude::*;

use super::partition::{LocalClass, Partition, PartitionError, PartitionTask, Placement};
use super::{MethodMember, MethodWork};
use crate::card::{Card, Kind, Parameter, Promise, text};
use crate::contents::Distribution;
use crate::frequency::FrequencySet;
use crate::privacy::Guard;
use cut::TileCut;
use grid::Grid;

pub(super) const MEMBER: MethodMember = MethodMember {
    card: Card {
        name: "mondrian",
        summary: "records divided into classes, each with its own ranges and labels",
        about: "Divides the table at medians and along ladders as long as every class satisfies the privacy models, so that \
                dense regions keep more detail than sparse ones. The same value may have different labels in different \
                classes: tables of the release do not add up as after global recoding. Whoever knows the method can draw \
                conclusions from where it stopped dividing (minimality attack), and l-diversity says nothing about how \
                skewed or how similar the sensitive values of a class are; t-closeness does.",
        promises: &[
            Promise::InWords("every class satisfies the privacy models"),
            Promise::InWords("strict cuts: equal keys get equal labels"),
        ],
        parameters: &[Parameter::defaulting(
            "cuts",
            Kind::Choice(&["strict", "relaxed"]),
            "strict",
            "whether records at a median stay together (strict) or are shared between both sides (relaxed)",
        )],
        source: "K. LeFevre, D. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006",
    },
    work: MethodWork::Classes(fit),
};

/// Records that are still together: the place of each key in canonical order, and how many of its records.
pub(crate) type Tile = Vec<(u32, u64)>;

/// Divides the records into safe classes. Withheld are those that are not safe at the highest levels that the policy permits,
/// if they are no more than may be.
pub fn fit(task: &PartitionTask<'_>) -> Result<Partition, PartitionError> {
    if let Some(model) = task.guard.over_table().next() {
        return Err(PartitionError::OverTable(model.name()));
    }
    let relaxed = text(task.parameters, "cuts") == "relaxed";
    let partition = cut(task, relaxed);
    // Records that share a median can end up in tiles that look alike, and not every model allows these together.
    if relaxed && partition.is_err() { cut(task, false) } else { partition }
}

fn cut(task: &PartitionTask<'_>, relaxed: bool) -> Result<Partition, PartitionError> {
    let grid = Grid::from_keys(task.keys)?;
    let mut open = grid.first_tiles();
    let judged = Judge { grid: &grid, guard: task.guard };
    let verdict = task.guard.judge(&judged.classes(&open));
    let (suppressed, limited) = (verdict.suppressed, verdict.limited(task.guard.limits()));
    if limited > task.most_suppressed || (suppressed > 0 && suppressed == grid.records) {
        return Err(PartitionError::NoSafePartition { failing: suppressed, records: grid.records });
    }
    let mut allowed = verdict.kept.into_iter();
    open.retain(|_| allowed.next().unwrap_or(false));
    let mut done = Vec::new();
    while !open.is_empty() {
        let divided: Vec<(Tile, Option<Vec<Tile>>)> = open
            .into_par_iter()
            .map(|tile| {
                let sides = divide(&judged, &tile, relaxed);
                (tile, sides)
            })
            .collect();
        open = Vec::new();
        for (tile, cut) in divided {
            match cut {
                Some(tiles) => open.extend(tiles),
                None => done.push(tile),
            }
        }
        (task.progress)((done.len() + open.len()) as u64);
    }
    collect(&judged, &done, suppressed)
}

/// The sides of the first cut that the guard allows, widest variable first.
fn divide(judge: &Judge<'_>, tile: &Tile, relaxed: bool) -> Option<Vec<Tile>> {
    let mut widths: Vec<(usize, f64)> =
        (0..judge.grid.dimensions()).map(|place| (place, judge.grid.width(place, tile))).collect();
    widths.retain(|(_, width)| *width > 0.0);
    widths.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    widths.into_iter().find_map(|(variable, _)| TileCut { judge, variable, tile }.sides(relaxed))
}

/// Asks the guard.
pub(crate) struct Judge<'a> {
    pub grid: &'a Grid<'a>,
    pub guard: &'a Guard,
}

impl Judge<'_> {
    /// For each tile whether it may be a class.
    pub fn allowed(&self, tiles: &[Tile]) -> Vec<bool> {
        self.guard.judge(&self.classes(tiles)).kept
    }

    /// The tiles as the guard sees classes.
    fn classes(&self, tiles: &[Tile]) -> FrequencySet {
        let sizes = tiles.iter().map(size).collect();
        let spread = |codes: &Vec<u32>| {
            let entries = |tile: &Tile| tile.iter().map(|&(key, records)| (codes[key as usize], records)).collect();
            Distribution::from_lists(tiles.iter().map(entries))
        };
        let sensitive = self.grid.sensitive.iter().map(spread).collect();
        let classes = FrequencySet::without_keys(sizes, sensitive);
        let Some(persons) = &self.grid.persons else { return classes };
        let rows =
            || (0..).zip(tiles).flat_map(|(class, tile)| tile.iter().map(move |&(key, _)| (class, key as usize)));
        let (class_of, of_row): (Vec<u32>, Vec<u32>) = rows().map(|(class, key)| (class, persons[key])).unzip();
        let values = |codes: &Vec<u32>| Distribution::from_lists(rows().map(|(_, key)| vec![(codes[key], 1)]));
        let values: Vec<Distribution> = self.grid.sensitive.iter().map(values).collect();
        classes.of_people(&class_of, &of_row, &values)
    }

    fn failing(&self, tiles: &[Tile]) -> u64 {
        let allowed = self.allowed(tiles);
        tiles.iter().zip(allowed).filter(|(_, allowed)| !allowed).map(|(tile, _)| size(tile)).sum()
    }
}

/// The records of a tile.
pub(crate) fn size(tile: &Tile) -> u64 {
    tile.iter().map(|(_, records)| records).sum()
}

/// The tiles as classes with labels. Tiles that came to look alike are one class, which the guard must allow as well.
fn collect(judge: &Judge<'_>, tiles: &[Tile], suppressed: u64) -> Result<Partition, PartitionError> {
    let grid = judge.grid;
    let mut labelled: Vec<(Vec<String>, &Tile)> = tiles.par_iter().map(|tile| (grid.labels(tile), tile)).collect();
    labelled.par_sort();
    let (mut classes, mut placements, mut wholes, mut alike) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut lost = vec![0.0; grid.dimensions()];
    for run in labelled.chunk_by(|one, other| one.0 == other.0) {
        let Some((labels, _)) = run.first() else { continue };
        let class = u32::try_from(classes.len()).map_err(|_| PartitionError::Inconsistent)?;
        let whole = join(run.iter().map(|(_, tile)| *tile));
        let records = size(&whole);
        for (place, lost) in lost.iter_mut().enumerate() {
            *lost += grid.width(place, &whole) * records as f64 / (grid.records - suppressed) as f64;
        }
        placements.extend(whole.iter().map(|&(key, records)| Placement { key: grid.original(key), class, records }));
        classes.push(LocalClass { labels: labels.clone(), records, people: 0 });
        if run.len() > 1 {
            alike.push(whole.clone());
        }
        wholes.push(whole);
    }
    let failing = judge.failing(&alike);
    if failing > 0 {
        return Err(PartitionError::NoSafePartition { failing, records: grid.records });
    }
    let people = judge.classes(&wholes);
    classes.iter_mut().zip(people.people()).for_each(|(class, &people)| class.people = people);
    placements.par_sort_unstable();
    Ok(Partition { classes, placements, suppressed, lost })
}

/// Tiles as one, each key once.
pub(crate) fn join<'p>(tiles: impl Iterator<Item = &'p Tile>) -> Tile {
    let mut keys: Tile = tiles.flatten().copied().collect();
    keys.sort_unstable();
    let mut joined: Tile = Vec::with_capacity(keys.len());
    for (key, records) in keys {
        match joined.last_mut() {
            Some(last) if last.0 == key => last.1 += records,
            _ => joined.push((key, records)),
        }
    }
    joined
}
