//! An intruder who holds two public folders and knows all ladders: subtracts, and looks for rows of too few people.
//!
//! Nothing is told by rules: a class is the set of all combinations of values that have its labels. All unions of classes of
//! which one lies inside the other are tried.

use std::collections::{BTreeMap, BTreeSet};

use super::ladders::{Domain, Level};
use super::tables::{Person, Promised};

/// How often each row stands there, without its labels.
pub type Rows = BTreeMap<[String; 2], u64>;

/// A class: whose rows they can be, and the rows.
pub struct Class {
    /// For each combination of values whether it has these labels.
    pub region: Vec<bool>,
    pub rows: Rows,
}

impl Class {
    pub fn new(key: &[String], people: &[&Person], domains: &[&Domain], levels: &[&Level]) -> Self {
        let mut region = vec![true];
        for ((domain, level), label) in domains.iter().zip(levels).zip(key) {
            let fits: Vec<bool> = (0..domain.values.len()).map(|value| level.labels[value] == *label).collect();
            region = region.iter().flat_map(|before| fits.iter().map(move |fits| *before && *fits)).collect();
        }
        let mut rows = Rows::new();
        for person in people {
            *rows.entry(person.cells.clone()).or_default() += 1;
        }
        Self { region, rows }
    }

    fn meets(&self, other: &Self) -> bool {
        self.region.iter().zip(&other.region).any(|(mine, yours)| *mine && *yours)
    }
}

/// What is found.
#[derive(Debug, Default, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // four answers to four questions
pub struct Found {
    pub difference: bool,
    pub intersection: bool,
    /// Whether some classes hold all of some others and a few rows more, whoever may have come to those.
    pub remainder: bool,
    /// Whether every class is a union of classes of the other release, or the other way round.
    pub is_nested: bool,
}

/// Looks at a release and an earlier one.
pub fn look(ours: &[Class], theirs: &[Class], promised: Promised) -> Found {
    let sides = [ours, theirs];
    let mut found = Found { is_nested: true, ..Found::default() };
    for (one, other) in ours.iter().flat_map(|one| theirs.iter().map(move |other| (one, other))) {
        if one.meets(other) {
            let both = common(&one.rows, &other.rows);
            let is_class = both == one.rows || both == other.rows;
            let few = size(&both) < promised.k || (promised.of_people && !is_class);
            found.intersection |= !both.is_empty() && (few || ill(&both) < promised.l);
        }
    }
    for [mine, yours] in regions(sides) {
        let neighbours = |side: usize, class: usize| neighbours(sides, side, class);
        found.is_nested &= mine.len() < 2 || yours.len() < 2;
        let is_whole = mine.iter().all(|class| neighbours(0, *class).len() == yours.len());
        let both = [&mine, &yours];
        found.difference |= is_open(sides, both, promised);
        for side in [0, 1] {
            let rest = less(&sum(sides[side], both[side]), &sum(sides[1 - side], both[1 - side]));
            for class in both[side].iter().filter(|_| both[side].len() > 1 && !rest.is_empty()) {
                let rows = &sides[side][*class].rows;
                let certain = less(rows, &sum(sides[1 - side], both[1 - side]));
                let told = [common(rows, &rest), certain, less(rows, &rest)];
                found.difference |= told.iter().any(|some| is_told(some, rows, promised));
            }
            found.remainder |= leaves_few(sides, side, both[side], promised);
            if !is_whole {
                found.difference |= subtracts(sides, side, both[side], promised);
            }
        }
    }
    found
}

/// Whether some classes of a region, less those that lie inside them, single somebody out.
fn subtracts(sides: [&[Class]; 2], side: usize, classes: &BTreeSet<usize>, promised: Promised) -> bool {
    let own: Vec<usize> = classes.iter().copied().collect();
    let around = |class: usize| neighbours(sides, side, class);
    let compare = |union: &BTreeSet<usize>, others: &BTreeSet<usize>| {
        let both = if side == 0 { [union, others] } else { [others, union] };
        is_open(sides, both, promised)
    };
    assert!(own.len() < 16, "a region of {} classes", own.len());
    (1..1_u32 << own.len()).any(|chosen| {
        let union: BTreeSet<usize> =
            own.iter().enumerate().filter(|(place, _)| (chosen >> place) & 1 == 1).map(|(_, class)| *class).collect();
        let touched: BTreeSet<usize> = union.iter().flat_map(|class| around(*class)).collect();
        let lies_inside = |other: &usize| neighbours(sides, 1 - side, *other).is_subset(&union);
        let inside: BTreeSet<usize> = touched.iter().copied().filter(lies_inside).collect();
        let is_single = union.len() == 1;
        hangs_together(&union, &around)
            && ((!inside.is_empty() && union.len() < own.len() && compare(&union, &inside))
                || (is_single && compare(&union, &touched)))
    })
}

/// Whether some classes hold all rows of all that the other release has of some of them, and a few more.
fn leaves_few(sides: [&[Class]; 2], side: usize, classes: &BTreeSet<usize>, promised: Promised) -> bool {
    let own: Vec<usize> = classes.iter().copied().collect();
    own.len() < 12
        && (1..1_u32 << own.len()).any(|chosen| {
            let some = own.iter().enumerate().filter(|(place, _)| (chosen >> place) & 1 == 1).map(|(_, class)| *class);
            let some: BTreeSet<usize> = some.collect();
            let around = some.iter().flat_map(|class| neighbours(sides, side, *class)).collect();
            let [inner, outer] = [sum(sides[side], &some), sum(sides[1 - side], &around)];
            less(&inner, &outer).is_empty() && is_told(&less(&outer, &inner), &outer, promised)
        })
}

fn hangs_together(union: &BTreeSet<usize>, around: &impl Fn(usize) -> BTreeSet<usize>) -> bool {
    let mut seen: BTreeSet<usize> = union.iter().take(1).copied().collect();
    loop {
        let beside: BTreeSet<usize> = seen.iter().flat_map(|class| around(*class)).collect();
        let more: BTreeSet<usize> =
            union.iter().copied().filter(|class| !around(*class).is_disjoint(&beside)).collect();
        if more.len() == seen.len() {
            return seen.len() == union.len();
        }
        seen = more;
    }
}

/// The classes of the other release that some person of a class can be in.
fn neighbours(sides: [&[Class]; 2], side: usize, class: usize) -> BTreeSet<usize> {
    let others = sides[1 - side].iter().enumerate();
    others.filter(|(_, other)| sides[side][class].meets(other)).map(|(place, _)| place).collect()
}

/// Classes that hang together, of both releases.
fn regions(sides: [&[Class]; 2]) -> Vec<[BTreeSet<usize>; 2]> {
    let mut found: Vec<[BTreeSet<usize>; 2]> = Vec::new();
    for first in 0..sides[0].len() {
        if found.iter().any(|region| region[0].contains(&first)) {
            continue;
        }
        let mut region = [BTreeSet::from([first]), BTreeSet::new()];
        loop {
            let yours: BTreeSet<usize> = region[0].iter().flat_map(|class| neighbours(sides, 0, *class)).collect();
            let mine: BTreeSet<usize> = yours.iter().flat_map(|class| neighbours(sides, 1, *class)).collect();
            if mine.is_subset(&region[0]) {
                region[1] = yours;
                break;
            }
            region[0].extend(mine);
        }
        found.extend((!region[1].is_empty()).then_some(region));
    }
    found
}

fn is_open(sides: [&[Class]; 2], classes: [&BTreeSet<usize>; 2], promised: Promised) -> bool {
    let rows = [0, 1].map(|side| sum(sides[side], classes[side]));
    (0..2).any(|side| is_told(&less(&rows[side], &rows[1 - side]), &rows[side], promised))
}

/// Whether some rows, found by subtracting from others, are of too few people.
fn is_told(some: &Rows, from: &Rows, promised: Promised) -> bool {
    let is_few = size(some) < promised.k || ill(some) < promised.l || promised.of_people;
    !some.is_empty() && some != from && is_few
}

fn size(rows: &Rows) -> u64 {
    rows.values().sum()
}

fn ill(rows: &Rows) -> u64 {
    rows.keys().map(|cells| &cells[0]).collect::<BTreeSet<_>>().len() as u64
}

fn sum(classes: &[Class], some: &BTreeSet<usize>) -> Rows {
    let mut sum = Rows::new();
    for (row, count) in some.iter().flat_map(|class| &classes[*class].rows) {
        *sum.entry(row.clone()).or_default() += count;
    }
    sum
}

fn less(one: &Rows, other: &Rows) -> Rows {
    let left = one.iter().map(|(row, count)| (row.clone(), count.saturating_sub(*other.get(row).unwrap_or(&0))));
    left.filter(|(_, count)| *count > 0).collect()
}

fn common(one: &Rows, other: &Rows) -> Rows {
    let both = one.iter().map(|(row, count)| (row.clone(), *count.min(other.get(row).unwrap_or(&0))));
    both.filter(|(_, count)| *count > 0).collect()
}
